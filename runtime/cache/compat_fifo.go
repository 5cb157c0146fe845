package cache

import (
	"context"
	"sync"

	"github.com/listwatch/listwatch/runtime/cache/internal/delta"
	"github.com/listwatch/listwatch/runtime/cache/internal/deltaqueue"
)

// FIFO is a [Queue] of the newest states of objects: a state replaces an older one of the same
// object that waits, and a deleted object is removed. Pop processes the object itself. All methods
// can be called at any time from any goroutine, except Pop by the function that it calls.
type FIFO struct {
	name  delta.Namer
	queue *deltaqueue.Queue // what has waited, in order; an object that is not in waiting has left
	first *firstBatch
	turn  chan struct{} // contains a token while a caller takes out and processes; guards taken
	taken []delta.Delta // out of the queue but not yet out of waiting

	mu      sync.Mutex // guards waiting
	waiting map[delta.Name]any
}

var (
	_ Queue       = (*FIFO)(nil)
	_ DoneChecker = (*FIFO)(nil)
)

// NewFIFO returns a queue of objects with keys by keyFunc.
func NewFIFO(keyFunc KeyFunc) *FIFO {
	name := newNamer(keyFunc)
	return &FIFO{
		name:    name,
		queue:   deltaqueue.New(deltaqueue.Options{Name: name}),
		first:   newFirstBatch(),
		turn:    make(chan struct{}, 1),
		waiting: map[delta.Name]any{},
	}
}

// Add queues an object.
func (f *FIFO) Add(obj any) error {
	name, err := f.name(obj)
	if err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.first.begin(0)
	return f.enter(name, obj, false)
}

// enter queues an object. f.mu is held.
func (f *FIFO) enter(name delta.Name, obj any, first bool) error {
	if _, waits := f.waiting[name]; !waits {
		if err := f.queue.Put(delta.Delta{Name: name, Initial: first}); err != nil {
			return err
		}
	}
	f.waiting[name] = obj
	return nil
}

// Update does the same as Add.
func (f *FIFO) Update(obj any) error { return f.Add(obj) }

// Delete removes an object, if it waits.
func (f *FIFO) Delete(obj any) error {
	name, err := f.name(obj)
	if err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.first.begin(0)
	delete(f.waiting, name)
	return nil
}

// Replace removes all objects that are not in list, and queues those that are.
func (f *FIFO) Replace(list []any, _ string) error {
	names := make([]delta.Name, len(list))
	listed := make(map[delta.Name]struct{}, len(list))
	for i, obj := range list {
		name, err := f.name(obj)
		if err != nil {
			return err
		}
		names[i], listed[name] = name, struct{}{}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	for name := range f.waiting {
		if _, ok := listed[name]; !ok {
			delete(f.waiting, name)
		}
	}
	first := f.first.begin(len(listed))
	for i, obj := range list {
		if err := f.enter(names[i], obj, first); err != nil {
			return err
		}
	}
	return nil
}

// Resync does nothing.
func (f *FIFO) Resync() error { return nil }

// Pop waits until there is an object, takes it out and processes it. It returns the object and the
// error of process, or [ErrFIFOClosed] if the queue is closed and empty. Concurrent calls process
// one after the other.
func (f *FIFO) Pop(process PopProcessFunc) (any, error) {
	f.turn <- struct{}{}
	defer func() { <-f.turn }()
	for {
		if len(f.taken) == 0 {
			var ok bool
			if f.taken, ok = f.queue.Pop(context.Background()); !ok {
				return nil, ErrFIFOClosed
			}
		}
		next := f.taken[0]
		f.taken = f.taken[1:]
		if obj, ok := f.leave(next.Name); ok {
			if next.Initial {
				defer f.first.processed(1)
			}
			return obj, process(obj, !f.HasSynced())
		}
		if next.Initial {
			f.first.processed(1)
		}
	}
}

// leave removes an object, if it waits.
func (f *FIFO) leave(name delta.Name) (any, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	obj, ok := f.waiting[name]
	delete(f.waiting, name)
	return obj, ok
}

// Close makes the queue reject new objects. What is in it can still be taken out; after that Pop
// returns [ErrFIFOClosed].
func (f *FIFO) Close() { f.queue.Close(false) }

// IsClosed reports whether the queue was closed.
func (f *FIFO) IsClosed() bool { return f.queue.IsClosed() }

// HasSynced reports whether the first list was processed. It also reports true if something else
// was put in before a list.
func (f *FIFO) HasSynced() bool { return IsDone(f) }

// HasSyncedChecker returns a checker that is done when HasSynced becomes true.
func (f *FIFO) HasSyncedChecker() DoneChecker { return f }

// Name returns "FIFO".
func (f *FIFO) Name() string { return "FIFO" }

// Done returns a channel that is closed when HasSynced becomes true.
func (f *FIFO) Done() <-chan struct{} { return f.first.done }
