package perturb

import (
	"cmp"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"
)

// Limits bound a search. The zero value bounds nothing: all schedules are run.
type Limits struct {
	Schedules int           // how many are run; 0 means all
	Single    bool          // none has two disturbances
	Findings  int           // after how many no further schedule is begun; 0 means never
	Budget    time.Duration // for how long schedules are begun, after the undisturbed runs; 0 means until all are run
}

// Result is what a search has come to.
type Result struct {
	Planned  int // how many schedules with one disturbance there are
	Pruned   int // how many more there would be that come to the same as one of these, or as none
	Tried    int // how many of them were run
	Pairs    int // how many with two disturbances were run
	Findings []Finding
}

// Finding is a schedule that a program does not survive.
type Finding struct {
	Schedule string // what [Replay] takes
	Rule     string // what is broken
	Report   string // what [Run] reports
	// Late is a Recovery with which the program survives, because it retries later than by the one of its Controller; 0
	// if it does not.
	Late  time.Duration
	index int // of the schedule
}

// Search is [Run] for callers that judge what is found themselves: it returns findings in the order of the schedules,
// and reports nothing to t. Its errors say why the program cannot be judged.
func Search(t *testing.T, c Controller, limits Limits) (Result, error) {
	t.Helper()
	undisturbed, err := reference(t, c)
	if err != nil {
		return Result{}, err
	}
	all, pruned := plans(undisturbed)
	s := &searcher{t: t, c: c, undisturbed: undisturbed, limits: limits, survived: map[int][]pair{}, begin: time.Now()}
	s.run(all)
	r := Result{Planned: len(all), Pruned: pruned, Tried: s.next}
	if !limits.Single && r.Tried == len(all) {
		for _, p := range ordered(s.pairs()) {
			all = append(all, p.schedule)
		}
		s.run(all)
		r.Pairs = s.next - r.Tried
	}
	slices.SortFunc(s.findings, func(a, b Finding) int { return cmp.Compare(a.index, b.index) })
	if n := limits.Findings; n > 0 {
		s.findings = s.findings[:min(n, len(s.findings))]
	}
	r.Findings = s.findings
	return r, s.err
}

// run runs the schedules that have not been run yet, as many as the limits allow.
func (s *searcher) run(all []schedule) {
	s.schedules = all
	if n := s.limits.Schedules; n > 0 {
		s.schedules = all[:min(n, len(all))]
	}
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(s.work)
	}
	workers.Wait()
}

// pairs returns the schedules with two disturbances, of which the program has survived the first.
func (s *searcher) pairs() (all []pair) {
	for _, i := range slices.Sorted(maps.Keys(s.survived)) {
		all = append(all, s.survived[i]...)
	}
	return all
}

// searcher is shared by the workers of a search.
type searcher struct {
	t           *testing.T
	c           Controller
	undisturbed *outcome
	schedules   []schedule
	limits      Limits
	begin       time.Time

	mu       sync.Mutex // guards the rest
	next     int        // schedule
	findings []Finding
	survived map[int][]pair // by the schedule with the first disturbance
	err      error
}

// take returns the next schedule.
func (s *searcher) take() (i int, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil || s.next == len(s.schedules) ||
		s.limits.Findings > 0 && len(s.findings) >= s.limits.Findings ||
		s.next > 0 && s.limits.Budget > 0 && time.Since(s.begin) > s.limits.Budget {
		return 0, false
	}
	s.next++
	return s.next - 1, true
}

func (s *searcher) work() {
	for {
		i, ok := s.take()
		if !ok {
			return
		}
		f, next, err := s.try(s.schedules[i])
		s.mu.Lock()
		s.survived[i] = next
		if err != nil {
			s.err = fmt.Errorf("schedule %q: %w", s.schedules[i], err)
		} else if f != nil {
			f.index = i
			s.findings = append(s.findings, *f)
		}
		s.mu.Unlock()
	}
}

// repeats is how often a schedule that has failed must fail again: what is reported can be reproduced.
const repeats = 2

// try runs a schedule. If the program survives it, in one of its repetitions too, try returns what may be done to it next.
func (s *searcher) try(sched schedule) (*Finding, []pair, error) {
	var failed *outcome
	var verdicts []verdict
	for range 1 + repeats {
		o, err := play(s.t, s.c, sched)
		if err != nil {
			return nil, nil, err
		}
		if !o.hit {
			return nil, nil, nil
		}
		found := o.judge(s.undisturbed, s.c)
		if len(found) == 0 {
			if failed != nil {
				s.t.Logf("schedule %q has failed, but not again: %s", sched, verdicts[0].rule)
			}
			if sched.second.kind != "" {
				return nil, nil, nil
			}
			return nil, pairs(s.undisturbed, o), nil
		}
		failed, verdicts = o, found
	}
	f, err := find(s.t, s.c, s.undisturbed, failed, verdicts)
	return f, nil, err
}

// patient is a Recovery that is longer than the pauses of client-go's and controller-runtime's work queues, of 1,000 seconds.
const patient = 20 * time.Minute

// find returns the finding of a run that has failed. In virtual time, it tries whether the program recovers later.
func find(t *testing.T, c Controller, undisturbed, failed *outcome, verdicts []verdict) (*Finding, error) {
	f := &Finding{Schedule: failed.schedule.String(), Rule: string(verdicts[0].rule)}
	if p := c.pace(); p.virtual && p.recovery < patient {
		c.Recovery = patient
		late, err := survives(t, c, undisturbed, failed.schedule)
		if err != nil {
			return nil, err
		}
		if late {
			f.Late = patient
		}
	}
	f.Report = failed.report(t.Name(), verdicts, f.Late)
	return f, nil
}

// survives reports whether a program survives a schedule each time, as often as it must fail to be reported.
func survives(t *testing.T, c Controller, undisturbed *outcome, s schedule) (bool, error) {
	for range 1 + repeats {
		o, err := play(t, c, s)
		if err != nil {
			return false, err
		}
		if !o.hit || len(o.judge(undisturbed, c)) > 0 {
			return false, nil
		}
	}
	return true, nil
}
