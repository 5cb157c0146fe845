package column

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/listwatch/listwatch/apitest/embedded"
	"github.com/listwatch/listwatch/conformance/server/suite"
	"github.com/listwatch/listwatch/conformance/server/suite/typed"
	"github.com/listwatch/listwatch/internal/golden"
)

// load returns the cases with recorded answers of the real server, in the order of tables.
func load(t *testing.T) []*suite.Case {
	t.Helper()
	cases, err := suite.Load(filepath.Join("..", "testdata", "cases"))
	if err != nil {
		t.Fatal(err)
	}
	cases = slices.DeleteFunc(cases, (*suite.Case).Draft)
	slices.SortFunc(cases, func(a, b *suite.Case) int { return cmp.Compare(a.ID(), b.ID()) })
	return cases
}

// newRunner returns a runner that finds the CRDs.
func newRunner() *suite.Runner { return &suite.Runner{CRDs: filepath.Join("..", "testdata", "crds")} }

// TestClientset runs each case on a server, with plain HTTP and with typed calls, and compares.
func TestClientset(t *testing.T) {
	cases := load(t)
	actions := map[string]suite.Actions{}
	plain := map[string]*suite.HTTP{}
	for plugin := range suite.ByPlugin(cases) {
		options, err := suite.PluginOptions(plugin)
		if err != nil {
			t.Fatal(err)
		}
		actions[plugin] = suite.ApitestActions(embedded.Start(t, options...))
		plain[plugin] = suite.NewHTTP(suite.Apitest, actions[plugin])
		t.Cleanup(plain[plugin].Close)
	}
	verdicts, tallies := make([]Verdict, len(cases)), make([]*tally, len(cases))
	runner := newRunner()
	run := func(i int) {
		c := cases[i]
		wanted := runner.Run(t.Context(), c, plain[c.Plugin()])
		target, err := NewClientset(actions[c.Plugin()])
		if err != nil {
			t.Error(err)
			return
		}
		defer target.Close()
		got := runner.Run(t.Context(), c, target)
		verdicts[i] = judge(c, &target.tally, func(s *suite.Step) suite.Answer { return wanted.Answers[s] }, got, onWire)
		tallies[i] = &target.tally
	}
	// Cases that share the server mostly wait.
	var together sync.WaitGroup
	slots := make(chan struct{}, 8)
	for i, c := range cases {
		if !c.Alone() {
			slots <- struct{}{}
			together.Go(func() {
				defer func() { <-slots }()
				run(i)
			})
		}
	}
	together.Wait()
	for i, c := range cases {
		if c.Alone() {
			run(i)
		}
	}
	calls, reasons := 0, map[typed.Reason]int{}
	for _, t := range tallies {
		calls += t.Typed()
		for reason, n := range t.Reasons() {
			reasons[reason] += n
		}
	}
	t.Logf("%d typed calls; not typed: %v", calls, reasons)
	check(t, "clientset", "Emitted clientsets over HTTP, beside plain requests.", verdicts)
}

// TestFake runs each case on a fake, and compares with the real server.
func TestFake(t *testing.T) {
	if _, err := sets(); err != nil {
		t.Fatal(err)
	}
	var verdicts []Verdict
	for _, c := range load(t) {
		synctest.Test(t, func(t *testing.T) {
			target, err := NewFake()
			if err != nil {
				t.Fatal(err)
			}
			got := newRunner().Run(t.Context(), c, target)
			v := judge(c, &target.tally, func(s *suite.Step) suite.Answer { return s.Answer }, got, inMemory)
			verdicts = append(verdicts, v)
		})
	}
	check(t, "fake", "Emitted fake clientsets, beside the real server.", verdicts)
}

// check compares verdicts with a table, or writes it.
func check(t *testing.T, name, heading string, verdicts []Verdict) {
	t.Helper()
	file := filepath.Join("testdata", name+".txt")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	table, err := ParseTable(string(text))
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	table.Explain(verdicts)
	if golden.Update {
		written := Format(heading, verdicts)
		if err = os.WriteFile(file, []byte(written), 0o666); err != nil {
			t.Fatal(err)
		}
		if table, err = ParseTable(written); err != nil {
			t.Fatal(err)
		}
	}
	for _, complaint := range table.Check(verdicts) {
		t.Error(complaint)
	}
}
