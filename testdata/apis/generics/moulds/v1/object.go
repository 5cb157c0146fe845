package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Object is what every kind of this group is made of.
type Object[S copier[S], T copier[T]] struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   S `json:"spec"`
	Status T `json:"status,omitempty"`
}

// List is what every list of this group is made of.
type List[K any] struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []K `json:"items"`
}

// copier is a value that makes copies of itself.
type copier[V any] interface {
	Copy() V
}

func (o Object[S, T]) copy() Object[S, T] {
	return Object[S, T]{
		TypeMeta:   o.TypeMeta,
		ObjectMeta: *o.ObjectMeta.DeepCopy(),
		Spec:       o.Spec.Copy(),
		Status:     o.Status.Copy(),
	}
}
