package record

import (
	"fmt"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/klog/v2"
)

// FakeRecorder is a recorder for tests, which sends each event as text to a channel: type, reason and message,
// separated by spaces. A full channel blocks its methods; without a channel they do nothing. It is safe for
// concurrent use.
type FakeRecorder struct {
	Events chan string

	// IncludeObject appends the kind and API version that the object itself names.
	IncludeObject bool
}

// NewFakeRecorder returns a recorder with a channel of bufferSize events.
func NewFakeRecorder(bufferSize int) *FakeRecorder {
	return &FakeRecorder{Events: make(chan string, bufferSize)}
}

// Event sends an event.
func (f *FakeRecorder) Event(object runtime.Object, eventtype, reason, message string) {
	f.send(object, nil, eventtype, reason, message)
}

// Eventf sends an event, with a message formatted like by fmt.Sprintf.
func (f *FakeRecorder) Eventf(object runtime.Object, eventtype, reason, messageFmt string, args ...any) {
	f.send(object, nil, eventtype, reason, fmt.Sprintf(messageFmt, args...))
}

// AnnotatedEventf is Eventf, and also appends the annotations, if there are some, in the format of fmt.Sprint.
func (f *FakeRecorder) AnnotatedEventf(object runtime.Object, annotations map[string]string, eventtype, reason, messageFmt string, args ...any) {
	f.send(object, annotations, eventtype, reason, fmt.Sprintf(messageFmt, args...))
}

// WithLogger returns f.
func (f *FakeRecorder) WithLogger(klog.Logger) EventRecorderLogger { return f }

func (f *FakeRecorder) send(object runtime.Object, annotations map[string]string, eventtype, reason, message string) {
	if f.Events == nil {
		return
	}
	text := eventtype + " " + reason + " " + message
	if f.IncludeObject && object != nil {
		kind := object.GetObjectKind().GroupVersionKind()
		text += fmt.Sprintf(" involvedObject{kind=%s,apiVersion=%s}", kind.Kind, kind.GroupVersion())
	}
	if len(annotations) > 0 {
		text += " " + fmt.Sprint(annotations)
	}
	f.Events <- text
}
