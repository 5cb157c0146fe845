package testing

import (
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/managedfields"
)

// ObjectReaction returns a reaction that answers from the tracker.
func ObjectReaction(_ ObjectTracker) ReactionFunc { return nil }

// NewObjectTracker returns a tracker.
func NewObjectTracker(_ ObjectScheme, _ runtime.Decoder) ObjectTracker { return nil }

// NewFieldManagedObjectTracker returns a tracker that manages fields.
func NewFieldManagedObjectTracker(_ *runtime.Scheme, _ runtime.Decoder, _ managedfields.TypeConverter) ObjectTracker {
	return nil
}
