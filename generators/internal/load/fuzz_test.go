package load_test

import (
	"errors"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/listwatch/listwatch/generators/internal/diag"
	"github.com/listwatch/listwatch/generators/internal/kinds"
	"github.com/listwatch/listwatch/generators/internal/lint"
	"github.com/listwatch/listwatch/generators/internal/load"
	"github.com/listwatch/listwatch/generators/internal/marker"
	"github.com/listwatch/listwatch/generators/internal/register"
	"github.com/listwatch/listwatch/generators/internal/resolve"
	"github.com/listwatch/listwatch/generators/model"
	"github.com/listwatch/listwatch/internal/golden"
)

// surroundings are the packages that a fuzzed file can import.
const surroundings = other + `-- k8s.io/apimachinery/pkg/apis/meta/v1/types.go --
package v1

type TypeMeta struct{}
type ObjectMeta struct { Name string }
type ListMeta struct{}
-- p/doc.go --
// +groupName=shop.example.com
package p
`

// around returns the loader's input with source as the file p/types.go.
func around(source string) map[string]string {
	files := sources(surroundings)
	files["p/types.go"] = source
	return files
}

// seed adds the sources of the tables and of the cases below testdata/apis.
func seed(f *testing.F) {
	for _, c := range commentCases {
		f.Add("package p\n" + c.give + "\n")
		f.Add(strings.ReplaceAll("package p\n"+c.give+"\n", "\n", "\r\n"))
	}
	for _, c := range declarations {
		f.Add(c.give)
	}
	for _, c := range fieldCases {
		f.Add("package p; " + c.give)
	}
	for _, c := range kindSeeds {
		f.Add(kindSource(c))
	}
	err := filepath.WalkDir(filepath.Join(golden.Root(f), "testdata", "apis"), func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.Name() != "types.go" {
			return err
		}
		text, err := os.ReadFile(name)
		f.Add(string(text))
		return err
	})
	if err != nil {
		f.Fatal(err)
	}
}

// FuzzLoad loads arbitrary text as a file of a package: nothing panics, a syntax error is reported
// once and at its position, comments are where they are reported, and every declaration is found.
func FuzzLoad(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, source string) {
		var diags diag.List
		p, err := load.FromSource(around(source), &diags).Import("p")
		if err != nil {
			t.Fatal(err)
		}
		parsed := 0
		p.Files(func(file *load.File) bool {
			parsed++
			if file.Base() != "types.go" {
				return true
			}
			stand(t, source, file.Comments())
			for _, decl := range file.Types() {
				stand(t, source, decl.Lines())
				if pos := decl.Pos(); !strings.HasPrefix(at(source, pos), decl.Name) {
					t.Errorf("type %s does not stand at %v", decl.Name, pos)
				}
				if p.Lookup(decl.Name) == nil {
					t.Errorf("type %s is not found", decl.Name)
				}
				for _, name := range []string{"ObjectMeta", "Status", "Items", "F", ""} {
					for _, promoted := range []bool{false, true} {
						if found, err := decl.Field(name, promoted); found != nil && (found.Name != name || err != nil) {
							t.Errorf("field %q of %s: found %q, %v", name, decl.Name, found.Name, err)
						}
					}
				}
				p.Declares(decl.Name)
			}
			return true
		})
		faults := all(t, &diags, map[string]string{"p/types.go": source})
		if parsed+len(faults) != 2 {
			t.Errorf("%d of 2 files are read, and %d are reported", parsed, len(faults))
		}
	})
}

// FuzzKinds builds the model of a package with arbitrary text as a file: nothing panics, every error
// has a position in the source, and two runs have the same result.
func FuzzKinds(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, source string) {
		for _, extended := range []bool{false, true} {
			first, faults := modelOf(t, source, extended)
			second, again := modelOf(t, source, extended)
			if d := cmp.Diff(faults, again); d != "" {
				t.Errorf("extended is %v: %s", extended, d)
			}
			if d := cmp.Diff(named(first), named(second)); d != "" {
				t.Errorf("extended is %v: %s", extended, d)
			}
			for _, v := range first.Versions() {
				for _, k := range v.Kinds {
					if !token.IsExported(k.Name) || !token.IsIdentifier(k.Names.Param) || !token.IsIdentifier(k.Names.Client) {
						t.Errorf("a kind called %+v", k.Names)
					}
					for _, m := range k.Methods {
						if len(faults) == 0 && !printable(m) {
							t.Errorf("a method that cannot be printed: %+v", m)
						}
					}
				}
			}
		}
	})
}

// printable reports whether the names in a method are valid in Go source.
func printable(m *model.Method) bool {
	for _, name := range []string{m.Input.Name, m.Input.Package.Alias, m.Result.Name, m.Result.Package.Alias} {
		if !token.IsIdentifier(name) {
			return false
		}
	}
	return strconv.Quote(m.Subresource) == `"`+m.Subresource+`"`
}

// modelOf returns the model of a package, and its errors.
func modelOf(t *testing.T, source string, extended bool) (*model.API, []string) {
	files := around(source)
	var diags diag.List
	loader := load.FromSource(files, &diags)
	p, err := loader.Import("p")
	if err != nil {
		t.Fatal(err)
	}
	packages := []*load.Package{p}
	api := kinds.Read([]kinds.Source{{Package: p, GroupDir: "shop", Version: "v1"}}, kinds.Options{Extended: extended, Diags: &diags}).API
	register.Declare(api, packages, register.Plan(packages, extended, new(diag.List)), false, &diags)
	marker.CheckMisses(packages, false, true, &diags)
	lint.Check(packages, resolve.New(), []string{lint.KnownTagsOnly, lint.RequireExplicitDisablement}, &diags)
	return api, all(t, &diags, files)
}

func named(api *model.API) []string {
	var names []string
	for _, v := range api.Versions() {
		for _, k := range v.Kinds {
			names = append(names, k.Name)
			for _, m := range k.Methods {
				names = append(names, m.Name+" "+m.Input.Name+" "+m.Result.Name)
			}
		}
	}
	return names
}

// all returns every diagnostic, each of which must be in one of the files.
func all(t *testing.T, diags *diag.List, files map[string]string) []string {
	t.Helper()
	var found diag.Errors
	if err := diags.Err(""); err != nil && !errors.As(err, &found) {
		t.Fatal(err)
	}
	var lines []string
	for _, d := range append(found, diags.Warnings("")...) {
		source, ok := files[d.Pos.Filename]
		if !ok || d.Pos.Line < 1 || d.Pos.Column < 1 || d.Pos.Line > 1+strings.Count(source, "\n") {
			t.Errorf("%s: no such place", d)
		}
		if d.Message == "" || strings.Contains(d.Message, "line 0") {
			t.Errorf("%s: not actionable", d)
		}
		lines = append(lines, d.String())
	}
	return lines
}

// at returns the text of the source from a position on.
func at(source string, pos token.Position) string {
	lines := strings.Split(source, "\n")
	if pos.Line < 1 || pos.Line > len(lines) || pos.Column < 1 || pos.Column > len(lines[pos.Line-1])+1 {
		return ""
	}
	return lines[pos.Line-1][pos.Column-1:]
}

// kindSeeds are comments above a kind.
var kindSeeds = []string{
	"",
	"+genclient",
	"+genclient\n+genclient:nonNamespaced\n+genclient:noStatus",
	"+genclient\n+genclient:onlyVerbs=get,updateStatus\n+resourceName=footwear",
	"+genclient\n+genclient:readonly\n+genclient:skipVerbs=list",
	"+genclient\n+genclient:noVerbs",
	"+genclient\n+genclient:method=Try,verb=update,subresource=trial,input=KindList,result=other/v1.Parts",
	"+genclient\n+genclient:method=Parts,verb=list,result=other/v1.",
	"+genclient\n+genclient:method=Parts,verb=create,input=k8s.io/api/core/v1.Pod",
	"+genclient\n+kubebuilder:resource:path=footwear,scope=Cluster",
	"+genclient:unknown",
	"+groupName=other.example.com\n+k8s:client-gen=false\n+k8s:clinet-gen=false",
}

// kindSource returns a file with a kind and a comment above it.
func kindSource(comment string) string {
	return `package p

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"other/v1"
)

// ` + strings.ReplaceAll(comment, "\n", "\n// ") + `
type Kind struct {
	metav1.TypeMeta   ` + "`json:\",inline\"`" + `
	metav1.ObjectMeta ` + "`json:\"metadata,omitempty\"`" + `
	Spec              v1.Parts
	Status            v1.Outer
}

type KindList struct {
	metav1.TypeMeta ` + "`json:\",inline\"`" + `
	metav1.ListMeta ` + "`json:\"metadata,omitempty\"`" + `
	Items           []Kind
}
`
}
