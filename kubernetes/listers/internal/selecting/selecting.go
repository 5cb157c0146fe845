// Package selecting finds the objects that select another one by its labels, as a ReplicaSet selects
// its pods. It serves the hand-written methods of listers.
package selecting

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
)

// Lister lists the objects of one namespace.
type Lister[T any] interface {
	List(selector labels.Selector) ([]T, error)
}

// Find returns the objects whose selector matches a set of labels. A missing, empty or invalid selector
// matches nothing. The error is the lister's.
func Find[T any](lister Lister[T], set map[string]string, selectorOf func(T) *metav1.LabelSelector) ([]T, error) {
	return FindAny(lister, set, func(object T) labels.Selector {
		selector, err := metav1.LabelSelectorAsSelector(selectorOf(object))
		if err != nil || selector.Empty() {
			return labels.Nothing()
		}
		return selector
	})
}

// FindAny is [Find] for selectors of any kind; an empty one matches everything.
func FindAny[T any](lister Lister[T], set map[string]string, selectorOf func(T) labels.Selector) ([]T, error) {
	list, err := lister.List(labels.Everything())
	if err != nil {
		return nil, err
	}
	var found []T
	for _, object := range list {
		if selectorOf(object).Matches(labels.Set(set)) {
			found = append(found, object)
		}
	}
	return found, nil
}
