package operators

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParse(t *testing.T) {
	for _, tc := range []struct {
		name, output string
		want         Results
	}{
		{"nothing ran", "panic: no server\n", Results{}},
		{
			"specs", "=== RUN   TestAPIs\nRan 25 of 25 Specs in 12.703 seconds\n" +
				"SUCCESS! -- 25 Passed | 0 Failed | 0 Pending | 0 Skipped\n--- PASS: TestAPIs (12.71s)\nPASS\n",
			Results{Passed: 25},
		},
		{
			"failed, flaky, pending and skipped specs", "Summarizing 2 Failures:\n" +
				"  [FAIL] Queue [It] is empty\n  /src/queue_test.go:17\n  [TIMEDOUT] Job [It] ends\n  /src/job_test.go:8\n\n" +
				"Ran 9 of 12 Specs in 1.0 seconds\nFAIL! -- 7 Passed | 2 Failed | 1 Flaked | 1 Pending | 2 Skipped\n--- FAIL: TestAPIs (1.0s)\n",
			Results{Passed: 7, Failed: 2, Flaked: 1, Skipped: 3, Failures: []string{"Job [It] ends", "Queue [It] is empty"}},
		},
		{
			"tests, of which those with subtests do not count",
			"--- PASS: TestOne (0.00s)\n--- FAIL: TestTwo (0.10s)\n    --- PASS: TestTwo/a (0.00s)\n    --- FAIL: TestTwo/b (0.00s)\n" +
				"    --- SKIP: TestTwo/c (0.00s)\n--- PASS: TestTwoMore (0.00s)\n",
			Results{Passed: 3, Failed: 1, Skipped: 1, Failures: []string{"TestTwo/b"}},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, Parse(tc.output)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestAdd(t *testing.T) {
	sum := Results{Passed: 1, Failures: []string{"a"}, Failed: 1, Wall: 2, CPU: 3, Peak: 9}
	sum.Add(Results{Passed: 10, Skipped: 2, Flaked: 1, Failed: 1, Failures: []string{"b"}, Wall: 20, CPU: 30, Peak: 5})
	want := Results{Passed: 11, Failed: 2, Skipped: 2, Flaked: 1, Failures: []string{"a", "b"}, Wall: 22, CPU: 33, Peak: 9}
	if diff := cmp.Diff(want, sum); diff != "" {
		t.Error(diff)
	}
}
