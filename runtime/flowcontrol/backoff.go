package flowcontrol

import (
	"math/rand/v2"
	"sync"
	"time"

	"k8s.io/utils/clock"
)

// Backoff stores for each item a delay that doubles each time the item fails, up to a maximum. Its zero value
// is not usable; use [NewBackOff] or a similar constructor. It is safe for concurrent use.
type Backoff struct {
	// RWMutex guards the delays. It is exported for compatibility only.
	sync.RWMutex
	// Clock measures the delays. It must not be changed once the Backoff is in use.
	Clock clock.Clock
	// HasExpiredFunc reports whether an item whose delay was last set at lastUpdate has recovered at eventTime.
	// If nil, it has after twice the maximum delay.
	HasExpiredFunc func(eventTime time.Time, lastUpdate time.Time, maxDuration time.Duration) bool

	initial time.Duration
	max     time.Duration
	jitter  float64 // up to this fraction of a delay is added to it at random
	items   map[string]delay
}

// delay is the delay of an item and the time at which it was set.
type delay struct {
	length time.Duration
	since  time.Time
}

// NewBackOff returns a Backoff whose delays grow from initial to max.
func NewBackOff(initial, max time.Duration) *Backoff {
	return NewBackOffWithJitter(initial, max, 0)
}

// NewBackOffWithJitter is [NewBackOff] with random jitter: up to maxJitterFactor of each delay is added to it,
// up to the maximum.
func NewBackOffWithJitter(initial, max time.Duration, maxJitterFactor float64) *Backoff {
	return NewFakeBackOffWithJitter(initial, max, clock.RealClock{}, maxJitterFactor)
}

// NewFakeBackOff is [NewBackOff] with a clock.
func NewFakeBackOff(initial, max time.Duration, tc clock.Clock) *Backoff {
	return NewFakeBackOffWithJitter(initial, max, tc, 0)
}

// NewFakeBackOffWithJitter is [NewBackOffWithJitter] with a clock.
func NewFakeBackOffWithJitter(initial, max time.Duration, tc clock.Clock, maxJitterFactor float64) *Backoff {
	return &Backoff{Clock: tc, initial: initial, max: max, jitter: maxJitterFactor, items: map[string]delay{}}
}

// Get returns the delay of an item, 0 if it has none.
func (p *Backoff) Get(id string) time.Duration {
	p.RLock()
	defer p.RUnlock()
	return p.items[id].length
}

// Next doubles the delay of an item that failed at eventTime, or sets the initial delay if the item has none or
// has recovered.
func (p *Backoff) Next(id string, eventTime time.Time) {
	p.Lock()
	defer p.Unlock()
	item, ok := p.items[id]
	if !ok || p.expired(item, eventTime) {
		item.length = p.initial + p.extra(p.initial)
	} else {
		item.length = min(2*item.length+p.extra(item.length), p.max)
	}
	item.since = p.Clock.Now()
	p.items[id] = item
}

// Reset removes an item.
func (p *Backoff) Reset(id string) {
	p.Lock()
	defer p.Unlock()
	delete(p.items, id)
}

// DeleteEntry is [Backoff.Reset].
func (p *Backoff) DeleteEntry(id string) { p.Reset(id) }

// IsInBackOffSince reports whether less time has passed since eventTime than the item's delay.
func (p *Backoff) IsInBackOffSince(id string, eventTime time.Time) bool {
	p.RLock()
	defer p.RUnlock()
	item, ok := p.items[id]
	return ok && !p.expired(item, eventTime) && p.Clock.Since(eventTime) < item.length
}

// IsInBackOffSinceUpdate reports whether eventTime is within the item's delay, counted from when the delay was
// set.
func (p *Backoff) IsInBackOffSinceUpdate(id string, eventTime time.Time) bool {
	p.RLock()
	defer p.RUnlock()
	item, ok := p.items[id]
	return ok && !p.expired(item, eventTime) && eventTime.Sub(item.since) < item.length
}

// GC removes the items that have recovered.
func (p *Backoff) GC() {
	p.Lock()
	defer p.Unlock()
	now := p.Clock.Now()
	for id, item := range p.items {
		if p.expired(item, now) {
			delete(p.items, id)
		}
	}
}

// expired reports whether an item has recovered at eventTime. The lock is held.
func (p *Backoff) expired(item delay, eventTime time.Time) bool {
	if p.HasExpiredFunc != nil {
		return p.HasExpiredFunc(eventTime, item.since, p.max)
	}
	return eventTime.Sub(item.since) > 2*p.max
}

// extra returns the jitter of a delay.
func (p *Backoff) extra(length time.Duration) time.Duration {
	if p.jitter <= 0 {
		return 0
	}
	return time.Duration(rand.Float64() * p.jitter * float64(length))
}
