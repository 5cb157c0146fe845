package normal

import (
	"bytes"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"slices"
	"strings"
)

// Registration is like [File] for the registration of an API package. It also takes out comments, spaces
// for layout, and the function Kind, which only gen-register generates.
func Registration(text []byte) ([]byte, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	file.Decls = slices.DeleteFunc(file.Decls, func(d ast.Decl) bool {
		f, ok := d.(*ast.FuncDecl)
		return ok && f.Recv == nil && f.Name.Name == "Kind"
	})
	var bare bytes.Buffer
	if err = format.Node(&bare, fset, file); err != nil {
		return nil, err
	}
	if text, err = File(bare.Bytes()); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	for line := range strings.Lines(string(text)) {
		if words := strings.Fields(line); len(words) > 0 {
			b.WriteString(strings.Join(words, " ") + "\n")
		}
	}
	return b.Bytes(), nil
}
