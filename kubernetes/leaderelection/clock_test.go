package leaderelection_test

import (
	"math"
	"sync"
	"time"

	"k8s.io/utils/clock"
)

// skewed is a clock whose rate differs from that of the clock of the time package, and whose wall clock can be
// set. Its monotonic clock is not affected by that, unless it is naive.
type skewed struct {
	clock.RealClock
	rate  float64
	naive bool // Since compares wall clocks
	birth time.Time

	mu     sync.Mutex // guards the fields below
	wall   time.Duration
	stamps map[time.Time]time.Duration // what Now returned, with the monotonic clock
}

var _ clock.WithDelayedExecution = (*skewed)(nil)

func newSkewed(rate float64) *skewed {
	return &skewed{rate: rate, birth: time.Now(), stamps: map[time.Time]time.Duration{}}
}

// jump sets the wall clock.
func (c *skewed) jump(by time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.wall += by
}

func (c *skewed) elapsed() time.Duration {
	return time.Duration(float64(time.Since(c.birth)) * c.rate)
}

func (c *skewed) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	elapsed := c.elapsed()
	now := c.birth.Round(0).Add(elapsed + c.wall)
	// Since needs to know which call of Now returned a time.
	for ; ; now = now.Add(1) {
		if at, ok := c.stamps[now]; !ok || at == elapsed {
			c.stamps[now] = elapsed
			return now
		}
	}
}

func (c *skewed) Since(t time.Time) time.Duration {
	if c.naive {
		return c.Now().Sub(t)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	at, ok := c.stamps[t]
	if !ok {
		panic("Since is called with a time that Now did not return")
	}
	return c.elapsed() - at
}

// real is rounded up: when a timer fires, its duration has passed.
func (c *skewed) real(d time.Duration) time.Duration {
	return time.Duration(math.Ceil(float64(d) / c.rate))
}

func (c *skewed) NewTimer(d time.Duration) clock.Timer { return c.RealClock.NewTimer(c.real(d)) }

func (c *skewed) AfterFunc(d time.Duration, f func()) clock.Timer {
	return skewedTimer{c.RealClock.AfterFunc(c.real(d), f), c}
}

type skewedTimer struct {
	clock.Timer
	of *skewed
}

func (t skewedTimer) Reset(d time.Duration) bool { return t.Timer.Reset(t.of.real(d)) }
