package cache_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/listwatch/listwatch/runtime/cache"
)

// storeOp is an operation on a store.
type storeOp struct {
	kind    string
	objects []*modelObject
	deletes []bool // of a transaction: which ones are deletions
}

func (o storeOp) String() string {
	s := o.kind
	for i, obj := range o.objects {
		s += fmt.Sprintf(" %s(%s)", nameOf(obj), obj.Labels[colorLabel])
		if o.deletes != nil && o.deletes[i] {
			s += "-"
		}
	}
	return s
}

var storeOpKinds = []string{"add", "update", "update", "delete", "tombstone", "recolor", "replace", "transaction", "addIndexers", "bookmark"}

func drawStoreOps(seed uint64, n int) []storeOp {
	random := rand.New(rand.NewPCG(seed, 4))
	names := modelNames
	rv := int64(0)
	object := func(name cache.ObjectName) *modelObject {
		rv++
		return write{rv: rv, name: name, uid: "uid", color: modelColors[random.IntN(len(modelColors))]}.object()
	}
	ops := make([]storeOp, n)
	for i := range ops {
		o := storeOp{kind: storeOpKinds[random.IntN(len(storeOpKinds))]}
		if o.kind == "replace" && random.IntN(5) > 0 {
			o.kind = "update"
		}
		switch o.kind {
		case "replace":
			for _, name := range names {
				if random.IntN(3) > 0 {
					o.objects = append(o.objects, object(name))
				}
			}
		case "transaction":
			for range 1 + random.IntN(6) {
				o.objects = append(o.objects, object(names[random.IntN(len(names))]))
				o.deletes = append(o.deletes, random.IntN(3) == 0)
			}
		default:
			o.objects = []*modelObject{object(names[random.IntN(len(names))])}
		}
		ops[i] = o
	}
	return ops
}

// modelStore is the specification of an indexer: a map, and indexes computed on demand.
type modelStore struct {
	objects map[string]*modelObject
	indexes []string
	rv      string
}

func (m *modelStore) do(indexer cache.Indexer, o storeOp) error {
	first := o.objects[0]
	key := nameOf(first).String()
	switch o.kind {
	case "add", "update", "recolor":
		if held := m.objects[key]; o.kind == "recolor" && held != nil {
			first = write{rv: parseRV(first.ResourceVersion), name: nameOf(first), color: held.Labels[colorLabel]}.object()
		}
		m.objects[key], m.rv = first, first.ResourceVersion
		if o.kind == "add" {
			return indexer.Add(first)
		}
		return indexer.Update(first)
	case "delete":
		delete(m.objects, key)
		m.rv = first.ResourceVersion
		return indexer.Delete(first)
	case "tombstone":
		delete(m.objects, key)
		return indexer.Delete(cache.DeletedFinalStateUnknown{Key: key, Obj: first})
	case "replace":
		m.objects, m.rv = map[string]*modelObject{}, fmt.Sprint("1", first.ResourceVersion)
		objects := make([]any, len(o.objects))
		for i, obj := range o.objects {
			objects[i] = obj
			m.objects[nameOf(obj).String()] = obj
		}
		return indexer.Replace(objects, m.rv)
	case "transaction":
		return m.transaction(indexer, o)
	case "addIndexers":
		return m.addIndexers(indexer)
	case "bookmark":
		m.rv = first.ResourceVersion
		indexer.Bookmark(m.rv)
	}
	return nil
}

func (m *modelStore) transaction(indexer cache.Indexer, o storeOp) error {
	store, ok := indexer.(cache.TransactionStore)
	if !ok {
		return errors.New("indexer does not support transactions")
	}
	var transactions []cache.Transaction
	for i, obj := range o.objects {
		key := nameOf(obj).String()
		t := cache.Transaction{Type: cache.TransactionTypeUpdate, Object: obj}
		if m.objects[key] == nil {
			t.Type = cache.TransactionTypeAdd
		}
		if o.deletes[i] {
			t.Type = cache.TransactionTypeDelete
			delete(m.objects, key)
		} else {
			m.objects[key] = obj
		}
		m.rv = obj.ResourceVersion
		transactions = append(transactions, t)
	}
	if err := store.Transaction(transactions...); err != nil {
		return err
	}
	return nil
}

func (m *modelStore) addIndexers(indexer cache.Indexer) error {
	if len(m.indexes) > 3 {
		return nil
	}
	name := fmt.Sprint(colorIndex, len(m.indexes))
	m.indexes = append(m.indexes, name)
	return indexer.AddIndexers(cache.Indexers{name: indexByColor})
}

// check compares everything that can be read.
func (m *modelStore) check(indexer cache.Indexer) error {
	if err := m.checkList("List", indexer.List(), func(*modelObject) bool { return true }); err != nil {
		return err
	}
	keys := indexer.ListKeys()
	if len(keys) != len(m.objects) {
		return fmt.Errorf("ListKeys gives %v", keys)
	}
	for _, name := range modelNames {
		want := m.objects[name.String()]
		got, ok, err := indexer.GetByKey(name.String())
		if err != nil || ok != (want != nil) || ok && got != want {
			return fmt.Errorf("GetByKey(%s) gives %v, %v, %w", name, got, ok, err)
		}
		got, ok, err = indexer.Get(write{name: name}.object())
		if err != nil || ok != (want != nil) || ok && got != want {
			return fmt.Errorf("Get(%s) gives %v, %v, %w", name, got, ok, err)
		}
	}
	if got := indexer.LastStoreSyncResourceVersion(); got != m.rv {
		return fmt.Errorf("LastStoreSyncResourceVersion gives %q, want %q", got, m.rv)
	}
	if got := len(indexer.GetIndexers()); got != 1+len(m.indexes) {
		return fmt.Errorf("there are %d indexes", got)
	}
	for _, index := range append([]string{colorIndex}, m.indexes...) {
		if err := m.checkIndex(indexer, index); err != nil {
			return err
		}
	}
	return nil
}

func (m *modelStore) checkList(what string, got []any, is func(*modelObject) bool) error {
	want := 0
	for _, obj := range m.objects {
		if is(obj) {
			want++
		}
	}
	for _, obj := range got {
		if o := obj.(*modelObject); m.objects[nameOf(o).String()] != o || !is(o) {
			return fmt.Errorf("%s gives %s at %s", what, nameOf(o), o.ResourceVersion)
		}
	}
	if len(got) != want {
		return fmt.Errorf("%s gives %d objects, want %d", what, len(got), want)
	}
	return nil
}

func (m *modelStore) checkIndex(indexer cache.Indexer, index string) error {
	values, broken := map[string]bool{}, 0
	for _, obj := range m.objects {
		if failsIndex(obj.Labels[colorLabel]) {
			broken++
		}
		for _, color := range colorsOf(obj) {
			values[color] = true
		}
	}
	got := indexer.ListIndexFuncValues(index)
	for _, value := range got {
		if !values[value] {
			return fmt.Errorf("index %s still has the value %q", index, value)
		}
	}
	if len(got) != len(values) {
		return fmt.Errorf("index %s has the values %q", index, got)
	}
	for _, color := range []string{"white", "black", "blue", "gray", "none"} {
		is := func(o *modelObject) bool { return slices.Contains(colorsOf(o), color) }
		objects, err := indexer.ByIndex(index, color)
		if missing(err) != broken {
			return fmt.Errorf("ByIndex gives the error %w, and %d are missing", err, broken)
		}
		if err = m.checkList("ByIndex "+color, objects, is); err != nil {
			return err
		}
		keys, err := indexer.IndexKeys(index, color)
		if missing(err) != broken || len(keys) != len(objects) {
			return fmt.Errorf("IndexKeys gives %v, %w", keys, err)
		}
		for _, key := range keys {
			if o := m.objects[key]; o == nil || !is(o) {
				return fmt.Errorf("IndexKeys gives %s for %s", key, color)
			}
		}
	}
	like := write{color: "black,white"}.object()
	objects, err := indexer.Index(index, like)
	if missing(err) != broken {
		return fmt.Errorf("index gives the error %w, and %d are missing", err, broken)
	}
	return m.checkList("Index", objects, func(o *modelObject) bool {
		return slices.Contains(colorsOf(o), "black") || slices.Contains(colorsOf(o), "white")
	})
}

func runStoreModel(ops []storeOp) error {
	indexer := cache.NewIndexer(cache.DeletionHandlingMetaNamespaceKeyFunc, cache.Indexers{colorIndex: indexByColor})
	model := &modelStore{objects: map[string]*modelObject{}}
	for i, o := range ops {
		err := model.do(indexer, o)
		if err == nil {
			err = model.check(indexer)
		}
		if err != nil {
			return fmt.Errorf("operation %d, %v: %w", i, o, err)
		}
	}
	return nil
}

// TestModelStore compares an indexer with a map, in random sequences of operations.
func TestModelStore(t *testing.T) {
	const length = 200
	for seed := range uint64(max(1, *modelOps/8/length)) {
		ops := drawStoreOps(seed+1, length)
		if err := runStoreModel(ops); err != nil {
			kept, shrunk := shrink(len(ops), func(kept []int) error { return runStoreModel(pick(ops, kept)) }, err)
			t.Fatalf("seed %d: %v\n%s", seed+1, shrunk, printOps(ops, kept))
		}
	}
}

// TestModelStoreAtomic checks that readers see transactions and replacements completely or not at
// all: all objects are always written together, and so are always of one generation.
func TestModelStoreAtomic(t *testing.T) {
	const objects, generations = 40, 400
	indexer := cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{colorIndex: indexByColor})
	generation := func(g int64) []any {
		list := make([]any, objects)
		for i := range list {
			color := "black"
			if (i+int(g))%2 == 0 {
				color = "white"
			}
			list[i] = write{rv: g, name: cache.ObjectName{Namespace: "red", Name: fmt.Sprint("boat-", i)}, color: color}.object()
		}
		return list
	}
	if err := indexer.Replace(generation(1), "1"); err != nil {
		t.Fatal(err)
	}
	var readers sync.WaitGroup
	done := make(chan struct{})
	for range 3 {
		readers.Go(func() {
			last := int64(0)
			for {
				select {
				case <-done:
					return
				default:
				}
				g, err := oneGeneration(indexer.List(), objects)
				if err != nil || g < last {
					t.Errorf("generation %d after %d: %v", g, last, err)
					return
				}
				last = g
				white, err := indexer.ByIndex(colorIndex, "white")
				if err != nil {
					t.Error(err)
					return
				}
				if _, err := oneGeneration(white, objects/2); err != nil {
					t.Errorf("by index: %v", err)
					return
				}
			}
		})
	}
	for g := int64(2); g < generations; g++ {
		list := generation(g)
		if g%2 == 0 {
			if err := indexer.Replace(list, formatRV(g)); err != nil {
				t.Error(err)
			}
			continue
		}
		var transactions []cache.Transaction
		for _, obj := range list {
			transactions = append(transactions, cache.Transaction{Type: cache.TransactionTypeUpdate, Object: obj})
		}
		if err := indexer.(cache.TransactionStore).Transaction(transactions...); err != nil {
			t.Error(err)
		}
	}
	close(done)
	readers.Wait()
}

// oneGeneration returns the generation of all objects.
func oneGeneration(list []any, want int) (int64, error) {
	if len(list) != want {
		return 0, fmt.Errorf("%d objects", len(list))
	}
	first := parseRV(list[0].(*modelObject).ResourceVersion)
	for _, obj := range list {
		if g := parseRV(obj.(*modelObject).ResourceVersion); g != first {
			return g, fmt.Errorf("generations %d and %d in one read", first, g)
		}
	}
	return first, nil
}
