package random_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/listwatch/listwatch/conformance/generators/random"
)

// position matches the place of an error in a file of an example, and whole that of an error about a package.
var (
	position = regexp.MustCompile(`/e\d+/(\S+?\.go):(\d+):`)
	whole    = regexp.MustCompile(`/e\d+/(\S+?):-:`)
)

// used returns the errors that are not about a type that no kind uses, or only a version or package that is left out:
// controller-gen reads all types, gen-crd those that it describes.
func used(t testing.TB, e random.Example, errors []string) []string {
	t.Helper()
	types, dirs := usedTypes(t, e)
	return slices.DeleteFunc(slices.Clone(errors), func(text string) bool {
		at := position.FindStringSubmatch(text)
		if at == nil {
			in := whole.FindStringSubmatch(text)
			return in != nil && !dirs[in[1]]
		}
		line, err := strconv.Atoi(at[2])
		if err != nil {
			t.Fatal(err)
		}
		name := typeAt(t, e.Files[at[1]], line)
		return name != "" && !types[declared{path.Dir(at[1]), name}]
	})
}

// declared is a type of an example.
type declared struct{ dir, name string }

// usedTypes returns the types that kinds consist of, and the directories of the kinds.
func usedTypes(t testing.TB, e random.Example) (types map[declared]bool, dirs map[string]bool) {
	t.Helper()
	uses := map[declared][]declared{} // without a directory, those of that name in all
	types, dirs = map[declared]bool{}, map[string]bool{}
	var left []declared
	out := map[string]bool{} // the directories of packages that are left out
	for file, text := range e.Files {
		out[path.Dir(file)] = out[path.Dir(file)] || skippedPackage.MatchString(text)
	}
	for file, text := range e.Files {
		dir := path.Dir(file)
		for _, spec := range typeSpecs(t, text) {
			of := declared{dir, spec.Name.Name}
			uses[of] = nil
			ast.Inspect(spec.Type, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.SelectorExpr:
					uses[of] = append(uses[of], declared{name: n.Sel.Name})
					return false
				case *ast.Ident:
					uses[of] = append(uses[of], declared{dir, n.Name})
				}
				return true
			})
			if embeds(spec, "TypeMeta") && embeds(spec, "ObjectMeta") && !out[dir] && !skipped.MatchString(text) {
				left = append(left, of)
				dirs[dir] = true
			}
		}
	}
	for len(left) > 0 {
		of := left[0]
		left = left[1:]
		for at := range uses {
			if at.name == of.name && (of.dir == "" || of.dir == at.dir) && !types[at] {
				types[at], left = true, append(left, uses[at]...)
			}
		}
	}
	return types, dirs
}

// embeds reports whether a struct embeds a type of this name of another package.
func embeds(spec *ast.TypeSpec, name string) bool {
	s, ok := spec.Type.(*ast.StructType)
	return ok && slices.ContainsFunc(s.Fields.List, func(f *ast.Field) bool {
		of, ok := f.Type.(*ast.SelectorExpr)
		return ok && f.Names == nil && of.Sel.Name == name
	})
}

// skipped matches the marker of a version that is left out. The kinds of a file are of one version.
var skipped = regexp.MustCompile(`(?m)^//\s*\+kubebuilder:skipversion`)

// skippedPackage matches the marker of a package that is left out.
var skippedPackage = regexp.MustCompile(`(?m)^//\s*\+kubebuilder:skip$`)

// typeSpecs returns the declarations of types in a file.
func typeSpecs(t testing.TB, text string) []*ast.TypeSpec {
	t.Helper()
	_, file := parse(t, text)
	var specs []*ast.TypeSpec
	ast.Inspect(file, func(n ast.Node) bool {
		if spec, ok := n.(*ast.TypeSpec); ok {
			specs = append(specs, spec)
		}
		return true
	})
	return specs
}

// typeAt returns the name of the type whose declaration, with its comments, has that line, or an empty text.
func typeAt(t testing.TB, text string, line int) string {
	t.Helper()
	fset, file := parse(t, text)
	name, last := "", 0 // the line where what is before it ends
	for _, decl := range file.Decls {
		end := fset.Position(decl.End()).Line
		if gen, ok := decl.(*ast.GenDecl); ok && gen.Tok == token.TYPE {
			before := last
			for _, spec := range gen.Specs {
				if after := fset.Position(spec.End()).Line; line > before && line <= after {
					name = spec.(*ast.TypeSpec).Name.Name
				}
				before = fset.Position(spec.End()).Line
			}
		}
		last = end
	}
	return name
}

func parse(t testing.TB, text string) (*token.FileSet, *ast.File) {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	return fset, file
}

func TestUsed(t *testing.T) {
	const text = `package v1

// +a
type Spec struct {
	// +b
	Field Part
}

// +c
type Part string

// +d
type Unused struct {
	// +e
	Field Part
}

type (
	// +f
	Other = Part
)

type Kind struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec Spec
}

// +k
type List struct {
	metav1.TypeMeta
	// +l
	Items []Unused
}
`
	const left = "package v2\n\n// +h\ntype Left int\n\n// +kubebuilder:skipversion\ntype Kind struct {\n\tmetav1.TypeMeta\n\tmetav1.ObjectMeta\n\tSpec Left\n}\n"
	const out = "package v3\n\n// +m\ntype Kind struct {\n\tmetav1.TypeMeta\n\tmetav1.ObjectMeta\n}\n"
	e := random.Example{Files: map[string]string{
		"v1/types.go": text, "v2/types.go": left, "v3/types.go": out, "v3/doc.go": "// +kubebuilder:skip\npackage v3\n",
	}}
	var errors []string
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if strings.Contains(line, "// +") {
			errors = append(errors, "/tmp/x/e7/v1/types.go:"+strconv.Itoa(i+1)+":2: "+strings.TrimSpace(line))
		}
	}
	errors = append(errors, "elsewhere:-: g", "/tmp/x/e7/v2/types.go:3:1: h", "x/e7/v2:-: i", "x/e7/v1:-: j", "/tmp/x/e7/v3/types.go:3:1: m")
	var got []string
	for _, text := range used(t, e, errors) {
		got = append(got, text[len(text)-1:])
	}
	if want := "a b c g j"; strings.Join(got, " ") != want {
		t.Errorf("used keeps the errors %v of a to m, want %s", got, want)
	}
}
