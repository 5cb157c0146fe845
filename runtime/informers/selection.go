package informers

import (
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// selection records the selectors of an informer's requests.
type selection struct {
	mu             sync.Mutex // guards the fields below
	labels, fields string
}

// record returns a tweak that also records the resulting selectors; nil if tweak is nil.
func (s *selection) record(tweak Tweak) Tweak {
	if tweak == nil {
		return nil
	}
	return func(options *metav1.ListOptions) {
		tweak(options)
		s.mu.Lock()
		defer s.mu.Unlock()
		s.labels, s.fields = options.LabelSelector, options.FieldSelector
	}
}

// selectors returns the selectors of the last request, or "" before the first.
func (s *selection) selectors() (labels, fields string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.labels, s.fields
}
