package events_test

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/tools/events"
)

// The adapter asks the module's clientset which API its server has, and writes with it. No goroutine is left after
// Shutdown, or the end of the context: otherwise synctest fails.
func TestNewEventBroadcasterAdapter(t *testing.T) {
	for _, tt := range []struct {
		name   string
		serves bool // events.k8s.io/v1
		want   []string
	}{
		{"a server with events.k8s.io/v1", true, []string{"events.k8s.io", ""}},
		{"a server without", false, []string{"", ""}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				client := fake.NewClientset()
				if tt.serves {
					client.Resources = []*metav1.APIResourceList{{GroupVersion: "events.k8s.io/v1"}}
				}
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				adapter := events.NewEventBroadcasterAdapterWithContext(ctx, client)
				adapter.StartRecordingToSink(ctx.Done())
				pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "n", Name: "a"}}
				adapter.NewRecorder("c").Eventf(pod, nil, corev1.EventTypeNormal, "Reason", "Action", "note")
				synctest.Wait()
				adapter.DeprecatedNewLegacyRecorder("c").Event(pod, corev1.EventTypeNormal, "Other", "message")
				synctest.Wait()
				adapter.Shutdown()
				var groups []string
				for _, action := range client.Actions() {
					if action.Matches("create", "events") {
						groups = append(groups, action.GetResource().Group)
					}
				}
				if !slices.Equal(groups, tt.want) {
					t.Errorf("events in %q, want %q", groups, tt.want)
				}
			})
		})
	}
	adapter := events.NewEventBroadcasterAdapter(fake.NewClientset())
	adapter.Shutdown()
}
