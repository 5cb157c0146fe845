package upstream

import (
	"fmt"
	"go/parser"
	"go/token"
	"strconv"
	"strings"
)

// replaceImports returns the text of a Go file with its import paths replaced, each on its line, and
// nothing else.
func replaceImports(name, text string, replace func(path string) string) (string, error) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, name, text, parser.ImportsOnly)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	last := 0
	for _, spec := range file.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return "", fmt.Errorf("%s: import %s: %w", name, spec.Path.Value, err)
		}
		from, to := set.Position(spec.Path.Pos()).Offset, set.Position(spec.Path.End()).Offset
		b.WriteString(text[last:from])
		b.WriteString(strconv.Quote(replace(path)))
		last = to
	}
	return b.String() + text[last:], nil
}
