package goldentest

import (
	"fmt"
	"go/parser"
	"go/token"
	"maps"
	"path"
	"reflect"
	"slices"
	"strings"

	"github.com/listwatch/listwatch/internal/testcase"
)

// describe returns the text of a case: what the generators have read, the files and packages that
// they print, a line per directory, and their warnings. What several of them have in common is in
// it once.
func describe(out *testcase.Output, models map[testcase.Tool]any) string {
	var b strings.Builder
	section := func(title string, texts map[string]string) {
		tools := map[string][]string{}
		for tool, text := range texts {
			tools[text] = append(tools[text], tool)
		}
		for _, text := range slices.SortedFunc(maps.Keys(tools), func(a, b string) int {
			return strings.Compare(slices.Min(tools[a]), slices.Min(tools[b]))
		}) {
			slices.Sort(tools[text])
			fmt.Fprintf(&b, "%s of %s\n%s\n", title, strings.Join(tools[text], ", "), text)
		}
	}
	texts, warnings := map[string]string{}, map[string]string{}
	for tool, model := range models {
		texts["gen-"+string(tool)] = lines(reflect.ValueOf(model), "\t")
	}
	section("model", texts)
	for tool, list := range out.Warnings {
		warnings["gen-"+string(tool)] = "\t" + strings.Join(list, "\n\t") + "\n"
	}
	section("warnings", warnings)
	b.WriteString("files\n" + folders(out.Emitted))
	return b.String()
}

// folders lists files, a line per directory, with the name of the package if it differs from the
// directory's.
func folders(files map[string][]byte) string {
	names := map[string][]string{}
	for name, text := range files {
		dir := path.Dir(name)
		if pkg := packageName(text); pkg != path.Base(dir) {
			dir += " (package " + pkg + ")"
		}
		names[dir] = append(names[dir], path.Base(name))
	}
	var b strings.Builder
	for _, dir := range slices.Sorted(maps.Keys(names)) {
		slices.Sort(names[dir])
		fmt.Fprintf(&b, "\t%s: %s\n", dir, strings.Join(names[dir], " "))
	}
	return b.String()
}

// packageName returns the name in the package clause of a Go file.
func packageName(text []byte) string {
	file, err := parser.ParseFile(token.NewFileSet(), "", text, parser.PackageClauseOnly)
	if err != nil {
		return err.Error()
	}
	return file.Name.Name
}

// lines describes the value that v points to, a line per struct: its fields that are not zero, and
// below it, indented, the structs that its lists point to. Of packages, it describes those that have
// such structs.
func lines(v reflect.Value, indent string) string {
	v = v.Elem()
	var line []string
	below := ""
	for i := range v.NumField() {
		field, value := v.Type().Field(i), v.Field(i)
		switch {
		case field.Name == "Doc", field.Name == "Markers", field.Name == "Module":
			// The source shows them.
		case field.Name == "Dir" && path.IsAbs(value.String()):
			// It depends on the place of the tree.
		case value.IsZero(), value.Kind() == reflect.Pointer, value.Type() == reflect.TypeFor[token.Position]():
			// Pointers refer back to parents.
		case value.Kind() == reflect.Slice && value.Type().Elem().Kind() == reflect.Pointer:
			for i := range value.Len() {
				text := lines(value.Index(i), indent+"\t")
				if field.Name == "Packages" && strings.Count(text, "\n") == 1 {
					continue // nothing is planned for the package itself
				}
				below += text
			}
		case value.Kind() == reflect.Bool:
			line = append(line, field.Name)
		default:
			line = append(line, fmt.Sprintf("%s=%v", field.Name, value))
		}
	}
	return indent + strings.TrimSpace(v.Type().Name()+" "+strings.Join(line, " ")) + "\n" + below
}
