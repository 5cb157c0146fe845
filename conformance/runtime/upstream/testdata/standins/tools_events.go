package events

import (
	"context"
	"time"

	eventsv1 "k8s.io/api/events/v1"

	. "github.com/listwatch/listwatch/kubernetes/events"
)

type eventKey struct{}

// eventBroadcasterImpl is a broadcaster whose series begin empty.
type eventBroadcasterImpl struct{ EventBroadcaster }

func newBroadcaster(sink EventSink, _ time.Duration, _ map[eventKey]*eventsv1.Event) EventBroadcaster {
	return &eventBroadcasterImpl{NewBroadcaster(sink)}
}

func (b *eventBroadcasterImpl) startRecordingEvents(ctx context.Context) error {
	return b.StartRecordingToSinkWithContext(ctx)
}
