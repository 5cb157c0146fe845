package events

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"

	"github.com/listwatch/listwatch/kubernetes"
	"github.com/listwatch/listwatch/kubernetes/record"
	"github.com/listwatch/listwatch/kubernetes/scheme"
	corev1client "github.com/listwatch/listwatch/kubernetes/typed/core/v1"
)

// EventBroadcasterAdapter records events in events.k8s.io/v1 if the server has it, and otherwise in v1.
//
// Deprecated: all supported servers have events.k8s.io/v1; use [NewBroadcaster].
type EventBroadcasterAdapter interface {
	// StartRecordingToSink writes events until the channel is closed. Those of legacy recorders are written
	// until Shutdown.
	StartRecordingToSink(stopCh <-chan struct{})

	// NewRecorder returns a recorder for the API that the server has, with a name as reporting controller or
	// as source. It knows the kinds of the built-in API; other objects have to name theirs.
	NewRecorder(name string) EventRecorderLogger

	// DeprecatedNewLegacyRecorder returns a recorder of events in v1, in any case.
	DeprecatedNewLegacyRecorder(name string) record.EventRecorderLogger

	// Shutdown ends the broadcasters of both APIs.
	Shutdown()
}

// NewEventBroadcasterAdapter is [NewEventBroadcasterAdapterWithContext] without a context.
func NewEventBroadcasterAdapter(client kubernetes.Interface) EventBroadcasterAdapter {
	return NewEventBroadcasterAdapterWithContext(context.Background(), client)
}

// NewEventBroadcasterAdapterWithContext returns an adapter, for which it requests the resources of
// events.k8s.io/v1. When the context is done, the broadcaster of events in v1 is shut down.
func NewEventBroadcasterAdapterWithContext(ctx context.Context, client kubernetes.Interface) EventBroadcasterAdapter {
	a := &adapter{
		core: record.NewBroadcaster(record.WithContext(ctx)),
		sink: &corev1client.EventSinkImpl{Interface: client.CoreV1().Events("")},
	}
	if _, err := client.Discovery().ServerResourcesForGroupVersionWithContext(ctx, eventsv1.SchemeGroupVersion.String()); err == nil {
		a.broadcaster = NewBroadcaster(&EventSinkImpl{Interface: client.EventsV1()})
	}
	return a
}

type adapter struct {
	broadcaster EventBroadcaster // nil if the server lacks events.k8s.io/v1
	core        record.EventBroadcaster
	sink        record.EventSink // for core
}

func (a *adapter) StartRecordingToSink(stopCh <-chan struct{}) {
	if a.broadcaster != nil {
		a.broadcaster.StartRecordingToSink(stopCh)
	}
	a.core.StartRecordingToSink(a.sink)
}

func (a *adapter) NewRecorder(name string) EventRecorderLogger {
	if a.broadcaster != nil {
		return a.broadcaster.NewRecorder(scheme.Scheme, name)
	}
	return record.NewEventRecorderAdapter(a.DeprecatedNewLegacyRecorder(name))
}

func (a *adapter) DeprecatedNewLegacyRecorder(name string) record.EventRecorderLogger {
	return a.core.NewRecorder(scheme.Scheme, corev1.EventSource{Component: name})
}

func (a *adapter) Shutdown() {
	a.core.Shutdown()
	if a.broadcaster != nil {
		a.broadcaster.Shutdown()
	}
}
