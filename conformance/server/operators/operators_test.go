//go:build programs

package operators_test

import (
	"flag"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/mod/module"

	"github.com/listwatch/listwatch/conformance/internal/assets"
	"github.com/listwatch/listwatch/conformance/internal/kube"
	"github.com/listwatch/listwatch/conformance/internal/peers"
	"github.com/listwatch/listwatch/conformance/server/operators"
	"github.com/listwatch/listwatch/internal/golden"
)

var (
	caches = flag.Bool("caches", false, "run only the suites with both caches, and keep the rows of servers")
	logs   = flag.String("logs", "", "write the output of suites into this `directory`")
)

// outcome are the results of an operator.
type outcome struct {
	operator
	// Of the unchanged suites: on the real server, on cmd/apitest in its place, and on a server of apitest.
	real, assets, existing operators.Results
	// With controller-runtime's cache and with NewCache, both on a server of apitest.
	theirs, ours operators.Results
	// With NewCache and controllerruntime/envtest.
	envtest operators.Results
}

func TestOperators(t *testing.T) {
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
	assets, err := assets.Build(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range cases {
		t.Run(o.name(), func(t *testing.T) {
			out := outcome{operator: o}
			if !*caches {
				o.testServers(t, filepath.Dir(binaries.APIServer), assets, &out)
				out.record(t, root)
			}
			if len(o.newCache) > 0 {
				o.testMoved(t, root, &out)
				out.record(t, root)
			}
			out.check(t)
		})
	}
}

// record writes what was measured so far into docs/operators.md, with LISTWATCH_UPDATE=1.
func (o outcome) record(t *testing.T, root string) {
	t.Helper()
	if golden.Update {
		page := readPage(t, filepath.Join(root, "docs", "operators.md"))
		page.set(o)
		page.write(t)
	}
}

// testServers runs the unchanged suites on each server: on the programs in two folders, and on one as existing cluster.
func (o operator) testServers(t *testing.T, real, assets string, out *outcome) {
	t.Helper()
	unchanged := compile(t, o.copy(t), o.packages)
	t.Run("servers", func(t *testing.T) {
		for _, server := range []struct {
			name    string
			results *operators.Results
			env     environment
		}{
			{"real", &out.real, withAssets(real)},
			{"assets", &out.assets, withAssets(assets)},
			{"existing", &out.existing, existing},
		} {
			if o.assetsOnly && server.name == "existing" {
				continue
			}
			t.Run(server.name, func(t *testing.T) {
				if o.atOnce {
					t.Parallel()
				}
				*server.results = unchanged.test(t, o.args, server.env)
			})
		}
	})
	unchanged.remove()
}

// testMoved runs the suites with both caches, and then with controllerruntime/envtest.
func (o operator) testMoved(t *testing.T, root string, out *outcome) {
	t.Helper()
	dir := o.copy(t)
	move(t, dir, root)
	newCache := func() {
		for _, e := range o.newCache {
			e.apply(t, dir)
			edit{e.file, "\nimport (\n", "\nimport (\n\t\"" + ownModule + "/controllerruntime\"\n"}.apply(t, dir)
		}
	}
	for _, step := range []struct {
		name    string
		change  func()
		env     environment
		results *operators.Results
	}{
		{"theirs", func() {}, existing, &out.theirs},
		{"ours", newCache, existing, &out.ours},
		{"envtest", func() {
			replaceImports(t, dir, controllerRuntime+"/pkg/envtest", ownModule+"/controllerruntime/envtest")
		}, withAssets(""), &out.envtest},
	} {
		step.change()
		built := compile(t, dir, o.moved())
		t.Run(step.name, func(t *testing.T) { *step.results = built.test(t, o.args, step.env) })
		built.remove()
	}
}

// check fails the test for failures without a reason, except those of the suite on the real server.
func (o outcome) check(t *testing.T) {
	t.Helper()
	known := map[string]bool{}
	for _, name := range o.real.Failures {
		known[name] = true
	}
	for _, run := range []struct {
		name    string
		results operators.Results
	}{{"assets", o.assets}, {"existing", o.existing}, {"theirs", o.theirs}, {"ours", o.ours}, {"envtest", o.envtest}} {
		for _, name := range run.results.Failures {
			if !known[name] && o.failures[name] == "" {
				t.Errorf("%s: %s failed", run.name, name)
			}
		}
	}
	if !*caches && (o.real.Passed == 0 || o.assets.Passed == 0 || o.existing.Passed == 0 && !o.assetsOnly) {
		t.Error("no test passed")
	}
}

// name returns the name of an operator: its path without the host and the major version.
func (o operator) name() string {
	parts := strings.Split(o.path, "/")
	name := parts[len(parts)-1]
	if strings.HasPrefix(name, "v") && len(name) == 2 {
		name = parts[len(parts)-2]
	}
	return name
}

// copy returns a directory with a copy of the operator in which its tests can run.
func (o operator) copy(t *testing.T) string {
	t.Helper()
	modules := strings.TrimSpace(run(t, t.TempDir(), "go", "env", "GOMODCACHE"))
	t.Setenv("MODCACHE", modules)
	escaped, err := module.EscapePath(o.path)
	if err != nil {
		t.Fatal(err)
	}
	source := filepath.Join(modules, escaped+"@"+o.version)
	if _, err = os.Stat(source); err != nil { // a newer Go than this one may be necessary to download it
		run(t, t.TempDir(), "go", "mod", "download", o.path+"@"+o.version)
	}
	dir := filepath.Join(t.TempDir(), "module")
	if err = os.CopyFS(dir, os.DirFS(source)); err != nil {
		t.Fatal(err)
	}
	for _, command := range o.prepare {
		run(t, dir, "sh", "-ec", command)
	}
	return dir
}

// reasons returns the names of all that failed in any run.
func reasons(o outcome) iter.Seq[string] {
	names := map[string]bool{}
	for _, r := range []operators.Results{o.real, o.assets, o.existing, o.theirs, o.ours, o.envtest} {
		for _, name := range r.Failures {
			names[name] = true
		}
	}
	return maps.Keys(names)
}

// reason returns why a spec or test fails.
func (o outcome) reason(name string) string {
	switch {
	case o.failures[name] != "":
		return o.failures[name]
	case slices.Contains(o.real.Failures, name):
		return "fails on kube-apiserver"
	}
	return "not explained"
}
