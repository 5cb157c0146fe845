package cache

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// storeModel is what a store is to behave like: a map from names to objects.
type storeModel map[ObjectName]*metav1.ObjectMeta

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

var modelIndexers = Indexers{NamespaceIndex: MetaNamespaceIndexFunc, "color": colors}

// TestObjectStoreModel has a store and its model do the same, in any order, and compares
// all that the store holds, its records among each other included.
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
	s := newObjectStore(DeletionHandlingMetaNamespaceKeyFunc, modelIndexers, storeOptions{})
	model := storeModel{}
	for step := range steps {
		var what string
		switch n := random.IntN(100); {
		case n < 40:
			what = "apply"
			changes := make([]change, random.IntN(2*size))
			for i := range changes {
				changes[i] = randomChange(random, size, step)
			}
			applyToModel(t, model, changes, func() { s.apply(changes) })
		case n < 60:
			what = "single"
			c := randomChange(random, size, step)
			var err error
			applyToModel(t, model, []change{c}, func() {
				if c.kind == changeDelete {
					err = s.Delete(c.object)
				} else {
					err = s.Update(c.object)
				}
			})
			if err != nil {
				t.Fatal(err)
			}
		case n < 75:
			what = "transaction"
			changes := make([]change, random.IntN(size))
			txns := make([]Transaction, len(changes))
			for i := range changes {
				changes[i] = randomChange(random, size, step)
				txns[i] = Transaction{Type: TransactionTypeUpdate, Object: changes[i].object}
				if changes[i].kind == changeDelete {
					txns[i].Type = TransactionTypeDelete
				}
			}
			applyToModel(t, model, changes, func() {
				if err := s.Transaction(txns...); err != nil {
					t.Fatal(err)
				}
			})
		case n < 90:
			what = "relist"
			relist(t, s, model, random, size, step)
		case n < 95:
			what = "Replace"
			clear(model)
			var list []any
			for range random.IntN(size) {
				object := randomObject(random, size, step)
				model[MetaObjectToName(object)] = object
				list = append(list, object)
			}
			if err := s.Replace(list, fmt.Sprint(step)); err != nil {
				t.Fatal(err)
			}
		default:
			what = "AddIndexers"
			err := s.AddIndexers(Indexers{fmt.Sprint("color", random.IntN(3)): colors})
			if err != nil && !strings.HasPrefix(err.Error(), "indexer conflict: color") {
				t.Fatal(err)
			}
		}
		if problem := compareStore(s, model); problem != "" {
			t.Fatalf("seed %d, step %d, after %s: %.300s", seed, step, what, problem)
		}
	}
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

func randomChange(random *rand.Rand, size, step int) change {
	object := randomObject(random, size, step)
	c := change{name: MetaObjectToName(object), object: object, rv: object.ResourceVersion}
	if random.IntN(3) == 0 {
		c.kind = changeDelete
	}
	return c
}

// applyToModel does changes to the model, and checks what the store fills in.
func applyToModel(t *testing.T, model storeModel, changes []change, apply func()) {
	t.Helper()
	var olds []any
	for _, c := range changes {
		if old := model[c.name]; old != nil {
			olds = append(olds, old)
		} else {
			olds = append(olds, nil)
		}
		if c.kind == changeDelete {
			delete(model, c.name)
		} else {
			model[c.name] = c.object.(*metav1.ObjectMeta)
		}
	}
	apply()
	for i, c := range changes {
		if c.old != nil && c.old != olds[i] {
			t.Fatalf("change %d of %v: old is %v, want %v", i, c.name, c.old, olds[i])
		}
	}
}

// relist replaces all, or a namespace, and checks the difference.
func relist(t *testing.T, s *objectStore, model storeModel, random *rand.Rand, size, step int) {
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
	var items []record
	listed := map[ObjectName]bool{}
	list := func(r record) {
		if listed[r.name] || namespace != "" && r.name.Namespace != namespace {
			return
		}
		listed[r.name] = true
		items = append(items, r)
	}
	for name, object := range before { // most stay, some in a new record of the same state
		switch random.IntN(8) {
		case 0:
		case 1:
			list(record{name: name, keep: true})
		case 2:
			list(record{name: name, object: object.DeepCopy(), rv: object.ResourceVersion})
		default:
			list(record{name: name, object: object, rv: object.ResourceVersion})
		}
	}
	for range random.IntN(size) {
		object := randomObject(random, size, step)
		list(record{name: MetaObjectToName(object), object: object, rv: object.ResourceVersion})
	}
	for _, item := range items {
		old := before[item.name]
		switch {
		case item.keep, old != nil && sameState(old, item.object):
			want[item.name] = old
		default:
			want[item.name] = item.object.(*metav1.ObjectMeta)
		}
	}
	rv := fmt.Sprint(step)
	diff := s.replace(namespace, items, rv)
	sets := 0
	for i, c := range diff {
		old := before[c.name]
		switch {
		case old == nil && c.old != nil, old != nil && c.old != old:
			t.Fatalf("old of %v is %v, want %v", c.name, c.old, old)
		case c.kind == changeDelete:
			if sets > 0 || want[c.name] != nil || c.object != (DeletedFinalStateUnknown{Key: c.name.String(), Obj: old}) {
				t.Fatalf("change %d: wrong deletion of %v: %v", i, c.name, c.object)
			}
		case c.kind == changeSet:
			sets++
			if c.object != want[c.name] || c.object == old || c.rv != want[c.name].ResourceVersion {
				t.Fatalf("change %d: wrong state of %v: %v", i, c.name, c.object)
			}
		}
		if c.kind == changeDelete {
			delete(before, c.name)
		} else {
			before[c.name] = c.object.(*metav1.ObjectMeta)
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

// compareStore says where the store is not what the model is, or not sound.
func compareStore(s *objectStore, model storeModel) string {
	if s.len() != len(model) || len(s.List()) != len(model) || len(s.ListKeys()) != len(model) {
		return fmt.Sprintf("%d objects, want %d", s.len(), len(model))
	}
	for i, c := range s.held.cells {
		if int(c.pos) != i || s.held.objects[i] != c.object() {
			return fmt.Sprintf("cell %d of %v is out of place", i, c.key)
		}
		for _, r := range c.refs {
			if r.bucket.members[r.at] != c.pos || r.bucket.index.buckets[r.bucket.value] != r.bucket {
				return fmt.Sprintf("reference of %v into %q is wrong", c.key, r.bucket.value)
			}
		}
	}
	for name, object := range model {
		if got, _ := s.get(name); got != object {
			return fmt.Sprintf("%v is %v, want %v", name, got, object)
		}
	}
	return compareIndexes(s, model)
}

func compareIndexes(s *objectStore, model storeModel) string {
	for indexName, f := range s.GetIndexers() {
		want := map[string][]string{}
		var failed []string
		for name, object := range model {
			result := callIndexFunc(f, object)
			if result.err != nil {
				failed = append(failed, name.String())
			}
			for _, value := range result.values {
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
				if !slices.Contains(keys, MetaObjectToName(object.(*metav1.ObjectMeta)).String()) {
					return fmt.Sprintf("index %s has %v for %s", indexName, object, value)
				}
			}
		}
		var got []string
		for _, e := range s.indexErrors() {
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

// reportsMissing says whether err is what a read returns of an index that misses these names.
func reportsMissing(err error, names []string) bool {
	var incomplete *IncompleteIndexError
	if !errors.As(err, &incomplete) {
		return err == nil && len(names) == 0
	}
	return incomplete.Missing == len(names) && slices.Contains(names, incomplete.Name.String())
}
