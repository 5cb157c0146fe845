package cache_test

import (
	"context"
	"errors"
	"fmt"
	goreflect "reflect"
	goruntime "runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/listwatch/listwatch/runtime/cache"
	cachetesting "github.com/listwatch/listwatch/runtime/cache/testing"
	"github.com/listwatch/listwatch/runtime/codec"
	"github.com/listwatch/listwatch/runtime/packed"
)

// packedOptions are those of informers in these tests.
func packedOptions() cache.SharedIndexInformerOptions {
	return cache.SharedIndexInformerOptions{
		Packed:     packed.S2,
		Identifier: (*cache.InformerName)(nil).WithResource(boats),
		Indexers:   cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc, "color": func(obj any) ([]string, error) { return colorOf(obj), nil }},
	}
}

// manyShips adds ships of two namespaces and three colors.
func manyShips(source *cachetesting.FakeControllerSource, n int) {
	for i := range n {
		s := newShip(fmt.Sprintf("bay-%d/%03d", i%2, i), []string{"red", "green", "blue"}[i%3])
		s.Annotations = map[string]string{"note": strings.Repeat(fmt.Sprint(i), 100)}
		source.Add(s)
	}
}

func names(ships []*ship) []string {
	var out []string
	for _, s := range ships {
		out = append(out, s.Name)
	}
	slices.Sort(out)
	return out
}

// TestPackedReads compares all reads with those of an informer whose objects are not packed. Only what matches is decoded.
func TestPackedReads(t *testing.T) {
	inBubble(t, func(t *testing.T, source *cachetesting.FakeControllerSource) {
		const n = 600
		manyShips(source, n)
		options := packedOptions()
		small := cache.NewPackedInformer(source, &ship{}, options, 2)
		options.Packed = nil
		plain := cache.NewSharedIndexInformerWithOptions(source, &ship{}, options)
		defer run(t, small)()
		defer run(t, plain)()
		synctest.Wait()
		red, err := labels.Parse("color=red")
		if err != nil {
			t.Fatal(err)
		}
		decodes := cache.StateOf(small).Packed.Decodes
		for _, c := range []struct {
			name  string
			reads int
			read  func(i cache.SharedIndexInformer) (any, error)
		}{
			{"one", 1, func(i cache.SharedIndexInformer) (any, error) {
				s, _, err := cache.GetObject[*ship](i.GetIndexer(), "bay-1", "007")
				return s, err
			}},
			{"by key", 1, func(i cache.SharedIndexInformer) (any, error) {
				s, _, err := i.GetStore().GetByKey("bay-1/009")
				return s, err
			}},
			{"missing", 0, func(i cache.SharedIndexInformer) (any, error) {
				s, _, err := i.GetStore().GetByKey("bay-1/none")
				return s, err
			}},
			{"keys", 0, func(i cache.SharedIndexInformer) (any, error) {
				keys := i.GetStore().ListKeys()
				slices.Sort(keys)
				return keys, nil
			}},
			{"namespace", n / 2, func(i cache.SharedIndexInformer) (any, error) {
				all, err := cache.ListObjects[*ship](i.GetIndexer(), "bay-1", labels.Everything())
				return names(all), err
			}},
			{"selector", n / 3, func(i cache.SharedIndexInformer) (any, error) {
				all, err := cache.ListObjects[*ship](i.GetIndexer(), "", red)
				return names(all), err
			}},
			{"selector in a namespace", n / 6, func(i cache.SharedIndexInformer) (any, error) {
				var all []*ship
				err := cache.ListAllByNamespace(i.GetIndexer(), "bay-0", red, func(obj any) { all = append(all, obj.(*ship)) })
				return names(all), err
			}},
			{"index", n / 3, func(i cache.SharedIndexInformer) (any, error) {
				all, err := cache.ByIndex[*ship](i.GetIndexer(), "", "color", "red")
				return names(all), err
			}},
			{"index, untyped", n / 3, func(i cache.SharedIndexInformer) (any, error) {
				objects, err := i.GetIndexer().ByIndex("color", "red")
				return len(objects), err
			}},
			{"index keys", 0, func(i cache.SharedIndexInformer) (any, error) { return i.GetIndexer().IndexKeys("color", "red") }},
			{"all", n, func(i cache.SharedIndexInformer) (any, error) {
				all, err := cache.ListObjects[*ship](i.GetIndexer(), "", labels.Everything())
				return names(all), err
			}},
			{"all, untyped", n, func(i cache.SharedIndexInformer) (any, error) { return len(i.GetStore().List()), nil }},
			{"the first", 1, func(i cache.SharedIndexInformer) (any, error) {
				count := 0
				return count, cache.EachObject(i.GetIndexer(), "", labels.Everything(), func(*ship) bool { return false })
			}},
			{"of another type", 1, func(i cache.SharedIndexInformer) (any, error) {
				_, err := cache.ListObjects[*metav1.Status](i.GetIndexer(), "", red)
				return nil, errors.New(err.Error())
			}},
		} {
			got, err := c.read(small)
			want, wantErr := c.read(plain)
			if diff := cmp.Diff(want, got); diff != "" || fmt.Sprint(err) != fmt.Sprint(wantErr) {
				t.Errorf("%s: %v, want %v (-want +got):\n%s", c.name, err, wantErr, diff)
			}
			now := cache.StateOf(small).Packed.Decodes
			if made := int(now - decodes); made > c.reads || made < c.reads-2 { // two are decoded already
				t.Errorf("%s: %d objects were decoded, want %d", c.name, made, c.reads)
			}
			decodes = now
		}
		state := cache.StateOf(small)
		if p := state.Packed; p.Decoded != 2 || p.Whole != 0 || p.Dictionaries != 2 {
			t.Errorf("the state has %+v", p)
		}
		if whole := cache.StateOf(plain); whole.Packed != nil || 2*state.Bytes > whole.Bytes {
			t.Errorf("packed they take %d bytes, otherwise %d (%+v)", state.Bytes, whole.Bytes, whole.Packed)
		}
	})
}

// TestGetCopy changes what it gets, packed and not.
func TestGetCopy(t *testing.T) {
	options := packedOptions()
	small := cache.NewPackedInformer(nil, &ship{}, options, 1)
	options.Packed = nil
	plain := cache.NewSharedIndexInformerWithOptions(nil, &ship{}, options)
	for _, informer := range []cache.SharedIndexInformer{small, plain} {
		store := informer.GetIndexer()
		for _, key := range []string{"bay/a", "bay/b"} {
			if err := store.Add(newShip(key, "red")); err != nil {
				t.Fatal(err)
			}
		}
		for _, name := range []string{"a", "b", "a"} { // of the packed ones, a is not decoded
			obj, exists, err := cache.GetCopy(store, "bay", name)
			if diff := cmp.Diff(any(newShip("bay/"+name, "red")), obj); err != nil || !exists || diff != "" {
				t.Fatalf("%t, %v (-want +got):\n%s", exists, err, diff)
			}
			obj.(*ship).Labels["color"] = "changed"
		}
		if obj, exists, err := cache.GetCopy(store, "bay", "none"); obj != nil || exists || err != nil {
			t.Errorf("%v, %t, %v", obj, exists, err)
		}
		if obj, _, err := cache.GetCopy(foreignIndexer{store}, "bay", "a"); err != nil || obj.(*ship).Labels["color"] != "red" {
			t.Errorf("%v, %v", obj, err)
		}
	}
}

// TestEachOwned changes what it owns of what it reads, packed and not.
func TestEachOwned(t *testing.T) {
	options := packedOptions()
	options.Indexers = cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc}
	small := cache.NewPackedInformer(nil, &ship{}, options, 1)
	options.Packed = nil
	plain := cache.NewSharedIndexInformerWithOptions(nil, &ship{}, options)
	red := labels.SelectorFromSet(labels.Set{"color": "red"})
	for _, c := range []struct {
		name     string
		informer cache.SharedIndexInformer
		owned    int // the last one that came is decoded
	}{{"packed", small, 1}, {"whole", plain, 0}} {
		t.Run(c.name, func(t *testing.T) {
			store := c.informer.GetIndexer()
			for key, color := range map[string]string{"bay/a": "red", "bay/c": "blue", "sea/d": "red"} {
				if err := store.Add(newShip(key, color)); err != nil {
					t.Fatal(err)
				}
			}
			if err := store.Add(newShip("bay/b", "red")); err != nil {
				t.Fatal(err)
			}
			for range 2 {
				for _, r := range []struct {
					name string
					read func(yield func(*ship, bool) bool) error
					want int
				}{
					{"selector", func(yield func(*ship, bool) bool) error { return cache.EachOwned(store, "bay", red, yield) }, 2},
					{"index", func(yield func(*ship, bool) bool) error {
						return cache.EachOwnedByIndex(store, cache.NamespaceIndex, "bay", func(s *ship, owned bool) bool {
							return s.Labels["color"] == "blue" || yield(s, owned)
						})
					}, 2},
				} {
					all, owned := 0, 0
					if err := r.read(func(s *ship, own bool) bool {
						if diff := cmp.Diff(newShip("bay/"+s.Name, "red"), s); diff != "" {
							t.Errorf("%s (-want +got):\n%s", r.name, diff)
						}
						if all++; own {
							owned++
							s.Labels["color"] = "changed"
						}
						return true
					}); err != nil || all != r.want || owned != c.owned {
						t.Errorf("%s: %d objects, %d of them owned, %v", r.name, all, owned, err)
					}
				}
			}
			n := 0
			first := func(*ship, bool) bool { n++; return false }
			for _, err := range []error{
				cache.EachOwned(store, "", labels.Everything(), first),
				cache.EachOwned(store, "", labels.Nothing(), first),
				cache.EachOwned(foreignIndexer{store}, "bay", red, first),
				cache.EachOwnedByIndex(store, cache.NamespaceIndex, "bay", first),
				cache.EachOwnedByIndex(foreignIndexer{store}, cache.NamespaceIndex, "bay", first),
			} {
				if err != nil {
					t.Error(err)
				}
			}
			if n != 4 {
				t.Errorf("%d objects, want 4", n)
			}
			if err := cache.EachOwnedByIndex(store, "none", "", first); err == nil {
				t.Error("an index that does not exist is read")
			}
			if err := cache.EachOwnedByIndex(store, cache.NamespaceIndex, "bay", func(*tug, bool) bool { return true }); err == nil {
				t.Error("a ship is a tug")
			}
		})
	}
}

// tug is not what stores have.
type tug struct{ ship }

// TestPackedEvents compares what handlers receive with what they receive from an informer whose objects are not packed:
// updates with the old state, deletions, tombstones, and resyncs.
func TestPackedEvents(t *testing.T) {
	inBubble(t, func(t *testing.T, source *cachetesting.FakeControllerSource) {
		manyShips(source, 20)
		options := packedOptions()
		small := cache.NewPackedInformer(source, &ship{}, options, 1)
		options.Packed = nil
		plain := cache.NewSharedIndexInformerWithOptions(source, &ship{}, options)
		logs := map[cache.SharedIndexInformer]*logbook{small: {}, plain: {}}
		for informer, log := range logs {
			mustAddHandler(t, informer, log)
			defer run(t, informer)()
		}
		synctest.Wait()
		source.Modify(newShip("bay-0/000", "white"))
		source.Delete(newShip("bay-1/001", "green"))
		source.DeleteDropWatch(newShip("bay-0/002", "blue"))
		source.ResetWatch()
		synctest.Wait()
		late := map[cache.SharedIndexInformer]*logbook{small: {}, plain: {}}
		for informer, log := range late {
			if _, err := informer.AddEventHandlerWithOptions(log, cache.HandlerOptions{Bound: 3}); err != nil {
				t.Fatal(err)
			}
		}
		source.Modify(newShip("bay-0/004", "white"))
		synctest.Wait()
		for _, logs := range []map[cache.SharedIndexInformer]*logbook{logs, late} {
			got, want := logs[small].take(), logs[plain].take()
			slices.Sort(got)
			slices.Sort(want)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("events (-want +got):\n%s", diff)
			}
		}
	})
}

// TestPackedRelist lists again what is stored: nothing changes, and nothing is decoded.
func TestPackedRelist(t *testing.T) {
	inBubble(t, func(t *testing.T, source *cachetesting.FakeControllerSource) {
		manyShips(source, 300)
		informer := cache.NewPackedInformer(source, &ship{}, packedOptions(), 2)
		log := &logbook{}
		mustAddHandler(t, informer, log)
		defer run(t, informer)()
		synctest.Wait()
		log.take()
		before := cache.StateOf(informer)
		source.ResetWatch()
		time.Sleep(time.Minute)
		synctest.Wait()
		after := cache.StateOf(informer)
		if events := log.take(); len(events) > 0 || after.Sources[0].Lists == before.Sources[0].Lists {
			t.Errorf("events %v after %+v", events, after.Sources[0])
		}
		if made := after.Packed.Decodes - before.Packed.Decodes; made > 0 {
			t.Errorf("%d objects were decoded", made)
		}
		if err := cache.CheckDrift(t.Context(), informer); err != nil {
			t.Error(err)
		}
		if made := cache.StateOf(informer).Packed.Decodes - before.Packed.Decodes; made > 0 {
			t.Errorf("%d objects were decoded to check for drift", made)
		}
	})
}

// TestPackedWritesByHand writes to the store of an informer that does not run.
func TestPackedWritesByHand(t *testing.T) {
	informer := cache.NewPackedInformer(nil, &ship{}, packedOptions(), 1)
	store := informer.GetIndexer()
	for i := range 50 {
		if err := store.Add(newShip(fmt.Sprintf("bay/%02d", i), "red")); err != nil {
			t.Fatal(err)
		}
	}
	if err := store.Update(newShip("bay/07", "blue")); err != nil {
		t.Fatal(err)
	}
	if err := store.Delete(newShip("bay/08", "red")); err != nil {
		t.Fatal(err)
	}
	obj, exists, err := store.Get(newShip("bay/07", ""))
	if diff := cmp.Diff(any(newShip("bay/07", "blue")), obj); err != nil || !exists || diff != "" {
		t.Errorf("%t, %v (-want +got):\n%s", exists, err, diff)
	}
	if red, err := store.Index("color", newShip("bay/any", "red")); err != nil || len(red) != 48 {
		t.Errorf("%d are red (%v)", len(red), err)
	}
	if err := informer.AddIndexers(cache.Indexers{"name": func(obj any) ([]string, error) { return []string{obj.(*ship).Name}, nil }}); err != nil {
		t.Fatal(err)
	}
	if keys, err := store.IndexKeys("name", "33"); err != nil || !slices.Equal(keys, []string{"bay/33"}) {
		t.Errorf("keys %v (%v)", keys, err)
	}
	if err := store.Replace([]any{newShip("bay/one", "red")}, "7"); err != nil {
		t.Fatal(err)
	}
	if all := store.List(); len(all) != 1 || all[0].(*ship).Name != "one" {
		t.Errorf("all are %v", all)
	}
}

// TestPackedMutationsAreFound has a handler modify a packed object, which stays decoded for that.
func TestPackedMutationsAreFound(t *testing.T) {
	inBubble(t, func(t *testing.T, source *cachetesting.FakeControllerSource) {
		manyShips(source, 20)
		found := make(chan cache.Mutation, 1)
		options := packedOptions()
		options.OnMutation = func(m cache.Mutation) { found <- m }
		informer := cache.NewPackedInformer(source, &ship{}, options, 1)
		mustAddHandler(t, informer, cache.ResourceEventHandlerFuncs{AddFunc: func(obj any) {
			if s := obj.(*ship); s.Name == "003" {
				s.Labels["color"] = "changed"
			}
		}})
		defer run(t, informer)()
		if m := <-found; m.Name.Name != "003" || !slices.Equal(m.Fields, []string{"metadata.labels[color]"}) {
			t.Errorf("found %+v", m)
		}
	})
}

// TestPackedBytes compares the bytes that an informer reports with the heap: nothing of decoded objects is retained by
// what is not packed.
func TestPackedBytes(t *testing.T) {
	live := func() int64 {
		var m goruntime.MemStats
		for range 3 { // pools are emptied by the second one
			goruntime.GC()
		}
		goruntime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	form, err := codec.FormOf(goreflect.TypeFor[*ship]())
	if err != nil {
		t.Fatal(err)
	}
	options := packedOptions()
	options.Indexers["uid"] = func(obj any) ([]string, error) { return []string{string(obj.(*ship).UID)}, nil }
	fill := func() cache.SharedIndexInformer {
		const n = 4000
		lists := cachetesting.NewFakeControllerSource()
		for i := range n {
			s := newShip(fmt.Sprintf("bay-%d/%05d", i, i), fmt.Sprint("color of ", i/10))
			s.Annotations = map[string]string{}
			for k := range 40 {
				s.Annotations[fmt.Sprint("note-", k)] = fmt.Sprintf("%060d", i)
			}
			text, err := form.Encode(s)
			if err != nil {
				t.Fatal(err)
			}
			obj, err := form.Decode(text, false)
			if err != nil {
				t.Fatal(err)
			}
			lists.Add(obj)
		}
		source := &copying{lists}
		informer := cache.NewPackedInformer(source, &ship{}, options, 8)
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() {
			defer close(done)
			informer.RunWithContext(ctx)
		}()
		if err := cache.WaitForSync(ctx, informer); err != nil {
			t.Error(err)
		}
		cancel()
		<-done
		lists.Shutdown()
		source.FakeControllerSource = nil // which has the objects, too
		return informer
	}
	cache.StateOf(fill()) // what is remembered of types takes memory, too
	before := live()
	informer := fill()
	took := live() - before
	state := cache.StateOf(informer)
	if off := float64(state.Bytes-took) / float64(took); off < -0.15 || off > 0.15 || took > 4000*1500 {
		t.Errorf("%d bytes for %d objects, but the heap has %d (%+.0f %%)", state.Bytes, state.Objects, took, 100*off)
	}
}

// copying is a source whose lists have copies of the objects with strings in a block of their own, as decoders make them.
type copying struct {
	*cachetesting.FakeControllerSource
}

func (c *copying) List(options metav1.ListOptions) (runtime.Object, error) {
	list, err := c.FakeControllerSource.List(options)
	if err != nil {
		return nil, err
	}
	form, err := codec.FormOf(goreflect.TypeFor[*ship]())
	if err != nil {
		return nil, err
	}
	out := &metav1.PartialObjectMetadataList{}
	m, err := meta.ListAccessor(list)
	if err != nil {
		return nil, err
	}
	out.ResourceVersion = m.GetResourceVersion()
	err = meta.EachListItem(list, func(obj runtime.Object) error {
		text, failed := form.Encode(obj)
		if failed != nil {
			return failed
		}
		again, failed := form.Decode(text, false)
		if failed == nil {
			out.Items = append(out.Items, *again.(*ship))
		}
		return failed
	})
	return out, err
}

// lossy is a ship with something that is not encoded.
type lossy struct {
	ship
	Cargo string `json:"-"`
}

func (l *lossy) DeepCopyObject() runtime.Object { c := *l; return &c }

// TestTransformThatCannotBePacked rejects objects that decoding does not give back, and keeps such objects whole if no
// transform made them.
func TestTransformThatCannotBePacked(t *testing.T) {
	inBubble(t, func(t *testing.T, source *cachetesting.FakeControllerSource) {
		manyShips(source, 3)
		load := func(obj any) (any, error) { return &lossy{ship: *obj.(*ship), Cargo: "tea"}, nil }
		informer := cache.NewPackedInformer(source, nil, packedOptions(), 1)
		if err := informer.SetTransform(load); err != nil {
			t.Fatal(err)
		}
		if err := informer.SetWatchErrorHandlerWithContext(func(context.Context, *cache.Reflector, error) {}); err != nil {
			t.Fatal(err)
		}
		defer run(t, informer)()
		synctest.Wait()
		state := cache.StateOf(informer)
		if state.Synced || state.Err == nil || !strings.Contains(state.Err.Error(), "pack transformed *cache_test.lossy") {
			t.Errorf("the state is %s (%v)", state.Phase, state.Err)
		}
	})
	informer := cache.NewPackedInformer(nil, nil, packedOptions(), 1)
	cargo := &lossy{ship: *newShip("bay/a", "red"), Cargo: "tea"}
	if err := informer.GetStore().Add(cargo); err != nil {
		t.Fatal(err)
	}
	if obj, _, err := informer.GetStore().GetByKey("bay/a"); obj != any(cargo) || err != nil {
		t.Errorf("stored is %v (%v)", obj, err)
	}
	if p := cache.StateOf(informer).Packed; p.Whole != 1 {
		t.Errorf("the state has %+v", p)
	}
}
