package shards_test

import (
	"os"
	"strings"
	"testing"
)

// seed is a bug of the protocol: in a file, a snippet that occurs once is replaced.
type seed struct {
	name, file, snippet, replacement string
}

var seeds = []seed{
	{"a slot is given away before its owner has released it", "assignment.go",
		`|| f.released(owner, m):`, `|| true:`},
	{"a report that follows an older epoch acknowledges", "coordinator.go",
		`rep.Follows == a.ID && rep.Epoch >= m.Epoch && !rep`, `!rep`},
	{"a report leaves out slots whose work has not ended", "term.go",
		`	for slot := range r.holdings {
		rep`, `	for slot, h := range r.holdings {
		if h.losing {
			continue
		}
		rep`},
	{"a slot is released while work goes on", "holding.go",
		`	switch {
	case h.users == 0:`, `	switch {
	case h.users >= 0:`},
	{"a term outlasts the Lease", "options.go",
		`	return o, errors.Join(errs...)`, `	o.RenewDeadline = 2 * o.LeaseDuration
	return o, errors.Join(errs...)`},
	{"a term counts from the response", "ring.go",
		`r.extend(t, began)`, `r.extend(t, r.now())`},
	{"contexts outlast the term", "term.go",
		`r.options.Clock.AfterFunc(deadline-(now-began),`, `r.options.Clock.AfterFunc(4*deadline,`},
	{"writes are not checked against the time", "holding.go",
		`case !r.inTerm(): // the`, `case false: // the`},
	{"the next term begins before the work of the last has ended", "term.go",
		`if len(r.holdings) > 0 {`, `if clear(r.holdings); len(r.holdings) > 0 {`},
	{"terms of a member have one name", "term.go",
		`rand.Text()[:10]`, `rand.Text()[:0]`},
	{"a Lease expires early", "coordinator.go",
		`versionOf(lease), durationOf(lease))
		if`, `versionOf(lease), durationOf(lease)/2)
		if`},
	{"a member whose Lease is missing is over at once", "coordinator.go",
		`over[term] = hasExpired("term "+term, "", o.LeaseDuration)`, `over[term] = true`},
	{"a process replaces a term that may still work", "coordinator.go",
		`over[term] = reportOf(lease).Replaces == term ||`, `over[term] = true ||`},
	{"a member follows an assignment that begins anew", "term.go",
		`case a.ID != t.id, a.Epoch < t.epoch:`, `case false:`},
	{"the first assignment after a lost one does not wait", "coordinator.go",
		`if a.Fresh && !`, `if a.Slots == 0 && !`},
	{"a process takes the Lease of another with its identity", "lease.go",
		`!isMine && !r.mayOccupy(lease, sent)`, `!isMine && !r.mayOccupy(lease, sent) && false`},
	{"slots of a dead owner are not handed over", "coordinator.go",
		`return over[term] }`, `return false }`},
	{"a member that leaves releases its Lease while work goes on", "ring.go",
		`ended := r.leaving && len(r.holdings) == 0`, `ended := r.leaving`},
}

// plant returns the file with the bug.
func (s seed) plant(t *testing.T) string {
	t.Helper()
	source, err := os.ReadFile(s.file)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(source), s.snippet); n != 1 {
		t.Fatalf("the snippet is %d times in %s", n, s.file)
	}
	return strings.Replace(string(source), s.snippet, s.replacement, 1)
}

// TestSeedsFit checks that the bugs can be seeded in the current code. The tests with the build tag seeded check that the
// model finds them.
func TestSeedsFit(t *testing.T) {
	for _, s := range seeds {
		t.Run(strings.ReplaceAll(s.name, " ", "_"), func(t *testing.T) { s.plant(t) })
	}
}
