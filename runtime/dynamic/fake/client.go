package fake

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"

	"github.com/listwatch/listwatch/runtime/dynamic"
	"github.com/listwatch/listwatch/runtime/testing"
)

// FakeDynamicClient implements [dynamic.Interface] without a server. The zero value cannot be used.
//
//nolint:revive // the name is part of the compatible API
type FakeDynamicClient struct {
	testing.Fake
	scheme    *runtime.Scheme
	listKinds map[schema.GroupVersionResource]string
	tracker   testing.ObjectTracker
}

var (
	_ dynamic.Interface  = (*FakeDynamicClient)(nil)
	_ testing.FakeClient = (*FakeDynamicClient)(nil)
)

// NewSimpleDynamicClient returns a client that stores the objects, typed or not. The kinds of the scheme, which
// is not modified, and of the objects are known to it, as untyped objects. It panics if an object cannot be
// stored.
func NewSimpleDynamicClient(scheme *runtime.Scheme, objects ...runtime.Object) *FakeDynamicClient {
	known := runtime.NewScheme()
	for gvk := range scheme.AllKnownTypes() {
		addUntyped(known, gvk)
	}
	untyped := make([]runtime.Object, len(objects))
	for i, obj := range objects {
		u, err := toUntyped(scheme, obj)
		if err != nil {
			panic(err)
		}
		addUntyped(known, u.GroupVersionKind())
		addUntyped(known, listKindOf(u.GroupVersionKind()))
		untyped[i] = u
	}
	return NewSimpleDynamicClientWithCustomListKinds(known, nil, untyped...)
}

// NewSimpleDynamicClientWithCustomListKinds returns a client that stores the objects, with the kinds of the lists
// of the given resources, for those whose name the kind does not suggest. The kinds, which must end in List, are
// added to the scheme. It panics if one does not, or an object cannot be stored.
func NewSimpleDynamicClientWithCustomListKinds(scheme *runtime.Scheme, gvrToListKind map[schema.GroupVersionResource]string, objects ...runtime.Object) *FakeDynamicClient {
	listKinds := map[schema.GroupVersionResource]string{}
	for gvk := range scheme.AllKnownTypes() {
		if kind, ok := strings.CutSuffix(gvk.Kind, "List"); ok {
			resource, _ := meta.UnsafeGuessKindToResource(gvk.GroupVersion().WithKind(kind))
			listKinds[resource] = gvk.Kind
		}
	}
	for resource, kind := range gvrToListKind {
		if !strings.HasSuffix(kind, "List") {
			panic(fmt.Sprintf("coding error, listGVK must end in List or this fake client doesn't work right: %q of %v does not", kind, resource))
		}
		addUntyped(scheme, resource.GroupVersion().WithKind(kind))
		listKinds[resource] = kind
	}

	c := &FakeDynamicClient{
		scheme:    scheme,
		listKinds: listKinds,
		tracker:   testing.NewObjectTracker(scheme, serializer.NewCodecFactory(scheme).UniversalDecoder()),
	}
	if err := testing.TrackObjects(&c.Fake, c.tracker, objects...); err != nil {
		panic(err)
	}
	return c
}

// Tracker returns the storage of the objects.
func (c *FakeDynamicClient) Tracker() testing.ObjectTracker { return c.tracker }

// Resource implements [dynamic.Interface].
func (c *FakeDynamicClient) Resource(resource schema.GroupVersionResource) dynamic.NamespaceableResourceInterface {
	return &resourceClient{client: c, resource: resource}
}

// IsWatchListSemanticsUnSupported makes informers list and then watch, which is what the reactors of tests
// expect.
func (c *FakeDynamicClient) IsWatchListSemanticsUnSupported() bool { return true }

// addUntyped adds a kind to a scheme, as untyped, unless the scheme has it.
func addUntyped(scheme *runtime.Scheme, gvk schema.GroupVersionKind) {
	switch {
	case scheme.Recognizes(gvk):
	case strings.HasSuffix(gvk.Kind, "List"):
		scheme.AddKnownTypeWithName(gvk, &unstructured.UnstructuredList{})
	default:
		scheme.AddKnownTypeWithName(gvk, &unstructured.Unstructured{})
	}
}

// listKindOf returns the kind of lists of a kind.
func listKindOf(gvk schema.GroupVersionKind) schema.GroupVersionKind {
	return gvk.GroupVersion().WithKind(gvk.Kind + "List")
}

// toUntyped returns obj as an untyped object that has a kind: its own, or the scheme's for its type.
func toUntyped(scheme *runtime.Scheme, obj runtime.Object) (*unstructured.Unstructured, error) {
	content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(obj)
	if err != nil {
		return nil, fmt.Errorf("failed to convert to unstructured: %w", err)
	}
	u := &unstructured.Unstructured{Object: content}
	if gvk := u.GroupVersionKind(); gvk.Group != "" && gvk.Kind != "" {
		return u, nil
	}
	kinds, _, err := scheme.ObjectKinds(obj)
	if err != nil {
		return nil, fmt.Errorf("failed to convert to unstructured - unable to get GVK %w", err)
	}
	u.SetGroupVersionKind(kinds[0])
	return u, nil
}
