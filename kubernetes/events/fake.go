package events

import (
	"fmt"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/klog/v2"
)

// FakeRecorder is a recorder for tests, which sends each event as text to a channel: type, reason and note,
// separated by spaces. A full channel blocks its methods; without a channel they do nothing. It is safe for
// concurrent use.
type FakeRecorder struct {
	Events chan string

	// Verbose inserts the action before the note, and appends the kinds and API versions that the objects
	// themselves name, and the annotations.
	Verbose bool
}

// NewFakeRecorder returns a recorder with a channel of bufferSize events.
func NewFakeRecorder(bufferSize int) *FakeRecorder {
	return &FakeRecorder{Events: make(chan string, bufferSize)}
}

// Eventf sends an event.
func (f *FakeRecorder) Eventf(regarding, related runtime.Object, eventtype, reason, action, note string, args ...any) {
	f.AnnotatedEventf(regarding, related, nil, eventtype, reason, action, note, args...)
}

// AnnotatedEventf sends an event with annotations, which only Verbose shows.
func (f *FakeRecorder) AnnotatedEventf(regarding, related runtime.Object, annotations map[string]string, eventtype, reason, action, note string, args ...any) {
	if f.Events == nil {
		return
	}
	text := eventtype + " " + reason + " "
	if f.Verbose {
		text += action + " "
	}
	text += fmt.Sprintf(note, args...)
	if f.Verbose {
		text += kindText(regarding) + kindText(related)
		if len(annotations) > 0 {
			text += " " + fmt.Sprint(annotations)
		}
	}
	f.Events <- text
}

// WithLogger returns f.
func (f *FakeRecorder) WithLogger(klog.Logger) EventRecorderLogger { return f }

// kindText returns the kind that an object names, if it names one.
func kindText(object runtime.Object) string {
	if object == nil {
		return ""
	}
	kind := object.GetObjectKind().GroupVersionKind()
	if kind.Empty() {
		return ""
	}
	return fmt.Sprintf(" {kind=%s,apiVersion=%s}", kind.Kind, kind.GroupVersion())
}
