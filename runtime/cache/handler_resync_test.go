package cache

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"
)

func every(d time.Duration) HandlerOptions { return HandlerOptions{ResyncPeriod: &d} }

func TestResyncPeriods(t *testing.T) {
	type handler struct {
		asks  time.Duration
		after bool // added while the informer runs
		want  time.Duration
	}
	for name, tc := range map[string]struct {
		informer time.Duration
		handlers []handler
	}{
		"never":             {time.Hour, []handler{{asks: 0, want: 0}}},
		"negative":          {time.Hour, []handler{{asks: -1, want: 0}}},
		"no resyncs at all": {0, []handler{{asks: time.Hour, want: 0}}},
		"its own":           {time.Hour, []handler{{asks: time.Hour, want: time.Hour}}},
		"longer":            {time.Hour, []handler{{asks: 2 * time.Hour, want: 2 * time.Hour}}},
		"rounded up":        {time.Hour, []handler{{asks: 61 * time.Minute, want: 2 * time.Hour}}},
		"shorter":           {time.Hour, []handler{{asks: time.Minute, want: time.Minute}}},
		"shorter and too late": {time.Hour, []handler{
			{asks: time.Minute, after: true, want: time.Hour},
		}},
		"shorter changes the others": {time.Hour, []handler{
			{asks: time.Hour, want: time.Hour},
			{asks: 25 * time.Minute, want: 40 * time.Minute},
			{asks: 30 * time.Minute, want: 40 * time.Minute},
			{asks: 20 * time.Minute, want: 20 * time.Minute},
		}},
		"one changes to a multiple": {time.Hour, []handler{
			{asks: time.Hour, want: 75 * time.Minute},
			{asks: 25 * time.Minute, want: 25 * time.Minute},
		}},
		"too short":                 {time.Hour, []handler{{asks: time.Millisecond, want: time.Second}}},
		"informer's own, too short": {time.Millisecond, []handler{{asks: time.Millisecond, want: time.Second}}},
		"unit of that":              {time.Millisecond, []handler{{asks: 1500 * time.Millisecond, want: 2 * time.Second}}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newStage(processorOptions{resync: tc.informer, minResync: minimumResyncPeriod})
				var regs []*registration
				add := func(after bool) {
					for _, h := range tc.handlers {
						if h.after == after {
							regs = append(regs, s.addHandler(&recorder{}, every(h.asks)))
						}
					}
				}
				add(false)
				s.start(t)
				synctest.Wait()
				add(true)
				for i, r := range regs {
					if got, want := r.resyncs[0].period, tc.handlers[i].want; got != want {
						t.Errorf("handler %d resyncs every %v, want %v", i, got, want)
					}
				}
			})
		})
	}
}

func TestResync(t *testing.T) {
	for _, bound := range []int{0, 10} {
		t.Run(fmt.Sprintf("bound %d", bound), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newStage(processorOptions{resync: time.Second})
				never, two, three := &recorder{}, &recorder{}, &recorder{}
				s.addHandler(never, HandlerOptions{Bound: bound})
				o := every(2 * time.Second)
				o.Bound = bound
				s.addHandler(two, o)
				s.addHandler(three, every(3*time.Second))
				s.start(t)
				s.setInitial(true, "a", "b")
				time.Sleep(time.Minute) // no resync before sync
				for _, r := range []*recorder{never, two, three} {
					r.expect(t, "+a1! +b1!")
				}
				s.sync()
				for second, want := range []struct{ two, three string }{
					{}, {},
					{two: "a1>a1 b1>b1"},
					{three: "a1>a1 b1>b1"},
					{two: "a1>a1 b1>b1"},
					{},
					{two: "a1>a1 b1>b1", three: "a1>a1 b1>b1"},
					{},
				} {
					if second > 0 {
						time.Sleep(time.Second)
					}
					two.expect(t, want.two)
					three.expect(t, want.three)
				}
				never.expect(t, "")

				late := &recorder{}
				s.addHandler(late, every(2*time.Second))
				late.expect(t, "+a1! +b1!")
				time.Sleep(time.Second)
				late.expect(t, "")
				time.Sleep(time.Second)
				late.expect(t, "a1>a1 b1>b1")
			})
		})
	}
}

func TestResyncOfLateHandlerAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(processorOptions{resync: time.Second})
		s.start(t)
		s.set("a")
		s.sync()
		time.Sleep(time.Minute)
		r := &recorder{}
		s.addHandler(r, every(time.Second))
		time.Sleep(1500 * time.Millisecond)
		r.expect(t, "+a1! a1>a1")
	})
}

// A resync is ordered with events published before and after it.
func TestResyncInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(processorOptions{resync: time.Second})
		gate := make(chan struct{}, 1)
		r := &recorder{each: func(string) { <-gate }}
		s.addHandler(r, every(time.Second))
		s.start(t)
		s.sync()
		s.set("a")
		s.set("a")
		time.Sleep(1500 * time.Millisecond)
		s.set("a")
		s.unset("a")
		close(gate)
		r.expect(t, "+a1 a1>a2 a2>a2 a2>a3 -a3")
	})
}

// A handler that has not completed a resync gets no other; resyncs do not accumulate.
func TestResyncOfSlowHandler(t *testing.T) {
	for _, bound := range []int{0, 1} {
		t.Run(fmt.Sprintf("bound %d", bound), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newStage(processorOptions{resync: time.Second})
				gate := make(chan struct{})
				r := &recorder{each: func(told string) { <-gate }}
				o := every(time.Second)
				o.Bound = bound
				s.addHandler(r, o)
				s.start(t)
				s.sync()
				s.set("a", "b")
				time.Sleep(10500 * time.Millisecond)
				synctest.Wait()
				if got := s.states()[0].Lag; got > 4 {
					t.Errorf("%d changes wait for the handler", got)
				}
				close(gate)
				want := "+a1 +b1 a1>a1 b1>b1"
				if bound > 0 {
					want = "+a1 +b1 a1>a1" // b was still waiting, so it was merged
				}
				r.expect(t, want)
				time.Sleep(time.Second)
				r.expect(t, "a1>a1 b1>b1")
			})
		})
	}
}

func TestRemovedHandlerIsNotResynced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(processorOptions{resync: time.Second})
		r := &recorder{}
		reg := s.addHandler(r, every(time.Second))
		s.start(t)
		s.sync()
		s.set("a")
		r.expect(t, "+a1")
		s.removeHandler(t, reg)
		time.Sleep(time.Minute)
		r.expect(t, "")
	})
}
