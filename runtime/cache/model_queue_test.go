package cache_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/listwatch/listwatch/runtime/cache"
)

// queueOp is an operation on a queue.
type queueOp struct {
	kind    string
	objects []*modelObject
}

func (o queueOp) String() string {
	s := o.kind
	for _, obj := range o.objects {
		s += fmt.Sprintf(" %s@%s", nameOf(obj), obj.ResourceVersion)
	}
	return s
}

// queueConfig is the configuration of a sequence.
type queueConfig struct {
	known     bool // the queue gets the consumer's objects, and does not remember them itself
	replaced  bool // objects of lists are deltas of type Replaced
	transform bool
}

func drawQueue(seed uint64, n int) (queueConfig, []queueOp) {
	random := rand.New(rand.NewPCG(seed, 5))
	config := queueConfig{known: random.IntN(2) == 0, replaced: random.IntN(2) == 0, transform: random.IntN(2) == 0}
	kinds := []string{"add", "update", "update", "delete", "tombstone", "replace", "resync", "pop", "pop", "pop", "pop", "batch", "batch"}
	first := random.IntN(3)
	rv := int64(0)
	ops := make([]queueOp, n)
	for i := range ops {
		o := queueOp{kind: kinds[random.IntN(len(kinds))]}
		if i == first {
			o.kind = "replace"
		}
		names := []cache.ObjectName{modelNames[random.IntN(len(modelNames))]}
		if o.kind == "replace" {
			names = slices.DeleteFunc(slices.Clone(modelNames), func(cache.ObjectName) bool { return random.IntN(2) == 0 })
		}
		for _, name := range names {
			rv++
			o.objects = append(o.objects, write{rv: rv, name: name, uid: "uid"}.object())
		}
		ops[i] = o
	}
	return config, ops
}

// modelQueue is the specification of a queue. It stores what was put in, and creates deltas from it
// only when it is reached.
type modelQueue struct {
	config  queueConfig
	queue   *cache.DeltaFIFO
	known   cache.Store // the consumer's
	waiting []queueOp
	pending [][]cache.Delta // what comes next: of each group all, in any order
	begun   bool
	synced  bool
	left    int // of the first list: number of deltas that have not been processed
}

func runQueueModel(config queueConfig, ops []queueOp) error {
	m := &modelQueue{config: config, known: cache.NewStore(cache.DeletionHandlingMetaNamespaceKeyFunc)}
	options := cache.DeltaFIFOOptions{EmitDeltaTypeReplaced: config.replaced}
	if config.known {
		options.KnownObjects = m.known
	}
	if config.transform {
		options.Transformer = modelTransform
	}
	m.queue = cache.NewDeltaFIFOWithOptions(options)
	for i, o := range ops {
		if err := m.do(o); err != nil {
			return fmt.Errorf("operation %d, %v: %w", i, o, err)
		}
		if got := m.queue.HasSynced(); got != m.synced {
			return fmt.Errorf("operation %d, %v: synced %v, want %v", i, o, got, m.synced)
		}
	}
	m.queue.Close()
	for m.expand() {
		if err := m.pop(); err != nil {
			return fmt.Errorf("after the end: %w", err)
		}
	}
	if _, err := m.queue.Pop(func(any, bool) error { return nil }); !errors.Is(err, cache.ErrFIFOClosed) {
		return fmt.Errorf("an empty queue that was closed gives %w", err)
	}
	return nil
}

func (m *modelQueue) do(o queueOp) error {
	switch o.kind {
	case "pop":
		if !m.expand() {
			return nil
		}
		return m.pop()
	case "batch":
		if !m.expand() {
			return nil
		}
		return m.popBatch()
	}
	m.waiting = append(m.waiting, o)
	switch o.kind {
	case "add", "update", "delete", "tombstone":
		if !m.begun {
			m.begun, m.synced = true, true
		}
	case "replace":
		if !m.begun {
			m.begun, m.left = true, len(o.objects)
			m.synced = m.left == 0
		}
	}
	return m.put(o)
}

func (m *modelQueue) put(o queueOp) error {
	switch o.kind {
	case "add":
		return m.queue.Add(o.objects[0])
	case "update":
		return m.queue.Update(o.objects[0])
	case "delete":
		return m.queue.Delete(o.objects[0])
	case "tombstone":
		return m.queue.Delete(tombstoneOf(o.objects[0]))
	case "replace":
		list := make([]any, len(o.objects))
		for i, obj := range o.objects {
			list[i] = obj
		}
		return m.queue.Replace(list, "1")
	default:
		return m.queue.Resync()
	}
}

func tombstoneOf(obj any) cache.DeletedFinalStateUnknown {
	return cache.DeletedFinalStateUnknown{Key: nameOf(obj.(*modelObject)).String(), Obj: obj}
}

// expand creates deltas from the next items, until there is one. It returns false if there is none.
func (m *modelQueue) expand() bool {
	for len(m.pending) == 0 && len(m.waiting) > 0 {
		o := m.waiting[0]
		m.waiting = m.waiting[1:]
		switch o.kind {
		case "add":
			m.pend(cache.Delta{Type: cache.Added, Object: o.objects[0]})
		case "update":
			m.pend(cache.Delta{Type: cache.Updated, Object: o.objects[0]})
		case "delete":
			m.pend(cache.Delta{Type: cache.Deleted, Object: o.objects[0]})
		case "tombstone":
			m.pend(cache.Delta{Type: cache.Deleted, Object: tombstoneOf(o.objects[0])})
		case "resync":
			if m.config.known {
				m.pend(deltasOf(cache.Sync, m.known.List())...)
			}
		case "replace":
			m.expandReplace(o)
		}
	}
	return len(m.pending) > 0
}

func (m *modelQueue) expandReplace(o queueOp) {
	var gone []cache.Delta
	for _, obj := range m.known.List() {
		name := nameOf(obj.(*modelObject))
		if !slices.ContainsFunc(o.objects, func(listed *modelObject) bool { return nameOf(listed) == name }) {
			gone = append(gone, cache.Delta{Type: cache.Deleted, Object: tombstoneOf(obj)})
		}
	}
	m.pend(gone...)
	typ := cache.Sync
	if m.config.replaced {
		typ = cache.Replaced
	}
	for _, obj := range o.objects {
		m.pend(cache.Delta{Type: typ, Object: obj})
	}
}

// pend appends deltas that come in any order.
func (m *modelQueue) pend(deltas ...cache.Delta) {
	if len(deltas) > 0 {
		m.pending = append(m.pending, deltas)
	}
}

func deltasOf(typ cache.DeltaType, objects []any) []cache.Delta {
	deltas := make([]cache.Delta, len(objects))
	for i, obj := range objects {
		deltas[i] = cache.Delta{Type: typ, Object: obj}
	}
	return deltas
}

func (m *modelQueue) pop() error {
	told := false
	_, err := m.queue.Pop(func(obj any, initial bool) error {
		told = true
		return m.take(obj.(cache.Deltas), initial)
	})
	if err == nil && !told {
		return fmt.Errorf("pop processed nothing")
	}
	return err
}

func (m *modelQueue) popBatch() error {
	return m.queue.PopBatch(
		func(deltas []cache.Delta, initial bool) error {
			seen := map[string]bool{}
			for _, d := range deltas {
				key, err := m.queue.KeyOf(d.Object)
				if err != nil || seen[key] {
					return fmt.Errorf("%s is twice in a batch (%w)", key, err)
				}
				seen[key] = true
			}
			return m.take(deltas, initial)
		},
		func(obj any, initial bool) error { return m.take(obj.(cache.Deltas), initial) },
	)
}

// take compares deltas with the expected ones, and applies them to the consumer's objects.
func (m *modelQueue) take(deltas []cache.Delta, initial bool) error {
	if initial == m.synced {
		return fmt.Errorf("initial %v, synced %v", initial, m.synced)
	}
	for _, d := range deltas {
		if !m.expand() {
			return fmt.Errorf("%s of %v is too many", d.Type, d.Object)
		}
		group := m.pending[0]
		i := slices.Index(group, d)
		if i < 0 {
			return fmt.Errorf("%s of %v, want one of %v", d.Type, d.Object, group)
		}
		if m.pending[0] = slices.Delete(group, i, i+1); len(group) == 1 {
			m.pending = m.pending[1:]
		}
		if err := m.know(d); err != nil {
			return err
		}
	}
	if m.left > 0 {
		m.left -= len(deltas)
		m.synced = m.left == 0
	}
	return nil
}

func (m *modelQueue) know(d cache.Delta) error {
	if d.Type == cache.Deleted {
		return m.known.Delete(d.Object)
	}
	o := d.Object.(*modelObject)
	if got := o.Annotations[transformedAnnotation]; (got == "x") != m.config.transform {
		return fmt.Errorf("%s of %s with %q transformations", d.Type, nameOf(o), got)
	}
	return m.known.Update(o)
}

// TestModelQueue checks, with random sequences of operations, that a queue keeps the order of
// arrival, and that lists and resyncs are compared with the known objects when they are reached.
func TestModelQueue(t *testing.T) {
	const length = 200
	for seed := range uint64(max(1, *modelOps/4/length)) {
		config, ops := drawQueue(seed+1, length)
		if err := runQueueModel(config, ops); err != nil {
			kept, shrunk := shrink(len(ops), func(kept []int) error { return runQueueModel(drawQueueAgain(seed+1, length, kept)) }, err)
			t.Fatalf("seed %d, %+v: %v\n%s", seed+1, config, shrunk, printOps(ops, kept))
		}
	}
}

// drawQueueAgain draws a sequence and returns some of it: transforms modify objects, so that those
// of one run cannot be used in the next.
func drawQueueAgain(seed uint64, n int, kept []int) (queueConfig, []queueOp) {
	config, ops := drawQueue(seed, n)
	return config, pick(ops, kept)
}
