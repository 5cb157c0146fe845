package cli

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

// format is the value of --format: how a result is printed. The empty format is chosen by the environment.
type format string

const (
	formatText   format = "text"
	formatGitHub format = "github"
	formatJSON   format = "json"
)

var formats = []string{string(formatText), string(formatGitHub), string(formatJSON)}

const formatUsage = "`format` of messages: text, github for annotations of GitHub Actions, or json for one object on standard output (default: github if GITHUB_ACTIONS=true, otherwise text)"

func (f *format) String() string { return string(*f) }

func (f *format) Type() string { return "format" }

// Set parses the name of a format.
func (f *format) Set(value string) error {
	if !slices.Contains(formats, value) {
		return fmt.Errorf("want one of %v", formats)
	}
	*f = format(value)
	return nil
}

// requested returns the format that arguments request, also those after an invalid one; the empty format if they do not.
func requested(args []string) format {
	var f format
	for i, arg := range args {
		if arg == "--" {
			break
		}
		value, ok := strings.CutPrefix(arg, "--format=")
		if arg == "--format" && i+1 < len(args) {
			value, ok = args[i+1], true
		}
		if ok {
			_ = f.Set(value) // an invalid one has no effect
		}
	}
	return f
}

// print prints a result and returns its exit code.
func (f format) print(r result, stdout, stderr io.Writer) int {
	if f == "" && os.Getenv("GITHUB_ACTIONS") == "true" {
		f = formatGitHub
	}
	switch f {
	case formatJSON:
		printJSON(r, stdout)
	case formatGitHub:
		printText(r, annotator{os.Getenv("GITHUB_WORKSPACE")}, stdout, stderr)
	default:
		printText(r, plain{}, stdout, stderr)
	}
	return r.code
}
