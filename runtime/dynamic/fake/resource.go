package fake

import (
	"context"
	"errors"
	"fmt"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/listwatch/listwatch/runtime/codec"
	"github.com/listwatch/listwatch/runtime/dynamic"
	"github.com/listwatch/listwatch/runtime/testing"
)

// errNoReactor is the error of an action that returns an object and that no reactor has handled.
var errNoReactor = errors.New("no reactor handled the action")

// unhandled stands for the result of such an action.
var unhandled runtime.Object = &metav1.Status{}

// resourceClient contains the verbs of a resource in a namespace, or in all if it is empty.
type resourceClient struct {
	client    *FakeDynamicClient
	resource  schema.GroupVersionResource
	namespace string
}

// Namespace implements [dynamic.NamespaceableResourceInterface].
func (c *resourceClient) Namespace(namespace string) dynamic.ResourceInterface {
	return &resourceClient{client: c.client, resource: c.resource, namespace: namespace}
}

// IsWatchListSemanticsUnSupported is [FakeDynamicClient.IsWatchListSemanticsUnSupported].
func (c *resourceClient) IsWatchListSemanticsUnSupported() bool { return true }

// Create implements [dynamic.ResourceInterface].
func (c *resourceClient) Create(_ context.Context, obj *unstructured.Unstructured, opts metav1.CreateOptions, subresources ...string) (*unstructured.Unstructured, error) {
	if len(subresources) == 0 {
		return c.invoke(testing.NewCreateActionWithOptions(c.resource, c.namespace, obj, opts), obj)
	}
	return c.invoke(testing.NewCreateSubresourceActionWithOptions(c.resource, obj.GetName(), path(subresources), c.namespace, obj, opts), obj)
}

// Update implements [dynamic.ResourceInterface].
func (c *resourceClient) Update(_ context.Context, obj *unstructured.Unstructured, opts metav1.UpdateOptions, subresources ...string) (*unstructured.Unstructured, error) {
	return c.invoke(testing.NewUpdateSubresourceActionWithOptions(c.resource, path(subresources), c.namespace, obj, opts), obj)
}

// UpdateStatus implements [dynamic.ResourceInterface].
func (c *resourceClient) UpdateStatus(ctx context.Context, obj *unstructured.Unstructured, opts metav1.UpdateOptions) (*unstructured.Unstructured, error) {
	return c.Update(ctx, obj, opts, "status")
}

// Delete implements [dynamic.ResourceInterface].
func (c *resourceClient) Delete(_ context.Context, name string, opts metav1.DeleteOptions, subresources ...string) error {
	_, err := c.client.Invokes(testing.NewDeleteSubresourceActionWithOptions(c.resource, path(subresources), c.namespace, name, opts), nil)
	return err
}

// DeleteCollection implements [dynamic.ResourceInterface]. Without a reactor for it, it deletes nothing.
func (c *resourceClient) DeleteCollection(_ context.Context, opts metav1.DeleteOptions, listOptions metav1.ListOptions) error {
	_, err := c.client.Invokes(testing.NewDeleteCollectionActionWithOptions(c.resource, c.namespace, opts, listOptions), nil)
	return err
}

// Get implements [dynamic.ResourceInterface].
func (c *resourceClient) Get(_ context.Context, name string, opts metav1.GetOptions, subresources ...string) (*unstructured.Unstructured, error) {
	return c.invoke(testing.NewGetSubresourceActionWithOptions(c.resource, c.namespace, path(subresources), name, opts), unhandled)
}

// List implements [dynamic.ResourceInterface]. The items that a reactor returns are filtered by the label
// selector. It panics if the kind of the resource's lists is unknown.
func (c *resourceClient) List(_ context.Context, opts metav1.ListOptions) (*unstructured.UnstructuredList, error) {
	kind, ok := c.client.listKinds[c.resource]
	if !ok {
		panic(fmt.Sprintf("coding error: you must register resource to list kind for every resource you're going to LIST when creating the client.  See NewSimpleDynamicClientWithCustomListKinds or register the list into the scheme: %v out of %v", c.resource, c.client.listKinds))
	}
	gvk := c.resource.GroupVersion().WithKind(kind)
	// The tracker appends List to the kind of an action.
	ofItems := c.resource.GroupVersion().WithKind(strings.TrimSuffix(kind, "List"))
	action := testing.NewListActionWithOptions(c.resource, ofItems, c.namespace, opts)
	if c.namespace == "" {
		action = testing.NewRootListActionWithOptions(c.resource, ofItems, opts) // without options other than selectors
	}
	obj, err := c.client.Invokes(action, unhandled)
	if obj == nil || err != nil {
		return nil, err
	}
	all, err := c.untyped(obj)
	if err != nil {
		return nil, err
	}
	list, err := all.ToList()
	if err != nil {
		return nil, err
	}
	return selected(list, gvk, opts), nil
}

// selected returns the items of a list that the options select, as a list of kind gvk.
func selected(all *unstructured.UnstructuredList, gvk schema.GroupVersionKind, opts metav1.ListOptions) *unstructured.UnstructuredList {
	selector, _, _ := testing.ExtractFromListOptions(opts)
	if selector == nil {
		selector = labels.Everything()
	}
	list := &unstructured.UnstructuredList{}
	list.SetRemainingItemCount(all.GetRemainingItemCount())
	list.SetResourceVersion(all.GetResourceVersion())
	list.SetContinue(all.GetContinue())
	list.SetGroupVersionKind(gvk)
	for _, item := range all.Items {
		if selector.Matches(labels.Set(item.GetLabels())) {
			list.Items = append(list.Items, item)
		}
	}
	return list
}

// Watch implements [dynamic.ResourceInterface].
func (c *resourceClient) Watch(_ context.Context, opts metav1.ListOptions) (watch.Interface, error) {
	opts.Watch = true
	return c.client.InvokesWatch(testing.NewWatchActionWithOptions(c.resource, c.namespace, opts))
}

// Patch implements [dynamic.ResourceInterface].
func (c *resourceClient) Patch(_ context.Context, name string, pt types.PatchType, data []byte, opts metav1.PatchOptions, subresources ...string) (*unstructured.Unstructured, error) {
	return c.invoke(testing.NewPatchSubresourceActionWithOptions(c.resource, c.namespace, name, pt, data, opts, subresources...), unhandled)
}

// Apply implements [dynamic.ResourceInterface].
func (c *resourceClient) Apply(ctx context.Context, name string, obj *unstructured.Unstructured, opts metav1.ApplyOptions, subresources ...string) (*unstructured.Unstructured, error) {
	if err := codec.CheckWhole(obj); err != nil {
		return nil, err
	}
	data, err := runtime.Encode(unstructured.UnstructuredJSONScheme, obj)
	if err != nil {
		return nil, err
	}
	patchOpts := metav1.PatchOptions{Force: &opts.Force, DryRun: opts.DryRun, FieldManager: opts.FieldManager}
	return c.Patch(ctx, name, types.ApplyPatchType, data, patchOpts, subresources...)
}

// ApplyStatus implements [dynamic.ResourceInterface].
func (c *resourceClient) ApplyStatus(ctx context.Context, name string, obj *unstructured.Unstructured, opts metav1.ApplyOptions) (*unstructured.Unstructured, error) {
	return c.Apply(ctx, name, obj, opts, "status")
}

// invoke records an action and returns the object that a reactor returns, which may be typed or nil, or otherwise
// byDefault.
func (c *resourceClient) invoke(action testing.Action, byDefault runtime.Object) (*unstructured.Unstructured, error) {
	obj, err := c.client.Invokes(action, byDefault)
	if obj == nil || err != nil {
		return nil, err
	}
	return c.untyped(obj)
}

// untyped returns obj as an untyped object.
func (c *resourceClient) untyped(obj runtime.Object) (*unstructured.Unstructured, error) {
	if obj == unhandled {
		return nil, errNoReactor
	}
	u := &unstructured.Unstructured{}
	if err := c.client.scheme.Convert(obj, u, nil); err != nil {
		return nil, err
	}
	return u, nil
}

// path returns the path of a subresource.
func path(subresources []string) string { return strings.Join(subresources, "/") }
