package scheme

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// Scale is the number of replicas of an object, of no particular version.
type Scale struct {
	metav1.TypeMeta
	metav1.ObjectMeta

	// Spec is what is requested.
	Spec ScaleSpec
	// Status is what is there.
	Status ScaleStatus
}

// ScaleSpec is the requested part of a Scale.
type ScaleSpec struct {
	// Replicas is the requested number.
	Replicas int32
}

// ScaleStatus is the observed part of a Scale.
type ScaleStatus struct {
	// Replicas is the present number.
	Replicas int32
	// Selector selects the pods; nil if it is unknown.
	Selector *metav1.LabelSelector
}

// DeepCopyObject returns a copy of s.
func (s *Scale) DeepCopyObject() runtime.Object {
	if s == nil {
		return nil
	}
	return s.DeepCopy()
}

// DeepCopy returns a copy of s, nil for nil.
func (s *Scale) DeepCopy() *Scale {
	if s == nil {
		return nil
	}
	out := &Scale{}
	s.DeepCopyInto(out)
	return out
}

// DeepCopyInto sets out to a copy of s.
func (s *Scale) DeepCopyInto(out *Scale) {
	*out = *s
	s.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	s.Status.DeepCopyInto(&out.Status)
}

// DeepCopy returns a copy of s, nil for nil.
func (s *ScaleSpec) DeepCopy() *ScaleSpec {
	if s == nil {
		return nil
	}
	out := *s
	return &out
}

// DeepCopyInto sets out to a copy of s.
func (s *ScaleSpec) DeepCopyInto(out *ScaleSpec) { *out = *s }

// DeepCopy returns a copy of s, nil for nil.
func (s *ScaleStatus) DeepCopy() *ScaleStatus {
	if s == nil {
		return nil
	}
	out := &ScaleStatus{}
	s.DeepCopyInto(out)
	return out
}

// DeepCopyInto sets out to a copy of s.
func (s *ScaleStatus) DeepCopyInto(out *ScaleStatus) {
	*out = *s
	out.Selector = s.Selector.DeepCopy()
}
