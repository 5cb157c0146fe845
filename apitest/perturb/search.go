package perturb

import (
	"cmp"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"
)

// Limits bound a search. The zero value bounds nothing: all schedules are run.
type Limits struct {
	Schedules int           // how many are run; 0 means all
	Findings  int           // after how many no further schedule is begun; 0 means never
	Budget    time.Duration // for how long schedules are begun, after the undisturbed runs; 0 means until all are run
}

// Result is what a search has come to.
type Result struct {
	Planned  int // how many schedules there are
	Tried    int // how many of them were run
	Findings []Finding
}

// Finding is a schedule that a program does not survive.
type Finding struct {
	Schedule string // what [Replay] takes
	Rule     string // what is broken
	Report   string // what [Run] reports
	index    int    // of the schedule
}

// Search is [Run] for callers that judge what is found themselves: it returns findings in the order of the schedules,
// and reports nothing to t. Its errors say why the program cannot be judged.
func Search(t *testing.T, c Controller, limits Limits) (Result, error) {
	t.Helper()
	undisturbed, err := reference(t, c)
	if err != nil {
		return Result{}, err
	}
	all := plans(undisturbed)
	s := &searcher{t: t, c: c, undisturbed: undisturbed, schedules: all, limits: limits, begin: time.Now()}
	if n := limits.Schedules; n > 0 {
		s.schedules = all[:min(n, len(all))]
	}
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(s.work)
	}
	workers.Wait()
	slices.SortFunc(s.findings, func(a, b Finding) int { return cmp.Compare(a.index, b.index) })
	if n := limits.Findings; n > 0 {
		s.findings = s.findings[:min(n, len(s.findings))]
	}
	return Result{len(all), s.next, s.findings}, s.err
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
		f, err := s.try(s.schedules[i])
		s.mu.Lock()
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

// try runs a schedule. It returns nil if the program survives it, in one of its repetitions too.
func (s *searcher) try(sched schedule) (*Finding, error) {
	var f *Finding
	for range 1 + repeats {
		o, err := play(s.t, s.c, sched)
		if err != nil {
			return nil, err
		}
		verdicts := o.judge(s.undisturbed, s.c)
		if !o.hit || len(verdicts) == 0 {
			if f != nil {
				s.t.Logf("schedule %q has failed, but not again: %s", sched, f.Rule)
			}
			return nil, nil
		}
		f = &Finding{Schedule: sched.String(), Rule: string(verdicts[0].rule), Report: o.report(s.t.Name(), verdicts)}
	}
	return f, nil
}
