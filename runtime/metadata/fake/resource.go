package fake

import (
	"context"
	"fmt"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/listwatch/listwatch/runtime/metadata"
	"github.com/listwatch/listwatch/runtime/testing"
)

// unhandled is the result of an action that no reactor has handled.
var unhandled runtime.Object = &metav1.Status{}

// resourceClient contains the verbs of a resource in a namespace, or in all if it is empty.
type resourceClient struct {
	client    *FakeMetadataClient
	resource  schema.GroupVersionResource
	namespace string
}

var _ MetadataClient = (*resourceClient)(nil)

// Namespace implements [metadata.Getter]. The result is a [MetadataClient].
func (c *resourceClient) Namespace(namespace string) metadata.ResourceInterface {
	return &resourceClient{client: c.client, resource: c.resource, namespace: namespace}
}

// IsWatchListSemanticsUnSupported is [FakeMetadataClient.IsWatchListSemanticsUnSupported].
func (c *resourceClient) IsWatchListSemanticsUnSupported() bool { return true }

// CreateFake implements [MetadataClient].
func (c *resourceClient) CreateFake(obj *metav1.PartialObjectMetadata, _ metav1.CreateOptions, subresources ...string) (*metav1.PartialObjectMetadata, error) {
	if len(subresources) == 0 {
		return c.invoke(testing.NewCreateAction(c.resource, c.namespace, obj), obj)
	}
	return c.invoke(testing.NewCreateSubresourceAction(c.resource, obj.Name, path(subresources), c.namespace, obj), obj)
}

// UpdateFake implements [MetadataClient].
func (c *resourceClient) UpdateFake(obj *metav1.PartialObjectMetadata, _ metav1.UpdateOptions, subresources ...string) (*metav1.PartialObjectMetadata, error) {
	return c.invoke(testing.NewUpdateSubresourceAction(c.resource, path(subresources), c.namespace, obj), obj)
}

// UpdateStatus is UpdateFake of the subresource status.
func (c *resourceClient) UpdateStatus(obj *metav1.PartialObjectMetadata, opts metav1.UpdateOptions) (*metav1.PartialObjectMetadata, error) {
	return c.UpdateFake(obj, opts, "status")
}

// Delete implements [metadata.ResourceInterface].
func (c *resourceClient) Delete(_ context.Context, name string, opts metav1.DeleteOptions, subresources ...string) error {
	_, err := c.client.Invokes(testing.NewDeleteSubresourceActionWithOptions(c.resource, path(subresources), c.namespace, name, opts), nil)
	return err
}

// DeleteCollection implements [metadata.ResourceInterface]. Without a reactor for it, it deletes nothing.
func (c *resourceClient) DeleteCollection(_ context.Context, _ metav1.DeleteOptions, listOptions metav1.ListOptions) error {
	_, err := c.client.Invokes(testing.NewDeleteCollectionAction(c.resource, c.namespace, listOptions), nil)
	return err
}

// Get implements [metadata.ResourceInterface].
func (c *resourceClient) Get(_ context.Context, name string, _ metav1.GetOptions, subresources ...string) (*metav1.PartialObjectMetadata, error) {
	return c.invoke(testing.NewGetSubresourceAction(c.resource, c.namespace, path(subresources), name), unhandled)
}

// List implements [metadata.ResourceInterface]. The items that a reactor returns, in a metav1.List, are filtered by the
// label selector.
func (c *resourceClient) List(_ context.Context, opts metav1.ListOptions) (*metav1.PartialObjectMetadataList, error) {
	obj, err := c.client.Invokes(testing.NewListAction(c.resource, itemKind, c.namespace, opts), unhandled)
	if obj == nil || err != nil {
		return nil, err
	}
	all, ok := obj.(*metav1.List)
	if !ok {
		return nil, fmt.Errorf("incoming object is incorrect type %T", obj)
	}
	selector, _, _ := testing.ExtractFromListOptions(opts)
	if selector == nil {
		selector = labels.Everything()
	}
	list := &metav1.PartialObjectMetadataList{ListMeta: all.ListMeta}
	for i := range all.Items {
		item, ok := all.Items[i].Object.(*metav1.PartialObjectMetadata)
		if !ok {
			return nil, fmt.Errorf("item %d in list %T is %T", i, all, all.Items[i].Object)
		}
		if selector.Matches(labels.Set(item.Labels)) {
			list.Items = append(list.Items, *item)
		}
	}
	return list, nil
}

// Watch implements [metadata.ResourceInterface].
func (c *resourceClient) Watch(_ context.Context, opts metav1.ListOptions) (watch.Interface, error) {
	opts.Watch = true
	return c.client.InvokesWatch(testing.NewWatchAction(c.resource, c.namespace, opts))
}

// Patch implements [metadata.ResourceInterface].
func (c *resourceClient) Patch(_ context.Context, name string, pt types.PatchType, data []byte, _ metav1.PatchOptions, subresources ...string) (*metav1.PartialObjectMetadata, error) {
	return c.invoke(testing.NewPatchSubresourceAction(c.resource, c.namespace, name, pt, data, subresources...), unhandled)
}

// invoke records an action and returns the object that a reactor returns, which may be nil, or otherwise byDefault.
func (c *resourceClient) invoke(action testing.Action, byDefault runtime.Object) (*metav1.PartialObjectMetadata, error) {
	obj, err := c.client.Invokes(action, byDefault)
	if obj == nil || err != nil {
		return nil, err
	}
	partial, ok := obj.(*metav1.PartialObjectMetadata)
	if !ok {
		return nil, fmt.Errorf("unexpected return value type %T", obj)
	}
	return partial, nil
}

// path returns the path of a subresource.
func path(subresources []string) string { return strings.Join(subresources, "/") }
