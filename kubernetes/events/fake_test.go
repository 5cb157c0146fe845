package events_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	eventsv1beta1 "k8s.io/api/events/v1beta1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/klog/v2"

	"github.com/listwatch/listwatch/kubernetes/events"
	"github.com/listwatch/listwatch/kubernetes/fake"
)

func TestFakeRecorder(t *testing.T) {
	pod := &corev1.Pod{TypeMeta: metav1.TypeMeta{Kind: "Pod", APIVersion: "v1"}}
	recorder := events.NewFakeRecorder(10)
	r := recorder.WithLogger(klog.Logger{})
	r.Eventf(pod, nil, "Normal", "Lent", "Lend", "to %s", "Emma")
	recorder.Verbose = true
	r.Eventf(pod, &corev1.Pod{}, "Normal", "Lent", "Lend", "to %s", "Emma")
	recorder.AnnotatedEventf(nil, pod, map[string]string{"a": "b"}, "Normal", "50%", "Lend", "m")
	for _, want := range []string{
		"Normal Lent to Emma",
		"Normal Lent Lend to Emma {kind=Pod,apiVersion=v1}",
		"Normal 50% Lend m {kind=Pod,apiVersion=v1} map[a:b]",
	} {
		if got := <-recorder.Events; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	(&events.FakeRecorder{}).Eventf(pod, nil, "Normal", "Lent", "Lend", "m") // does not block
}

func TestGetFieldSelector(t *testing.T) {
	kind := schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Desk"}
	for _, c := range []struct {
		version schema.GroupVersion
		kind    schema.GroupVersionKind
		name    string
		want    string
	}{
		{corev1.SchemeGroupVersion, kind, "d", "involvedObject.name=d,involvedObject.kind=Desk,involvedObject.apiVersion=example.com/v1,involvedObject.uid=7"},
		{eventsv1.SchemeGroupVersion, kind, "d", "regarding.name=d,regarding.kind=Desk,regarding.apiVersion=example.com/v1,regarding.uid=7"},
		{eventsv1beta1.SchemeGroupVersion, schema.GroupVersionKind{}, "", "regarding.uid=7"},
	} {
		got, err := events.GetFieldSelector(c.version, c.kind, c.name, "7")
		if err != nil || got.String() != c.want {
			t.Errorf("%s: got %v, %v; want %s", c.version, got, err, c.want)
		}
	}
	if got, err := events.GetFieldSelector(schema.GroupVersion{Group: "apps", Version: "v1"}, kind, "d", ""); err == nil {
		t.Errorf("got %v for an unknown version", got)
	}
}

func TestEventSinkImpl(t *testing.T) {
	client := fake.NewSimpleClientset()
	s := &events.EventSinkImpl{Interface: client.EventsV1()}
	event := &eventsv1.Event{ObjectMeta: metav1.ObjectMeta{Namespace: "library", Name: "e"}, Note: "old"}
	if _, err := s.Create(t.Context(), event); err != nil {
		t.Fatal(err)
	}
	event.Note = "new"
	if got, err := s.Update(t.Context(), event); err != nil || got.Note != "new" {
		t.Fatalf("the update returns %v and %v, want the note new", got, err)
	}
	got, err := s.Patch(t.Context(), event, []byte(`{"series":{"count":2}}`))
	if err != nil || got.Series == nil || got.Series.Count != 2 || got.Note != "new" {
		t.Fatalf("the patch returns %v and %v, want the note new and a series of 2", got, err)
	}
	event.Namespace = ""
	if _, err := s.Create(t.Context(), event); err == nil {
		t.Error("created without a namespace")
	}
	if _, err := s.Update(t.Context(), event); err == nil {
		t.Error("updated without a namespace")
	}
	if _, err := s.Patch(t.Context(), event, nil); err == nil {
		t.Error("patched without a namespace")
	}
}
