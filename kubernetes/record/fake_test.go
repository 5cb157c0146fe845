package record_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/klog/v2"

	"github.com/listwatch/listwatch/kubernetes/record"
)

func TestFakeRecorder(t *testing.T) {
	pod := &corev1.Pod{TypeMeta: metav1.TypeMeta{Kind: "Pod", APIVersion: "v1"}}
	fake := record.NewFakeRecorder(10)
	r := fake.WithLogger(klog.Logger{})
	r.Event(pod, "Normal", "Lent", "100%")
	r.Eventf(nil, "Normal", "Lent", "to %s", "Emma")
	r.AnnotatedEventf(pod, map[string]string{"a": "b"}, "Warning", "50%", "to %d", 7)
	fake.IncludeObject = true
	r.Event(pod, "Normal", "Lent", "m")
	r.Event(nil, "Normal", "Lent", "m")
	for _, want := range []string{
		"Normal Lent 100%",
		"Normal Lent to Emma",
		"Warning 50% to 7 map[a:b]",
		"Normal Lent m involvedObject{kind=Pod,apiVersion=v1}",
		"Normal Lent m",
	} {
		if got := <-fake.Events; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	(&record.FakeRecorder{}).Event(pod, "Normal", "Lent", "m") // does not block
}

func TestAdapter(t *testing.T) {
	fake := record.NewFakeRecorder(2)
	a := record.NewEventRecorderAdapter(fake)
	a.WithLogger(klog.Logger{}).Eventf(nil, nil, "Normal", "Lent", "Lend", "to %s", "Emma")
	a.AnnotatedEventf(nil, nil, map[string]string{"a": "b"}, "Normal", "Lent", "Lend", "to %s", "Emma")
	for _, want := range []string{"Normal Lent to Emma", "Normal Lent to Emma map[a:b]"} {
		if got := <-fake.Events; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
