package suite_test

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/listwatch/listwatch/apitest/embedded"
	"github.com/listwatch/listwatch/conformance/server/suite"
	"k8s.io/client-go/discovery"
)

func load(t *testing.T) []*suite.Case {
	t.Helper()
	cases, err := suite.Load(filepath.Join("testdata", "cases"))
	if err != nil {
		t.Fatal(err)
	}
	return cases
}

// runAll runs cases as subtests: in parallel those that share the server, then the others.
func runAll(t *testing.T, cases []*suite.Case, run func(*testing.T, *suite.Case)) {
	for _, alone := range []bool{false, true} {
		name := "together"
		if alone {
			name = "alone"
		}
		t.Run(name, func(t *testing.T) {
			for _, c := range cases {
				if c.Alone() != alone {
					continue
				}
				t.Run(c.ID(), func(t *testing.T) {
					if !alone {
						t.Parallel()
					}
					run(t, c)
				})
			}
		})
	}
}

// runByPlugin runs the cases without a plugin, and then those of each plugin as a subtest.
func runByPlugin(t *testing.T, run func(t *testing.T, plugin string, cases []*suite.Case)) {
	t.Helper()
	all := suite.ByPlugin(load(t))
	run(t, "", all[""])
	delete(all, "")
	for _, plugin := range slices.Sorted(maps.Keys(all)) {
		t.Run(plugin, func(t *testing.T) { run(t, plugin, all[plugin]) })
	}
}

func startApitest(t *testing.T, plugin string) *suite.HTTP {
	t.Helper()
	options, err := suite.PluginOptions(plugin)
	if err != nil {
		t.Fatal(err)
	}
	target := suite.NewHTTP(suite.Apitest, suite.ApitestActions(embedded.Start(t, options...)))
	t.Cleanup(target.Close)
	return target
}

func TestApitest(t *testing.T) { runByPlugin(t, runApitest) }

func runApitest(t *testing.T, plugin string, cases []*suite.Case) {
	t.Helper()
	target := startApitest(t, plugin)
	runner := &suite.Runner{Informers: true}
	runAll(t, cases, func(t *testing.T, c *suite.Case) {
		outcome := runner.Run(t.Context(), c, target)
		if c.Draft() {
			if outcome.Err != nil {
				t.Error(outcome.Err)
			}
			return
		}
		if *record {
			write(t, c, suite.Apitest, outcome)
			return
		}
		for _, complaint := range suite.Judge(c, suite.Apitest, outcome) {
			t.Error(complaint)
		}
	})
}

// TestRecorded checks that each case proves something: all answers are the real server's.
func TestRecorded(t *testing.T) {
	cases := load(t)
	if len(cases) < 200 {
		t.Errorf("only %d cases", len(cases))
	}
	for _, c := range cases {
		for _, s := range c.Pending() {
			t.Errorf("%s:%d: no answer is recorded", c.File, s.Line)
		}
	}
}

var (
	chosenPort    = regexp.MustCompile(`[nN]odePort"?: *(\d+)`)
	chosenAddress = regexp.MustCompile(`clusterIPs?"?: *\[?"?10\.0\.0\.(\d+)`)
)

// TestChosen checks that cases choose node ports and addresses of services among those that the real server gives nobody
// (KEP-3668, KEP-3070). Another might be that of another case's service, or be what the service has already.
func TestChosen(t *testing.T) {
	tests := []struct {
		name        string
		chosen      *regexp.Regexp
		first, last int // what servers give
	}{
		{"node port", chosenPort, 30086, 32767},
		{"last byte of an address", chosenAddress, 17, 254},
	}
	for _, c := range load(t) {
		text, err := os.ReadFile(c.File)
		if err != nil {
			t.Fatal(err)
		}
		for _, test := range tests {
			for _, found := range test.chosen.FindAllSubmatch(text, -1) {
				if n, err := strconv.Atoi(string(found[1])); err != nil || test.first <= n && n <= test.last {
					t.Errorf("%s: %s %s may be given to any service; choose one before %d", c.File, test.name, found[1], test.first)
				}
			}
		}
	}
}

// TestBooleans checks that no case has a boolean where it means a name: YAML reads n and y as such, and the answer is
// about that alone.
func TestBooleans(t *testing.T) {
	for _, c := range load(t) {
		text, err := os.ReadFile(c.File)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(strings.Join(strings.Fields(string(text)), " "), "cannot unmarshal bool") {
			t.Errorf("%s: a boolean is refused; quote the name, or choose another", c.File)
		}
	}
}

// TestKinds checks that each kind that is written has a case of its own in clause kinds, except those with a clause.
func TestKinds(t *testing.T) {
	client, err := discovery.NewDiscoveryClientForConfig(embedded.Start(t).RESTConfig())
	if err != nil {
		t.Fatal(err)
	}
	lists, err := client.ServerPreferredResources()
	if err != nil {
		t.Fatal(err)
	}
	for _, list := range lists {
		for _, r := range list.APIResources {
			if r.Name == "namespaces" || r.Name == "customresourcedefinitions" || !slices.Contains(r.Verbs, "create") || !slices.Contains(r.Verbs, "get") {
				continue
			}
			name := r.Name
			if list.GroupVersion == "events.k8s.io/v1" {
				name += "-new"
			}
			if _, err := os.Stat(filepath.Join("testdata", "cases", "kinds", name+".case")); err != nil {
				t.Errorf("%s %s: %v", list.GroupVersion, r.Name, err)
			}
		}
	}
}

// write records the answers of a target.
func write(t *testing.T, c *suite.Case, target string, outcome *suite.Outcome) {
	t.Helper()
	if outcome.Err != nil {
		t.Error(outcome.Err)
	}
	if errors.Is(outcome.Err, suite.ErrUnsupported) {
		return
	}
	for s, answer := range outcome.Answers {
		s.Record(target, answer)
	}
	if err := os.WriteFile(c.File, []byte(c.Format()), 0o666); err != nil {
		t.Fatal(err)
	}
}
