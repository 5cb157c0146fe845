package shards_test

import (
	"os"
	"strings"
	"testing"
)

// seed is a bug of the protocol: in a file, a snippet that occurs once is replaced.
type seed struct {
	name, file, snippet, replacement string
	// finder is the test that finds it, if that is not the model.
	finder string
}

var seeds = []seed{
	{name: "a slot is given away before its owner has released it", file: "assignment.go",
		snippet: `|| f.released(owner, m):`, replacement: `|| true:`},
	// The model does not find it in 2,000 seeds: a member has to read an assignment late, and two changes of it to follow.
	{name: "a report that follows an older epoch acknowledges", file: "coordinator.go", finder: "TestFacts",
		snippet: `rep.Follows == a.ID && rep.Epoch >= m.Epoch && !rep`, replacement: `!rep`},
	{name: "a report leaves out slots whose work has not ended", file: "term.go",
		snippet: `	for slot := range r.holdings {
		rep`, replacement: `	for slot, h := range r.holdings {
		if h.losing {
			continue
		}
		rep`},
	{name: "a slot is released while work goes on", file: "holding.go",
		snippet: `	switch {
	case h.users == 0:`, replacement: `	switch {
	case h.users >= 0:`},
	{name: "a term outlasts the Lease", file: "options.go",
		snippet: `	return o, errors.Join(errs...)`, replacement: `	o.RenewDeadline = 2 * o.LeaseDuration
	return o, errors.Join(errs...)`},
	{name: "a term counts from the response", file: "ring.go",
		snippet: `	if !coordinates {
		if !r.extend(t, began)`, replacement: `	if !coordinates {
		if !r.extend(t, r.now())`},
	{name: "contexts outlast the term", file: "term.go",
		snippet: `r.options.Clock.AfterFunc(deadline-(now-began),`, replacement: `r.options.Clock.AfterFunc(4*deadline,`},
	{name: "writes are not checked against the time", file: "holding.go",
		snippet: `case !r.inTerm(): // the`, replacement: `case false: // the`},
	{name: "the next term begins before the work of the last has ended", file: "term.go",
		snippet: `if len(r.holdings) > 0 {`, replacement: `if clear(r.holdings); len(r.holdings) > 0 {`},
	{name: "terms of a member have one name", file: "term.go",
		snippet: `rand.Text()[:10]`, replacement: `rand.Text()[:0]`},
	{name: "a Lease expires early", file: "coordinator.go",
		snippet: `versionOf(lease), durationOf(lease)) ||`, replacement: `versionOf(lease), durationOf(lease)/2) ||`},
	{name: "a member whose Lease is missing is over at once", file: "coordinator.go",
		snippet: `over[term] = term == c.replaced || hasExpired("term "+term, "", o.LeaseDuration)
		case`, replacement: `over[term] = true
		case`},
	{name: "a process replaces a term that may still work", file: "coordinator.go",
		snippet: `reportOf(lease).Replaces == term ||`, replacement: `true ||`},
	{name: "a coordinator is replaced before its term is over", file: "coordinator.go",
		snippet: `versionOf(lease), sent, received, r.options.LeaseDuration)`, replacement: `versionOf(lease), sent, received, r.options.LeaseDuration/2)`},
	{name: "the term of a coordinator does not need the ring's Lease", file: "ring.go",
		snippet: `	if !coordinates {
		if`, replacement: `	if true {
		if`},
	{name: "a member follows an assignment that begins anew", file: "term.go",
		snippet: `case a.ID != t.id, a.Epoch < t.epoch:`, replacement: `case false:`},
	{name: "the first assignment after a lost one does not wait", file: "coordinator.go",
		snippet: `if a.Fresh && !`, replacement: `if a.Slots == 0 && !`},
	{name: "a process takes the Lease of another with its identity", file: "lease.go",
		snippet: `!isMine && !r.mayOccupy(lease, sent)`, replacement: `!isMine && !r.mayOccupy(lease, sent) && false`},
	{name: "slots of a dead owner are not handed over", file: "coordinator.go",
		snippet: `return over[term] }`, replacement: `return false }`},
	{name: "work begins although the slot is lost", file: "work.go",
		snippet: `	inSlot, done, err := r.Begin(ctx, key)
	if err != nil {
		r.count(&r.counts.Dropped)
		return nil
	}`, replacement: `	inSlot, done, err := r.Begin(ctx, key)
	if err != nil {
		inSlot, done = ctx, func() {}
	}`},
	{name: "writes are sent without a check", file: "work.go",
		snippet: `	case http.MethodGet,`, replacement: `	case http.MethodPut, http.MethodGet,`},
	{name: "work does not know when its slot is lost", file: "holding.go",
		snippet: `context.AfterFunc(h.ctx, func() {`, replacement: `context.AfterFunc(context.Background(), func() {`},
	{name: "a member that leaves releases its Lease while work goes on", file: "ring.go",
		snippet: `ended := r.leaving && len(r.holdings) == 0`, replacement: `ended := r.leaving`},
	{name: "Leases are written over what others have written", file: "lease.go",
		snippet: `		lease = known.DeepCopy()
`, replacement: `		lease = known.DeepCopy()
		lease.ResourceVersion = ""
`},
	{name: "the coordinator does not look for a Lease that is not renewed", file: "coordinator.go",
		snippet: `age := now - r.coordinator.seen.oldest(now)`, replacement: `age := time.Duration(0)`},
	{name: "the coordinator does not look for what its watch shows", file: "watch.go",
		snippet: `				r.setUnchanged(false)
`, replacement: ``},
	{name: "the coordinator does not look although members settle or slots move", file: "coordinator.go",
		snippet: `c.calm = next == nil && f.settled && len(a.Moves) == 0 && len(members) == len(f.live)`, replacement: `c.calm = true`},
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
// model, or the test that is named, finds them.
func TestSeedsFit(t *testing.T) {
	for _, s := range seeds {
		t.Run(strings.ReplaceAll(s.name, " ", "_"), func(t *testing.T) { s.plant(t) })
	}
}
