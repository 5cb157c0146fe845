package record

import (
	"sync"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/clock"
	"k8s.io/utils/lru"

	"github.com/listwatch/listwatch/runtime/flowcontrol"
)

// EventSpamKeyFunc returns the group of an event; each group has its own limit.
type EventSpamKeyFunc func(event *corev1.Event) string

// EventFilterFunc reports whether to drop an event.
type EventFilterFunc func(event *corev1.Event) bool

// EventSourceObjectSpamFilter limits the rate of events of each group, which by default are the events of one
// type from one source about one object. It is safe for concurrent use.
type EventSourceObjectSpamFilter struct {
	key   EventSpamKeyFunc
	burst int
	qps   float32
	clock clock.PassiveClock

	mu     sync.Mutex // guards adding to limits
	limits *lru.Cache // of flowcontrol.PassiveRateLimiter, by key
}

// NewEventSourceObjectSpamFilter returns a filter that remembers lruCacheSize groups. Each may have burst events
// at once, and one more for each 1/qps seconds.
func NewEventSourceObjectSpamFilter(lruCacheSize, burst int, qps float32, clock clock.PassiveClock, spamKeyFunc EventSpamKeyFunc) *EventSourceObjectSpamFilter {
	return &EventSourceObjectSpamFilter{
		key: spamKeyFunc, burst: burst, qps: qps, clock: clock, limits: lru.New(lruCacheSize),
	}
}

// Filter counts an event and reports whether to drop it.
func (f *EventSourceObjectSpamFilter) Filter(event *corev1.Event) bool {
	return !f.limit(f.key(event)).TryAccept()
}

func (f *EventSourceObjectSpamFilter) limit(key string) flowcontrol.PassiveRateLimiter {
	f.mu.Lock()
	defer f.mu.Unlock()
	if limit, ok := f.limits.Get(key); ok {
		return limit.(flowcontrol.PassiveRateLimiter)
	}
	limit := flowcontrol.NewTokenBucketPassiveRateLimiterWithClock(f.qps, f.burst, f.clock)
	f.limits.Add(key, limit)
	return limit
}
