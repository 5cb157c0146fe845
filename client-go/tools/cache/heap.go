package cache

import (
	"container/heap"
	"errors"
	"fmt"
	"sync"
)

// LessFunc reports whether one object comes before another.
type LessFunc func(any, any) bool

// Heap is a queue of objects, each once by its key, that returns the least first. It is safe for concurrent use.
type Heap struct {
	mu      sync.Mutex // guards entries and closed
	changed *sync.Cond // on mu: something was added, or the heap was closed
	entries *heapEntries
	closed  bool
}

const errHeapClosed = "heap is closed"

// NewHeap returns an empty heap.
func NewHeap(keyFn KeyFunc, lessFn LessFunc) *Heap {
	h := &Heap{entries: &heapEntries{keyFunc: keyFn, less: lessFn, byKey: map[string]*heapEntry{}}}
	h.changed = sync.NewCond(&h.mu)
	return h
}

// add adds objects, and replaces those that are there if replace is set.
func (h *Heap) add(list []any, replace bool) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return errors.New(errHeapClosed)
	}
	defer h.changed.Broadcast()
	for _, obj := range list {
		key, err := h.key(obj)
		if err != nil {
			return err
		}
		entry, ok := h.entries.byKey[key]
		switch {
		case !ok:
			heap.Push(h.entries, &heapEntry{key: key, obj: obj})
		case replace:
			entry.obj = obj
			heap.Fix(h.entries, entry.at)
		}
	}
	return nil
}

func (h *Heap) key(obj any) (string, error) {
	key, err := h.entries.keyFunc(obj)
	if err != nil {
		return "", KeyError{Obj: obj, Err: err}
	}
	return key, nil
}

// Add adds or replaces an object.
func (h *Heap) Add(obj any) error { return h.add([]any{obj}, true) }

// Update adds or replaces an object.
func (h *Heap) Update(obj any) error { return h.Add(obj) }

// BulkAdd adds or replaces objects, before any of them is popped.
func (h *Heap) BulkAdd(list []any) error { return h.add(list, true) }

// AddIfNotPresent adds an object unless there is one with its key.
func (h *Heap) AddIfNotPresent(obj any) error { return h.add([]any{obj}, false) }

// Pop removes the least object and returns it. It waits for one, or for [Heap.Close], after which it is an error.
func (h *Heap) Pop() (any, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for len(h.entries.list) == 0 {
		if h.closed {
			return nil, errors.New(errHeapClosed)
		}
		h.changed.Wait()
	}
	return heap.Pop(h.entries).(*heapEntry).obj, nil
}

// Delete removes the object with the key of obj. A missing object is an error.
func (h *Heap) Delete(obj any) error {
	key, err := h.key(obj)
	if err != nil {
		return err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	entry, ok := h.entries.byKey[key]
	if !ok {
		return fmt.Errorf("object %q not found", key)
	}
	heap.Remove(h.entries, entry.at)
	return nil
}

// Get returns the object with the key of obj.
func (h *Heap) Get(obj any) (any, bool, error) {
	key, err := h.key(obj)
	if err != nil {
		return nil, false, err
	}
	return h.GetByKey(key)
}

// GetByKey returns the object with a key. The error is always nil.
func (h *Heap) GetByKey(key string) (any, bool, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	entry, ok := h.entries.byKey[key]
	if !ok {
		return nil, false, nil
	}
	return entry.obj, true, nil
}

// List returns the objects, in no order.
func (h *Heap) List() []any {
	h.mu.Lock()
	defer h.mu.Unlock()
	list := make([]any, 0, len(h.entries.list))
	for _, entry := range h.entries.list {
		list = append(list, entry.obj)
	}
	return list
}

// ListKeys returns the keys, in no order.
func (h *Heap) ListKeys() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	keys := make([]string, 0, len(h.entries.list))
	for _, entry := range h.entries.list {
		keys = append(keys, entry.key)
	}
	return keys
}

// Close makes further additions an error, and Pop once the heap is empty.
func (h *Heap) Close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.closed = true
	h.changed.Broadcast()
}

// IsClosed reports whether the heap was closed.
func (h *Heap) IsClosed() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.closed
}

type heapEntry struct {
	key string
	obj any
	at  int // in list
}

// heapEntries implements [heap.Interface].
type heapEntries struct {
	keyFunc KeyFunc
	less    LessFunc
	list    []*heapEntry
	byKey   map[string]*heapEntry
}

func (e *heapEntries) Len() int { return len(e.list) }

func (e *heapEntries) Less(i, j int) bool { return e.less(e.list[i].obj, e.list[j].obj) }

func (e *heapEntries) Swap(i, j int) {
	e.list[i], e.list[j] = e.list[j], e.list[i]
	e.list[i].at, e.list[j].at = i, j
}

func (e *heapEntries) Push(x any) {
	entry := x.(*heapEntry)
	entry.at = len(e.list)
	e.list = append(e.list, entry)
	e.byKey[entry.key] = entry
}

func (e *heapEntries) Pop() any {
	last := len(e.list) - 1
	entry := e.list[last]
	e.list[last] = nil // for the garbage collector
	e.list = e.list[:last]
	delete(e.byKey, entry.key)
	return entry
}
