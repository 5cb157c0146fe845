package fake

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"

	"github.com/listwatch/listwatch/runtime/metadata"
	"github.com/listwatch/listwatch/runtime/testing"
)

// MetadataClient contains the verbs of a resource, and those that a metadata client lacks, to prepare a test.
type MetadataClient interface {
	metadata.Getter
	// CreateFake stores a new object and returns it as stored. The options are ignored.
	CreateFake(obj *metav1.PartialObjectMetadata, opts metav1.CreateOptions, subresources ...string) (*metav1.PartialObjectMetadata, error)
	// UpdateFake replaces the object of the same name and returns it as stored. The options are ignored.
	UpdateFake(obj *metav1.PartialObjectMetadata, opts metav1.UpdateOptions, subresources ...string) (*metav1.PartialObjectMetadata, error)
}

// FakeMetadataClient implements [metadata.Interface] without a server. The zero value cannot be used.
//
//nolint:revive // the name is part of the compatible API
type FakeMetadataClient struct {
	testing.Fake
	tracker testing.ObjectTracker
}

var (
	_ metadata.Interface = (*FakeMetadataClient)(nil)
	_ testing.FakeClient = (*FakeMetadataClient)(nil)
)

// itemKind is the kind of a resource's objects in the actions of lists; that of the lists, to which trackers append
// List, is a metav1.List.
var itemKind = schema.GroupVersionKind{Group: "fake-metadata-client-group", Version: "v1"}

// NewTestScheme returns an empty scheme. A scheme belongs to one client.
func NewTestScheme() *runtime.Scheme { return runtime.NewScheme() }

// NewSimpleMetadataClient returns a client that stores the objects. They must be *metav1.PartialObjectMetadata, of
// a kind that the scheme knows as this type or that they have set themselves, if the scheme knows the type. The kind of
// lists is added to the scheme. It panics if an object cannot be stored.
func NewSimpleMetadataClient(scheme *runtime.Scheme, objects ...runtime.Object) *FakeMetadataClient {
	listKind := itemKind.GroupVersion().WithKind("List")
	if !scheme.Recognizes(listKind) {
		scheme.AddKnownTypeWithName(listKind, &metav1.List{})
	}
	c := &FakeMetadataClient{tracker: testing.NewObjectTracker(scheme, serializer.NewCodecFactory(scheme).UniversalDeserializer())}
	if err := testing.TrackObjects(&c.Fake, c.tracker, objects...); err != nil {
		panic(err)
	}
	return c
}

// Tracker returns the storage of the objects.
func (c *FakeMetadataClient) Tracker() testing.ObjectTracker { return c.tracker }

// Resource implements [metadata.Interface]. The result is a [MetadataClient].
func (c *FakeMetadataClient) Resource(resource schema.GroupVersionResource) metadata.Getter {
	return &resourceClient{client: c, resource: resource}
}

// IsWatchListSemanticsUnSupported makes informers list and then watch, which is what the reactors of tests
// expect.
func (c *FakeMetadataClient) IsWatchListSemanticsUnSupported() bool { return true }
