package workqueue

// Queue stores the queued items and determines which is next. Its methods are called under the
// queue's lock: they need no lock and must not call the queue.
type Queue[T comparable] interface {
	// Touch is called when a queued item was added again.
	Touch(item T)
	// Push adds an item that is not queued.
	Push(item T)
	// Len returns the number of queued items.
	Len() int
	// Pop removes the next item and returns it. It is called only if Len is not 0, and must return each pushed
	// item once.
	Pop() (item T)
}

// DefaultQueue returns a Queue that returns items in the order in which they were added.
func DefaultQueue[T comparable]() Queue[T] { return &fifo[T]{} }

// fifo is a [Queue].
type fifo[T comparable] struct{ ring ring[T] }

func (*fifo[T]) Touch(T)       {}
func (q *fifo[T]) Push(item T) { q.ring.push(item) }
func (q *fifo[T]) Len() int    { return q.ring.len }
func (q *fifo[T]) Pop() T      { return q.ring.pop() }

// line is the order of the queued items, by their slots.
type line[T comparable] interface {
	touch(item T)
	push(slot slot, item T)
	len() int
	pop() slot
}

// slotLine is a line in the order of arrival. It never looks up an item.
type slotLine[T comparable] struct{ ring ring[slot] }

func (*slotLine[T]) touch(T)               {}
func (l *slotLine[T]) push(slot slot, _ T) { l.ring.push(slot) }
func (l *slotLine[T]) len() int            { return l.ring.len }
func (l *slotLine[T]) pop() slot           { return l.ring.pop() }

// itemLine is a line in the order of a [Queue].
type itemLine[T comparable] struct {
	queue Queue[T]
	items *items[T]
}

func (l *itemLine[T]) touch(item T)        { l.queue.Touch(item) }
func (l *itemLine[T]) push(_ slot, item T) { l.queue.Push(item) }
func (l *itemLine[T]) len() int            { return l.queue.Len() }

// pop also takes an item that was not pushed, or was popped before.
func (l *itemLine[T]) pop() slot {
	return l.items.place(l.queue.Pop())
}

// ring is a first-in, first-out buffer that grows as needed.
type ring[E any] struct {
	buffer []E // its length is 0 or a power of two
	first  int
	len    int
	pushed int // elements added since the buffer was full
}

func (r *ring[E]) push(e E) {
	if r.len == len(r.buffer) {
		r.grow()
	}
	r.buffer[(r.first+r.len)&(len(r.buffer)-1)] = e
	r.len++
	r.pushed++
}

func (r *ring[E]) pop() E {
	var none E
	e := r.buffer[r.first]
	r.buffer[r.first] = none
	r.first = (r.first + 1) & (len(r.buffer) - 1)
	r.len--
	if r.len == 0 && wasteful(len(r.buffer), r.pushed) {
		*r = ring[E]{}
	}
	return e
}

// grow moves the elements to a buffer of twice the length.
func (r *ring[E]) grow() {
	buffer := make([]E, max(2*len(r.buffer), 16))
	n := copy(buffer, r.buffer[r.first:])
	copy(buffer[n:], r.buffer[:r.first])
	r.buffer, r.first, r.pushed = buffer, 0, 0
}
