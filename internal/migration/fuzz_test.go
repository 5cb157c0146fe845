package migration_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/listwatch/listwatch/internal/migration"
)

// FuzzRewrite holds that rewriting a file that parses gives one that parses, which differs in
// imports and qualifiers only, which stays formatted if it was, and which a second run leaves
// as it is.
func FuzzRewrite(f *testing.F) {
	for _, pattern := range []string{filepath.Join("testdata", "rewrite", "*.txtar"), "*.go"} {
		names, err := filepath.Glob(pattern)
		if err != nil {
			f.Fatal(err)
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				f.Fatal(err)
			}
			if archive := txtar.Parse(text); len(archive.Files) > 0 {
				text = archive.Files[0].Data
			}
			f.Add(text)
		}
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		before, err := parser.ParseFile(token.NewFileSet(), "in.go", text, parser.ParseComments)
		result, rewriteErr := migration.Rewrite("in.go", text)
		if err != nil {
			return
		}
		if rewriteErr != nil {
			t.Fatalf("a file that parses: %v", rewriteErr)
		}
		after, err := parser.ParseFile(token.NewFileSet(), "in.go", result.Text, parser.ParseComments)
		if err != nil {
			t.Fatalf("the result does not parse: %v\n%s", err, result.Text)
		}
		if b, a := withoutImports(t, before), withoutImports(t, after); b != a {
			t.Fatalf("more than imports and qualifiers changed:\n%s\nto:\n%s", b, a)
		}
		if isFormatted(text) && !isFormatted(result.Text) {
			t.Fatalf("the result is not formatted:\n%s", result.Text)
		}
		again, err := migration.Rewrite("in.go", result.Text)
		if err != nil || !bytes.Equal(again.Text, result.Text) {
			t.Fatalf("a second run changes (%v):\n%s\nto:\n%s", err, result.Text, again.Text)
		}
	})
}

func isFormatted(text []byte) bool {
	formatted, err := format.Source(text)
	return err == nil && bytes.Equal(formatted, text)
}

// withoutImports describes the syntax of a file without its imports, with one name in place
// of all qualifiers that stand for packages of moved symbols.
func withoutImports(t *testing.T, file *ast.File) string {
	t.Helper()
	moved := map[string]bool{}
	for _, m := range migration.Moves {
		pair, _ := migration.FindPair(m.Package)
		for _, path := range append(pair.OurPaths(), pair.TheirPath()) {
			moved[path] = true
		}
	}
	names := map[string]bool{}
	for _, spec := range file.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		if spec.Name != nil {
			names[spec.Name.Name] = moved[path]
		} else if moved[path] {
			names[migration.PackageName(path)] = true
		}
	}
	var b strings.Builder
	ast.Inspect(file, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.GenDecl:
			return node.Tok != token.IMPORT
		case *ast.SelectorExpr:
			if x, ok := node.X.(*ast.Ident); ok && x.Obj == nil && names[x.Name] {
				b.WriteString("moved." + node.Sel.Name + "\n")
				return false
			}
		case *ast.Ident:
			b.WriteString(node.Name + "\n")
		case *ast.BasicLit:
			b.WriteString(node.Value + "\n")
		case nil:
			b.WriteString(")\n")
			return true
		}
		fmt.Fprintf(&b, "%T(", node)
		return true
	})
	return b.String()
}
