package cache_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/listwatch/listwatch/runtime/cache"
	"github.com/listwatch/listwatch/runtime/codec"
)

// quarantined returns the names of the quarantined objects, and checks that each has an error.
func (v *voyage) quarantined() []string {
	v.t.Helper()
	var names []string
	for _, q := range v.source().Quarantined {
		names = append(names, q.Name.String())
		var named *codec.Error
		if !errors.As(q.Err, &named) || named.Name != q.Name.Name || named.Pointer != "/spec/length" || q.Since.IsZero() {
			v.t.Errorf("quarantined %+v", q)
		}
	}
	return names
}

func (v *voyage) wantTold(want ...string) {
	v.t.Helper()
	if told := v.fleet.news(); !slices.Equal(told, want) {
		v.t.Errorf("received %q, want %q", told, want)
	}
}

func (v *voyage) wantQuarantined(want ...string) {
	v.t.Helper()
	v.await(time.Minute, fmt.Sprint(want, " in quarantine"), func() bool { return slices.Equal(v.quarantined(), want) })
}

// relist makes the informer list all objects again.
func (v *voyage) relist() {
	v.t.Helper()
	time.Sleep(2 * time.Second)
	lists := v.source().Lists
	v.server.failOnce(status(410, "Expired", "too old"), "watch")
	v.server.endWatches(false)
	v.await(time.Minute, "listed again", func() bool { return v.source().Lists > lists && v.source().Phase == cache.PhaseLive })
}

// TestFaultQuarantine follows an object that cannot be decoded: it counts as existing, its last
// good state stays, and it is deleted only when it is deleted on the server.
func TestFaultQuarantine(t *testing.T) {
	for name, refused := range map[string]bool{"watch list": false, "list": true} {
		before := func(s *bargeServer) {
			if refused {
				s.fail(status(422, "Invalid", "sendInitialEvents is forbidden"), "watch list")
			}
		}
		options := cache.SharedIndexInformerOptions{Undecodable: cache.QuarantineUndecodable}
		t.Run(name+", from the first list", func(t *testing.T) {
			inTrouble(t, options, func(s *bargeServer) {
				before(s)
				s.set("b", `"long"`)
			}, func(t *testing.T, v *voyage) {
				v.await(time.Minute, "synced", v.informer.HasSynced)
				v.wantTold("add a@11 1", "add c@13 1")
				v.wantQuarantined("n/b")
				v.awaitPhase(time.Minute, cache.PhaseLive)

				v.relist()
				v.wantTold()
				v.wantQuarantined("n/b")
				v.server.set("b", "2")
				v.awaitSame(time.Minute)
				v.wantTold("add b@15 2")
				v.wantQuarantined()
			})
		})
		t.Run(name+", from a watch", func(t *testing.T) {
			inTrouble(t, options, before, func(t *testing.T, v *voyage) {
				v.awaitSame(time.Minute)
				v.fleet.news()
				v.server.set("b", `"long"`)
				v.server.set("c", "3")
				v.wantQuarantined("n/b")
				v.wantTold("update c@15 3")
				kept := []string{"a@11 1", "b@12 1", "c@15 3"}
				if stored := v.stored(); !slices.Equal(stored, kept) {
					t.Errorf("stored %q", stored)
				}
				if source := v.source(); source.Phase != cache.PhaseLive || source.Err != nil && !refused || source.ResourceVersion != "15" {
					t.Errorf("state %+v", source)
				}
				v.server.set("b", `"longer"`)
				v.relist()
				v.wantTold()
				if stored := v.stored(); !slices.Equal(stored, kept) {
					t.Errorf("stored %q after a list", stored)
				}
				if err := cache.CheckDrift(t.Context(), v.informer); err != nil {
					t.Error(err)
				}
				v.wantQuarantined("n/b")
				v.server.set("b", "4")
				v.awaitSame(time.Minute)
				v.wantTold("update b@17 4")
				v.wantQuarantined()
			})
		})
		t.Run(name+", deleted", func(t *testing.T) {
			inTrouble(t, options, before, func(t *testing.T, v *voyage) {
				v.awaitSame(time.Minute)
				v.fleet.news()
				v.server.set("b", `"long"`)
				v.wantQuarantined("n/b")
				v.server.change("DELETED", "b", `"long"`)
				v.awaitSame(time.Minute)
				v.wantTold("tombstone b")
				v.wantQuarantined()

				v.server.set("c", `"long"`)
				v.wantQuarantined("n/c")
				v.server.silence(true)
				v.server.remove("c")
				v.server.endWatches(false)
				time.Sleep(time.Millisecond)
				v.server.silence(false)
				v.relist()
				v.awaitSame(time.Minute)
				v.wantTold("tombstone c")
				v.wantQuarantined()
			})
		})
		t.Run(name+", never decoded", func(t *testing.T) {
			inTrouble(t, options, before, func(t *testing.T, v *voyage) {
				v.awaitSame(time.Minute)
				v.fleet.news()
				v.server.add("d", `"long"`)
				v.wantQuarantined("n/d")
				v.server.change("DELETED", "d", `"long"`)
				v.wantQuarantined()
				v.awaitSame(time.Minute)
				if source := v.source(); source.Failures != 0 {
					t.Errorf("state %+v", source)
				}
			})
		})
	}
	t.Run("without a name", func(t *testing.T) {
		inTrouble(t, cache.SharedIndexInformerOptions{Undecodable: cache.QuarantineUndecodable}, func(s *bargeServer) {
			s.fail(text("application/json", listBegin+`{"metadata":{},"spec":7}],"kind":"BargeList","metadata":{"resourceVersion":"13"}}`), "list")
			s.fail(status(422, "Invalid", "sendInitialEvents is forbidden"), "watch list")
		}, func(t *testing.T, v *voyage) {
			v.awaitPhase(time.Minute, cache.PhaseFailed)
			v.wantUnsynced("Barge", "item 0", "/spec")
			v.wantTold()
		})
	})
}
