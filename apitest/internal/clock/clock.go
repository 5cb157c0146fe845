// Package clock has the time of a server, which tests can move.
package clock

import (
	"sync"
	"time"
)

// Clock is the system's clock until it is moved; then it is ahead of it. A still clock only moves when it is
// moved. It is safe for concurrent use.
type Clock struct {
	still bool

	mu    sync.Mutex // guards the rest
	start time.Time  // of a still clock
	ahead time.Duration
}

// New returns a clock that runs with the system's.
func New() *Clock { return &Clock{} }

// NewStill returns a clock that stands at start.
func NewStill(start time.Time) *Clock { return &Clock{still: true, start: start} }

// Now returns the time.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.still {
		return c.start.Add(c.ahead)
	}
	return time.Now().Add(c.ahead)
}

// Advance moves the clock forward. A negative d does nothing.
func (c *Clock) Advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ahead += max(d, 0)
}

// Still reports whether the clock does not run.
func (c *Clock) Still() bool { return c.still }

// Own reports whether the clock differs from the system's.
func (c *Clock) Own() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.still || c.ahead > 0
}
