package cache

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/listwatch/listwatch/runtime/cache/internal/delta"
)

func TestProcessorTellsInOrder(t *testing.T) {
	for _, handlers := range []int{1, 4, 16} {
		for _, bound := range []int{0, 1000} {
			t.Run(fmt.Sprintf("%d handlers bound %d", handlers, bound), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					s := newStage(processorOptions{})
					var recorders []*recorder
					for range handlers {
						r := &recorder{}
						recorders = append(recorders, r)
						s.addHandler(r, HandlerOptions{Bound: bound})
					}
					s.setInitial(true, "a", "b")
					s.sync()
					s.start(t)
					s.set("a", "c", "a")
					s.unset("b", "x")
					s.set("b")
					for _, r := range recorders {
						r.expect(t, "+a1! +b1! a1>a2 +c1 a2>a3 -b1 -x0 +b1")
					}
				})
			})
		}
	}
}

func TestProcessorTellsNothingOfBookmarks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(processorOptions{})
		r, bounded := &recorder{}, &recorder{}
		s.addHandler(r, HandlerOptions{})
		s.addHandler(bounded, HandlerOptions{Bound: 1})
		s.start(t)
		s.publish([]delta.Delta{{Kind: delta.Bookmark, RV: "7"}})
		s.set("a")
		r.expect(t, "+a1")
		bounded.expect(t, "+a1")
	})
}

// A publisher may reuse its slice.
func TestProcessorKeepsNoSlice(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(processorOptions{})
		r := &recorder{}
		s.addHandler(r, HandlerOptions{})
		changes := []delta.Delta{{Kind: delta.Set, Object: "one"}, {Kind: delta.Set, Object: "two"}}
		s.publish(changes)
		changes[0].Object, changes[1].Object = "three", "four"
		s.start(t)
		r.expect(t, "+one +two")
	})
}

func TestProcessorManySegments(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(processorOptions{})
		r := &recorder{}
		s.addHandler(r, HandlerOptions{})
		var names, want []string
		for i := range 3*segmentSize + 1 {
			name := fmt.Sprintf("n%d.", i)
			names = append(names, name)
			want = append(want, "+"+name+"1")
		}
		s.set(names...)
		s.start(t)
		r.expect(t, strings.Join(want, " "))
		late := &recorder{}
		s.addHandler(late, HandlerOptions{})
		synctest.Wait()
		if got := len(late.told); got != len(names) {
			t.Errorf("a late handler received %d objects, want %d", got, len(names))
		}
	})
}

func TestLateHandler(t *testing.T) {
	for _, bound := range []int{0, 1} {
		for name, tc := range map[string]struct {
			synced, running bool
			wantSynced      bool
		}{
			"before sync":             {running: true},
			"after sync":              {synced: true, running: true, wantSynced: true},
			"before it runs":          {},
			"synced, before it runs ": {synced: true},
		} {
			t.Run(fmt.Sprintf("%s bound %d", name, bound), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					s := newStage(processorOptions{})
					if tc.running {
						s.start(t)
					}
					early, late := &recorder{}, &recorder{}
					s.addHandler(early, HandlerOptions{})
					s.set("a", "b", "a")
					if tc.synced {
						s.sync()
					}
					reg := s.addHandler(late, HandlerOptions{Bound: bound})
					s.set("c")
					expectSynced(t, reg, tc.wantSynced)
					if !tc.running {
						late.expect(t, "")
						s.start(t)
					}
					late.expect(t, "+a2! +b1! +c1")
					early.expect(t, "+a1 +b1 a1>a2 +c1") // without the events for the other one
					if !tc.synced {
						expectSynced(t, reg, false)
						s.sync()
					}
					expectSynced(t, reg, true)
				})
			})
		}
	}
}

// Handlers that are added while changes are made miss none and get none twice.
func TestHandlersJoinWithoutGapOrRepeat(t *testing.T) {
	for _, bound := range []int{0, 1 << 20} {
		t.Run(fmt.Sprintf("bound %d", bound), func(t *testing.T) {
			s := newStage(processorOptions{})
			s.set("a")
			s.start(t)
			const versions = 2000
			var finished, all sync.WaitGroup
			var joining []*chain
			all.Go(func() {
				for range versions - 1 {
					s.set("a")
				}
			})
			for range 4 {
				all.Go(func() {
					for i := range 50 {
						c := &chain{t: t, last: fmt.Sprintf("a%d", versions)}
						if i%2 == 0 {
							finished.Add(1)
							c.finished = finished.Done
						}
						s.mu.Lock()
						reg := s.add(c, HandlerOptions{Bound: bound}, 0, s.objects())
						joining = append(joining, c)
						s.mu.Unlock()
						if i%2 == 1 {
							done, err := s.remove(reg)
							if err != nil {
								t.Error(err)
								return
							}
							<-done
						}
					}
				})
			}
			all.Wait()
			finished.Wait() // all that stay reach the last version
		})
	}
}

// chain is a handler that checks that each update follows from the last state.
type chain struct {
	t        *testing.T
	state    string
	last     string
	finished func()
}

func (c *chain) to(from, state string) {
	if c.state != from {
		c.t.Errorf("received %q after %q, want after %q", state, c.state, from)
	}
	c.state = state
	if state == c.last && c.finished != nil {
		c.finished()
	}
}

func (c *chain) OnAdd(obj any, _ bool)       { c.to("", version(obj)) }
func (c *chain) OnUpdate(oldObj, newObj any) { c.to(version(oldObj), version(newObj)) }
func (c *chain) OnDelete(obj any)            { c.to(version(obj), "") }

func TestHandlerSyncsWhenToldOfAll(t *testing.T) {
	for _, bound := range []int{0, 1} {
		t.Run(fmt.Sprintf("bound %d", bound), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newStage(processorOptions{})
				gate := make(chan struct{})
				slow := &recorder{each: func(told string) {
					if told == "+b1!" {
						<-gate
					}
				}}
				quick := s.addHandler(&recorder{}, HandlerOptions{})
				reg := s.addHandler(slow, HandlerOptions{Bound: bound, Name: "slow"})
				if got, want := reg.HasSyncedChecker().Name(), "informer of boats + event handler slow"; got != want {
					t.Errorf("the checker's name is %q, want %q", got, want)
				}
				s.start(t)
				s.setInitial(true, "a", "b")
				expectSynced(t, quick, false)
				expectUnsynced(t, reg, "not synced")
				s.sync()
				s.sync() // again has no effect
				expectSynced(t, quick, true)
				expectUnsynced(t, reg, "1 changes not delivered yet")
				expectSynced(t, reg, false)
				if isClosed(reg.HasSyncedChecker().Done()) {
					t.Error("the checker is done before the handler has received everything")
				}
				s.set("c")
				close(gate)
				expectSynced(t, reg, true)
				expectUnsynced(t, reg, "")
				if !isClosed(reg.HasSyncedChecker().Done()) {
					t.Error("the checker is not done")
				}
			})
		})
	}
}

func TestHandlerWithNothingToTellSyncs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(processorOptions{})
		early := s.addHandler(&recorder{}, HandlerOptions{})
		s.start(t)
		s.sync()
		late := s.addHandler(&recorder{}, HandlerOptions{})
		expectSynced(t, early, true)
		expectSynced(t, late, true)
	})
}

func TestRemoveHandler(t *testing.T) {
	for _, bound := range []int{0, 1} {
		t.Run(fmt.Sprintf("bound %d", bound), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newStage(processorOptions{})
				s.start(t)
				gate := make(chan struct{})
				removed := &recorder{each: func(string) { <-gate }}
				stays := &recorder{}
				reg := s.addHandler(removed, HandlerOptions{Bound: bound})
				s.addHandler(stays, HandlerOptions{})
				s.set("a", "b")
				s.sync()
				synctest.Wait()

				done := s.removeHandler(t, reg) // does not wait
				if isClosed(done) {
					t.Error("done while the handler is at an event")
				}
				if n := len(s.states()); n != 1 {
					t.Errorf("%d handlers, want 1", n)
				}
				s.set("c")
				close(gate)
				synctest.Wait()
				if !isClosed(done) || !isClosed(reg.ShutdownChan()) {
					t.Error("not done after the handler returned")
				}
				removed.expect(t, "+a1") // but not the rest
				expectSynced(t, reg, false)
				expectUnsynced(t, reg, "removed or stopped")
				stays.expect(t, "+a1 +b1 +c1")
				if !isClosed(s.removeHandler(t, reg)) {
					t.Error("removed once more, not done")
				}
			})
		})
	}
}

func TestRemoveHandlerBeforeItRuns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(processorOptions{})
		r := &recorder{}
		for _, bound := range []int{0, 1} {
			reg := s.addHandler(r, HandlerOptions{Bound: bound})
			s.set("a")
			for range 2 {
				if !isClosed(s.removeHandler(t, reg)) {
					t.Error("not done")
				}
			}
		}
		s.start(t)
		r.expect(t, "")
	})
}

func TestRemoveHandlerFromInside(t *testing.T) {
	for _, bound := range []int{0, 1} {
		t.Run(fmt.Sprintf("bound %d", bound), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newStage(processorOptions{})
				var reg *registration
				r := &recorder{}
				r.each = func(told string) {
					if told == "+b1" {
						s.removeHandler(t, reg)
					}
				}
				reg = s.addHandler(r, HandlerOptions{Bound: bound})
				s.set("a", "b")
				s.sync()
				s.set("c")
				s.start(t)
				r.expect(t, "+a1 +b1")
				<-reg.ShutdownChan()
				expectSynced(t, reg, false)
			})
		})
	}
}

func TestRemoveForeignHandler(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ours, theirs := newStage(processorOptions{}), newStage(processorOptions{})
		ours.start(t)
		theirs.start(t)
		r := &recorder{}
		reg := theirs.addHandler(r, HandlerOptions{})
		if !isClosed(ours.removeHandler(t, reg)) {
			t.Error("not done, though there was nothing to remove")
		}
		theirs.set("a")
		r.expect(t, "+a1")

		done, err := ours.remove(struct {
			ResourceEventHandlerRegistration
		}{reg})
		if done != nil || err == nil || !strings.Contains(err.Error(), "ResourceEventHandlerRegistration") {
			t.Errorf("removed a registration of another make: %v, %v", done, err)
		}
	})
}

func TestStop(t *testing.T) {
	for name, tc := range map[string]struct {
		options   processorOptions
		want      string
		wantSyncs bool
	}{
		"drops":  {want: "+a1"},
		"drains": {options: processorOptions{drain: true}, want: "+a1 +b1 +c1", wantSyncs: true},
	} {
		for _, bound := range []int{0, 1} {
			t.Run(fmt.Sprintf("%s bound %d", name, bound), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					s := newStage(tc.options)
					gate := make(chan struct{})
					r := &recorder{each: func(string) { <-gate }}
					reg := s.addHandler(r, HandlerOptions{Bound: bound})
					idle := s.addHandler(&recorder{}, HandlerOptions{Bound: bound})
					s.start(t)
					s.set("a", "b")
					s.set("c")
					s.sync()
					synctest.Wait()
					stopped := make(chan struct{})
					go func() {
						s.stop()
						close(stopped)
					}()
					synctest.Wait()
					if isClosed(stopped) || isClosed(reg.done) {
						t.Error("stopped while a handler is at an event")
					}
					if !isClosed(idle.done) {
						t.Error("an idle handler waits for another")
					}
					s.set("d") // too late
					close(gate)
					synctest.Wait()
					if !isClosed(stopped) || !isClosed(reg.done) {
						t.Error("not stopped")
					}
					r.expect(t, tc.want)
					expectSynced(t, reg, tc.wantSyncs)
					if states := s.states(); len(states) != 2 || states[0].Handled != int64(strings.Count(tc.want, "+")) {
						t.Errorf("states after the end: %+v", states)
					}
				})
			})
		}
	}
}

func TestRemoveWhileDraining(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(processorOptions{drain: true})
		gate := make(chan struct{})
		r := &recorder{each: func(string) { <-gate }}
		reg := s.addHandler(r, HandlerOptions{})
		s.start(t)
		s.set("a", "b", "c")
		synctest.Wait()
		go s.stop()
		synctest.Wait()
		done := s.removeHandler(t, reg)
		close(gate)
		<-done
		r.expect(t, "+a1")
	})
}

// Events that are published, and then the end, just after a handler has looked for more are not
// missed.
func TestDrainMissesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(processorOptions{drain: true})
		r := &recorder{}
		reg := s.addHandler(r, HandlerOptions{})
		looks := 0
		reg.backlog = hookedBacklog{reg.backlog, func(found *segment) {
			if looks++; looks == 1 && found == nil {
				s.set("a")
				go s.stop()
				for reg.stopping.Load() != deliverRest {
					runtime.Gosched()
				}
			}
		}}
		s.start(t)
		<-reg.done
		r.expect(t, "+a1")
	})
}

// hookedBacklog calls looked with each result of next before it returns it.
type hookedBacklog struct {
	backlog
	looked func(found *segment)
}

func (h hookedBacklog) next() *segment {
	found := h.backlog.next()
	h.looked(found)
	return found
}

func TestAddToStopped(t *testing.T) {
	for _, bound := range []int{0, 1} {
		synctest.Test(t, func(t *testing.T) {
			s := newStage(processorOptions{})
			s.start(t)
			s.set("a")
			s.sync()
			s.stop()
			r := &recorder{}
			reg := s.addHandler(r, HandlerOptions{Bound: bound})
			s.set("b")
			s.sync()
			r.expect(t, "")
			expectSynced(t, reg, false)
			if !isClosed(reg.done) {
				t.Error("not done")
			}
			if n := len(s.states()); n != 0 {
				t.Errorf("%d handlers, want none", n)
			}
		})
	}
}

func TestStates(t *testing.T) {
	for _, bound := range []int{0, 2} {
		t.Run(fmt.Sprintf("bound %d", bound), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newStage(processorOptions{})
				s.start(t)
				step := make(chan struct{})
				s.addHandler(&recorder{each: func(string) { <-step }}, HandlerOptions{Name: "slow", Bound: bound})
				s.addHandler(&recorder{}, HandlerOptions{Name: "quick"})
				expect := func(slow, quick HandlerState) {
					t.Helper()
					synctest.Wait()
					slow.Name, quick.Name = "slow", "quick"
					if got, want := fmt.Sprintf("%+v", s.states()), fmt.Sprintf("%+v", []HandlerState{slow, quick}); got != want {
						t.Errorf("states are\n%s, want\n%s", got, want)
					}
				}
				expect(HandlerState{}, HandlerState{})
				time.Sleep(time.Hour) // does not count as lag of any handler
				s.set("a")
				time.Sleep(time.Second)
				s.set("b", "c")
				s.sync()
				time.Sleep(time.Second)
				expect(HandlerState{Lag: 3, LagTime: 2 * time.Second}, HandlerState{Synced: true, Handled: 3})
				step <- struct{}{}
				expect(HandlerState{Lag: 2, LagTime: time.Second, Handled: 1}, HandlerState{Synced: true, Handled: 3})
				step <- struct{}{}
				step <- struct{}{}
				expect(HandlerState{Handled: 3, Synced: true}, HandlerState{Synced: true, Handled: 3})

				// Events that another handler gets first are not this one's lag.
				s.addHandler(&recorder{each: func(string) { <-step }}, HandlerOptions{Name: "third", Bound: bound})
				time.Sleep(time.Minute)
				synctest.Wait()
				states := s.states()
				if got := states[0].Lag; got != 0 {
					t.Errorf("a handler lags by %d events of another", got)
				}
				if got := states[2]; got.Lag != 3 || got.LagTime != time.Minute || got.Synced {
					t.Errorf("the new handler's state is %+v", got)
				}
				close(step)
			})
		})
	}
}

// pausedBacklog lets others run before it looks for the next segment.
type pausedBacklog struct {
	backlog
	work func()
}

func (b pausedBacklog) next() *segment {
	b.work()
	return b.backlog.next()
}

// TestRemovedHandlerKeepsOff removes a handler that is just about to look for the next segment:
// later segments belong to the others, which may free them at any time.
func TestRemovedHandlerKeepsOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(processorOptions{})
		goes := &recorder{}
		going := s.addHandler(goes, HandlerOptions{})
		told := make(chan struct{})
		s.addHandler(&recorder{each: func(string) { close(told) }}, HandlerOptions{})
		going.backlog = pausedBacklog{going.backlog, sync.OnceFunc(func() {
			s.removeHandler(t, going)
			s.set("a")
			<-told
		})}
		s.start(t)
		goes.expect(t, "")
	})
}
