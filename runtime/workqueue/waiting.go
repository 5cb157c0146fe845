package workqueue

import (
	"container/heap"
	"time"
)

// waiting stores items until their time has come.
type waiting[T comparable] struct {
	heap   waitingHeap[T]
	byItem map[T]*waitingItem[T]
}

// waitingItem is an item, its priority in queues with priorities, the time at which it is added, and its index
// in the heap.
type waitingItem[T comparable] struct {
	item     T
	priority int
	until    time.Time
	index    int
}

// add stores an item. If it is stored already, it keeps the earlier time and the higher priority. add reports
// whether it is now the first item, at a time that no item had.
func (w *waiting[T]) add(item T, priority int, until time.Time) (first bool) {
	it, known := w.byItem[item]
	if !known {
		if w.byItem == nil {
			w.byItem = map[T]*waitingItem[T]{}
		}
		it = &waitingItem[T]{item: item, priority: priority, until: until}
		w.byItem[item] = it
		heap.Push(&w.heap, it)
		return it.index == 0
	}
	it.priority = max(it.priority, priority)
	if !until.Before(it.until) {
		return false
	}
	it.until = until
	heap.Fix(&w.heap, it.index)
	return it.index == 0
}

// remove removes an item, and returns it, nil if it is not stored.
func (w *waiting[T]) remove(item T) *waitingItem[T] {
	it, known := w.byItem[item]
	if !known {
		return nil
	}
	delete(w.byItem, item)
	heap.Remove(&w.heap, it.index)
	return it
}

// takeUntil removes the items whose time is not after a time, and returns them in the order of their times.
func (w *waiting[T]) takeUntil(now time.Time) []*waitingItem[T] {
	var ready []*waitingItem[T]
	for len(w.heap) > 0 && !w.heap[0].until.After(now) {
		it := heap.Pop(&w.heap).(*waitingItem[T])
		delete(w.byItem, it.item)
		ready = append(ready, it)
	}
	return ready
}

// next returns the time of the first item, if there is one.
func (w *waiting[T]) next() (time.Time, bool) {
	if len(w.heap) == 0 {
		return time.Time{}, false
	}
	return w.heap[0].until, true
}

// waitingHeap is a heap of [container/heap] whose first element is the next to be added.
type waitingHeap[T comparable] []*waitingItem[T]

func (h waitingHeap[T]) Len() int           { return len(h) }
func (h waitingHeap[T]) Less(i, j int) bool { return h[i].until.Before(h[j].until) }

func (h waitingHeap[T]) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].index, h[j].index = i, j
}

func (h *waitingHeap[T]) Push(x any) {
	it := x.(*waitingItem[T])
	it.index = len(*h)
	*h = append(*h, it)
}

func (h *waitingHeap[T]) Pop() any {
	last := len(*h) - 1
	it := (*h)[last]
	(*h)[last] = nil
	*h = (*h)[:last]
	return it
}
