package perturb

import (
	"bytes"
	"context"
	"io"
	"sync"
)

// holding withholds what watches deliver, until it is released.
type holding struct {
	resource string // or everything
	lost     bool   // what was withheld is not delivered later: the watches end
	released chan struct{}
}

func (h *holding) covers(resource string) bool {
	return h != nil && (h.resource == everything || h.resource == resource)
}

// stream is the body of a watch's response.
type stream struct {
	io.ReadCloser
	resource string
	process  *process
	ctx      context.Context
	once     sync.Once
	closed   chan struct{}
	ended    bool // for the goroutine that reads
}

// Read delivers nothing while the watch is held. What arrives meanwhile is delivered afterwards.
func (s *stream) Read(b []byte) (int, error) {
	if s.ended {
		return 0, io.EOF
	}
	n, err := s.ReadCloser.Read(b)
	h := s.process.trial.held.Load()
	if !h.covers(s.resource) {
		if n > 0 && !onlyBookmarks(b[:n]) {
			s.process.trial.receives(s.resource)
		}
		return n, err
	}
	select {
	case <-h.released:
	case <-s.closed:
		return 0, io.ErrClosedPipe
	case <-s.ctx.Done():
		return 0, s.ctx.Err()
	case <-s.process.dead:
		return 0, errCrashed
	}
	if h.lost {
		s.ended = true
		s.process.expire(s.resource)
		return 0, io.EOF
	}
	return n, err
}

// onlyBookmarks reports whether frames of a watch, in JSON, tell of no object.
func onlyBookmarks(frames []byte) bool {
	bookmarks := bytes.Count(frames, []byte(`{"type":"BOOKMARK"`))
	return bookmarks > 0 && bookmarks == bytes.Count(frames, []byte(`{"type":"`)) && bytes.HasPrefix(frames, []byte(`{"type":`))
}

// Close implements io.Closer.
func (s *stream) Close() error {
	s.once.Do(func() { close(s.closed) })
	return s.ReadCloser.Close()
}
