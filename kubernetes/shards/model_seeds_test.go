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
		`	if !coordinates {
		if !r.extend(t, began)`, `	if !coordinates {
		if !r.extend(t, r.now())`},
	{"contexts outlast the term", "term.go",
		`r.options.Clock.AfterFunc(deadline-(now-began),`, `r.options.Clock.AfterFunc(4*deadline,`},
	{"writes are not checked against the time", "holding.go",
		`case !r.inTerm(): // the`, `case false: // the`},
	{"the next term begins before the work of the last has ended", "term.go",
		`if len(r.holdings) > 0 {`, `if clear(r.holdings); len(r.holdings) > 0 {`},
	{"terms of a member have one name", "term.go",
		`rand.Text()[:10]`, `rand.Text()[:0]`},
	{"a Lease expires early", "coordinator.go",
		`versionOf(lease), durationOf(lease)) ||`, `versionOf(lease), durationOf(lease)/2) ||`},
	{"a member whose Lease is missing is over at once", "coordinator.go",
		`over[term] = term == c.replaced || hasExpired("term "+term, "", o.LeaseDuration)
		case`, `over[term] = true
		case`},
	{"a process replaces a term that may still work", "coordinator.go",
		`reportOf(lease).Replaces == term ||`, `true ||`},
	{"a coordinator is replaced before its term is over", "coordinator.go",
		`versionOf(lease), sent, received, r.options.LeaseDuration)`, `versionOf(lease), sent, received, r.options.LeaseDuration/2)`},
	{"the term of a coordinator does not need the ring's Lease", "ring.go",
		`	if !coordinates {
		if`, `	if true {
		if`},
	{"a member follows an assignment that begins anew", "term.go",
		`case a.ID != t.id, a.Epoch < t.epoch:`, `case false:`},
	{"the first assignment after a lost one does not wait", "coordinator.go",
		`if a.Fresh && !`, `if a.Slots == 0 && !`},
	{"a process takes the Lease of another with its identity", "lease.go",
		`!isMine && !r.mayOccupy(lease, sent)`, `!isMine && !r.mayOccupy(lease, sent) && false`},
	{"slots of a dead owner are not handed over", "coordinator.go",
		`return over[term] }`, `return false }`},
	{"work begins although the slot is lost", "work.go",
		`	inSlot, done, err := r.Begin(ctx, key)
	if err != nil {
		r.count(&r.counts.Dropped)
		return nil
	}`, `	inSlot, done, err := r.Begin(ctx, key)
	if err != nil {
		inSlot, done = ctx, func() {}
	}`},
	{"writes are sent without a check", "work.go",
		`	case http.MethodGet,`, `	case http.MethodPut, http.MethodGet,`},
	{"work does not know when its slot is lost", "holding.go",
		`context.AfterFunc(h.ctx, func() {`, `context.AfterFunc(context.Background(), func() {`},
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
