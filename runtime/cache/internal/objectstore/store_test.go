package objectstore

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"unsafe"
	"weak"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/listwatch/listwatch/runtime/cache/internal/delta"
)

// insertKey inserts a new cell with a key into a table.
func insertKey(t *table, hash uint32, key string) *cell {
	c := newCell(0)
	t.insert(hash, []byte(key), key, c)
	return c
}

// TestTableCollisions uses keys that all collide: they are distinguished by more than their hashes.
func TestTableCollisions(t *testing.T) {
	for name, first := range map[string]uint32{"first slot": 0, "last slot": math.MaxUint32 - 2} {
		t.Run(name, func(t *testing.T) {
			const n = 40
			table := newTable(0)
			var cells []*cell
			hashOf := func(i int) uint32 { return first + uint32(i%3) } // different hashes, one slot
			for i := range n {
				cells = append(cells, insertKey(table, hashOf(i), fmt.Sprint(i)))
			}
			for gone := range n {
				for i, c := range cells {
					got := table.cell(hashOf(i), []byte(fmt.Sprint(i)))
					if i < gone && got != nil || i >= gone && got != c {
						t.Fatalf("%d are missing: %d is %v", gone, i, got)
					}
				}
				table.remove(cells[gone])
			}
			if size := len(table.directory.Load().slots); table.live != 0 || size > 2*smallestTable {
				t.Errorf("%d live of %d", table.live, size)
			}
		})
	}
}

// TestTableModel inserts and removes many keys at random, so that entries are moved and shared by
// directories: a table finds what a map has.
func TestTableModel(t *testing.T) {
	for seed := range uint64(8) {
		random := rand.New(rand.NewPCG(seed, 3))
		table, model := newTable(int(seed%2)*2*perChunk), map[string]*cell{}
		for step := range 12 * perChunk {
			key := fmt.Sprint(random.IntN(6 * perChunk))
			hash := hashOf(key)
			if c := table.cell(hash, []byte(key)); c != model[key] {
				t.Fatalf("seed %d, step %d: found %v, want %v", seed, step, c, model[key])
			}
			c := model[key]
			switch {
			case c == nil:
				model[key] = insertKey(table, hash, key)
			case step/perChunk%3 < 2 || random.IntN(2) == 0:
				table.remove(c)
				delete(model, key)
				if _, ok := c.latest.Load(); ok {
					t.Fatalf("the object of %s is not cleared", key)
				}
			}
		}
		for key, c := range model {
			if e, _ := find(table.directory.Load(), hashOf(key), key); e != c.entry || c.object() != key || c.key() != key {
				t.Errorf("seed %d: found %v for %s", seed, e, key)
			}
		}
		d := table.directory.Load()
		if table.live != len(model) || table.taken > d.limit() || len(table.cells) > d.room() || len(table.cells) > 2*len(model)+perChunk {
			t.Errorf("seed %d: %d live, %d taken of %d, %d entries for %d objects", seed, table.live, table.taken, d.limit(), len(table.cells), len(model))
		}
	}
}

// TestEntryIsOneLine fails if finding an object reads more than one line of a cache.
func TestEntryIsOneLine(t *testing.T) {
	if size := unsafe.Sizeof(entry{}); size != 64 {
		t.Errorf("entries of %d bytes", size)
	}
}

// TestReplaceBesideReaders reads objects while all of them are replaced with newer ones: when one
// is new, all are.
func TestReplaceBesideReaders(t *testing.T) {
	const objects = 2 * deltasPerLock
	s := New(options(), byNamespace)
	items := func(rv int) (out []delta.Item) {
		for i := range objects {
			obj := &metav1.ObjectMeta{Name: fmt.Sprint(i), UID: types.UID(fmt.Sprint(i)), ResourceVersion: fmt.Sprint(rv)}
			out = append(out, delta.Item{Name: delta.NameOf(obj), RV: obj.ResourceVersion, Object: obj})
		}
		return out
	}
	applyList(s, delta.Scope{}, items(100), "100")
	version := func(i int) string {
		obj, _ := s.Object(delta.Name{Name: fmt.Sprint(i)})
		return obj.(*metav1.ObjectMeta).ResourceVersion
	}
	stop := make(chan struct{})
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				if first, last := version(0), version(objects-1); first > last {
					t.Errorf("one is as of %s, another later still as of %s", first, last)
					return
				}
				if rvs := slices.Compact(slices.Sorted(versions(s.List()))); len(rvs) != 1 {
					t.Errorf("a list is as of %v", rvs)
					return
				}
			}
		})
	}
	for rv := 101; rv < 140; rv++ {
		if diff := applyList(s, delta.Scope{}, items(rv), fmt.Sprint(rv)); len(diff) != objects {
			t.Errorf("%d changes", len(diff))
		}
	}
	close(stop)
	wg.Wait()
}

func versions(objects []any) func(func(string) bool) {
	return func(yield func(string) bool) {
		for _, obj := range objects {
			if !yield(obj.(*metav1.ObjectMeta).ResourceVersion) {
				return
			}
		}
	}
}

// TestReplaceNamespaceAnew replaces so much of a namespace that the store is rebuilt: the other
// objects stay, also in its indexes.
func TestReplaceNamespaceAnew(t *testing.T) {
	const objects = 2 * deltasPerLock
	s := New(options(), modelIndexes...)
	items := func(namespace, uid string) (out []delta.Item) {
		for i := range objects {
			obj := &metav1.ObjectMeta{Namespace: namespace, Name: fmt.Sprint(i), UID: types.UID(fmt.Sprint(uid, i)), ResourceVersion: "1"}
			out = append(out, delta.Item{Name: delta.NameOf(obj), RV: "1", Object: obj})
		}
		return out
	}
	model := storeModel{}
	for _, list := range [][]delta.Item{items("a", "x"), items("b", "x"), items("b", "y"), items("b", "y")} {
		for _, item := range list {
			if held := model[item.Name]; held == nil || held.UID != item.Object.(*metav1.ObjectMeta).UID {
				model[item.Name] = item.Object.(*metav1.ObjectMeta)
			}
		}
		applyList(s, delta.Scope{Namespace: list[0].Name.Namespace}, list, "1")
		if problem := compareStore(s, model); problem != "" {
			t.Fatal(problem)
		}
	}
	if diff := applyList(s, delta.Scope{Namespace: "b"}, nil, "2"); len(diff) != objects || s.Len() != objects {
		t.Errorf("%d changes leave %d objects", len(diff), s.Len())
	}
}

// versionLog is a metric that records its values.
type versionLog struct{ set []float64 }

func (l *versionLog) Set(v float64) { l.set = append(l.set, v) }

// TestReplaceGoesToItsVersion applies lists with older objects than the store has seen: the store's
// resource version becomes the list's immediately.
func TestReplaceGoesToItsVersion(t *testing.T) {
	for name, test := range map[string]struct {
		objects   int
		bookmarks bool
		want      []float64
	}{
		"few":                          {2, false, []float64{100, 200}},
		"many":                         {2 * deltasPerLock, false, []float64{100, 200}},
		"few, version from bookmarks":  {2, true, []float64{100}},
		"many, version from bookmarks": {2 * deltasPerLock, true, []float64{100}},
	} {
		t.Run(name, func(t *testing.T) {
			log := &versionLog{}
			o := options()
			o.Metric, o.VersionFromBookmarks = log, test.bookmarks
			s := New(o)
			s.Bookmark("100")
			var items []delta.Item
			for i := range test.objects {
				obj := &metav1.ObjectMeta{Name: fmt.Sprint(i), ResourceVersion: fmt.Sprint(i + 1)}
				items = append(items, delta.Item{Name: delta.NameOf(obj), RV: obj.ResourceVersion, Object: obj})
			}
			applyList(s, delta.Scope{}, items, "200")
			if !slices.Equal(log.set, test.want) {
				t.Errorf("resource versions are %v, want %v", log.set, test.want)
			}
		})
	}
}

// TestStoreForgetsValues deletes objects: the strings by which they were indexed are not retained
// in reused memory.
func TestStoreForgetsValues(t *testing.T) {
	const namespace = "a namespace whose name is too long to share its memory with others"
	s := New(options(), byNamespace, Index{Name: "again", Func: func(obj any) ([]string, error) { return []string{obj.(*metav1.ObjectMeta).Namespace}, nil }})
	var values []weak.Pointer[byte]
	sets := func() (sets []delta.Delta) {
		for i := range 3 {
			obj := &metav1.ObjectMeta{Namespace: strings.Clone(namespace), Name: fmt.Sprint(i)}
			values = append(values, weak.Make(unsafe.StringData(obj.Namespace)))
			sets = append(sets, delta.Delta{Kind: delta.Set, Name: delta.NameOf(obj), Object: obj})
		}
		return sets
	}
	for what, write := range map[string]func(){
		"apply":    func() { s.Apply(sets()) },
		"at once":  func() { s.Transact(sets()) },
		"anew":     func() { s.ReplaceAll(sets(), "1") },
		"one":      func() { s.Apply(sets()[:1]) },
		"one anew": func() { s.ReplaceAll(sets()[:1], "1") },
	} {
		write()
		for i := range 3 {
			s.Apply([]delta.Delta{{Kind: delta.Delete, Name: delta.Name{Namespace: namespace, Name: fmt.Sprint(i)}}})
		}
		if !collectGarbage(func() bool {
			return !slices.ContainsFunc(values, func(p weak.Pointer[byte]) bool { return p.Value() != nil })
		}) {
			t.Errorf("%s: a value is retained", what)
		}
		values = nil
	}
	runtime.KeepAlive(s)
}

// TestKeys has keys that are in their entries and longer ones.
func TestKeys(t *testing.T) {
	var want []string
	var cells []*cell
	table := newTable(0)
	for n := range 80 {
		key := strings.Repeat("k", n)
		cells, want = append(cells, insertKey(table, hashOf(key), key)), append(want, key)
	}
	if got := keys(len(cells), func(i int) *cell { return cells[i] }); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	for i, key := range want {
		if got := table.cell(hashOf(key), []byte(key)); got != cells[i] || got.key() != key {
			t.Errorf("found %v for a key of %d bytes", got, i)
		}
		if got := table.cell(hashOf(key), []byte(key+"\x00")); got != nil {
			t.Errorf("found %q for another key of the same hash", got.key())
		}
	}
	table.remove(cells[0])
	if got := table.cell(hashOf(""), nil); got != nil {
		t.Error("found the empty key, which was removed")
	}
}

// TestDifferenceOfALongList applies a list that changes so much that the store is rebuilt: the difference has
// every change once, with the objects from before.
func TestDifferenceOfALongList(t *testing.T) {
	const objects = 4 * deltasPerLock
	s := New(options(), byNamespace)
	object := func(i int, rv string) *metav1.ObjectMeta {
		return &metav1.ObjectMeta{Name: fmt.Sprint(i), UID: types.UID(fmt.Sprint(i)), ResourceVersion: rv}
	}
	item := func(o *metav1.ObjectMeta) delta.Item {
		return delta.Item{Name: delta.NameOf(o), RV: o.ResourceVersion, Object: o}
	}
	var before []*metav1.ObjectMeta
	var first, second []delta.Item
	var want []string
	for i := range objects {
		before = append(before, object(i, "1"))
		first = append(first, item(before[i]))
		switch i % 4 {
		case 0: // deleted
		case 1:
			second = append(second, item(object(i, "1")))
		case 2:
			second = append(second, item(object(i, "2")))
			want = append(want, fmt.Sprint("set ", i, " to 2, was 1"))
		case 3:
			second = append(second, delta.Item{Name: delta.NameOf(before[i]), Keep: true})
			second = append(second, item(object(objects+i, "2")))
			want = append(want, fmt.Sprint("set ", objects+i, " to 2, new"))
		}
	}
	applyList(s, delta.Scope{}, first, "1")
	var deleted, set []string
	for part := range s.ApplyList(delta.Scope{}, delta.Items{second}, "2") {
		if len(part) == 0 || len(part) > deltasPerLock {
			t.Errorf("a part of %d deltas", len(part))
		}
		for _, d := range part {
			switch {
			case d.Kind == delta.Delete:
				if len(set) > 0 || d.Object != (tombstone{d.Name.String(), d.Old}) || !slices.Contains(before, d.Old.(*metav1.ObjectMeta)) {
					t.Errorf("%s is deleted with %v, was %v", d.Name, d.Object, d.Old)
				}
				deleted = append(deleted, d.Name.String())
			case d.Old == nil:
				set = append(set, fmt.Sprintf("set %s to %s, new", d.Name, d.RV))
			default:
				set = append(set, fmt.Sprintf("set %s to %s, was %s", d.Name, d.RV, d.Old.(*metav1.ObjectMeta).ResourceVersion))
			}
		}
	}
	if !slices.Equal(set, want) {
		t.Errorf("got %q, want %q", set, want)
	}
	if slices.Sort(deleted); len(slices.Compact(deleted)) != objects/4 || s.Len() != objects {
		t.Errorf("%d are deleted, %d are left", len(deleted), s.Len())
	}
	for i := range 2 {
		parts := 0
		for range s.ApplyList(delta.Scope{}, delta.Items{first[:i*objects/2]}, "3") { // ends early
			parts++
			break
		}
		if parts != 1 || s.Len() != i*objects/2 {
			t.Errorf("%d parts, %d objects", parts, s.Len())
		}
	}
}
