package operators

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Results are the outcome of one or more suites.
type Results struct {
	Passed, Failed, Skipped int
	// Flaked is the number of specs that failed before they passed.
	Flaked int
	// Failures are the names of failed specs and tests, sorted.
	Failures []string
	// Wall is the time that the suites took, and CPU that of their processes.
	Wall, CPU time.Duration
	// Peak is the resident memory of the largest process of a suite, in bytes.
	Peak int64
}

var (
	// summary is the last but one line of a suite of Ginkgo.
	summary = regexp.MustCompile(`(?m)^(?:SUCCESS|FAIL)! -- (\d+) Passed \| (\d+) Failed (?:\| (\d+) Flaked )?\| (\d+) Pending \| (\d+) Skipped`)
	// failure names a failed spec in the summary of Ginkgo, after which its place follows.
	failure = regexp.MustCompile(`(?m)^\s+\[(?:FAIL|TIMEDOUT|PANICKED!|INTERRUPTED)\] (.*)$`)
	// test is the line of a finished test of package testing.
	test = regexp.MustCompile(`(?m)^\s*--- (PASS|FAIL|SKIP): (\S+)`)
)

// Parse reads the output of a test binary that ran with -test.v. A test of Go counts if it has no subtests; the
// test that runs a suite of Ginkgo is not counted, but its specs are.
func Parse(output string) Results {
	var r Results
	summaries := summary.FindAllStringSubmatch(output, -1)
	for _, m := range summaries {
		r.Passed += number(m[1])
		r.Failed += number(m[2])
		r.Flaked += number(m[3])
		r.Skipped += number(m[4]) + number(m[5])
	}
	for _, m := range failure.FindAllStringSubmatch(output, -1) {
		r.Failures = append(r.Failures, m[1])
	}
	if len(summaries) == 0 {
		r.count(test.FindAllStringSubmatch(output, -1))
	}
	slices.Sort(r.Failures)
	r.Failures = slices.Compact(r.Failures)
	return r
}

// count adds finished tests, of which each is a line, a result and a name.
func (r *Results) count(tests [][]string) {
	for _, m := range tests {
		if slices.ContainsFunc(tests, func(other []string) bool { return strings.HasPrefix(other[2], m[2]+"/") }) {
			continue
		}
		switch m[1] {
		case "PASS":
			r.Passed++
		case "SKIP":
			r.Skipped++
		default:
			r.Failed++
			r.Failures = append(r.Failures, m[2])
		}
	}
}

// Add adds the results of other suites.
func (r *Results) Add(other Results) {
	r.Passed += other.Passed
	r.Failed += other.Failed
	r.Skipped += other.Skipped
	r.Flaked += other.Flaked
	r.Failures = append(r.Failures, other.Failures...)
	r.Wall += other.Wall
	r.CPU += other.CPU
	r.Peak = max(r.Peak, other.Peak)
}

// number returns the value of digits, or 0.
func number(digits string) int {
	n, _ := strconv.Atoi(digits) // digits, or empty
	return n
}
