package kube

import "sync"

// tailSize is the minimum number of bytes that a tail retains, if so many were written.
const tailSize = 16 << 10

// tail is a Writer that retains the end of what is written, at most twice tailSize. Its zero value
// is ready to use; it is safe for concurrent use.
type tail struct {
	mu sync.Mutex // guards b
	b  []byte     // len(b) <= 2*tailSize
}

// Write never fails.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := len(p)
	if n > tailSize { // everything that is retained follows what is dropped
		t.b, p = t.b[:0], p[n-tailSize:]
	}
	if len(t.b)+len(p) > 2*tailSize {
		t.b = append(t.b[:0], t.b[len(t.b)-tailSize:]...)
	}
	t.b = append(t.b, p...)
	return n, nil
}

// String returns what is retained.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.b)
}
