package objectstore

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/listwatch/listwatch/runtime/cache/internal/delta"
)

// storeModel is the specification of a store: a map from names to objects.
type storeModel map[delta.Name]*metav1.ObjectMeta

// colors is an index function with none, one or several values, or a failure.
func colors(obj any) ([]string, error) {
	color := obj.(*metav1.ObjectMeta).Labels["color"]
	switch color {
	case "":
		return nil, nil
	case "fail":
		return nil, fmt.Errorf("no color for %s", obj.(*metav1.ObjectMeta).Name)
	case "panic":
		panic("no color")
	}
	return strings.Split(color, ","), nil
}

var modelIndexes = []Index{byNamespace, {Name: "color", Func: colors}}

// TestObjectStoreModel performs the same random operations on a store and its model, and compares
// the whole content of the store, including its internal references.
func TestObjectStoreModel(t *testing.T) {
	for seed := range uint64(60) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			size := []int{3, 40, 700}[seed%3]
			runStoreModel(t, seed, size, 6000/(size+20))
		})
	}
}

func runStoreModel(t *testing.T, seed uint64, size, steps int) {
	random := rand.New(rand.NewPCG(seed, 1))
	s := New(options(), modelIndexes...)
	model := storeModel{}
	var views []heldView
	for step := range steps {
		views = append(views, viewsOf(t, s, model)...)
		views = views[max(0, len(views)-9):]
		var what string
		switch n := random.IntN(100); {
		case n < 40:
			what = "apply"
			changes := make([]delta.Delta, random.IntN(2*size))
			for i := range changes {
				changes[i] = randomChange(random, size, step)
			}
			applyToModel(t, model, changes, func() { s.Apply(changes) })
		case n < 60:
			what = "single"
			c := randomChange(random, size, step)
			var err error
			applyToModel(t, model, []delta.Delta{c}, func() {
				if c.Kind == delta.Delete {
					err = s.Delete(c.Object)
				} else {
					err = s.Update(c.Object)
				}
			})
			if err != nil {
				t.Fatal(err)
			}
		case n < 75:
			what = "transaction"
			changes := make([]delta.Delta, random.IntN(size))
			for i := range changes {
				changes[i] = randomChange(random, size, step)
			}
			applyToModel(t, model, changes, func() { s.Transact(changes) })
		case n < 90:
			what = "relist"
			relist(t, s, model, random, size, step)
		case n < 95:
			what = "Replace"
			clear(model)
			var list []any
			for range random.IntN(size) {
				object := randomObject(random, size, step)
				model[delta.NameOf(object)] = object
				list = append(list, object)
			}
			if err := s.Replace(list, fmt.Sprint(step)); err != nil {
				t.Fatal(err)
			}
		default:
			what = "AddIndexes"
			err := s.AddIndexes([]Index{{Name: fmt.Sprint("color", random.IntN(3)), Func: colors}})
			if err != nil && !strings.HasPrefix(err.Error(), "indexer conflict: color") {
				t.Fatal(err)
			}
		}
		if problem := compareStore(s, model); problem != "" {
			t.Fatalf("seed %d, step %d, after %s: %.300s", seed, step, what, problem)
		}
		for _, v := range views {
			if got := v.objects(); !maps.Equal(got, v.want) {
				t.Fatalf("seed %d, step %d, after %s: a view has %d objects, want the %d of its time", seed, step, what, len(got), len(v.want))
			}
		}
	}
}

// heldView is a view that was read some steps ago, with the objects of that time.
type heldView struct {
	View
	want map[any]bool
}

// viewsOf returns views of all objects, of a namespace and of a color.
func viewsOf(t *testing.T, s *Store, model storeModel) []heldView {
	views := []heldView{{View: s.View(), want: map[any]bool{}}, {want: map[any]bool{}}, {want: map[any]bool{}}}
	var err error
	if views[1].View, err = s.ViewComplete("namespace", "a"); err != nil {
		t.Fatal(err)
	}
	views[2].View, err = s.ViewComplete("color", "red")
	failed := false
	for _, object := range model {
		views[0].want[object] = true
		if object.Namespace == "a" {
			views[1].want[object] = true
		}
		values, failure := modelIndexes[1].Values(object)
		failed = failed || failure != nil
		if slices.Contains(values, "red") {
			views[2].want[object] = true
		}
	}
	if failed != (err != nil) {
		t.Fatalf("a view of an index is %v, although it failed for an object is %t", err, failed)
	}
	if failed {
		views = views[:2]
	}
	return views
}

func (v heldView) objects() map[any]bool {
	got := map[any]bool{}
	for i := range v.Len() {
		got[v.At(i)] = true
	}
	return got
}

func randomObject(random *rand.Rand, size, step int) *metav1.ObjectMeta {
	color := []string{"", "red", "green", "red,green", "green,red,green", "fail", "panic"}[random.IntN(7)]
	n := random.IntN(size)
	return &metav1.ObjectMeta{
		Namespace:       []string{"", "a", "b"}[n%3],
		Name:            fmt.Sprint("n", n),
		UID:             types.UID(fmt.Sprint(n)),
		ResourceVersion: fmt.Sprint(step/3*2 + random.IntN(2)),
		Labels:          map[string]string{"color": color},
	}
}

func randomChange(random *rand.Rand, size, step int) delta.Delta {
	object := randomObject(random, size, step)
	c := delta.Delta{Name: delta.NameOf(object), Object: object, RV: object.ResourceVersion}
	if random.IntN(3) == 0 {
		c.Kind = delta.Delete
	}
	return c
}

// applyToModel applies deltas to the model, and checks the fields that the store sets.
func applyToModel(t *testing.T, model storeModel, changes []delta.Delta, apply func()) {
	t.Helper()
	var olds []any
	for _, c := range changes {
		if old := model[c.Name]; old != nil {
			olds = append(olds, old)
		} else {
			olds = append(olds, nil)
		}
		if c.Kind == delta.Delete {
			delete(model, c.Name)
		} else {
			model[c.Name] = c.Object.(*metav1.ObjectMeta)
		}
	}
	apply()
	for i, c := range changes {
		if c.Old != nil && c.Old != olds[i] {
			t.Fatalf("change %d of %v: old is %v, want %v", i, c.Name, c.Old, olds[i])
		}
	}
}

// relist replaces all objects, or those of a namespace, and checks the difference.
func relist(t *testing.T, s *Store, model storeModel, random *rand.Rand, size, step int) {
	t.Helper()
	namespace := []string{"", "a", "b"}[random.IntN(3)]
	before := storeModel{}
	want := storeModel{}
	for name, object := range model {
		before[name] = object
		if namespace != "" && name.Namespace != namespace {
			want[name] = object
		}
	}
	var items []delta.Item
	listed := map[delta.Name]bool{}
	list := func(r delta.Item) {
		if listed[r.Name] || namespace != "" && r.Name.Namespace != namespace {
			return
		}
		listed[r.Name] = true
		items = append(items, r)
	}
	for name, object := range before { // most stay, some as a new copy of the same state
		switch random.IntN(8) {
		case 0:
		case 1:
			list(delta.Item{Name: name, Keep: true})
		case 2:
			list(delta.Item{Name: name, Object: object.DeepCopy(), RV: object.ResourceVersion})
		default:
			list(delta.Item{Name: name, Object: object, RV: object.ResourceVersion})
		}
	}
	for range random.IntN(size) {
		object := randomObject(random, size, step)
		list(delta.Item{Name: delta.NameOf(object), Object: object, RV: object.ResourceVersion})
	}
	for _, item := range items {
		old := before[item.Name]
		switch {
		case item.Keep, old != nil && delta.SameState(old, item.Object):
			want[item.Name] = old
		default:
			want[item.Name] = item.Object.(*metav1.ObjectMeta)
		}
	}
	rv := fmt.Sprint(step)
	diff := applyList(s, delta.Scope{Namespace: namespace}, items, rv)
	sets := 0
	for i, c := range diff {
		old := before[c.Name]
		switch {
		case old == nil && c.Old != nil, old != nil && c.Old != old:
			t.Fatalf("old of %v is %v, want %v", c.Name, c.Old, old)
		case c.Kind == delta.Delete:
			if sets > 0 || want[c.Name] != nil || c.Object != (tombstone{c.Name.String(), old}) {
				t.Fatalf("change %d: wrong deletion of %v: %v", i, c.Name, c.Object)
			}
		case c.Kind == delta.Set:
			sets++
			if c.Object != want[c.Name] || c.Object == old || c.RV != want[c.Name].ResourceVersion {
				t.Fatalf("change %d: wrong state of %v: %v", i, c.Name, c.Object)
			}
		}
		if c.Kind == delta.Delete {
			delete(before, c.Name)
		} else {
			before[c.Name] = c.Object.(*metav1.ObjectMeta)
		}
	}
	clear(model)
	for name, object := range want {
		if before[name] != object {
			t.Fatalf("the difference does not lead to %v: %v, but %v", name, object, before[name])
		}
		delete(before, name)
		model[name] = object
	}
	if len(before) > 0 {
		t.Fatalf("the difference leaves %v", before)
	}
	if got := s.LastStoreSyncResourceVersion(); got != rv {
		t.Fatalf("resource version %q, want %q", got, rv)
	}
}

// applyList applies a list of two pieces, and returns the difference.
func applyList(s *Store, scope delta.Scope, items []delta.Item, rv string) (diff []delta.Delta) {
	half := len(items) / 2
	for part := range s.ApplyList(scope, delta.Items{items[:half], items[half:]}, rv) {
		diff = append(diff, part...)
	}
	return diff
}

// compareStore describes where the store differs from the model or is inconsistent.
func compareStore(s *Store, model storeModel) string {
	if s.Len() != len(model) || len(s.List()) != len(model) || len(s.ListKeys()) != len(model) {
		return fmt.Sprintf("%d objects, want %d", s.Len(), len(model))
	}
	for i, c := range s.contents.cells {
		if int(c.pos) != i || s.contents.objects.At(i) != c.object() {
			return fmt.Sprintf("cell %d of %v is out of place", i, c.key())
		}
		for _, r := range c.refs {
			if r.bucket.members[r.at] != c.pos || r.bucket.index.buckets[r.bucket.value] != r.bucket {
				return fmt.Sprintf("reference of %v into %q is wrong", c.key(), r.bucket.value)
			}
		}
	}
	for name, object := range model {
		if got, _ := s.Object(name); got != object {
			return fmt.Sprintf("%v is %v, want %v", name, got, object)
		}
	}
	return compareIndexes(s, model)
}

func compareIndexes(s *Store, model storeModel) string {
	for _, index := range s.Indexes() {
		indexName := index.Name
		want := map[string][]string{}
		var failed []string
		for name, object := range model {
			values, err := index.Values(object)
			if err != nil {
				failed = append(failed, name.String())
			}
			for _, value := range values {
				if !slices.Contains(want[value], name.String()) {
					want[value] = append(want[value], name.String())
				}
			}
		}
		if got := s.ListIndexFuncValues(indexName); len(got) != len(want) {
			return fmt.Sprintf("index %s has values %v, want %v", indexName, got, want)
		}
		for value, keys := range want {
			slices.Sort(keys)
			if got, err := s.IndexKeys(indexName, value); !reportsMissing(err, failed) || !slices.Equal(got, keys) {
				return fmt.Sprintf("index %s has %v for %s (%v), want %v", indexName, got, value, err, keys)
			}
			objects, err := s.ByIndex(indexName, value)
			if !reportsMissing(err, failed) || len(objects) != len(keys) {
				return fmt.Sprintf("index %s has %d objects for %s (%v), want %d", indexName, len(objects), value, err, len(keys))
			}
			for _, object := range objects {
				if !slices.Contains(keys, delta.NameOf(object.(*metav1.ObjectMeta)).String()) {
					return fmt.Sprintf("index %s has %v for %s", indexName, object, value)
				}
			}
		}
		var got []string
		for _, e := range s.IndexErrors() {
			if e.Index == indexName {
				got = append(got, e.Name.String())
			}
		}
		slices.Sort(failed)
		if !slices.Equal(got, failed) {
			return fmt.Sprintf("index %s failed for %v, want %v", indexName, got, failed)
		}
	}
	return ""
}

// reportsMissing reports whether err is the error of reading an index that lacks these names.
func reportsMissing(err error, names []string) bool {
	var e *incomplete
	if !errors.As(err, &e) {
		return err == nil && len(names) == 0
	}
	return e.missing == len(names) && slices.Contains(names, e.name.String())
}
