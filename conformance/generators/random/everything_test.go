package random_test

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/listwatch/listwatch/conformance/generators/crds"
	"github.com/listwatch/listwatch/conformance/generators/random"
	"github.com/listwatch/listwatch/generators"
	"github.com/listwatch/listwatch/generators/analyzer"
	"github.com/listwatch/listwatch/internal/source"
)

// everything checks what gen-all does: it refuses only what cannot be generated or what servers refuse; servers accept the
// definitions that it writes, and its output compiles, in both flavours; a second run with the examples in another order
// changes nothing.
func everything(t testing.TB, m *module) map[string]difference {
	t.Helper()
	all := m.names(every)
	diffs := map[string]difference{}
	definitions := m.outcomes(t, all, func(o generators.Options) (*generators.Report, error) {
		return generators.CRD(t.Context(), generators.CRDOptions{Options: o})
	})
	functions := m.outcomes(t, all, func(o generators.Options) (*generators.Report, error) {
		return generators.DeepCopy(t.Context(), generators.DeepCopyOptions{Options: o})
	})
	var done map[string]*outcome
	for _, flavour := range generators.Runtimes {
		done = m.outcomes(t, all, func(o generators.Options) (*generators.Report, error) {
			o.Runtime = flavour
			return generators.All(t.Context(), generators.AllOptions{ClientsetOptions: generators.ClientsetOptions{Options: o}})
		})
		for name, err := range m.compile(t, done) {
			diffs[name] = difference{"does not compile", string(flavour) + ": " + err}
		}
	}
	accepted, refused := []string{}, 0
	for _, name := range all {
		switch o := done[name]; {
		case len(o.errors) == 0:
			accepted = append(accepted, name)
			if reasons := refusals(t, manifests(t, o)); len(reasons) > 0 {
				diffs[name] = difference{"refused by servers, not by gen-all", strings.Join(reasons, "\n")}
			}
		case len(definitions[name].errors)+len(functions[name].errors) > 0 || len(refusals(t, manifests(t, definitions[name]))) > 0:
			refused++
		default:
			diffs[name] = difference{"refused by gen-all alone", strings.Join(o.errors, "\n")}
		}
	}
	if len(accepted) > 0 {
		m.again(t, accepted)
	}
	t.Logf("%d examples: gen-all accepts %d, and refuses %d with reason; %d differ", len(all), len(accepted), refused, len(diffs))
	return diffs
}

// manifests returns the definitions among the files of an outcome.
func manifests(t testing.TB, o *outcome) map[string]crds.Manifest {
	t.Helper()
	out := crds.Output{Files: map[string]string{}}
	for name, text := range o.files {
		if path.Ext(name) == ".yaml" {
			out.Files[name] = text
		}
	}
	found, err := out.Manifests()
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// compile type-checks the examples that are accepted with what is generated, and returns the first error of each.
func (m *module) compile(t testing.TB, outcomes map[string]*outcome) map[string]string {
	t.Helper()
	texts := map[string][]byte{}
	for _, e := range m.examples {
		if len(outcomes[e.Name].errors) > 0 {
			continue
		}
		for name, text := range e.Files {
			if !strings.Contains(name, "never") {
				texts[e.Name+"/"+name] = []byte(text)
			}
		}
	}
	for _, o := range outcomes {
		for name, text := range o.files {
			texts[name] = []byte(text)
		}
	}
	tree, err := source.ParseTexts(texts, m.dir, random.Module)
	if err != nil {
		t.Fatal(err)
	}
	outside, err := source.Outside(m.dir, tree.Imports())
	if err != nil {
		t.Fatal(err)
	}
	return m.firstErrors(t, tree, outside)
}

// again generates everything for the examples, and once more in the other order.
func (m *module) again(t testing.TB, names []string) {
	t.Helper()
	o := generators.AllOptions{}
	o.Dir, o.Patterns, o.Runtime = m.dir, m.patterns(names...), generators.ClientGo
	if _, err := generators.All(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	slices.Reverse(o.Patterns)
	o.Mode = generators.Verify
	if report, err := generators.All(t.Context(), o); err != nil {
		t.Errorf("a second run changes files: %v\n%.4000s", err, report.Diff)
	}
}

// elsewhere are the parts of messages of gen-all that the analyzer need not have, with the reason.
var elsewhere = map[string]string{
	"has no DeepCopyInto": "the type may be of another package of the run",
	"contradicts":         "it may be in another package than what it contradicts",
	"/shared/":            "slow fields are reported with the kinds that have them",
}

// messages compares the messages of gen-all with those of the analyzer.
func messages(t testing.TB, m *module) map[string]difference {
	t.Helper()
	all := m.names(every)
	done := m.outcomes(t, all, func(o generators.Options) (*generators.Report, error) {
		return generators.All(t.Context(), generators.AllOptions{ClientsetOptions: generators.ClientsetOptions{Options: o}})
	})
	loaded, err := packages.Load(&packages.Config{Dir: m.dir, Mode: packages.LoadAllSyntax | packages.NeedModule}, "./...")
	if err != nil {
		t.Fatal(err)
	}
	graph, err := checker.Analyze([]*analysis.Analyzer{analyzer.Analyzer}, loaded, nil)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]map[string]bool{}
	for _, root := range graph.Roots {
		if root.Err != nil {
			t.Fatal(root.Err)
		}
		for _, d := range root.Diagnostics {
			pos := root.Package.Fset.PositionFor(d.Pos, false)
			name := m.owner(pos.Filename)
			if found[name] == nil {
				found[name] = map[string]bool{}
			}
			found[name][strings.TrimPrefix(strings.Replace(fmt.Sprintf("%s: %s", pos, d.Message), ": warning: ", ": ", 1), m.dir+"/")] = true
		}
	}
	diffs := map[string]difference{}
	count := 0
	for _, name := range all {
		var missing []string
		for _, text := range slices.Concat(done[name].errors, done[name].warnings) {
			text = strings.Replace(text, ": warning: ", ": ", 1)
			count++
			excused := slices.ContainsFunc(slices.Collect(maps.Keys(elsewhere)), func(part string) bool { return strings.Contains(text, part) })
			if !found[name][text] && !excused {
				missing = append(missing, text)
			}
		}
		if len(missing) > 0 {
			diffs[name] = difference{"not by the analyzer", strings.Join(missing, "\n")}
		}
	}
	t.Logf("%d messages of gen-all about %d examples; the analyzer lacks some about %d", count, len(all), len(diffs))
	return diffs
}
