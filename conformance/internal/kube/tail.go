package kube

import "sync"

// tailSize is how many bytes a tail keeps at least, once they were written.
const tailSize = 16 << 10

// tail is a Writer that keeps the end of what is written, at most twice tailSize. Its
// zero value is ready; several goroutines may use it.
type tail struct {
	mu sync.Mutex // guards b
	b  []byte     // len(b) <= 2*tailSize
}

// Write never fails.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := len(p)
	if n > tailSize { // all of what is kept comes after what is left out
		t.b, p = t.b[:0], p[n-tailSize:]
	}
	if len(t.b)+len(p) > 2*tailSize {
		t.b = append(t.b[:0], t.b[len(t.b)-tailSize:]...)
	}
	t.b = append(t.b, p...)
	return n, nil
}

// String returns what is kept.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.b)
}
