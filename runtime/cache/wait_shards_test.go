package cache_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/listwatch/listwatch/runtime/cache"
	cachetesting "github.com/listwatch/listwatch/runtime/cache/testing"
)

// TestWritesOfShards waits for writes of objects that the source has not sent, of the replica and of others.
func TestWritesOfShards(t *testing.T) {
	const mine, others = 1, 2 // slots
	never := "50"             // a version that the source does not reach
	for _, key := range []string{"object.metadata.uid", "object.metadata.namespace"} {
		for _, test := range []struct {
			name  string
			wait  func(ctx context.Context, informer cache.SharedInformer, w *cache.Writes, in func(slot int) *ship) error
			lose  bool // the slot, while it waits
			waits bool
		}{
			{name: "written, mine", waits: true, wait: func(ctx context.Context, _ cache.SharedInformer, w *cache.Writes, in func(int) *ship) error {
				w.Written(in(mine))
				return w.Wait(ctx, in(mine).Namespace, in(mine).Name)
			}},
			{name: "written, of others", wait: func(ctx context.Context, _ cache.SharedInformer, w *cache.Writes, in func(int) *ship) error {
				w.Written(in(others))
				return w.Wait(ctx, in(others).Namespace, in(others).Name)
			}},
			{name: "written, of others, all", wait: func(ctx context.Context, _ cache.SharedInformer, w *cache.Writes, in func(int) *ship) error {
				w.Written(in(others))
				return w.Wait(ctx, "", "")
			}},
			{name: "written, of both, all", waits: true, wait: func(ctx context.Context, _ cache.SharedInformer, w *cache.Writes, in func(int) *ship) error {
				w.Written(in(others))
				w.Written(in(mine))
				return w.Wait(ctx, "", "")
			}},
			{name: "written, lost", lose: true, wait: func(ctx context.Context, _ cache.SharedInformer, w *cache.Writes, in func(int) *ship) error {
				w.Written(in(mine))
				return w.Wait(ctx, "", "")
			}},
			{name: "a new one written, lost", lose: true, wait: func(ctx context.Context, _ cache.SharedInformer, w *cache.Writes, in func(int) *ship) error {
				s := in(mine)
				s.Name = "new"
				w.Written(s)
				return w.Wait(ctx, s.Namespace, s.Name)
			}},
			{name: "deleted, of others", wait: func(ctx context.Context, _ cache.SharedInformer, w *cache.Writes, in func(int) *ship) error {
				w.Deleted(in(others))
				return w.Wait(ctx, "", "")
			}},
			{name: "deleted, lost", lose: true, wait: func(ctx context.Context, _ cache.SharedInformer, w *cache.Writes, in func(int) *ship) error {
				w.Deleted(in(mine))
				return w.Wait(ctx, "", "")
			}},
			{name: "one object, of others", wait: func(ctx context.Context, informer cache.SharedInformer, _ *cache.Writes, in func(int) *ship) error {
				return cache.WaitForObject(ctx, informer, in(others))
			}},
			{name: "one object, lost", lose: true, wait: func(ctx context.Context, informer cache.SharedInformer, _ *cache.Writes, in func(int) *ship) error {
				return cache.WaitForObject(ctx, informer, in(mine))
			}},
			{name: "one deletion, lost", lose: true, wait: func(ctx context.Context, informer cache.SharedInformer, _ *cache.Writes, in func(int) *ship) error {
				return cache.WaitForDeletion(ctx, informer, in(mine))
			}},
		} {
			t.Run(strings.TrimPrefix(key, "object.metadata.")+", "+test.name, func(t *testing.T) {
				inBubble(t, func(t *testing.T, source *cachetesting.FakeControllerSource) {
					r := newRing()
					r.key = key
					in := func(slot int) *ship {
						s := withVersion(newShip("n/"+string(rune('a'+slot)), "red"), never)
						if s.UID = r.uidOf(slot); strings.HasSuffix(key, "namespace") {
							s.Namespace = string(s.UID)
						}
						return s
					}
					source.Add(in(mine))
					source.Add(in(others))
					r.set([]int{mine}, nil)
					informer := cache.NewSharedIndexInformerWithOptions(source, &ship{}, cache.SharedIndexInformerOptions{Shards: r})
					defer run(t, informer)()
					synctest.Wait()
					ended := make(chan error, 1)
					go func() { ended <- test.wait(soon(t), informer, cache.NewWrites(informer), in) }()
					synctest.Wait()
					if test.lose {
						if len(ended) > 0 {
							t.Error("it does not wait for its own object")
						}
						r.set(nil, nil)
						synctest.Wait()
					}
					if waits := len(ended) == 0; waits != test.waits {
						t.Errorf("it waits: %t, want %t", waits, test.waits)
					}
					if err := <-ended; (err != nil) != test.waits {
						t.Errorf("got error %v", err)
					}
				})
			})
		}
	}
}

// TestWritesOfShardsLater checks that a write of an object of others is waited for when the object is gained, and that
// nothing is known before the informer runs.
func TestWritesOfShardsLater(t *testing.T) {
	inBubble(t, func(t *testing.T, source *cachetesting.FakeControllerSource) {
		r := newRing()
		s := newShip("n/a", "red")
		s.UID = r.uidOf(1)
		source.Add(s)
		informer := cache.NewSharedIndexInformerWithOptions(source, &ship{}, cache.SharedIndexInformerOptions{Shards: r})
		writes := cache.NewWrites(informer)
		s = withVersion(s, "50")
		writes.Written(s)
		if err := writes.Wait(soon(t), "n", "a"); err == nil {
			t.Error("it does not wait before it runs")
		}
		defer run(t, informer)()
		synctest.Wait()
		if err := writes.Wait(soon(t), "n", "a"); err != nil {
			t.Errorf("of another replica: %v", err)
		}
		r.set([]int{1}, nil)
		synctest.Wait()
		if err := writes.Wait(soon(t), "n", "a"); err == nil {
			t.Error("it does not wait for what was gained")
		}
	})
}
