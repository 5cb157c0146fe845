//go:build programs

package operators_test

import (
	_ "embed"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/mod/modfile"

	"github.com/listwatch/listwatch/conformance/internal/kube"
	"github.com/listwatch/listwatch/conformance/internal/peers"
	"github.com/listwatch/listwatch/conformance/server/operators"
	"github.com/listwatch/listwatch/internal/golden"
)

// choice is the source of a package with the functions NewCache and NewClient, which the environment chooses.
//
//go:embed testdata/choice.go.txt
var choice string

// managed are the results of an operator whose suites are compiled once, with the package choice in the options of
// their managers.
type managed struct {
	operator
	// With controller-runtime's cache, on the real server and on a server of apitest.
	real, theirs operators.Results
	// With NewCache, and with NewClient too, on a server of apitest.
	cache, client operators.Results
}

func TestManagers(t *testing.T) {
	t.Setenv("GOWORK", "off")
	t.Setenv("GOFLAGS", "-mod=mod")
	root, err := peers.Root()
	if err != nil {
		t.Fatal(err)
	}
	binaries, err := kube.Build(t.Context(), filepath.Join(root, "conformance", ".work", "bin"))
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range managers {
		t.Run(o.name(), func(t *testing.T) {
			dir := o.copy(t)
			move(t, dir, root)
			o.choose(t, dir)
			built := compile(t, dir, o.packages)
			out := managed{operator: o}
			for _, run := range []struct {
				name, manager string
				env           environment
				results       *operators.Results
			}{
				{"real", "", withAssets(filepath.Dir(binaries.APIServer)), &out.real},
				{"theirs", "", existing, &out.theirs},
				{"cache", "cache", existing, &out.cache},
				{"client", "client", existing, &out.client},
			} {
				t.Run(run.name, func(t *testing.T) {
					*run.results = built.test(t, o.args, func(t *testing.T) []string {
						return append(run.env(t), "MANAGER="+run.manager)
					})
				})
			}
			if golden.Update {
				page := readPage(t, filepath.Join(root, "docs", "operators.md"))
				page.setManaged(out)
				page.write(t)
			}
			out.check(t)
		})
	}
}

// choose writes the package choice into a copy of the operator, and makes the edits that use it.
func (o operator) choose(t *testing.T, dir string) {
	t.Helper()
	folder := filepath.Join(dir, "internal", "choice")
	if err := os.MkdirAll(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "choice.go"), []byte(choice), 0o666); err != nil {
		t.Fatal(err)
	}
	module, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	var imported []string
	for _, e := range o.newCache {
		e.apply(t, dir)
		if !slices.Contains(imported, e.file) {
			imported = append(imported, e.file)
			edit{e.file, "\nimport (\n", "\nimport (\n\t\"" + modfile.ModulePath(module) + "/internal/choice\"\n"}.apply(t, dir)
		}
	}
}

// chosen sets NewCache and NewClient in the options of a manager that begin with a text.
func chosen(file, before string) edit {
	return edit{file, before, before + "\n\t\tNewCache: choice.NewCache, NewClient: choice.NewClient,"}
}

// chosenClient makes a suite create its client, by a call that begins with a text, with NewClient.
func chosenClient(file, before string) edit {
	return edit{file, before, strings.Replace(before, "client.New", "choice.NewClient", 1)}
}

// failed returns the names of what failed in any run, sorted.
func (m managed) failed() []string {
	names := slices.Concat(m.real.Failures, m.theirs.Failures, m.cache.Failures, m.client.Failures)
	slices.Sort(names)
	return slices.Compact(names)
}

// explained reports whether the reason of a failure is known: it is in the table of cases, or kube-apiserver shows it too.
func (m managed) explained(name string) bool {
	return m.failures[name] != "" || slices.Contains(m.real.Failures, name)
}

// check fails the test for failures that are not explained.
func (m managed) check(t *testing.T) {
	t.Helper()
	for _, name := range m.failed() {
		if !m.explained(name) {
			t.Errorf("%s failed", name)
		}
	}
	if m.real.Passed == 0 || m.theirs.Passed == 0 {
		t.Error("no test passed")
	}
}

// notesOf returns the last cell of the operator's row: its failures, with whose fault they are, and its notes.
func (m managed) notesOf() string {
	var notes []string
	everywhere := 0
	byReason := map[string][]string{}
	for _, name := range m.failed() {
		switch {
		case m.failures[name] != "":
			byReason[m.failures[name]] = append(byReason[m.failures[name]], name)
		case m.explained(name):
			everywhere++
		default:
			notes = append(notes, name+": not explained")
		}
	}
	for _, reason := range slices.Sorted(maps.Keys(byReason)) {
		notes = append(notes, strings.Join(byReason[reason], ", ")+": "+reason)
	}
	if everywhere > 0 {
		notes = append(notes, fmt.Sprintf("the suite's, since they fail on kube-apiserver with controller-runtime's cache too: %d", everywhere))
	}
	if m.notes != "" {
		notes = append(notes, m.notes)
	}
	return strings.Join(notes, "; ")
}
