package random_test

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/listwatch/listwatch/conformance/generators/identity/goapi"
	"github.com/listwatch/listwatch/conformance/generators/random"
	"github.com/listwatch/listwatch/conformance/internal/peers"
	"github.com/listwatch/listwatch/generators"
	"github.com/listwatch/listwatch/internal/source"
)

// clients compares clientsets with fakes, listers, informers and apply configurations with code-generator's: the same
// files, and in every package the same API.
func clients(t testing.TB, m *module) map[string]difference {
	t.Helper()
	diffs := map[string]difference{}
	n := m.complete(t)
	names := n.names(func(e random.Example) bool { return e.Clients })
	our, ourErrors := n.generate(t, "ours", names, peers.Ours(t))
	their, theirErrors := n.generate(t, "upstream", names, peers.Upstream(t))
	equal, refused := 0, 0
	for _, name := range names {
		a, b := theirErrors[name], ourErrors[name]
		switch {
		case a != "" && b != "":
			refused++
		case a != "":
			diffs[name] = difference{"refused by code-generator alone", a}
		case b != "":
			diffs[name] = difference{"refused by gen-clientset and the like alone", b}
		default:
			equal++
		}
	}
	lines := map[string][]string{}
	add := func(name, text string) {
		if name == "" {
			t.Errorf("a difference of no example: %s", text)
		}
		lines[name] = append(lines[name], text)
	}
	if len(names) == len(ourErrors) || len(names) == len(theirErrors) {
		return diffs
	}
	for _, f := range slices.Sorted(maps.Keys(their.files)) {
		if !our.files[f] {
			add(their.owner(f), f+": only by code-generator")
		}
	}
	for _, f := range slices.Sorted(maps.Keys(our.files)) {
		if !their.files[f] {
			add(our.owner(f), f+": not by code-generator")
		}
	}
	for _, d := range goapi.Diff(their.api, our.api) {
		add(their.owner(d.Name()), d.Name()+": "+d.Text)
	}
	for name, list := range lines {
		if _, ok := diffs[name]; !ok {
			diffs[name] = difference{"other clients", strings.Join(list, "\n")}
			equal--
		}
	}
	for name, text := range our.errors {
		diffs[name] = difference{"clients do not compile", text}
	}
	t.Logf("%d examples with clients: %d equal, %d refused by both, %d differ; %d files of %d packages with %d symbols", len(names), equal, refused, len(diffs), len(our.files), len(our.api.Packages), our.symbols())
	return diffs
}

// complete returns a copy of the module with the deepcopy functions and the registration of all examples that gen-deepcopy
// and gen-register accept, without the others.
func (m *module) complete(t testing.TB) *module {
	t.Helper()
	n := &module{dir: t.TempDir()}
	if err := os.CopyFS(n.dir, os.DirFS(m.dir)); err != nil {
		t.Fatal(err)
	}
	all := m.names(func(e random.Example) bool { return e.Clients })
	functions := m.outcomes(t, all, func(o generators.Options) (*generators.Report, error) {
		return generators.DeepCopy(t.Context(), generators.DeepCopyOptions{Options: o})
	})
	registers := m.outcomes(t, all, func(o generators.Options) (*generators.Report, error) {
		return generators.Register(t.Context(), generators.RegisterOptions{Options: o})
	})
	for _, e := range m.examples {
		if !e.Clients || len(functions[e.Name].errors)+len(registers[e.Name].errors) > 0 {
			continue
		}
		n.examples = append(n.examples, e)
		for _, outcome := range []*outcome{functions[e.Name], registers[e.Name]} {
			for name, text := range outcome.files {
				n.put(t, name, text)
			}
		}
	}
	return n
}

// clientTree is what the generators of one peer make of examples.
type clientTree struct {
	files  map[string]bool
	api    goapi.Side
	errors map[string]string
}

// inName matches what names an example in paths and symbols of clients.
var inName = regexp.MustCompile(`(?:^|[^\pL\pN])[eg](\d+)(?:[^\pL\pN]|$)|G(\d+)`)

// owner returns the name of the example that a path or symbol belongs to, or an empty text.
func (c *clientTree) owner(name string) string {
	name = strings.TrimPrefix(name, random.Module)
	if found := inName.FindStringSubmatch(name); found != nil {
		return "e" + cmp.Or(found[1], found[2])
	}
	return ""
}

func (c *clientTree) symbols() int {
	n := 0
	for _, api := range c.api.Packages {
		n += len(api)
	}
	return n
}

// generate runs the tools of a peer on the examples with the names, and returns the output, and the errors of those that
// it refuses.
func (m *module) generate(t testing.TB, maker string, names []string, tools peers.Tools) (*clientTree, map[string]string) {
	t.Helper()
	out := t.TempDir()
	refused := map[string]string{}
	c := &clientTree{files: map[string]bool{}, errors: map[string]string{}, api: goapi.Side{Name: maker, Packages: map[string]goapi.API{}}}
	accepted := m.accepted(t, names, tools, refused)
	if len(accepted) == 0 {
		return c, refused
	}
	if err := tools.Run(m.dir, m.job(t, out, accepted).Commands()...); err != nil {
		t.Fatal(err)
	}
	files, err := source.Files(out)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		c.files[f] = true
	}
	// Both trees have the same import paths, as their APIs are compared.
	tree, err := source.Parse(out, random.Module+"/clients")
	if err != nil {
		t.Fatal(err)
	}
	outside, err := source.Outside(m.dir, tree.Imports())
	if err != nil {
		t.Fatal(err)
	}
	packages, errs := tree.Errors(outside)
	for _, err := range errs {
		name := c.owner(strings.TrimPrefix(err.Error(), m.dir))
		if c.errors[name] == "" {
			c.errors[name] = maker + ": " + err.Error()
		}
	}
	for p, checked := range packages {
		c.api.Packages[p] = goapi.Of(checked)
	}
	return c, refused
}

// accepted returns the examples that the tools accept, and adds the errors of the others to refused. Where the tools give
// up, they give up on all: these are halved until it is known which.
func (m *module) accepted(t testing.TB, names []string, tools peers.Tools, refused map[string]string) []string {
	t.Helper()
	if len(names) == 0 {
		return nil
	}
	err := tools.Run(m.dir, m.job(t, t.TempDir(), names).Commands()...)
	switch {
	case err == nil:
		return names
	case len(names) == 1:
		refused[names[0]] = fmt.Sprint(err)
		return nil
	}
	half := len(names) / 2
	return slices.Concat(m.accepted(t, names[:half], tools, refused), m.accepted(t, names[half:], tools, refused))
}

// job describes what to generate for examples.
func (m *module) job(t testing.TB, out string, names []string) peers.Job {
	t.Helper()
	pkg := random.Module + "/clients"
	job := peers.Job{Dir: m.dir, OutputDir: out, OutputPkg: pkg, ApplyConfigurations: pkg + "/applyconfiguration", Apply: []string{}}
	for _, p := range m.list(t, names) {
		if !strings.HasSuffix(p, "/shared") {
			job.Packages = append(job.Packages, p)
		}
	}
	return job
}
