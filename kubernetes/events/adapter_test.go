package events_test

import (
	"testing"
	"testing/synctest"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/kubernetes/events"
	"github.com/listwatch/listwatch/kubernetes/fake"
)

func TestAdapter(t *testing.T) {
	for _, c := range []struct {
		name    string
		serves  bool // events.k8s.io/v1
		actions []string
	}{
		{"server with events.k8s.io/v1", true, []string{"create events.k8s.io", "create "}},
		{"server without", false, []string{"create ", "create "}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				client := fake.NewSimpleClientset()
				if c.serves {
					client.Resources = []*metav1.APIResourceList{{GroupVersion: "events.k8s.io/v1"}}
				}
				a := events.NewEventBroadcasterAdapter(client)
				a.StartRecordingToSink(t.Context().Done())
				pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "library", Name: "desk"}}
				a.NewRecorder("librarian").Eventf(pod, nil, "Normal", "Lent", "Lend", "m")
				synctest.Wait()
				a.DeprecatedNewLegacyRecorder("librarian").Eventf(pod, "Normal", "Returned", "m")
				synctest.Wait()
				a.Shutdown()
				var got []string
				for _, action := range client.Actions() {
					if action.GetResource().Resource == "events" {
						got = append(got, action.GetVerb()+" "+action.GetResource().Group)
					}
				}
				if len(got) != 2 || got[0] != c.actions[0] || got[1] != c.actions[1] {
					t.Errorf("got %q, want %q", got, c.actions)
				}
			})
		})
	}
}
