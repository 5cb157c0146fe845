package flowcontrol

import (
	"math/rand/v2"
	"sync"
	"time"

	"k8s.io/utils/clock"
)

// Backoff keeps for each item a delay that doubles each time the item fails, up to a maximum. Its zero
// value is of no use; make one with [NewBackOff] or its like. It may be used by many goroutines at once.
type Backoff struct {
	// RWMutex guards the delays. It is exported for compatibility only.
	sync.RWMutex
	// Clock is the time by which delays are measured. It must not be changed once the Backoff is in use.
	Clock clock.Clock
	// HasExpiredFunc says whether an item whose delay was last set at lastUpdate counts as
	// well again at eventTime. If nil, it does after twice the maximum delay.
	HasExpiredFunc func(eventTime time.Time, lastUpdate time.Time, maxDuration time.Duration) bool

	initial time.Duration
	max     time.Duration
	jitter  float64 // up to this part of a delay is added to it at random
	items   map[string]delay
}

// delay is how long to leave an item alone, since when.
type delay struct {
	length time.Duration
	since  time.Time
}

// NewBackOff returns a Backoff whose delays grow from initial to max.
func NewBackOff(initial, max time.Duration) *Backoff {
	return NewBackOffWithJitter(initial, max, 0)
}

// NewBackOffWithJitter is [NewBackOff], where each delay is longer at random by up to maxJitterFactor of
// itself, but for the maximum.
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

// Get returns the delay of an item, 0 where it has none.
func (p *Backoff) Get(id string) time.Duration {
	p.RLock()
	defer p.RUnlock()
	return p.items[id].length
}

// Next makes the delay of an item that failed at eventTime longer, or sets it to the initial one where the item
// has none or is well again.
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

// Reset forgets an item.
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

// IsInBackOffSinceUpdate reports whether eventTime is in the item's delay, counted from when it was set.
func (p *Backoff) IsInBackOffSinceUpdate(id string, eventTime time.Time) bool {
	p.RLock()
	defer p.RUnlock()
	item, ok := p.items[id]
	return ok && !p.expired(item, eventTime) && eventTime.Sub(item.since) < item.length
}

// GC forgets the items that are well again.
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

// expired reports whether an item counts as well again at eventTime. The lock is held.
func (p *Backoff) expired(item delay, eventTime time.Time) bool {
	if p.HasExpiredFunc != nil {
		return p.HasExpiredFunc(eventTime, item.since, p.max)
	}
	return eventTime.Sub(item.since) > 2*p.max
}

// extra returns the jitter for a delay.
func (p *Backoff) extra(length time.Duration) time.Duration {
	if p.jitter <= 0 {
		return 0
	}
	return time.Duration(rand.Float64() * p.jitter * float64(length))
}
