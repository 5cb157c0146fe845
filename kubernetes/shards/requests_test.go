package shards_test

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/listwatch/listwatch/kubernetes/shards"
)

// Each member sends two requests in a period when nothing happens, the coordinator as well, which lists the Leases of
// members only without a watch of them.
func TestRequests(t *testing.T) {
	for _, test := range []struct {
		members  int
		watches  bool
		requests int // of all members, in a period
	}{
		{1, true, 2},
		{1, false, 3},
		{3, true, 6},
		{3, false, 7},
		{5, true, 10},
	} {
		t.Run(fmt.Sprintf("members=%d,watches=%t", test.members, test.watches), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newServer()
				if test.watches {
					s.watches = map[*watching]bool{}
				}
				var rings []*shards.Ring
				for i := range test.members {
					name := fmt.Sprint("member-", i)
					rings = append(rings, join(t, direct(s, name), name))
				}
				time.Sleep(2 * time.Minute)
				s.locked(func() { clear(s.requests) })
				const periods = 100
				time.Sleep(periods * 12 * time.Second)
				sum := 0
				s.locked(func() {
					for _, n := range s.requests {
						sum += n
					}
				})
				// A watch that cannot begin is tried again every ten periods.
				if want := test.requests * periods; sum > want+test.members*(periods/10+2) || sum < want-test.members {
					t.Errorf("%d requests, want %d", sum, want)
				}
				leave(t, rings...)
			})
		})
	}
}

// A watch that shows nothing delays what the coordinator learns, for less than the duration of a Lease.
func TestSilentWatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer()
		s.watches = map[*watching]bool{}
		deaf := direct(s, "a")
		deaf.isCut = func() bool { return true }
		a := join(t, deaf, "a")
		time.Sleep(2 * time.Minute)
		b := join(t, direct(s, "b"), "b")
		began := time.Now()
		for len(b.State().Owned) < 32 {
			if time.Since(began) > time.Minute {
				t.Fatalf("a new member owns %d slots: %v", len(b.State().Owned), b.State().Waits)
			}
			time.Sleep(10 * time.Millisecond)
		}
		leave(t, a, b)
	})
}

// A ring's Lease that others change, or delete, is read again.
func TestLeaseOfOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer()
		s.watches = map[*watching]bool{}
		a := join(t, direct(s, "a"), "a")
		time.Sleep(2 * time.Minute)
		term := a.State().Term
		for range 5 {
			s.locked(func() {
				lease, err := s.get("sites")
				if err == nil {
					lease.Annotations["note"] = fmt.Sprint(s.version)
					_, err = s.update(lease)
				}
				if err != nil {
					t.Error(err)
				}
			})
			time.Sleep(15 * time.Second)
		}
		if state := a.State(); state.Term != term || len(state.Owned) != 64 || state.Coordinator != "a" {
			t.Errorf("a change of an annotation ends the term %s: %+v", term, state)
		}
		s.locked(func() { s.remove("sites") })
		time.Sleep(15 * time.Second)
		if state := a.State(); state.Term == term || len(state.Owned) != 0 {
			t.Errorf("the term goes on without the Lease: %+v", state)
		}
		time.Sleep(time.Minute)
		if state := a.State(); len(state.Owned) != 64 {
			t.Errorf("the member owns %d slots: %v", len(state.Owned), state.Waits)
		}
		leave(t, a)
	})
}

// A coordinator that was cut off while another member became it does not write over that one's assignment, which it does
// not know.
func TestFormerCoordinator(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer()
		rings := map[string]*shards.Ring{}
		machines := map[string]*machine{}
		for _, name := range []string{"a", "b"} {
			c := direct(s, name)
			m := newMachine(1)
			send := c.send
			c.send = func(ctx context.Context, request func()) error {
				m.run()
				return send(ctx, request)
			}
			machines[name], rings[name] = m, joinWith(t, c, shards.Options{Identity: name, Clock: m})
			time.Sleep(time.Second)
		}
		time.Sleep(2 * time.Minute)
		former := rings["a"].State().Coordinator
		machines[former].freeze()
		time.Sleep(2 * time.Minute)
		var epoch int
		s.locked(func() { epoch = epochOf(s.leases["sites"]) })
		machines[former].thaw()
		time.Sleep(2 * time.Minute)
		s.locked(func() {
			if after := epochOf(s.leases["sites"]); after <= epoch {
				t.Errorf("epoch %d follows %d", after, epoch)
			}
		})
		ownedBy(t, rings)
		for _, ring := range rings {
			if ring.State().Coordinator == former {
				t.Errorf("%s still coordinates", former)
			}
			leave(t, ring)
		}
	})
}
