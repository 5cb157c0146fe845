package events_test

import (
	"cmp"
	"context"
	"slices"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	theirkubernetes "k8s.io/client-go/kubernetes"
	theircorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	theirevents "k8s.io/client-go/tools/events"
	theirrecord "k8s.io/client-go/tools/record"

	"github.com/listwatch/listwatch/apitest/embedded"
	"github.com/listwatch/listwatch/clientgo"
	"github.com/listwatch/listwatch/kubernetes"
	ourevents "github.com/listwatch/listwatch/kubernetes/events"
	ourrecord "github.com/listwatch/listwatch/kubernetes/record"
	ourcorev1 "github.com/listwatch/listwatch/kubernetes/typed/core/v1"
)

// TestOnServer holds that both have the same events on a server, in both APIs.
func TestOnServer(t *testing.T) {
	desk := &corev1.ObjectReference{Kind: "Desk", APIVersion: "example.com/v1", Namespace: "default", Name: "desk", UID: "1"}
	record := func(r recorder, next func()) {
		for range 3 {
			r.Event(desk, corev1.EventTypeNormal, "Lent", "m")
			next()
		}
		r.AnnotatedEventf(desk, map[string]string{"a": "b"}, corev1.EventTypeWarning, "Returned", "by %s", "Emma")
		next()
	}
	series := func(r ourevents.EventRecorder, next func()) {
		for range 2 {
			r.Eventf(desk, desk, corev1.EventTypeNormal, "Lent", "Lend", "m")
			next()
		}
		r.Eventf(desk, nil, corev1.EventTypeNormal, "Returned", "Return", "by %s", "Emma")
		next()
	}
	sides := map[string]func(t *testing.T, server *embedded.Server, next func()){
		"client-go": func(t *testing.T, server *embedded.Server, next func()) {
			client, err := theirkubernetes.NewForConfig(clientgo.ToConfig(server.Config()))
			if err != nil {
				t.Fatal(err)
			}
			b := theirrecord.NewBroadcaster()
			b.StartRecordingToSink(&theircorev1.EventSinkImpl{Interface: client.CoreV1().Events("")})
			record(b.NewRecorder(nil, corev1.EventSource{Component: "librarian"}), next)
			b.Shutdown()
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			e := theirevents.NewBroadcaster(&theirevents.EventSinkImpl{Interface: client.EventsV1()})
			if err := e.StartRecordingToSinkWithContext(ctx); err != nil {
				t.Fatal(err)
			}
			series(e.NewRecorder(nil, "librarian"), next)
			e.Shutdown()
		},
		"listwatch": func(t *testing.T, server *embedded.Server, next func()) {
			client, err := kubernetes.NewForConfig(server.Config())
			if err != nil {
				t.Fatal(err)
			}
			b := ourrecord.NewBroadcaster()
			b.StartRecordingToSink(&ourcorev1.EventSinkImpl{Interface: client.CoreV1().Events("")})
			record(b.NewRecorder(nil, corev1.EventSource{Component: "librarian"}), next)
			b.Shutdown()
			e := ourevents.NewBroadcaster(&ourevents.EventSinkImpl{Interface: client.EventsV1()})
			if err := e.StartRecordingToSinkWithContext(t.Context()); err != nil {
				t.Fatal(err)
			}
			series(e.NewRecorder(nil, "librarian"), next)
			e.Shutdown()
		},
	}
	stored := map[string][]eventsv1.Event{}
	for name, side := range sides {
		server := embedded.Start(t)
		client, err := kubernetes.NewForConfig(server.Config())
		if err != nil {
			t.Fatal(err)
		}
		written, err := client.EventsV1().Events("default").Watch(t.Context(), metav1.ListOptions{})
		if err != nil {
			t.Fatal(err)
		}
		side(t, server, func() {
			select {
			case <-written.ResultChan():
			case <-time.After(time.Minute):
				t.Fatal("no event was written")
			}
		})
		written.Stop()
		list, err := client.EventsV1().Events("default").List(t.Context(), metav1.ListOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for i := range list.Items {
			normalize(&list.Items[i])
		}
		slices.SortFunc(list.Items, func(a, b eventsv1.Event) int {
			return cmp.Or(cmp.Compare(a.Reason, b.Reason), cmp.Compare(a.Action, b.Action))
		})
		stored[name] = list.Items
	}
	if len(stored["listwatch"]) != 4 {
		t.Errorf("%d events, want 4", len(stored["listwatch"]))
	}
	if diff := gocmp.Diff(stored["client-go"], stored["listwatch"]); diff != "" {
		t.Errorf("client-go's - ours +\n%s", diff)
	}
}

// normalize removes what depends on the time.
func normalize(e *eventsv1.Event) {
	e.ObjectMeta = metav1.ObjectMeta{Namespace: e.Namespace, Annotations: e.Annotations}
	e.EventTime = metav1.MicroTime{}
	e.DeprecatedFirstTimestamp, e.DeprecatedLastTimestamp = metav1.Time{}, metav1.Time{}
	if e.Series != nil {
		e.Series.LastObservedTime = metav1.MicroTime{}
	}
}
