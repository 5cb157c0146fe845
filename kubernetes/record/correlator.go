package record

import (
	"errors"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/clock"
)

// Defaults of CorrelatorOptions.
const (
	defaultCacheSize       = 4096
	defaultMaxEvents       = 10
	defaultMaxInterval     = 600 // seconds
	defaultSpamBurst       = 25
	defaultSpamQPS         = 1. / 300
	aggregateMessagePrefix = "(combined from similar events): "
)

// CorrelatorOptions are the settings of an EventCorrelator. Zero values are replaced by defaults.
type CorrelatorOptions struct {
	// LRUCacheSize is the number of keys that each part remembers: objects, groups of similar events, and
	// events. The default is 4,096.
	LRUCacheSize int
	// BurstSize is the number of events with one spam key that may be written at once. The default is 25.
	BurstSize int
	// QPS is the number of events per second with one spam key that may be written after a burst. The default
	// is 1 in 5 minutes.
	QPS float32
	// KeyFunc finds similar events. The default is [EventAggregatorByReasonFunc].
	KeyFunc EventAggregatorKeyFunc
	// MessageFunc returns the message of similar events that are combined. The default is
	// [EventAggregatorByReasonMessageFunc].
	MessageFunc EventAggregatorMessageFunc
	// MaxEvents is the number of similar events, from which on they are combined. The default is 10.
	MaxEvents int
	// MaxIntervalInSeconds is the number of seconds without a similar event, after which none counts as
	// similar any more. The default is 600.
	MaxIntervalInSeconds int
	// Clock is the clock for both. The default is the real one.
	Clock clock.PassiveClock
	// SpamKeyFunc groups events for BurstSize and QPS. By default, events with the same source, object and
	// type are in one group.
	SpamKeyFunc EventSpamKeyFunc
}

// EventCorrelator decides how events are written: not at all, combined with similar events, as a new event, or
// as a new count of an existing event. It is safe for concurrent use.
type EventCorrelator struct {
	aggregator *EventAggregator
	seen       *observations
	isSpam     EventFilterFunc
}

// EventCorrelateResult is how to write an event.
type EventCorrelateResult struct {
	// Event is the event to create, or to which Patch is to be applied. The caller owns it; what it refers to
	// belongs to the event that was correlated.
	Event *corev1.Event
	// Patch is a strategic merge patch if the event, of which Count is then over 1, is likely to exist.
	Patch []byte
	// Skip reports that the event is spam. The other fields are then unset.
	Skip bool
}

// errNilEvent reports a missing argument.
var errNilEvent = errors.New("event is nil")

// NewEventCorrelator returns a correlator with default settings and a clock.
func NewEventCorrelator(clock clock.PassiveClock) *EventCorrelator {
	return NewEventCorrelatorWithOptions(CorrelatorOptions{Clock: clock})
}

// NewEventCorrelatorWithOptions returns a correlator with settings.
func NewEventCorrelatorWithOptions(options CorrelatorOptions) *EventCorrelator {
	o := options.withDefaults()
	return &EventCorrelator{
		aggregator: NewEventAggregator(o.LRUCacheSize, o.KeyFunc, o.MessageFunc, o.MaxEvents, o.MaxIntervalInSeconds, o.Clock),
		seen:       newObservations(o.LRUCacheSize),
		isSpam:     NewEventSourceObjectSpamFilter(o.LRUCacheSize, o.BurstSize, o.QPS, o.Clock, o.SpamKeyFunc).Filter,
	}
}

func (o CorrelatorOptions) withDefaults() CorrelatorOptions {
	orDefault(&o.LRUCacheSize, defaultCacheSize)
	orDefault(&o.BurstSize, defaultSpamBurst)
	orDefault(&o.QPS, defaultSpamQPS)
	orDefault(&o.MaxEvents, defaultMaxEvents)
	orDefault(&o.MaxIntervalInSeconds, defaultMaxInterval)
	orDefault(&o.Clock, clock.PassiveClock(clock.RealClock{}))
	if o.KeyFunc == nil {
		o.KeyFunc = EventAggregatorByReasonFunc
	}
	if o.MessageFunc == nil {
		o.MessageFunc = EventAggregatorByReasonMessageFunc
	}
	if o.SpamKeyFunc == nil {
		o.SpamKeyFunc = spamKey
	}
	return o
}

func orDefault[T comparable](value *T, otherwise T) {
	var zero T
	if *value == zero {
		*value = otherwise
	}
}

// EventCorrelate decides how to write an event, which it does not modify, and counts it. The error reports a nil
// event.
func (c *EventCorrelator) EventCorrelate(newEvent *corev1.Event) (*EventCorrelateResult, error) {
	if newEvent == nil {
		return nil, errNilEvent
	}
	event, key := c.aggregator.EventAggregate(newEvent)
	event, patch := c.seen.observe(event, key)
	if c.isSpam(event) {
		return &EventCorrelateResult{Skip: true}, nil
	}
	return &EventCorrelateResult{Event: event, Patch: patch}, nil
}

// UpdateState remembers an event as the server returned it, so that the next occurrence updates that event.
func (c *EventCorrelator) UpdateState(event *corev1.Event) {
	c.seen.update(event)
}
