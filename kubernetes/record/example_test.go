package record_test

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/kubernetes/record"
	"github.com/listwatch/listwatch/kubernetes/scheme"
)

// A controller gets a recorder from a broadcaster, which passes its events to a server, or here to a function.
func ExampleNewBroadcaster() {
	broadcaster := record.NewBroadcaster(record.WithContext(context.Background()))
	defer broadcaster.Shutdown()
	received := make(chan *corev1.Event)
	broadcaster.StartEventWatcher(func(event *corev1.Event) { received <- event }) // usually StartRecordingToSink

	recorder := broadcaster.NewRecorder(scheme.Scheme, corev1.EventSource{Component: "librarian"})
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web-1"}}
	recorder.Eventf(pod, corev1.EventTypeNormal, "Lent", "Lent to %s", "Jane")

	event := <-received
	fmt.Println(event.InvolvedObject.Kind, event.InvolvedObject.Name, event.Reason, event.Message)
	// Output: Pod web-1 Lent Lent to Jane
}

// The recorder for tests sends events to a channel, as texts.
func ExampleFakeRecorder() {
	recorder := record.NewFakeRecorder(10)
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web-1"}}
	recorder.Event(pod, corev1.EventTypeWarning, "Overdue", "The book is a week late") // the code under test

	fmt.Println(<-recorder.Events)
	// Output: Warning Overdue The book is a week late
}
