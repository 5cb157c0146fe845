package random_test

import (
	"errors"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/listwatch/listwatch/conformance/generators/random"
	"github.com/listwatch/listwatch/conformance/internal/peers"
	"github.com/listwatch/listwatch/generators"
	"github.com/listwatch/listwatch/internal/source"
)

// module is a module with examples.
type module struct {
	dir      string
	examples []random.Example
}

// write writes a module with those of the examples that compile. The requirements are those of the output for client-go.
func write(t testing.TB, examples []random.Example) *module {
	t.Helper()
	root, err := peers.Root()
	if err != nil {
		t.Fatal(err)
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	m := &module{dir: dir}
	for _, name := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile(filepath.Join(root, "golden", "client-go", name))
		if err != nil {
			t.Fatal(err)
		}
		changed := strings.NewReplacer("module github.com/listwatch/listwatch/golden/client-go", "module "+random.Module, "=> ../..", "=> "+root).Replace(string(text))
		m.put(t, name, changed)
	}
	for _, e := range examples {
		if parses(e) {
			m.examples = append(m.examples, e)
		}
	}
	for _, e := range m.examples {
		for name, text := range e.Files {
			m.put(t, e.Name+"/"+name, text)
		}
	}
	broken := m.broken(t)
	for name := range broken {
		if err := os.RemoveAll(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	m.examples = slices.DeleteFunc(m.examples, func(e random.Example) bool { return broken[e.Name] != "" })
	if n := len(examples); len(m.examples)*10 < n*9 {
		t.Errorf("only %d of %d examples compile; errors: %s", len(m.examples), n, slices.Collect(maps.Values(broken)))
	}
	return m
}

// parses reports whether the files of an example have no syntax errors.
func parses(e random.Example) bool {
	for name, text := range e.Files {
		if _, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution); err != nil {
			return false
		}
	}
	return true
}

func (m *module) put(t testing.TB, name, text string) {
	t.Helper()
	name = filepath.Join(m.dir, filepath.FromSlash(name))
	if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(text), 0o644)); err != nil {
		t.Fatal(err)
	}
}

// broken returns the first error of each example that does not compile.
func (m *module) broken(t testing.TB) map[string]string {
	t.Helper()
	tree, err := source.Parse(m.dir, random.Module)
	if err != nil {
		t.Fatal(err)
	}
	paths := slices.DeleteFunc(tree.Imports(), func(p string) bool { return strings.HasPrefix(p, random.Module+"/") })
	outside, err := source.Outside(m.dir, paths)
	if err != nil {
		t.Fatal(err)
	}
	return m.firstErrors(t, tree, outside)
}

// firstErrors type-checks the packages of examples, and returns the first error of each example that has one.
func (m *module) firstErrors(t testing.TB, tree *source.Tree, outside source.Packages) map[string]string {
	t.Helper()
	found := map[string]string{}
	_, errs := tree.Errors(outside)
	for _, err := range errs {
		var at types.Error
		if !errors.As(err, &at) {
			t.Fatal(err)
		}
		name := m.owner(at.Fset.Position(at.Pos).Filename)
		if found[name] == "" {
			found[name] = strings.ReplaceAll(err.Error(), m.dir+"/", "")
		}
	}
	return found
}

// element matches the elements of paths that name an example: its directory or its group.
var element = regexp.MustCompile(`^[eg](\d+)([._].*)?$`)

// owner returns the name of the example that a file belongs to, or an empty text.
func (m *module) owner(file string) string {
	for name := range strings.SplitSeq(filepath.ToSlash(strings.TrimPrefix(file, m.dir)), "/") {
		if found := element.FindStringSubmatch(name); found != nil {
			return "e" + found[1]
		}
	}
	return ""
}

// patterns returns patterns for the examples with the names, or for all.
func (m *module) patterns(names ...string) []string {
	if names == nil {
		return []string{"./..."}
	}
	var list []string
	for _, n := range names {
		list = append(list, "./"+n+"/...")
	}
	return list
}

// names returns the names of the examples for which keep is true.
func (m *module) names(keep func(e random.Example) bool) []string {
	list := []string{}
	for _, e := range m.examples {
		if keep(e) {
			list = append(list, e.Name)
		}
	}
	return list
}

// outcome is the result of a generator for an example.
type outcome struct {
	// files are the texts by their paths in the module.
	files            map[string]string
	errors, warnings []string
}

// outcomes runs a generator of ours on the examples with the names, all at once, and again without those with errors.
// The outcome of an empty name has the files that belong to no example.
func (m *module) outcomes(t testing.TB, names []string, run func(o generators.Options) (*generators.Report, error)) map[string]*outcome {
	t.Helper()
	all := map[string]*outcome{"": {files: map[string]string{}}}
	for _, n := range names {
		all[n] = &outcome{files: map[string]string{}}
	}
	left := slices.Clone(names)
	for len(left) > 0 {
		report, err := run(generators.Options{Dir: m.dir, Patterns: m.patterns(left...), Mode: generators.DryRun})
		var found generators.Errors
		if errors.As(err, &found) {
			for _, d := range found {
				name := m.owner(d.Pos.Filename)
				if name == "" || all[name] == nil {
					t.Fatalf("an error about no example: %s", d)
				}
				all[name].errors = append(all[name].errors, strings.ReplaceAll(d.String(), m.dir+"/", ""))
				all[name].warnings = nil
			}
			for _, d := range report.Warnings {
				if name := m.owner(d.Pos.Filename); all[name] != nil && len(all[name].errors) > 0 {
					all[name].warnings = append(all[name].warnings, strings.ReplaceAll(d.String(), m.dir+"/", ""))
				}
			}
			left = slices.DeleteFunc(left, func(n string) bool { return len(all[n].errors) > 0 })
			continue
		}
		if errors.Is(err, generators.ErrNoTypes) {
			for _, n := range left {
				all[n].errors = append(all[n].errors, err.Error())
			}
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range report.Changes {
			if o := all[m.owner(c.Path)]; o != nil {
				rel, _ := filepath.Rel(m.dir, c.Path)
				o.files[filepath.ToSlash(rel)] = string(c.New)
			}
		}
		for _, d := range report.Warnings {
			if o := all[m.owner(d.Pos.Filename)]; o != nil {
				o.warnings = append(o.warnings, strings.ReplaceAll(d.String(), m.dir+"/", ""))
			}
		}
		break
	}
	return all
}

// list returns the import paths of the packages of examples.
func (m *module) list(t testing.TB, names []string) []string {
	t.Helper()
	cmd := exec.Command("go", append([]string{"list"}, m.patterns(names...)...)...)
	cmd.Dir, cmd.Stderr = m.dir, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.Fields(string(out))
}
