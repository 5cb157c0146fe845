package names_test

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/listwatch/listwatch/conformance/internal/peers"
	"github.com/listwatch/listwatch/internal/source"
)

// unit is a piece of input: files by path.
type unit map[string]string

// header is the beginning of the file of a package of types.
const header = `package %s

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

`

// register declares what types of a package need to belong to a group.
const register = header + `var _ metav1.TypeMeta

var SchemeGroupVersion = schema.GroupVersion{Group: "names.example.com", Version: "v1"}

func AddToScheme(scheme *runtime.Scheme) error { return nil }
`

// install declares what a clientset imports of an internal version.
const install = `package install

import "k8s.io/apimachinery/pkg/runtime"

func Install(scheme *runtime.Scheme) {}
`

// kind is a kind and its list, below a header.
const kind = header + `var _ schema.GroupVersion

// +genclient
%[3]stype %[2]s struct {
	metav1.TypeMeta   %[4]s
	metav1.ObjectMeta %[4]s
	Status            string
}

func (*%[2]s) DeepCopyObject() runtime.Object { return nil }

type %[2]sList struct {
	metav1.TypeMeta
	metav1.ListMeta
	Items []%[2]s
}

func (*%[2]sList) DeepCopyObject() runtime.Object { return nil }
`

// external and internal are the tags that metadata has in versions of either sort.
const external, internal = "`json:\",inline\"`", ""

// methods are markers for a method of each verb.
const methods = `// +genclient:method=CreateStripe,verb=create,subresource=stripe
// +genclient:method=UpdateStripe,verb=update,subresource=stripe
// +genclient:method=GetStripe,verb=get,subresource=stripe
// +genclient:method=ListStripe,verb=list,subresource=stripe
// +genclient:method=PatchStripe,verb=patch,subresource=stripe
// +genclient:method=Stripe,verb=update
`

// sorts create a unit of the n-th word. The word begins with a capital letter if it names something
// exported.
var sorts = []struct {
	name  string
	words func(all []string) []string
	unit  func(word string, n int) unit
	// plural reports that the word is the plural of the n-th kind.
	plural bool
	// common exists once.
	common unit
	// refusals are the expected errors of rejected units; if it is empty, no unit may be rejected.
	refusals []string
}{
	{
		name: "group", words: exported,
		unit: func(word string, n int) unit {
			dir := fmt.Sprintf("apis/%s/v1/", strings.ToLower(word))
			return unit{
				dir + "doc.go":   "// +groupName=" + strings.ToLower(word) + ".example.com\n// +groupGoName=" + word + "\npackage v1\n",
				dir + "zebra.go": fmt.Sprintf(kind, "v1", "Zebra", "", external), dir + "register.go": fmt.Sprintf(register, "v1"),
			}
		},
	},
	{
		name: "internal group", words: exported,
		refusals: []string{"would both declare ZebraInterface"}, // for the group and for its kind
		unit: func(word string, n int) unit {
			dir := fmt.Sprintf("apis/%s/", strings.ToLower(word))
			return unit{
				dir + "doc.go":   "// +groupName=" + strings.ToLower(word) + ".example.com\n// +groupGoName=" + word + "\npackage zoo\n",
				dir + "zebra.go": fmt.Sprintf(kind, "zoo", "Zebra", "", internal), dir + "register.go": fmt.Sprintf(register, "zoo"),
				dir + "install/install.go": install,
			}
		},
	},
	{
		name: "version", words: lower,
		unit: func(word string, n int) unit {
			dir := "apis/zoo/" + word + "/"
			return unit{dir + "zebra.go": fmt.Sprintf(kind, "v1", "Zebra", "", external), dir + "register.go": fmt.Sprintf(register, "v1")}
		},
	},
	{
		name: "import", words: lower, refusals: []string{"would import", "cannot derive a Go name from version"}, // as if the word were v1
		unit: func(word string, n int) unit {
			const half = 1
			if len(word) == half {
				return nil
			}
			dir := "apis/" + word[:half] + "/" + word[half:] + "/"
			return unit{
				dir + "doc.go":   fmt.Sprintf("// +groupName=%s.example.com\n// +groupGoName=%[1]s\npackage v1\n", word[:half]),
				dir + "zebra.go": fmt.Sprintf(kind, "v1", "Zebra", methods, external), dir + "register.go": fmt.Sprintf(register, "v1"),
			}
		},
	},
	{
		name: "kind", words: titles, refusals: []string{"would both declare"}, common: unit{"apis/zoo/v1/register.go": fmt.Sprintf(register, "v1")},
		unit: func(word string, n int) unit {
			return unit{fmt.Sprintf("apis/zoo/v1/kind%d.go", n): fmt.Sprintf(kind, "v1", word, methods, external)}
		},
	},
	{
		name: "plural", words: exported, refusals: []string{"the kind", "plural of kind"}, common: unit{"apis/zoo/v1/register.go": fmt.Sprintf(register, "v1")}, plural: true,
		unit: func(word string, n int) unit {
			return unit{fmt.Sprintf("apis/zoo/v1/kind%d.go", n): fmt.Sprintf(kind, "v1", fmt.Sprintf("K%dx", n), "", external)}
		},
	},
	{
		name: "method", words: exported, refusals: []string{"choose another name", "would have two members"}, common: unit{"apis/zoo/v1/register.go": fmt.Sprintf(register, "v1")},
		unit: func(word string, n int) unit {
			return unit{fmt.Sprintf("apis/zoo/v1/kind%d.go", n): fmt.Sprintf(kind, "v1", fmt.Sprintf("K%dx", n), "// +genclient:method="+word+",verb=update,subresource=stripe\n// +genclient:method=List"+word+",verb=list\n", external)}
		},
	},
}

// runtimes are the runtimes of generated code.
var runtimes = []string{"listwatch", "client-go"}

func TestNames(t *testing.T) {
	root, err := peers.Dir()
	if err != nil {
		t.Fatal(err)
	}
	words, imports := output(t)
	outside, err := source.Outside(root, imports)
	if err != nil {
		t.Fatal(err)
	}
	for _, sort := range sorts {
		t.Run(sort.name, func(t *testing.T) {
			for _, runtime := range runtimes {
				t.Run(runtime, func(t *testing.T) {
					t.Parallel()
					in := input{module: newModule(t, sort.common), units: map[string]string{}, plurals: map[string]string{}}
					for n, word := range sort.words(words) {
						for name, text := range sort.unit(word, n) {
							in.write(t, name, text)
							in.units[name] = word
						}
						if sort.plural {
							in.plurals[fmt.Sprintf("K%dx", n)] = word
						}
					}
					in.generate(t, runtime, sort.refusals)
					tree, err := source.Parse(in.dir, "example.com/m")
					if err != nil {
						t.Fatal(err)
					}
					if _, err := tree.Check(outside); err != nil {
						t.Error(err)
					}
				})
			}
		})
	}
}

// module is a module on disk.
type module struct{ dir string }

func newModule(t *testing.T, files unit) module {
	t.Helper()
	m := module{t.TempDir()}
	m.write(t, "go.mod", "module example.com/m\n\ngo 1.26\n")
	for name, text := range files {
		m.write(t, name, text)
	}
	return m
}

func (m module) write(t *testing.T, name, text string) {
	t.Helper()
	file := filepath.Join(m.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// run runs gen-all on the module, and returns its output.
func (m module) run(t *testing.T, args ...string) (says string, ok bool) {
	t.Helper()
	cmd := exec.Command(peers.All(t), append(args, "./apis/...")...)
	cmd.Dir = m.dir
	out, err := cmd.CombinedOutput()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return string(out), err == nil
}

// input is the input of the generators: a module with units.
type input struct {
	module
	units   map[string]string // words by file
	plurals map[string]string
}

// generate generates all units, removing those that are rejected. A rejection without one of the
// expected errors fails the test.
func (in input) generate(t *testing.T, runtime string, refusals []string) {
	t.Helper()
	for {
		args := []string{"--runtime=" + runtime}
		for kind, plural := range in.plurals {
			args = append(args, "--plural-exceptions="+kind+":"+plural)
		}
		faults, ok := in.run(t, args...)
		if ok {
			return
		}
		refused := map[string]bool{}
		for line := range strings.Lines(faults) {
			file, _, _ := strings.Cut(line, ":")
			if word, ok := in.units[file]; ok && !refused[word] && !strings.Contains(line, ": warning: ") {
				if !slices.ContainsFunc(refusals, func(r string) bool { return strings.Contains(line, r) }) {
					t.Error(line)
				}
				refused[word] = true
				in.remove(t, word)
			}
		}
		if len(refused) == 0 {
			t.Fatalf("no unit is at fault: %s", faults)
		}
	}
}

// remove removes the unit of a word.
func (in input) remove(t *testing.T, word string) {
	t.Helper()
	for name, of := range in.units {
		if of != word {
			continue
		}
		if err := os.Remove(filepath.Join(in.dir, filepath.FromSlash(name))); err != nil {
			t.Fatal(err)
		}
		delete(in.units, name)
	}
	maps.DeleteFunc(in.plurals, func(_, plural string) bool { return plural == word })
}

// output returns every identifier in the code generated for kinds of each sort, and the packages
// that it imports.
func output(t *testing.T) (words, imports []string) {
	t.Helper()
	all, packages := map[string]bool{}, map[string]bool{}
	for _, dir := range []string{"zoo/v1", "pond"} {
		tags := map[string]string{"zoo/v1": external, "pond": internal}[dir]
		for _, runtime := range runtimes {
			m := newModule(t, unit{
				"apis/" + dir + "/zebra.go":    fmt.Sprintf(kind, "v1", "Zebra", methods, tags),
				"apis/" + dir + "/gnu.go":      fmt.Sprintf(kind, "v1", "Gnu", "// +genclient:nonNamespaced\n"+methods, tags),
				"apis/" + dir + "/register.go": fmt.Sprintf(register, "v1"),
				"apis/pond/install/install.go": install,
			})
			for _, args := range [][]string{{"--apply-configuration-package=example.com/m/applyconfiguration"}, nil, {"--output-dir=pkg/applied"}} {
				if says, ok := m.run(t, append(args, "--runtime="+runtime)...); !ok {
					t.Fatal(says)
				}
				tree, err := source.Parse(m.dir, "example.com/m")
				if err != nil {
					t.Fatal(err)
				}
				for _, p := range tree.Imports() {
					packages[p] = !strings.HasPrefix(p, "example.com/")
				}
			}
			for word := range identifiers(t, filepath.Join(m.dir, "pkg", "generated")) {
				all[word] = true
			}
		}
	}
	maps.DeleteFunc(packages, func(_ string, outside bool) bool { return !outside })
	return slices.Sorted(maps.Keys(all)), slices.Sorted(maps.Keys(packages))
}

// identifiers returns the identifiers in the Go files below a directory.
func identifiers(t *testing.T, dir string) map[string]bool {
	t.Helper()
	files, err := source.Files(dir)
	if err != nil {
		t.Fatal(err)
	}
	words := map[string]bool{}
	for _, name := range files {
		syntax, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(syntax, func(node ast.Node) bool {
			if ident, ok := node.(*ast.Ident); ok && !strings.Contains(ident.Name, "_") {
				words[ident.Name] = true
			}
			return true
		})
	}
	return words
}

// exported returns the words that are exported names.
func exported(words []string) []string {
	return titles(slices.DeleteFunc(slices.Clone(words), func(w string) bool { return !ast.IsExported(w) }))
}

// titles returns the words as exported names, each once regardless of case, without those that the
// types of every unit have.
func titles(words []string) []string {
	seen := map[string]bool{"schemegroupversion": true, "addtoscheme": true, "zebralist": true, "gnulist": true}
	var names []string
	for _, w := range words {
		name := strings.ToUpper(w[:1]) + w[1:]
		if folded := strings.ToLower(name); !seen[folded] && !seen[strings.TrimSuffix(folded, "list")] {
			seen[folded] = true
			names = append(names, name)
		}
	}
	return names
}

// lower returns the words in lower case, like names of imports, and the keywords.
func lower(words []string) []string {
	names := slices.DeleteFunc(slices.Clone(words), func(w string) bool { return strings.ToLower(w) != w })
	for t := token.BREAK; t <= token.VAR; t++ {
		names = append(names, t.String())
	}
	slices.Sort(names)
	return slices.Compact(names)
}
