package cache

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func TestMergeEvents(t *testing.T) {
	add := func(object string, initial bool) event {
		return event{kind: eventAdd, object: object, initial: initial}
	}
	update := func(old, object string) event { return event{kind: eventUpdate, old: old, object: object} }
	remove := func(old, object string) event { return event{kind: eventDelete, old: old, object: object} }
	unheld := event{kind: eventDelete, object: "tombstone"}
	for name, tc := range map[string]struct{ a, b, want event }{
		"add, update":           {add("1", false), update("1", "2"), add("2", false)},
		"initial add, update":   {add("1", true), update("1", "2"), add("2", true)},
		"add, delete":           {add("1", false), remove("1", "1"), event{}},
		"initial add, delete":   {add("1", true), remove("1", "1"), event{}},
		"update, update":        {update("1", "2"), update("2", "3"), update("1", "3")},
		"update, delete":        {update("1", "2"), remove("2", "3"), remove("1", "3")},
		"resync, update":        {update("1", "1"), update("1", "2"), update("1", "2")},
		"update, resync":        {update("1", "2"), update("2", "2"), update("1", "2")},
		"delete, add":           {remove("1", "1"), add("2", false), update("1", "2")},
		"delete, delete":        {remove("1", "1"), unheld, remove("1", "tombstone")},
		"unheld delete, add":    {unheld, add("1", false), add("1", false)},
		"unheld delete, delete": {unheld, unheld, unheld},
	} {
		t.Run(name, func(t *testing.T) {
			if got := mergeEvents(tc.a, tc.b); got != tc.want {
				t.Errorf("merged to %+v, want %+v", got, tc.want)
			}
		})
	}
}

func TestBound(t *testing.T) {
	for name, tc := range map[string]struct {
		bound      int
		happens    string // "a" sets, "-a" unsets
		want       string // calls after the first event, during which it happens
		wantMerged int64
	}{
		"within the bound":         {4, "a a", "x1>x2 +a1 a1>a2", 0},
		"at the bound":             {4, "a a a", "x1>x2 +a1 a1>a3", 1},
		"other objects are not":    {1, "a b c", "x1>x2 +a1 +b1 +c1", 0},
		"keeps its place":          {1, "a b a", "x1>x2 +a2 +b1", 1},
		"add and delete":           {1, "a -a", "x1>x2", 1},
		"added once more":          {1, "a -a b a", "x1>x2 +b1 +a1", 1},
		"deleted and added":        {1, "-x x", "x1>x1", 2},
		"deleted":                  {1, "x x -x", "-x4", 3},
		"deletes a missing object": {1, "-a -a", "x1>x2 -a0", 1},
		"last entry is merged":     {4, "a a a a b b", "x1>x2 +a1 a1>a4 +b2", 3},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newStage(processorOptions{})
				gate := make(chan struct{})
				r := &recorder{}
				r.each = func(told string) {
					if told == "+x1" {
						<-gate
					}
				}
				s.addHandler(r, HandlerOptions{Bound: tc.bound})
				exact := &recorder{}
				s.addHandler(exact, HandlerOptions{})
				s.start(t)
				s.set("x")
				r.expect(t, "+x1")
				s.set("x")
				for name := range strings.FieldsSeq(tc.happens) {
					if gone, found := strings.CutPrefix(name, "-"); found {
						s.unset(gone)
					} else {
						s.set(name)
					}
				}
				s.sync()
				if got := s.states()[0].Merged; got != tc.wantMerged {
					t.Errorf("merged %d, want %d", got, tc.wantMerged)
				}
				close(gate)
				r.expect(t, tc.want)
				if state := s.states()[0]; state.Lag != 0 || state.LagTime != 0 || !state.Synced {
					t.Errorf("at the end the state is %+v", state)
				}
			})
		})
	}
}

// Objects that are created and deleted while a handler is blocked leave nothing behind.
func TestBoundHoldsNoMore(t *testing.T) {
	const bound, objects, times = 10, 20, 200_000
	for name, initial := range map[string][]string{"of a new name": nil, "of a known name": {"a"}} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newStage(processorOptions{})
				gate := make(chan struct{})
				defer close(gate)
				s.addHandler(ResourceEventHandlerFuncs{AddFunc: func(any) { <-gate }}, HandlerOptions{Bound: bound})
				s.start(t)
				s.set(initial...)
				for i := range objects {
					s.set(fmt.Sprint(i))
				}
				synctest.Wait()
				for range times {
					s.set("a")
					s.expectHeld(t, bound+objects+1)
					s.unset("a")
				}
				s.expectHeld(t, bound+objects)
				if events, _, _ := s.handlers[0].merge.held(); s.states()[0].Lag != events {
					t.Errorf("the lag is %d, and %d events are queued", s.states()[0].Lag, events)
				}
			})
		})
	}
}

// expectHeld checks that at most most entries are queued for the first handler, and that its lag
// equals their number.
func (s *stage) expectHeld(t *testing.T, most int) {
	t.Helper()
	events, marks, lag := s.handlers[0].merge.held()
	if events > most || events != lag || marks > 2 {
		t.Fatalf("%d events and %d markers are queued with a lag of %d, want at most %d", events, marks, lag, most)
	}
}

// Whatever happens, a handler with a bound finally receives the last states, each state follows
// from the one before, and at most the bound plus the number of objects wait.
func TestBoundRandomly(t *testing.T) {
	for seed := range uint64(50) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				random := rand.New(rand.NewPCG(seed, 0))
				s := newStage(processorOptions{resync: time.Second})
				bound, objects := 1+random.IntN(10), 1+random.IntN(10)
				step := make(chan struct{})
				m := &mirror{t: t, held: map[string]string{}, step: step}
				o := every(time.Second)
				o.Bound = bound
				s.addHandler(m, o)
				s.start(t)
				s.sync()
				for range 500 {
					name := fmt.Sprint("n", random.IntN(objects), ".")
					switch n := random.IntN(100); {
					case n < 50:
						s.set(name)
					case n < 70 && s.held[name] != nil:
						s.unset(name)
					case n < 75:
						time.Sleep(time.Second)
					default:
						synctest.Wait()
						select {
						case step <- struct{}{}:
						default:
						}
					}
					s.expectHeld(t, bound+objects)
				}
				close(step)
				synctest.Wait()
				want := map[string]string{}
				for name, obj := range s.held {
					want[name] = version(obj)
				}
				if got, want := fmt.Sprint(m.held), fmt.Sprint(want); got != want {
					t.Errorf("received %s, want %s", got, want)
				}
			})
		})
	}
}

// mirror is a handler that stores the last received states.
type mirror struct {
	t    *testing.T
	held map[string]string
	step chan struct{}
}

func (m *mirror) to(name, from, state string) {
	<-m.step
	if m.held[name] != from {
		m.t.Errorf("%q follows on %q, want on %q", state, m.held[name], from)
	}
	if m.held[name] = state; state == "" {
		delete(m.held, name)
	}
}

func (m *mirror) OnAdd(obj any, _ bool) {
	m.to(obj.(*metav1.ObjectMeta).Name, "", version(obj))
}

func (m *mirror) OnUpdate(oldObj, newObj any) {
	m.to(newObj.(*metav1.ObjectMeta).Name, version(oldObj), version(newObj))
}

func (m *mirror) OnDelete(obj any) {
	name := obj.(*metav1.ObjectMeta).Name
	m.to(name, m.held[name], "")
}

// Objects without names are delivered, and never merged with each other.
func TestBoundWithoutNames(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(processorOptions{})
		r := &recorder{}
		s.add(r, HandlerOptions{Bound: 1}, 0, []any{"one", "two", "three"})
		s.start(t)
		r.expect(t, "+one! +two! +three!")
	})
}
