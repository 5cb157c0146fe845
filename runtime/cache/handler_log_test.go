package cache

import (
	"context"
	"fmt"
	"runtime"
	"testing"
	"testing/synctest"
	"time"
	"weak"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/runtime/cache/internal/delta"
)

func TestEventOf(t *testing.T) {
	one, two := &metav1.ObjectMeta{Name: "a", ResourceVersion: "1"}, &metav1.ObjectMeta{Name: "a", ResourceVersion: "2"}
	empty := DeletedFinalStateUnknown{Key: "a"}
	known := DeletedFinalStateUnknown{Key: "a", Obj: one}
	for name, tc := range map[string]struct {
		change delta.Delta
		want   event
	}{
		"add":                        {delta.Delta{Object: one}, event{kind: eventAdd, object: one}},
		"initial add":                {delta.Delta{Object: one, Initial: true}, event{kind: eventAdd, object: one, initial: true}},
		"update":                     {delta.Delta{Object: two, Old: one}, event{kind: eventUpdate, object: two, old: one}},
		"initial update":             {delta.Delta{Object: two, Old: one, Initial: true}, event{kind: eventUpdate, object: two, old: one}},
		"delete":                     {delta.Delta{Kind: delta.Delete, Object: two, Old: one}, event{kind: eventDelete, object: two, old: one}},
		"delete of a missing object": {delta.Delta{Kind: delta.Delete, Object: two}, event{kind: eventDelete, object: two}},
		"tombstone":                  {delta.Delta{Kind: delta.Delete, Object: known, Old: one}, event{kind: eventDelete, object: known, old: one}},
		"tombstone without state":    {delta.Delta{Kind: delta.Delete, Object: empty, Old: one}, event{kind: eventDelete, object: known, old: one}},
		"tombstone of nothing":       {delta.Delta{Kind: delta.Delete, Object: empty}, event{}},
		"bookmark":                   {delta.Delta{Kind: delta.Bookmark, RV: "7"}, event{}},
	} {
		t.Run(name, func(t *testing.T) {
			if got := eventOf(&tc.change); got != tc.want {
				t.Errorf("the event is %+v, want %+v", got, tc.want)
			}
		})
	}
}

// collectGarbage collects garbage until done returns true, which it checks each time. A goroutine
// that is just ending, or was interrupted, can still reference memory.
func collectGarbage(done func() bool) bool {
	for range 100 {
		runtime.GC()
		if done() {
			return true
		}
		runtime.Gosched()
	}
	return false
}

// publishFresh publishes additions of n objects that nothing else references.
func (s *stage) publishFresh(n int) []weak.Pointer[metav1.ObjectMeta] {
	var pointers []weak.Pointer[metav1.ObjectMeta]
	var changes []delta.Delta
	for i := range n {
		object := &metav1.ObjectMeta{Name: fmt.Sprint(i)}
		pointers = append(pointers, weak.Make(object))
		changes = append(changes, delta.Delta{Kind: delta.Set, Name: delta.Name{Name: object.Name}, Object: object})
	}
	s.publish(changes)
	return pointers
}

// expectHeldObjects compares how many of the objects are still referenced when everything is idle.
func expectHeldObjects(t *testing.T, pointers []weak.Pointer[metav1.ObjectMeta], want int) {
	t.Helper()
	synctest.Wait()
	held := 0
	collectGarbage(func() bool {
		held = 0
		for _, p := range pointers {
			if p.Value() != nil {
				held++
			}
		}
		return held <= want
	})
	if held != want {
		t.Errorf("%d of %d objects are referenced, want %d", held, len(pointers), want)
	}
}

// Events that all handlers have read are freed; unread ones are not.
func TestLogIsFreed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(processorOptions{})
		s.start(t)
		publish := s.publishFresh
		expect := func(pointers []weak.Pointer[metav1.ObjectMeta], want int) {
			t.Helper()
			expectHeldObjects(t, pointers, want)
		}
		discard := ResourceEventHandlerFuncs{}
		expect(publish(10), 0) // without readers
		regs := []*registration{s.addHandler(discard, HandlerOptions{}), s.addHandler(discard, HandlerOptions{Bound: 1})}
		for _, n := range []int{1, 2, segmentSize, 3*segmentSize + 7} {
			expect(publish(n), 0)
		}

		gate := make(chan struct{})
		slow := s.addHandler(ResourceEventHandlerFuncs{AddFunc: func(any) { <-gate }}, HandlerOptions{})
		unread := publish(2 * segmentSize)
		expect(unread, 2*segmentSize)
		gate <- struct{}{}
		expect(unread, 2*segmentSize) // the whole segments
		for range segmentSize - 1 {
			gate <- struct{}{}
		}
		expect(unread, segmentSize)
		more := publish(2 * segmentSize)
		expect(more, 2*segmentSize)
		s.removeHandler(t, slow)
		expect(unread, segmentSize) // the current segment
		expect(more, 0)
		expect(publish(1), 0)
		gate <- struct{}{}
		expect(unread, 0)
		for _, reg := range regs {
			s.removeHandler(t, reg)
		}

		close(gate)
		runtime.KeepAlive(slow) // users may keep registrations
	})
}

// Whenever a cursor leaves, others read everything, and then nothing is referenced.
func TestLeave(t *testing.T) {
	const segments = 3
	for name, leave := range map[string]func(l *handlerLog, c *cursor){
		"before it reads": func(l *handlerLog, c *cursor) { l.leave(c) },
		"while it reads": func(l *handlerLog, c *cursor) {
			c.next()
			l.leave(c)
		},
		"just before it has read": func(l *handlerLog, c *cursor) {
			s := c.next()
			l.leave(c)
			c.done(s)
		},
		"when it has read": func(l *handlerLog, c *cursor) {
			c.done(c.next())
			l.leave(c)
		},
		"when it has read all": func(l *handlerLog, c *cursor) {
			for s := c.next(); s != nil; s = c.next() {
				c.done(s)
			}
			l.leave(c)
		},
	} {
		t.Run(name, func(t *testing.T) {
			l := newHandlerLog(false)
			leaves, stays := l.join(), l.join()
			for range segments {
				l.append([]delta.Delta{{Kind: delta.Set, Object: "a"}}, time.Time{})
			}
			leave(&l, leaves)
			l.append([]delta.Delta{{Kind: delta.Set, Object: "a"}}, time.Time{})
			leaves.release()
			read := 0
			for s := stays.next(); s != nil; s = stays.next() {
				read += len(s.events)
				stays.done(s)
				if n := s.readers.Load(); n != 0 || s.events != nil {
					t.Errorf("%d are to read %v, after all have", n, s.events)
				}
			}
			if read != segments+1 {
				t.Errorf("%d events were read, want %d", read, segments+1)
			}
		})
	}
}

// The backlog of a removed handler is freed except for the current call, whatever others do, even
// if nothing else is published.
func TestRemovedHandlerHoldsNothing(t *testing.T) {
	const backlog = 3 * segmentSize
	blocked := func(gate chan struct{}) ResourceEventHandler {
		return ResourceEventHandlerFuncs{AddFunc: func(any) { <-gate }}
	}
	for name, tc := range map[string]struct {
		bound int
		at    int    // number of objects referenced during a call
		other string // handler
	}{
		"alone":                        {0, segmentSize, ""},
		"beside an idle one":           {0, segmentSize, "idle"},
		"beside one that lags behind":  {0, backlog, "blocked"},
		"with a bound":                 {1, 1, ""},
		"with a bound, beside another": {1, 1, "idle"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newStage(processorOptions{})
				gate, otherGate := make(chan struct{}), make(chan struct{})
				switch tc.other {
				case "idle":
					s.addHandler(ResourceEventHandlerFuncs{}, HandlerOptions{})
				case "blocked":
					s.addHandler(blocked(otherGate), HandlerOptions{})
				}
				removed := s.addHandler(blocked(gate), HandlerOptions{Bound: tc.bound})
				s.start(t)
				unread := s.publishFresh(backlog)
				expectHeldObjects(t, unread, backlog)
				done := s.removeHandler(t, removed)
				expectHeldObjects(t, unread, tc.at)
				close(gate)
				<-done
				if tc.other == "blocked" {
					close(otherGate)
				}
				expectHeldObjects(t, unread, 0)
				runtime.KeepAlive(removed) // users may keep registrations
				runtime.KeepAlive(s)
			})
		})
	}
}

// Nothing is referenced by a handler that was removed before the start, or whose goroutine ended by
// itself.
func TestEndedHandlerHoldsNothing(t *testing.T) {
	for name, started := range map[string]bool{"removed before the start": false, "ended by runtime.Goexit": true} {
		for _, bound := range []int{0, 1} {
			t.Run(fmt.Sprintf("%s, bound %d", name, bound), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					s := newStage(processorOptions{})
					s.addHandler(ResourceEventHandlerFuncs{}, HandlerOptions{})
					ended := s.addHandler(ResourceEventHandlerFuncs{AddFunc: func(any) { runtime.Goexit() }}, HandlerOptions{Bound: bound})
					unread := s.publishFresh(2 * segmentSize)
					if !started {
						s.removeHandler(t, ended)
					}
					s.start(t)
					expectHeldObjects(t, unread, 0)
					runtime.KeepAlive(ended)
					runtime.KeepAlive(s)
				})
			})
		}
	}
}

// The backlog of a stopped processor is freed: events that no handler has reached, and the event of
// the last call.
func TestStoppedProcessorHoldsNothing(t *testing.T) {
	for name, told := range map[string]bool{"before the call": false, "during the call": true} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newStage(processorOptions{})
				gate := make(chan struct{})
				slow := ResourceEventHandlerFuncs{AddFunc: func(any) { <-gate }}
				s.addHandler(slow, HandlerOptions{})
				s.addHandler(slow, HandlerOptions{Bound: 1})
				changes := []delta.Delta{{Kind: delta.Set, Object: &metav1.ObjectMeta{Name: "a"}}}
				pointer := weak.Make(changes[0].Object.(*metav1.ObjectMeta))
				s.publish(changes)
				clear(changes)
				ctx, cancel := context.WithCancel(t.Context())
				if !told {
					cancel()
				}
				go s.run(ctx)
				synctest.Wait()
				cancel()
				synctest.Wait()
				close(gate)
				synctest.Wait()
				if !collectGarbage(func() bool { return pointer.Value() == nil }) {
					t.Error("an object is still referenced")
				}
				runtime.KeepAlive(s)
			})
		})
	}
}

func TestPublishAllocates(t *testing.T) {
	for _, tc := range []struct{ batch, handlers, most int }{{1, 1, 1}, {1, 16, 1}, {segmentSize, 1, 2}, {segmentSize, 16, 2}} {
		t.Run(fmt.Sprintf("%d for %d", tc.batch, tc.handlers), func(t *testing.T) {
			s := newStage(processorOptions{})
			for range tc.handlers {
				s.addHandler(ResourceEventHandlerFuncs{}, HandlerOptions{})
			}
			object := &metav1.ObjectMeta{Name: "a"}
			changes := make([]delta.Delta, tc.batch)
			for i := range changes {
				changes[i] = delta.Delta{Kind: delta.Set, Object: object}
			}
			if got := testing.AllocsPerRun(100, func() { s.publish(changes) }); got > float64(tc.most) {
				t.Errorf("%v allocations for %d events, want no more than %d", got, tc.batch, tc.most)
			}
		})
	}
}
