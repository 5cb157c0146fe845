package record

import (
	"encoding/json"
	"sync"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/lru"
)

// observations counts how often each event occurred. It is safe for concurrent use.
type observations struct {
	mu     sync.Mutex // makes each change of latest one step
	latest *lru.Cache // of observation, by the key of an event
}

// observation is the state of an event at its latest occurrence.
type observation struct {
	count           int32
	first           metav1.Time
	name            string
	resourceVersion string
}

func newObservations(size int) *observations {
	return &observations{latest: lru.New(size)}
}

// observe counts an event. It returns a copy of the event as it is to be written; if it occurred before, that
// has the name, the first time and the count of the existing event, and there is a patch that updates it.
func (o *observations) observe(newEvent *corev1.Event, key string) (*corev1.Event, []byte) {
	event := *newEvent
	o.mu.Lock()
	defer o.mu.Unlock()
	before, _ := o.latest.Get(key)
	last, _ := before.(observation)
	var patch []byte
	if last.count > 0 {
		event.Name = last.name
		event.ResourceVersion = last.resourceVersion
		event.FirstTimestamp = last.first
		event.Count = last.count + 1
		patch = patchOf(&event)
	}
	o.add(&event, key)
	return &event, patch
}

// update replaces what is known about an event by what the server returned.
func (o *observations) update(event *corev1.Event) {
	key := eventKey(event)
	o.mu.Lock()
	defer o.mu.Unlock()
	o.add(event, key)
}

func (o *observations) add(event *corev1.Event, key string) {
	o.latest.Add(key, observation{
		count: event.Count, first: event.FirstTimestamp, name: event.Name, resourceVersion: event.ResourceVersion,
	})
}

// patchOf returns a strategic merge patch of what differs between two occurrences of an event.
func patchOf(event *corev1.Event) []byte {
	patch, _ := json.Marshal(struct { // which cannot fail: these fields have a representation for all values
		Count         int32       `json:"count,omitempty"`
		LastTimestamp metav1.Time `json:"lastTimestamp"`
		Message       string      `json:"message,omitempty"`
	}{event.Count, event.LastTimestamp, event.Message})
	return patch
}
