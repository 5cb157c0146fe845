package events

import (
	"context"

	"github.com/listwatch/listwatch/kubernetes/events"
	"k8s.io/client-go/internal/clientset"
	"k8s.io/client-go/kubernetes"
)

// NewEventBroadcasterAdapter is [NewEventBroadcasterAdapterWithContext] without a context.
func NewEventBroadcasterAdapter(client kubernetes.Interface) EventBroadcasterAdapter {
	return NewEventBroadcasterAdapterWithContext(context.Background(), client)
}

// NewEventBroadcasterAdapterWithContext returns an adapter, for which it requests the resources of
// events.k8s.io/v1. When the context is done, the broadcaster of events in v1 is shut down.
func NewEventBroadcasterAdapterWithContext(ctx context.Context, client kubernetes.Interface) EventBroadcasterAdapter {
	return events.NewEventBroadcasterAdapterWithContext(ctx, clientset.Narrow(client))
}
