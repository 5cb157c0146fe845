package record

import (
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/clock"
	"k8s.io/utils/lru"

	"github.com/listwatch/listwatch/kubernetes/record/util"
)

// EventAggregatorKeyFunc returns two keys of an event. Events with the same aggregateKey are similar; of these,
// events with the same localKey are repetitions of one event.
type EventAggregatorKeyFunc func(event *corev1.Event) (aggregateKey string, localKey string)

// EventAggregatorMessageFunc returns the message of an event that combines similar ones, of which event is the
// latest.
type EventAggregatorMessageFunc func(event *corev1.Event) string

// EventAggregatorByReasonFunc makes events similar that differ only in their messages, field paths and metadata.
func EventAggregatorByReasonFunc(event *corev1.Event) (string, string) {
	return aggregateKey(event), event.Message
}

// EventAggregatorByReasonMessageFunc returns the event's message with a prefix.
func EventAggregatorByReasonMessageFunc(event *corev1.Event) string {
	return aggregateMessagePrefix + event.Message
}

// EventAggregator combines similar events. It is safe for concurrent use.
//
// Of the similar events that follow each other within an interval, it leaves the first different ones as they
// are, fewer than a maximum, and their repetitions too; all others become one event, with a common message.
type EventAggregator struct {
	sync.RWMutex // guards what groups contains

	keys     EventAggregatorKeyFunc
	message  EventAggregatorMessageFunc
	max      uint
	interval time.Duration
	clock    clock.PassiveClock
	groups   *lru.Cache // of *group, by aggregate key
}

// group is what an aggregator knows about similar events.
type group struct {
	locals map[string]struct{} // local keys of the events that are left as they are
	last   time.Time           // time of the latest event
}

// NewEventAggregator returns an aggregator that remembers lruCacheSize groups of similar events. It combines them
// from the one with number maxEvents on; a group ends after maxIntervalInSeconds without an event.
func NewEventAggregator(lruCacheSize int, keyFunc EventAggregatorKeyFunc, messageFunc EventAggregatorMessageFunc,
	maxEvents int, maxIntervalInSeconds int, clock clock.PassiveClock) *EventAggregator {
	return &EventAggregator{
		keys: keyFunc, message: messageFunc, clock: clock,
		max:      uint(maxEvents),
		interval: time.Duration(uint(maxIntervalInSeconds)) * time.Second,
		groups:   lru.New(lruCacheSize),
	}
}

// EventAggregate returns the event to write, which is newEvent itself or a new one, and a key that is equal for
// all events that are to be written as one.
func (e *EventAggregator) EventAggregate(newEvent *corev1.Event) (*corev1.Event, string) {
	now := e.clock.Now()
	aggregate, local := e.keys(newEvent)
	if !e.combines(aggregate, local, now) {
		return newEvent, eventKey(newEvent)
	}
	return &corev1.Event{
		ObjectMeta: metav1.ObjectMeta{
			Name:      util.GenerateEventName(newEvent.InvolvedObject.Name, now.UnixNano()),
			Namespace: newEvent.Namespace,
		},
		InvolvedObject: newEvent.InvolvedObject,
		Source:         newEvent.Source,
		Type:           newEvent.Type,
		Reason:         newEvent.Reason,
		Message:        e.message(newEvent),
		FirstTimestamp: metav1.NewTime(now),
		LastTimestamp:  metav1.NewTime(now),
		Count:          1,
	}, aggregate
}

// combines counts an event and reports whether to combine it with similar ones.
func (e *EventAggregator) combines(aggregate, local string, now time.Time) bool {
	e.Lock()
	defer e.Unlock()
	var g *group
	if known, ok := e.groups.Get(aggregate); ok && now.Sub(known.(*group).last) <= e.interval {
		g = known.(*group)
	} else {
		g = &group{locals: map[string]struct{}{}}
		e.groups.Add(aggregate, g)
	}
	g.last = now
	if _, ok := g.locals[local]; ok {
		return false
	}
	if uint(len(g.locals))+1 >= e.max {
		return true
	}
	g.locals[local] = struct{}{}
	return false
}
