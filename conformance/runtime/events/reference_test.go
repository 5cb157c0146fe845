package events_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"
	theirs "k8s.io/client-go/tools/reference"

	ours "github.com/listwatch/listwatch/kubernetes/reference"
)

// TestReferences compares references to an object of each built-in type.
func TestReferences(t *testing.T) {
	for kind := range scheme.Scheme.AllKnownTypes() {
		object, err := scheme.Scheme.New(kind)
		if err != nil {
			t.Fatal(err)
		}
		if accessor, err := meta.Accessor(object); err == nil {
			accessor.SetName("desk")
			accessor.SetNamespace("library")
			accessor.SetUID("7")
			accessor.SetResourceVersion("9")
		}
		for _, known := range []*runtime.Scheme{scheme.Scheme, runtime.NewScheme(), nil} {
			for _, object := range []runtime.Object{object, typed(object, kind.GroupVersion().String(), kind.Kind)} {
				compareReferences(t, known, object)
			}
		}
	}
	compareReferences(t, nil, nil)
	compareReferences(t, nil, &corev1.ObjectReference{Kind: "Desk"})
	compareReferences(t, nil, &runtime.Unknown{})
}

// typed returns a copy that names its kind.
func typed(object runtime.Object, version, kind string) runtime.Object {
	object = object.DeepCopyObject()
	if accessor, err := meta.TypeAccessor(object); err == nil {
		accessor.SetAPIVersion(version)
		accessor.SetKind(kind)
	}
	return object
}

func compareReferences(t *testing.T, known *runtime.Scheme, object runtime.Object) {
	t.Helper()
	your, yourErr := theirs.GetReference(known, object)
	mine, myErr := ours.GetReference(known, object)
	if diff := cmp.Diff(your, mine); diff != "" || (yourErr == nil) != (myErr == nil) {
		t.Errorf("%T: errors %v, %v; client-go's - ours +\n%s", object, yourErr, myErr, diff)
	}
	your, yourErr = theirs.GetPartialReference(known, object, "spec")
	mine, myErr = ours.GetPartialReference(known, object, "spec")
	if diff := cmp.Diff(your, mine); diff != "" || (yourErr == nil) != (myErr == nil) {
		t.Errorf("%T: errors %v, %v; client-go's - ours +\n%s", object, yourErr, myErr, diff)
	}
}
