package cache

import (
	"context"
	"fmt"
	"runtime"
	"testing"
	"testing/synctest"
	"weak"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func TestEventOf(t *testing.T) {
	one, two := &metav1.ObjectMeta{Name: "a", ResourceVersion: "1"}, &metav1.ObjectMeta{Name: "a", ResourceVersion: "2"}
	empty := DeletedFinalStateUnknown{Key: "a"}
	known := DeletedFinalStateUnknown{Key: "a", Obj: one}
	for name, tc := range map[string]struct {
		change change
		want   event
	}{
		"add":                     {change{object: one}, event{kind: eventAdd, object: one}},
		"initial add":             {change{object: one, initial: true}, event{kind: eventAdd, object: one, initial: true}},
		"update":                  {change{object: two, old: one}, event{kind: eventUpdate, object: two, old: one}},
		"initial update":          {change{object: two, old: one, initial: true}, event{kind: eventUpdate, object: two, old: one}},
		"delete":                  {change{kind: changeDelete, object: two, old: one}, event{kind: eventDelete, object: two, old: one}},
		"delete of what was not":  {change{kind: changeDelete, object: two}, event{kind: eventDelete, object: two}},
		"tombstone":               {change{kind: changeDelete, object: known, old: one}, event{kind: eventDelete, object: known, old: one}},
		"tombstone without state": {change{kind: changeDelete, object: empty, old: one}, event{kind: eventDelete, object: known, old: one}},
		"tombstone of nothing":    {change{kind: changeDelete, object: empty}, event{}},
		"bookmark":                {change{kind: changeBookmark, rv: "7"}, event{}},
	} {
		t.Run(name, func(t *testing.T) {
			if got := eventOf(&tc.change); got != tc.want {
				t.Errorf("the event is %+v, want %+v", got, tc.want)
			}
		})
	}
}

// collectGarbage collects garbage until done, which is asked after each time. A goroutine that is
// just ending, or was interrupted, can hold what it has no use for any more.
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

// What all handlers have read is held by none; what one has not is.
func TestLogIsFreed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(processorOptions{})
		s.start(t)
		publish := func(n int) []weak.Pointer[metav1.ObjectMeta] {
			var pointers []weak.Pointer[metav1.ObjectMeta]
			var changes []change
			for range n {
				object := &metav1.ObjectMeta{Name: "a"}
				pointers = append(pointers, weak.Make(object))
				changes = append(changes, change{kind: changeSet, object: object})
			}
			s.publish(changes)
			return pointers
		}
		expect := func(pointers []weak.Pointer[metav1.ObjectMeta], want int) {
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
				t.Errorf("%d of %d objects are held, want %d", held, len(pointers), want)
			}
		}
		discard := ResourceEventHandlerFuncs{}
		expect(publish(10), 0) // nobody reads it
		regs := []*registration{s.addHandler(discard, HandlerOptions{}), s.addHandler(discard, HandlerOptions{Bound: 1})}
		for _, n := range []int{1, 2, segmentSize, 3*segmentSize + 7} {
			expect(publish(n), 0)
		}

		gate := make(chan struct{})
		slow := s.addHandler(ResourceEventHandlerFuncs{AddFunc: func(any) { <-gate }}, HandlerOptions{})
		unread := publish(2 * segmentSize)
		expect(unread, 2*segmentSize)
		gate <- struct{}{}
		expect(unread, 2*segmentSize) // of a segment all
		for range segmentSize - 1 {
			gate <- struct{}{}
		}
		expect(unread, segmentSize)
		s.removeHandler(t, slow)
		gate <- struct{}{}
		expect(unread, segmentSize) // the last reader of the tail went away, so it goes with the next
		one := publish(1)
		expect(unread, 0)
		expect(one, 0)
		for _, reg := range regs {
			s.removeHandler(t, reg)
		}

		dropped := s.addHandler(ResourceEventHandlerFuncs{AddFunc: func(any) { <-gate }}, HandlerOptions{})
		unread = publish(segmentSize)
		synctest.Wait()
		s.removeHandler(t, dropped)
		close(gate)
		expect(unread, 0)
		runtime.KeepAlive(dropped) // users may hold on to what stands for a handler
		runtime.KeepAlive(slow)
	})
}

// What a stopped processor was to tell is held by nobody: neither what no handler has come to,
// nor what one was being told at the end.
func TestStoppedProcessorHoldsNothing(t *testing.T) {
	for name, told := range map[string]bool{"before it is told": false, "while it is told": true} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newStage(processorOptions{})
				gate := make(chan struct{})
				slow := ResourceEventHandlerFuncs{AddFunc: func(any) { <-gate }}
				s.addHandler(slow, HandlerOptions{})
				s.addHandler(slow, HandlerOptions{Bound: 1})
				changes := []change{{kind: changeSet, object: &metav1.ObjectMeta{Name: "a"}}}
				pointer := weak.Make(changes[0].object.(*metav1.ObjectMeta))
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
					t.Error("an object is held")
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
			changes := make([]change, tc.batch)
			for i := range changes {
				changes[i] = change{kind: changeSet, object: object}
			}
			if got := testing.AllocsPerRun(100, func() { s.publish(changes) }); got > float64(tc.most) {
				t.Errorf("%v allocations for %d events, want no more than %d", got, tc.batch, tc.most)
			}
		})
	}
}
