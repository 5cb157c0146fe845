package snippets

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/listwatch/listwatch/internal/source"
)

// Context is what the code around snippets declares.
type Context struct {
	// Imports are the import paths of packages by the names that snippets use.
	Imports map[string]string
	// Variables are the types of variables by their names.
	Variables map[string]string
	// Only has the imports and variables of snippets at one place only, by their beginning or all of
	// Snippet.Where; it precedes the others.
	Only map[string]Context
	// Texts are the beginnings of indented blocks that are not Go.
	Texts []string
}

// Check returns the errors of snippets, whose imports are resolved in the module around dir. Variables and
// expressions that a snippet does not use are no error.
func (c Context) Check(dir string, all []Snippet) []error {
	var errs []error
	files := map[string][]byte{}
	for i, s := range all {
		if slices.ContainsFunc(c.Texts, func(beginning string) bool { return strings.HasPrefix(s.Text, beginning) }) {
			continue
		}
		text, err := c.at(s.Where).file(s)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		files[fmt.Sprintf("%d/snippet.go", i)] = text
	}
	tree, err := source.ParseTexts(files, "", "snippets.test")
	if err != nil {
		return append(errs, err)
	}
	outside, err := source.Outside(dir, tree.Imports())
	if err != nil {
		return append(errs, err)
	}
	_, found := tree.Errors(outside)
	for _, err := range found {
		var invalid types.Error
		if !errors.As(err, &invalid) {
			errs = append(errs, err)
		} else if !strings.HasPrefix(invalid.Msg, "declared and not used") && !strings.HasSuffix(invalid.Msg, "is not used") {
			at := invalid.Fset.Position(invalid.Pos)
			_, where, _ := strings.Cut(at.Filename, "/") // which begins with the directory in files
			errs = append(errs, fmt.Errorf("%s, line %d: %s", where, at.Line, invalid.Msg))
		}
	}
	return errs
}

// at returns the context of a place.
func (c Context) at(where string) Context {
	merged := Context{Imports: maps.Clone(c.Imports), Variables: maps.Clone(c.Variables)}
	for _, place := range slices.Sorted(maps.Keys(c.Only)) {
		if place == where || strings.HasPrefix(where, place+".") || strings.HasPrefix(where, place+":") {
			maps.Copy(merged.Imports, c.Only[place].Imports)
			maps.Copy(merged.Variables, c.Only[place].Variables)
		}
	}
	return merged
}

// forms are the places in a file where a snippet can be, with the number of its first line.
var forms = []string{
	"//line %s:1\n%s",
	"func _() error {\n//line %s:1\n%s\nreturn nil\n}",
}

// file returns a snippet as a file.
func (c Context) file(s Snippet) ([]byte, error) {
	var errs error
	for _, form := range forms {
		body := fmt.Sprintf(form, strings.ReplaceAll(s.Where, ":", " line "), withoutEllipses(s.Text))
		f, err := parser.ParseFile(token.NewFileSet(), "", "package snippet; "+body, 0)
		if err == nil {
			return []byte(c.declarations(f) + body), nil
		}
		errs = err
	}
	return nil, fmt.Errorf("%s: not Go: %w:\n%s", s.Where, errs, s.Text)
}

// withoutEllipses removes the ellipses that stand for more code.
func withoutEllipses(code string) string {
	lines := strings.Split(code, "\n")
	for i, line := range lines {
		if trimmed := strings.TrimSpace(line); trimmed == "..." || strings.HasPrefix(trimmed, "... //") {
			lines[i] = ""
		}
	}
	return strings.ReplaceAll(strings.Join(lines, "\n"), "{ ... }", "{ }")
}

// declarations returns the beginning of a file that declares what f uses without declaring it.
func (c Context) declarations(f *ast.File) string {
	imports, variables := map[string]string{}, map[string]string{}
	resolve := func(names []*ast.Ident) {
		for _, name := range names {
			if path, ok := c.Imports[name.Name]; ok {
				imports[name.Name] = path
			}
		}
	}
	for _, name := range f.Unresolved {
		if typ, ok := c.Variables[name.Name]; ok {
			variables[name.Name] = typ
			continue
		}
		resolve([]*ast.Ident{name})
	}
	var text strings.Builder
	for _, name := range slices.Sorted(maps.Keys(variables)) {
		fmt.Fprintf(&text, "var %s %s\n", name, variables[name])
	}
	// The types of the variables have imports, too.
	if typed, err := parser.ParseFile(token.NewFileSet(), "", "package snippet\n"+text.String(), 0); err == nil {
		resolve(typed.Unresolved)
	}
	var beginning strings.Builder
	beginning.WriteString("package snippet\n")
	for _, name := range slices.Sorted(maps.Keys(imports)) {
		fmt.Fprintf(&beginning, "import %s %q\n", name, imports[name])
	}
	return beginning.String() + text.String()
}
