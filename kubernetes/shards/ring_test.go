package shards_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/klog/v2"

	"github.com/listwatch/listwatch/kubernetes/fake"
	"github.com/listwatch/listwatch/kubernetes/shards"
	coordinationv1client "github.com/listwatch/listwatch/kubernetes/typed/coordination/v1"
)

func join(t *testing.T, leases coordinationv1client.LeasesGetter, identity string) *shards.Ring {
	t.Helper()
	return joinWith(t, leases, shards.Options{Identity: identity})
}

func joinWith(t *testing.T, leases coordinationv1client.LeasesGetter, options shards.Options) *shards.Ring {
	t.Helper()
	ctx := klog.NewContext(context.Background(), logr.Discard())
	options.Name, options.Namespace = "sites", "default"
	ring, err := shards.Join(ctx, leases, options)
	if err != nil {
		t.Fatal(err)
	}
	return ring
}

func leave(t *testing.T, rings ...*shards.Ring) {
	t.Helper()
	for _, ring := range rings {
		if err := ring.Leave(context.Background()); err != nil {
			t.Error(err)
		}
	}
}

// direct is a client without a network.
func direct(s *server, name string) *client {
	return &client{
		name: name, on: s, isCut: func() bool { return false },
		send: func(ctx context.Context, request func()) error { request(); return ctx.Err() },
	}
}

// ownedBy returns the owner of each slot, and fails if one has none or two.
func ownedBy(t *testing.T, rings map[string]*shards.Ring) map[int]string {
	t.Helper()
	owners := map[int]string{}
	for name, ring := range rings {
		for _, slot := range ring.State().Owned {
			if owners[slot] != "" {
				t.Errorf("slot %d has two owners", slot)
			}
			owners[slot] = name
		}
	}
	if len(owners) != 64 {
		t.Errorf("%d slots are owned", len(owners))
	}
	return owners
}

func moved(before, after map[int]string) (n int) {
	for slot := range before {
		if before[slot] != after[slot] {
			n++
		}
	}
	return n
}

// Slots move only as far as balance demands.
func TestShares(t *testing.T) {
	for _, watches := range []bool{true, false} {
		t.Run(fmt.Sprint("watches=", watches), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newServer()
				if watches {
					s.watches = map[*watching]bool{}
				}
				rings := map[string]*shards.Ring{}
				for _, name := range []string{"a", "b", "c", "d"} {
					rings[name] = join(t, direct(s, name), name)
				}
				time.Sleep(2 * time.Minute)
				before := ownedBy(t, rings)

				rings["e"] = join(t, direct(s, "e"), "e")
				began := time.Now()
				for len(rings["e"].State().Owned) < 12 {
					if time.Since(began) > time.Minute {
						t.Fatalf("a new member owns %v", rings["e"].State())
					}
					time.Sleep(10 * time.Millisecond)
				}
				t.Logf("a member that comes has slots after %s", time.Since(began))
				time.Sleep(time.Minute)
				after := ownedBy(t, rings)
				if n := moved(before, after); n != 12 {
					t.Errorf("%d slots move to a fifth member", n)
				}

				left := rings["b"]
				delete(rings, "b")
				lost := len(left.State().Owned)
				began = time.Now()
				leave(t, left)
				before = after
				for owned := 0; owned < 64; {
					if time.Since(began) > time.Minute {
						t.Fatalf("%d slots are owned", owned)
					}
					time.Sleep(10 * time.Millisecond)
					owned = 0
					for _, ring := range rings {
						owned += len(ring.State().Owned)
					}
				}
				t.Logf("the slots of a member that leaves are owned after %s", time.Since(began))
				time.Sleep(time.Minute)
				if n := moved(before, ownedBy(t, rings)); n != lost {
					t.Errorf("%d slots move when a member with %d leaves", n, lost)
				}
				if n := left.Counts().Lapsed; n != 0 {
					t.Errorf("%d terms of a member that has left have lapsed", n)
				}
				for _, ring := range rings {
					leave(t, ring)
				}
			})
		})
	}
}

// The slots of a member that ends without leaving are taken over when its Lease has expired, of the coordinator as well:
// its successor need not wait for the Lease of the ring and that of the member, one after the other.
func TestTakeOver(t *testing.T) {
	for _, crashed := range []string{"a member", "the coordinator"} {
		t.Run(crashed, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newServer()
				s.watches = map[*watching]bool{}
				rings, cut := map[string]*shards.Ring{}, map[string]*atomic.Bool{}
				for _, name := range []string{"a", "b", "c"} {
					c := direct(s, name)
					cut[name] = &atomic.Bool{}
					c.isCut = cut[name].Load
					send := c.send
					c.send = func(ctx context.Context, request func()) error {
						if c.isCut() {
							return errors.New("no network")
						}
						return send(ctx, request)
					}
					rings[name] = join(t, c, name)
				}
				time.Sleep(2 * time.Minute)
				for name, ring := range rings {
					if (ring.State().Coordinator == name) == (crashed == "the coordinator") {
						cut[name].Store(true)
						defer leave(t, ring)
						delete(rings, name)
						break
					}
				}
				began := time.Now()
				for owned := 0; owned < 64; {
					if time.Since(began) > 2*time.Minute {
						t.Fatalf("%d slots are owned", owned)
					}
					time.Sleep(10 * time.Millisecond)
					owned = 0
					for _, ring := range rings {
						owned += len(ring.State().Owned)
					}
				}
				t.Logf("slots are taken over after %s", time.Since(began))
				if time.Since(began) > 40*time.Second {
					t.Errorf("slots are taken over after %s, the lease lasts 30 s, and members settle in 5 s", time.Since(began))
				}
				for _, ring := range rings {
					leave(t, ring)
				}
			})
		})
	}
}

// Work goes on when its slot is lost until HandOver has passed; nobody else begins before it has ended.
func TestHandOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		leases := fake.NewClientset().CoordinationV1()
		a := join(t, leases, "a")
		time.Sleep(time.Minute)
		var keys []string
		for i := range 200 {
			keys = append(keys, fmt.Sprint("uid-", i))
			if !a.Owns(keys[i]) {
				t.Fatal("a ring's only member does not own everything")
			}
		}
		contexts, ends := map[string]context.Context{}, map[string]func(){}
		for _, key := range keys {
			work, done, err := a.Begin(context.Background(), key)
			if err != nil {
				t.Fatal(err)
			}
			contexts[key], ends[key] = work, done
		}

		b := join(t, leases, "b")
		time.Sleep(12 * time.Second) // to settle, and to learn of it
		var moving string
		for _, key := range keys {
			if !a.Owns(key) {
				moving = key
			}
		}
		state := b.State()
		if moving == "" || len(state.Moves) == 0 || state.Moves[0].From != "a" || state.Moves[0].To != "b" {
			t.Fatalf("nothing moves: %+v", state)
		}
		if _, _, err := a.Begin(context.Background(), moving); !errors.Is(err, shards.ErrNotOwned) {
			t.Errorf("work begins in a lost slot: %v", err)
		}
		if err := a.Check(contexts[moving], moving); err != nil {
			t.Errorf("work that goes on may not write: %v", err)
		}
		if err := a.Check(context.Background(), moving); !errors.Is(err, shards.ErrNotOwned) {
			t.Errorf("what has not begun may write: %v", err)
		}
		if b.Owns(moving) {
			t.Error("there are two owners")
		}
		<-contexts[moving].Done()
		if err := context.Cause(contexts[moving]); !errors.Is(err, shards.ErrNotOwned) {
			t.Errorf("cause is %v", err)
		}
		if err := a.Check(contexts[moving], moving); !errors.Is(err, shards.ErrNotOwned) {
			t.Errorf("work may write after its context has ended: %v", err)
		}
		time.Sleep(time.Second)
		if b.Owns(moving) {
			t.Error("a slot is handed over while work goes on")
		}
		for _, done := range ends {
			done()
			done() // has no effect
		}
		time.Sleep(15 * time.Second)
		if !b.Owns(moving) || a.Owns(moving) {
			t.Error("the slot is not handed over")
		}
		leave(t, a)
		time.Sleep(time.Minute)
		if !slices.ContainsFunc(keys, a.Owns) && !b.Owns(keys[0]) {
			t.Error("the last member does not own everything")
		}
		leave(t, b)
	})
}

func TestOptions(t *testing.T) {
	valid := shards.Options{Name: "sites", Namespace: "default", Identity: "a-1.b"}
	for _, test := range []struct {
		name string
		edit func(*shards.Options)
		want string
	}{
		{"no name", func(o *shards.Options) { o.Name = "" }, "invalid Name"},
		{"a dot", func(o *shards.Options) { o.Name = "a.b" }, "invalid Name"},
		{"no identity", func(o *shards.Options) { o.Identity = "" }, "invalid Identity"},
		{"no namespace", func(o *shards.Options) { o.Namespace = "" }, "Namespace is empty"},
		{"slots", func(o *shards.Options) { o.Slots = 48 }, "invalid Slots 48"},
		{"key", func(o *shards.Options) { o.Key = "name" }, "invalid Key"},
		{"a fraction", func(o *shards.Options) { o.LeaseDuration = 1500 * time.Millisecond }, "invalid LeaseDuration"},
		{"deadline", func(o *shards.Options) { o.RenewDeadline = 30 * time.Second }, "invalid RenewDeadline"},
		{"period", func(o *shards.Options) { o.RenewPeriod = 14 * time.Second }, "invalid RenewPeriod"},
	} {
		t.Run(test.name, func(t *testing.T) {
			options := valid
			test.edit(&options)
			_, err := shards.Join(t.Context(), fake.NewClientset().CoordinationV1(), options)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error is %v", err)
			}
		})
	}
}
