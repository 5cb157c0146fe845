package cli

import (
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"github.com/listwatch/listwatch/generators"
)

// The escape sequences of colors, as git uses them in diffs.
const (
	bold  = "\x1b[1m"
	red   = "\x1b[31m"
	green = "\x1b[32m"
	cyan  = "\x1b[36m"
	reset = "\x1b[m"
)

// colored reports whether what is written to w should be colored: w is a terminal that knows colors, and
// the environment does not ask for plain text.
func colored(w io.Writer) bool {
	return terminal(w) && wantsColor(os.Getenv)
}

// terminal reports whether w is a terminal.
func terminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// wantsColor reports whether the environment allows colors: NO_COLOR (https://no-color.org) and CI are not set,
// and TERM is a terminal that has some.
func wantsColor(getenv func(string) string) bool {
	kind := getenv("TERM")
	return getenv("NO_COLOR") == "" && getenv("CI") == "" && kind != "" && kind != "dumb"
}

// colorDiff colors the lines of a unified diff.
func colorDiff(diff []byte, color bool) []byte {
	if !color {
		return diff
	}
	var b strings.Builder
	inHunk := false
	for line := range strings.Lines(string(diff)) {
		text := strings.TrimRight(line, "\n")
		start := ""
		switch {
		case strings.HasPrefix(line, "diff "):
			inHunk, start = false, bold
		case strings.HasPrefix(line, "@@"):
			inHunk, start = true, cyan
		case !inHunk:
			start = bold
		case strings.HasPrefix(line, "+"):
			start = green
		case strings.HasPrefix(line, "-"):
			start = red
		}
		if start == "" {
			b.WriteString(line)
			continue
		}
		b.WriteString(start + text + reset + line[len(text):])
	}
	return []byte(b.String())
}

// opColors are the colors of operations in a list of changes.
var opColors = map[generators.Op]string{
	generators.Create: green,
	generators.Update: cyan,
	generators.Remove: red,
}

func colorOp(op generators.Op, color bool) string {
	if !color {
		return string(op)
	}
	return opColors[op] + string(op) + reset
}
