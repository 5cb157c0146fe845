package election

import (
	"sync"
	"time"

	"k8s.io/utils/clock"
)

// jumping is the real clock with a wall clock that can be set.
type jumping struct {
	clock.RealClock

	mu     sync.Mutex // guards the fields below
	by     time.Duration
	stamps map[time.Time]time.Time // what Now returned, with the real time
}

var _ clock.WithDelayedExecution = (*jumping)(nil)

func (c *jumping) jump(by time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.by += by
}

func (c *jumping) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	real := time.Now()
	now := real.Round(0).Add(c.by)
	for _, ok := c.stamps[now]; ok; _, ok = c.stamps[now] {
		now = now.Add(1)
	}
	c.stamps[now] = real
	return now
}

func (c *jumping) Since(t time.Time) time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return time.Since(c.stamps[t])
}
