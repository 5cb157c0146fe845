package upstream

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

const written = `tools/cache
	same
		TestA
		TestB
	differs
		TestC/some: it is meant to
		TestD: 
	internal
		closed: TestE
		it is a T: not a U: TestF TestG

util/retry
	same
		TestA
`

func TestTable(t *testing.T) {
	table, err := Parse(written)
	if err != nil {
		t.Fatal(err)
	}
	want := Table{
		"tools/cache": {
			Same:     []string{"TestA", "TestB"},
			Differs:  map[string]string{"TestC/some": "it is meant to", "TestD": ""},
			Internal: map[string]string{"TestE": "closed", "TestF": "it is a T: not a U", "TestG": "it is a T: not a U"},
		},
		"util/retry": {Same: []string{"TestA"}, Differs: map[string]string{}, Internal: map[string]string{}},
	}
	if diff := cmp.Diff(want, table); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if diff := cmp.Diff(written, table.String()); diff != "" {
		t.Errorf("written again, -want +got:\n%s", diff)
	}
}

func TestBadTables(t *testing.T) {
	for name, text := range map[string]string{
		"no package":      "\tsame\n\t\tTestA\n",
		"no section":      "a\n\t\tTestA\n",
		"unknown section": "a\n\tunknown\n\t\tTestA\n",
		"no colon":        "a\n\tdiffers\n\t\tTestA\n",
		"nothing lacking": "a\n\tinternal\n\t\tTestA\n",
	} {
		if table, err := Parse(text); err == nil {
			t.Errorf("%s: %v", name, table)
		}
	}
}

func TestExplain(t *testing.T) {
	old := Table{"a": {Differs: map[string]string{"TestA": "so", "TestGone": "then"}}}
	table := Table{"a": {Differs: map[string]string{"TestA": "", "TestNew": ""}}, "b": {Differs: map[string]string{"TestA": ""}}}
	if diff := cmp.Diff([]string{"a TestNew", "b TestA"}, table.Explain(old)); diff != "" {
		t.Errorf("unexplained, -want +got:\n%s", diff)
	}
	if got := table["a"].Differs["TestA"]; got != "so" {
		t.Errorf("reason %q", got)
	}
}

func TestFailures(t *testing.T) {
	tests := []struct {
		name, output string
		want         []string
	}{
		{"itself", "--- FAIL: TestA (0.00s)\n    a_test.go:1: no\nFAIL\n", []string{"TestA"}},
		{"subtests", "--- FAIL: TestA (0.00s)\n    --- PASS: TestA/1 (0s)\n    --- FAIL: TestA/2 (0s)\n        --- FAIL: TestA/2/b (0s)\n    --- FAIL: TestA/3 (0s)\n", []string{"TestA/2/b", "TestA/3"}},
		{"panic", "--- FAIL: TestA (0.00s)\n    --- FAIL: TestA/1 (0s)\npanic: no\n", []string{"TestA"}},
		{"leak", "PASS\ngoleak: found\n", []string{"TestA"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, failures("TestA", test.output)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}
