package suite_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/listwatch/listwatch/apitest/embedded"
	"github.com/listwatch/listwatch/conformance/server/suite"
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

func startApitest(t *testing.T) *suite.HTTP {
	t.Helper()
	target := suite.NewHTTP(suite.Apitest, suite.ApitestActions(embedded.Start(t, suite.ApitestOptions()...)))
	t.Cleanup(target.Close)
	return target
}

func TestApitest(t *testing.T) {
	target := startApitest(t)
	runner := &suite.Runner{Informers: true}
	runAll(t, load(t), func(t *testing.T, c *suite.Case) {
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
