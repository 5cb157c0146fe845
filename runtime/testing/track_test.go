package testing_test

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"

	fakes "github.com/listwatch/listwatch/runtime/testing"
)

// TestNameResource checks that added objects are found under the resource set for their kind.
func TestNameResource(t *testing.T) {
	version := schema.GroupVersion{Group: "example.com", Version: "v1"}
	goose := version.WithKind("Goose")
	scheme := runtime.NewScheme()
	scheme.AddKnownTypeWithName(goose, &metav1.PartialObjectMetadata{})
	for resource, named := range map[string]bool{"geese": true, "gooses": false} {
		tracker := fakes.NewServerObjectTracker(scheme, serializer.NewCodecFactory(scheme).UniversalDecoder(), nil)
		if named {
			fakes.NameResource(tracker, goose, resource)
		}
		if err := tracker.Add(&metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Name: "one", Namespace: "here"}}); err != nil {
			t.Fatal(err)
		}
		if _, err := tracker.Get(version.WithResource(resource), "here", "one"); err != nil {
			t.Error(err)
		}
	}
}
