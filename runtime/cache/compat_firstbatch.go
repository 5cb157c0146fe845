package cache

import "sync"

// firstBatch tells when what was first put into a queue was processed: the first list,
// or nothing if anything else came before.
type firstBatch struct {
	done chan struct{} // closed when it was

	mu    sync.Mutex // guards what follows
	begun bool
	left  int // how much is still to be processed
}

func newFirstBatch() *firstBatch { return &firstBatch{done: make(chan struct{})} }

// begin says that n things are put in; only the first call has an effect. It returns
// whether it was that.
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

// grow says that one of the things turned out to be n more.
func (b *firstBatch) grow(n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.left += n
}

// processed says that n of the things were processed.
func (b *firstBatch) processed(n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.left -= n; b.left == 0 {
		close(b.done)
	}
}
