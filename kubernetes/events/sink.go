package events

import (
	"context"
	"errors"

	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	eventsv1client "github.com/listwatch/listwatch/kubernetes/typed/events/v1"
)

// EventSinkImpl is a sink that writes events with a typed client. Events without a namespace are errors.
type EventSinkImpl struct {
	Interface eventsv1client.EventsV1Interface
}

var (
	errCreateNamespace = errors.New("can't create an event with empty namespace")
	errUpdateNamespace = errors.New("can't update an event with empty namespace")
	errPatchNamespace  = errors.New("can't patch an event with empty namespace")
)

// Create creates an event and returns it as the server stored it.
func (s *EventSinkImpl) Create(ctx context.Context, event *eventsv1.Event) (*eventsv1.Event, error) {
	if event.Namespace == "" {
		return nil, errCreateNamespace
	}
	return s.Interface.Events(event.Namespace).Create(ctx, event, metav1.CreateOptions{})
}

// Update replaces an event and returns it as the server stored it.
func (s *EventSinkImpl) Update(ctx context.Context, event *eventsv1.Event) (*eventsv1.Event, error) {
	if event.Namespace == "" {
		return nil, errUpdateNamespace
	}
	return s.Interface.Events(event.Namespace).Update(ctx, event, metav1.UpdateOptions{})
}

// Patch applies a strategic merge patch to an event and returns it as the server stored it.
func (s *EventSinkImpl) Patch(ctx context.Context, event *eventsv1.Event, data []byte) (*eventsv1.Event, error) {
	if event.Namespace == "" {
		return nil, errPatchNamespace
	}
	return s.Interface.Events(event.Namespace).Patch(ctx, event.Name, types.StrategicMergePatchType, data, metav1.PatchOptions{})
}
