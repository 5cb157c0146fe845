package events

import (
	"encoding/json"
	"time"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

const (
	// finishTime is the time without another occurrence after which a series ends, and the time between two
	// searches for such series.
	finishTime = 6 * time.Minute
	// refreshTime is the time between two writes of the state of a series. Servers delete events that have
	// not been written for an hour.
	refreshTime = 30 * time.Minute
)

// seriesKey is what the events of a series have in common.
type seriesKey struct {
	eventtype, action, reason string
	controller, instance      string
	regarding, related        corev1.ObjectReference
}

func keyOf(event *eventsv1.Event) seriesKey {
	key := seriesKey{
		eventtype: event.Type, action: event.Action, reason: event.Reason,
		controller: event.ReportingController, instance: event.ReportingInstance,
		regarding: event.Regarding,
	}
	if event.Related != nil {
		key.related = *event.Related
	}
	return key
}

// series is an event and its repetitions.
type series struct {
	key   seriesKey
	event *eventsv1.Event // with Series from its second occurrence on

	exists bool // an attempt to create the event has been made
	busy   bool // the event waits to be written, or is being written
	again  bool // the event has changed since, and is to be written again
	ending bool // the series is removed after the write
}

func newSeries(event *eventsv1.Event) *series {
	own := *event // whose other fields nobody modifies
	return &series{key: keyOf(event), event: &own}
}

// repeat counts another occurrence, and reports whether it is the first one, which makes the event a series.
func (s *series) repeat(now time.Time) bool {
	s.ending = false
	observed := metav1.MicroTime{Time: now}
	if s.event.Series == nil {
		s.event.Series = &eventsv1.EventSeries{Count: 2, LastObservedTime: observed}
		return true
	}
	s.event.Series.Count++
	s.event.Series.LastObservedTime = observed
	return false
}

// isOver reports whether the event has not occurred for a while.
func (s *series) isOver(now time.Time) bool {
	last := s.event.EventTime.Time
	if s.event.Series != nil {
		last = s.event.Series.LastObservedTime.Time
	}
	return last.Before(now.Add(-finishTime))
}

// seriesPatch returns a strategic merge patch that sets the state of a series.
func seriesPatch(event *eventsv1.Event) ([]byte, error) {
	return json.Marshal(struct {
		Series *eventsv1.EventSeries `json:"series"`
	}{event.Series})
}
