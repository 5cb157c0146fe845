package compatibility

import (
	_ "embed"
	"strings"
)

//go:embed used.txt
var usedText string

// Used are the symbols of client-go that are in use, by package path below
// k8s.io/client-go, most used first.
type Used map[string][]string

// InUse returns what projects and emitted code use.
func InUse() Used { return ParseUsed(usedText) }

// ParseUsed reads lines: a package, then indented its symbols. What begins with #
// is a comment.
func ParseUsed(text string) Used {
	used := Used{}
	var pkg string
	for line := range strings.Lines(text) {
		fields := strings.Fields(line)
		switch {
		case len(fields) == 0 || strings.HasPrefix(line, "#"):
		case line[0] != '\t':
			pkg = fields[0]
		default:
			used[pkg] = append(used[pkg], fields...)
		}
	}
	return used
}
