package kubectl

import (
	"fmt"
	"os"
	"strings"

	"golang.org/x/tools/txtar"
)

// A script is a case: its commands with what they print on the real server, and files.
type script struct {
	file  string
	head  []string
	steps []*step
	files []txtar.File
}

// A step is a command.
type step struct {
	line string
	// want is what it prints on the real server.
	want string
	// reason is why apitest prints something else, which is ours; "" if it does not.
	reason, ours string
	// tail are the comments that follow.
	tail []string
}

const (
	indent  = "    "
	differs = "differs apitest: "
	// blank stands for an empty line of what is printed.
	blank = "<blank>"
)

func unblank(line string) string {
	line = strings.TrimPrefix(line, indent)
	if line == blank {
		return ""
	}
	return line
}

func readScript(file string) (*script, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	archive := txtar.Parse(data)
	s := &script{file: file, files: archive.Files}
	var last *step
	for i, line := range strings.Split(strings.TrimRight(string(archive.Comment), "\n"), "\n") {
		switch {
		case strings.HasPrefix(line, "$ "), strings.HasPrefix(line, "& "), line == "join":
			last = &step{line: line}
			s.steps = append(s.steps, last)
		case last == nil:
			s.head = append(s.head, line)
		case strings.HasPrefix(line, differs):
			last.reason = strings.TrimPrefix(line, differs)
		case strings.HasPrefix(line, indent) && last.reason != "":
			last.ours += unblank(line) + "\n"
		case strings.HasPrefix(line, indent):
			last.want += unblank(line) + "\n"
		case line == "", strings.HasPrefix(line, "#"):
			last.tail = append(last.tail, line)
		default:
			return nil, fmt.Errorf("%s:%d: neither a command nor what one prints: %q", file, i+1, line)
		}
	}
	for _, step := range s.steps {
		step.want, step.ours = strings.TrimRight(step.want, "\n"), strings.TrimRight(step.ours, "\n")
	}
	return s, nil
}

// write writes the script to its file.
func (s *script) write() error {
	var b strings.Builder
	for _, line := range s.head {
		fmt.Fprintln(&b, line)
	}
	for _, step := range s.steps {
		fmt.Fprintln(&b, step.line)
		block(&b, step.want)
		if step.reason != "" {
			fmt.Fprintln(&b, differs+step.reason)
			block(&b, step.ours)
		}
		for _, line := range step.tail {
			fmt.Fprintln(&b, line)
		}
	}
	archive := &txtar.Archive{Comment: []byte(b.String()), Files: s.files}
	return os.WriteFile(s.file, txtar.Format(archive), 0o644)
}

func block(b *strings.Builder, text string) {
	if text == "" {
		return
	}
	for line := range strings.SplitSeq(text, "\n") {
		if line == "" {
			line = blank
		}
		fmt.Fprintln(b, indent+line)
	}
}
