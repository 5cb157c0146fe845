package testing_test

import (
	"strings"
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

// TestMustTrackObjects adds an object that the scheme knows, and panics for one that it does not.
func TestMustTrackObjects(t *testing.T) {
	scheme := runtime.NewScheme()
	version := schema.GroupVersion{Group: "example.com", Version: "v1"}
	scheme.AddKnownTypeWithName(version.WithKind("Goose"), &metav1.PartialObjectMetadata{})
	tracker := fakes.NewObjectTracker(scheme, serializer.NewCodecFactory(scheme).UniversalDecoder())
	fake := &fakes.Fake{}
	fakes.MustTrackObjects(fake, tracker, &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Name: "one"}})
	if got, err := fake.Invokes(fakes.NewRootGetAction(version.WithResource("gooses"), "one"), nil); err != nil || got == nil {
		t.Errorf("got %v, %v", got, err)
	}
	defer func() {
		if err, ok := recover().(error); !ok || !strings.Contains(err.Error(), "object 1 (*v1.Status)") {
			t.Errorf("panic with %v", err)
		}
	}()
	fakes.MustTrackObjects(fake, tracker, &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Name: "two"}}, &metav1.Status{})
}
