package cache_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/listwatch/listwatch/runtime/cache"
	cachetesting "github.com/listwatch/listwatch/runtime/cache/testing"
)

func newRing() *ring {
	return &ring{key: "object.metadata.uid", changed: make(chan struct{}), left: func([]int) {}}
}

// uidOf returns a UID in a slot, which is so as a namespace, too.
func (r *ring) uidOf(slot int) types.UID {
	for i := 0; ; i++ {
		uid := types.UID(fmt.Sprint("u", i))
		if r.slot(&metav1.ObjectMeta{UID: uid, Namespace: string(uid)}) == slot {
			return uid
		}
	}
}

// shipCalls records calls with ships.
type shipCalls struct{ log []string }

func (c *shipCalls) add(what string, s *ship)              { c.log = append(c.log, what+" "+s.Name) }
func (c *shipCalls) OnAdd(s *ship, _ bool)                 { c.add("add", s) }
func (c *shipCalls) OnUpdate(_, s *ship)                   { c.add("update", s) }
func (c *shipCalls) OnReleased(s *ship)                    { c.add("release", s) }
func (c *shipCalls) OnDelete(d cache.DeletedObject[*ship]) { c.add("delete", d.OptionalObj) }

// untypedCalls is a shipCalls for objects of any type.
type untypedCalls struct{ *shipCalls }

func (c untypedCalls) OnAdd(obj any, initial bool) { c.shipCalls.OnAdd(obj.(*ship), initial) }
func (c untypedCalls) OnUpdate(_, obj any)         { c.shipCalls.OnUpdate(nil, obj.(*ship)) }
func (c untypedCalls) OnReleased(obj any)          { c.shipCalls.OnReleased(obj.(*ship)) }
func (c untypedCalls) OnDelete(obj any)            { c.add("delete", obj.(*ship)) }

// TestShards gains and loses slots, and looks at what handlers of each kind, states and checks show.
func TestShards(t *testing.T) {
	for name, c := range map[string]struct {
		options cache.SharedIndexInformerOptions
		key     string
	}{
		"by UID":       {key: "object.metadata.uid"},
		"by namespace": {key: "object.metadata.namespace"},
		"packed":       {packedOptions(), "object.metadata.uid"},
		"copies":       {cache.SharedIndexInformerOptions{CopyForHandlers: true}, "object.metadata.uid"},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, source *cachetesting.FakeControllerSource) {
				r := newRing()
				r.key = c.key
				var in [modelSlots]string // names by slot
				for slot := range in {
					s := newShip("n/"+string(rune('a'+slot)), "red")
					if s.UID = r.uidOf(slot); strings.HasSuffix(c.key, "namespace") {
						s.Namespace = string(r.uidOf(slot))
					}
					in[slot] = s.Name
					source.Add(s)
				}
				c.options.Shards = r
				informer := cache.NewTypedSharedIndexInformer[*ship](cache.NewSharedIndexInformerWithOptions(source, &ship{}, c.options))
				plain, typed, odd, typedOdd := &shipCalls{}, &shipCalls{}, &shipCalls{}, &shipCalls{}
				isOdd := func(s *ship) bool { return s.Name[0]%2 == 1 }
				for _, h := range []cache.ResourceEventHandler{
					untypedCalls{plain},
					cache.FilteringResourceEventHandler{FilterFunc: func(obj any) bool { return isOdd(obj.(*ship)) }, Handler: untypedCalls{odd}},
				} {
					if _, err := informer.AddEventHandler(h); err != nil {
						t.Fatal(err)
					}
				}
				for _, h := range []cache.TypedResourceEventHandler[*ship]{
					typed, cache.TypedFilteringResourceEventHandler[*ship]{FilterFunc: isOdd, Handler: typedOdd},
				} {
					if _, err := informer.AddTypedEventHandler(h); err != nil {
						t.Fatal(err)
					}
				}
				ctx, cancel := context.WithCancel(t.Context())
				stopped := make(chan struct{})
				go func() {
					defer close(stopped)
					informer.RunWithContext(ctx)
				}()
				defer func() {
					cancel()
					<-stopped
				}()
				for _, step := range []struct {
					slots, anew []int
					calls       string
				}{
					{nil, nil, ""},
					{[]int{0, 1, 5}, nil, "add a, add b, add f"},
					{[]int{1, 5, 6}, nil, "release a, add g"},
					{[]int{1, 5, 6}, []int{5}, "release f, add f"},
					{[]int{0, 1, 2, 3, 4, 5, 6, 7}, nil, "add a, add c, add d, add e, add h"},
					{nil, nil, "release a, release b, release c, release d, release e, release f, release g, release h"},
				} {
					r.set(step.slots, step.anew)
					synctest.Wait()
					if err := cache.CheckDrift(ctx, informer); err != nil {
						t.Error(err)
					}
					var want, wantOdd []string
					for call := range strings.SplitSeq(step.calls, ", ") {
						if call == "" {
							continue
						}
						want = append(want, call)
						if call[len(call)-1]%2 == 1 {
							wantOdd = append(wantOdd, call)
						}
					}
					for _, h := range []struct {
						what  string
						calls *shipCalls
						want  []string
					}{{"plain", plain, want}, {"typed", typed, want}, {"filtering", odd, wantOdd}, {"typed filtering", typedOdd, wantOdd}} {
						// Objects leave a store in any order, before others come.
						slices.SortStableFunc(h.calls.log, func(a, b string) int { return strings.Compare(b[:3], a[:3])*2 + strings.Compare(a, b) })
						if !slices.Equal(h.calls.log, h.want) {
							t.Errorf("%v: %s handler got %q, want %q", step.slots, h.what, h.calls.log, h.want)
						}
						h.calls.log = nil
					}
					state := cache.StateOf(informer)
					if got := state.Sources[0]; !slices.Equal(got.Slots, step.slots) || len(got.Gaining) > 0 || !state.Synced || state.Phase != cache.PhaseLive {
						t.Errorf("slots %v, gaining %v, synced %v, %s; want slots %v, live", got.Slots, got.Gaining, state.Synced, state.Phase, step.slots)
					}
					if got := len(informer.GetStore().ListKeys()); got != len(step.slots) {
						t.Errorf("%d objects, want %d", got, len(step.slots))
					}
				}
			})
		})
	}
}

// TestAllShards checks that a type can be exempt.
func TestAllShards(t *testing.T) {
	inBubble(t, func(t *testing.T, source *cachetesting.FakeControllerSource) {
		manyShips(source, 10)
		informer := cache.NewSharedIndexInformerWithOptions(source, &ship{}, cache.SharedIndexInformerOptions{Shards: cache.AllShards})
		ctx, cancel := context.WithCancel(t.Context())
		stopped := make(chan struct{})
		go func() {
			defer close(stopped)
			informer.RunWithContext(ctx)
		}()
		if err := cache.WaitForSync(ctx, informer); err != nil || len(informer.GetStore().ListKeys()) != 10 {
			t.Errorf("got %v, error %v", informer.GetStore().ListKeys(), err)
		}
		cancel()
		<-stopped
	})
}

// TestShardsInvalid checks that a selector in another form is a failure in the informer's state.
func TestShardsInvalid(t *testing.T) {
	inBubble(t, func(t *testing.T, source *cachetesting.FakeControllerSource) {
		r := newRing()
		r.key = "object.metadata.name"
		r.set([]int{1}, nil)
		informer := cache.NewSharedIndexInformerWithOptions(source, &ship{}, cache.SharedIndexInformerOptions{Shards: r})
		ctx, cancel := context.WithCancel(t.Context())
		stopped := make(chan struct{})
		go func() {
			defer close(stopped)
			informer.RunWithContext(ctx)
		}()
		synctest.Wait()
		if state := cache.StateOf(informer); state.Err == nil || !strings.Contains(state.Err.Error(), "shard selector: invalid") {
			t.Errorf("got %v", state.Err)
		}
		cancel()
		<-stopped
	})
}
