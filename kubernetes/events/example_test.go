package events_test

import (
	"context"
	"fmt"
	"log"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/listwatch/listwatch/kubernetes/events"
	"github.com/listwatch/listwatch/kubernetes/fake"
	"github.com/listwatch/listwatch/kubernetes/scheme"
	"github.com/listwatch/listwatch/runtime/testing"
)

// A controller gets a recorder from a broadcaster, which writes its events with a client.
func ExampleNewBroadcaster() {
	clientset := fake.NewClientset() // in a program, kubernetes.NewForConfig
	written := make(chan *eventsv1.Event)
	clientset.PrependReactor("create", "events", func(action testing.Action) (bool, runtime.Object, error) {
		event := action.(testing.CreateAction).GetObject().(*eventsv1.Event)
		written <- event
		return true, event, nil
	})

	broadcaster := events.NewBroadcaster(&events.EventSinkImpl{Interface: clientset.EventsV1()})
	defer broadcaster.Shutdown()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if err := broadcaster.StartRecordingToSinkWithContext(ctx); err != nil {
		log.Fatal(err)
	}
	recorder := broadcaster.NewRecorder(scheme.Scheme, "example.com/librarian")
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web-1"}}
	recorder.Eventf(pod, nil, corev1.EventTypeNormal, "Available", "Lend", "Lent to %s", "Jane")

	event := <-written
	fmt.Println(event.Regarding.Name, event.Action, event.Reason, event.Note)
	// Output: web-1 Lend Available Lent to Jane
}

// The recorder for tests sends events to a channel, as texts.
func ExampleFakeRecorder() {
	recorder := events.NewFakeRecorder(10)
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web-1"}}
	recorder.Eventf(pod, nil, corev1.EventTypeWarning, "Overdue", "Remind", "The book is %s late", "a week") // the code under test

	fmt.Println(<-recorder.Events)
	// Output: Warning Overdue The book is a week late
}
