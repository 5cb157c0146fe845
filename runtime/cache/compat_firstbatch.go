package cache

import "sync"

// firstBatch tracks the processing of the first list of a queue. It is done immediately if anything
// else is put in before.
type firstBatch struct {
	done chan struct{} // closed when that is done

	mu    sync.Mutex // guards the fields below
	begun bool
	left  int // number of items still to process
}

func newFirstBatch() *firstBatch { return &firstBatch{done: make(chan struct{})} }

// begin starts with n items; only the first call has an effect. It reports whether it was the
// first.
func (b *firstBatch) begin(n int) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.begun {
		return false
	}
	b.begun, b.left = true, n
	if n == 0 {
		close(b.done)
	}
	return true
}

// grow adds n items.
func (b *firstBatch) grow(n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.left += n
}

// processed records that n items were processed.
func (b *firstBatch) processed(n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.left -= n; b.left == 0 {
		close(b.done)
	}
}
