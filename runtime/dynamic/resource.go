package dynamic

import (
	"context"
	"errors"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/listwatch/listwatch/runtime/apply"
	"github.com/listwatch/listwatch/runtime/codec"
	"github.com/listwatch/listwatch/runtime/internal/anyresource"
	"github.com/listwatch/listwatch/runtime/rest"
)

var errManagedFields = errors.New("cannot apply an object with managed fields already set: remove metadata.managedFields, or build the configuration from the fields that the manager sets")

// resourceClient contains the verbs of a resource in a scope.
type resourceClient struct {
	client rest.Interface
	anyresource.Scope
}

// Namespace implements [NamespaceableResourceInterface].
func (c *resourceClient) Namespace(namespace string) ResourceInterface {
	return &resourceClient{c.client, anyresource.Scope{Resource: c.Resource, Namespace: namespace}}
}

// Create implements [ResourceInterface].
func (c *resourceClient) Create(ctx context.Context, obj *unstructured.Unstructured, opts metav1.CreateOptions, subresources ...string) (*unstructured.Unstructured, error) {
	path, err := c.Collection()
	if len(subresources) > 0 {
		path, err = c.Object(obj.GetName(), subresources...)
	}
	if err != nil {
		return nil, err
	}
	return decoded(ctx, anyresource.Params(c.client.Post().AbsPath(path...).Body(obj), &opts))
}

// Update implements [ResourceInterface].
func (c *resourceClient) Update(ctx context.Context, obj *unstructured.Unstructured, opts metav1.UpdateOptions, subresources ...string) (*unstructured.Unstructured, error) {
	path, err := c.Object(obj.GetName(), subresources...)
	if err != nil {
		return nil, err
	}
	return decoded(ctx, anyresource.Params(c.client.Put().AbsPath(path...).Body(obj), &opts))
}

// UpdateStatus implements [ResourceInterface].
func (c *resourceClient) UpdateStatus(ctx context.Context, obj *unstructured.Unstructured, opts metav1.UpdateOptions) (*unstructured.Unstructured, error) {
	return c.Update(ctx, obj, opts, "status")
}

// Delete implements [ResourceInterface].
func (c *resourceClient) Delete(ctx context.Context, name string, opts metav1.DeleteOptions, subresources ...string) error {
	path, err := c.Object(name, subresources...)
	if err != nil {
		return err
	}
	return c.client.Delete().AbsPath(path...).Body(&opts).DoDiscard(ctx)
}

// DeleteCollection implements [ResourceInterface].
func (c *resourceClient) DeleteCollection(ctx context.Context, opts metav1.DeleteOptions, listOptions metav1.ListOptions) error {
	path, err := c.Collection()
	if err != nil {
		return err
	}
	return anyresource.Params(c.client.Delete().AbsPath(path...).Body(&opts), &listOptions).DoDiscard(ctx)
}

// Get implements [ResourceInterface].
func (c *resourceClient) Get(ctx context.Context, name string, opts metav1.GetOptions, subresources ...string) (*unstructured.Unstructured, error) {
	path, err := c.Object(name, subresources...)
	if err != nil {
		return nil, err
	}
	return decoded(ctx, anyresource.Params(c.client.Get().AbsPath(path...), &opts))
}

// List implements [ResourceInterface].
func (c *resourceClient) List(ctx context.Context, opts metav1.ListOptions) (*unstructured.UnstructuredList, error) {
	path, err := c.Collection()
	if err != nil {
		return nil, err
	}
	list := &unstructured.UnstructuredList{}
	if err := anyresource.Params(c.client.Get().AbsPath(path...), &opts).DoInto(ctx, list); err != nil {
		return nil, err
	}
	return list, nil
}

// StreamList implements [cache.ListStreamer].
//
// [cache.ListStreamer]: https://pkg.go.dev/github.com/listwatch/listwatch/runtime/cache#ListStreamer
func (c *resourceClient) StreamList(ctx context.Context, opts metav1.ListOptions, each func(runtime.Object) error) (runtime.Object, error) {
	path, err := c.Collection()
	if err != nil {
		return nil, err
	}
	list := &unstructured.UnstructuredList{}
	newItem := func() runtime.Object { return &unstructured.Unstructured{} }
	if err := anyresource.Params(c.client.Get().AbsPath(path...), &opts).StreamList(ctx, list, newItem, each); err != nil {
		return nil, err
	}
	return list, nil
}

// Watch implements [ResourceInterface].
func (c *resourceClient) Watch(ctx context.Context, opts metav1.ListOptions) (watch.Interface, error) {
	path, err := c.Collection()
	if err != nil {
		return nil, err
	}
	opts.Watch = true
	return anyresource.Params(c.client.Get().AbsPath(path...), &opts).Watch(ctx)
}

// Patch implements [ResourceInterface].
func (c *resourceClient) Patch(ctx context.Context, name string, pt types.PatchType, data []byte, opts metav1.PatchOptions, subresources ...string) (*unstructured.Unstructured, error) {
	path, err := c.Object(name, subresources...)
	if err != nil {
		return nil, err
	}
	return decoded(ctx, anyresource.Params(c.client.Patch(pt).AbsPath(path...).Body(data), &opts))
}

// Apply implements [ResourceInterface].
func (c *resourceClient) Apply(ctx context.Context, name string, obj *unstructured.Unstructured, opts metav1.ApplyOptions, subresources ...string) (*unstructured.Unstructured, error) {
	path, err := c.Object(name, subresources...)
	if err != nil {
		return nil, err
	}
	if err = codec.CheckWhole(obj); err != nil {
		return nil, err
	}
	if len(obj.GetManagedFields()) > 0 {
		return nil, errManagedFields
	}
	request, err := apply.NewRequest(c.client, obj.Object)
	if err != nil {
		return nil, err
	}
	patchOpts := opts.ToPatchOptions()
	return decoded(ctx, anyresource.Params(request.AbsPath(path...), &patchOpts))
}

// ApplyStatus implements [ResourceInterface].
func (c *resourceClient) ApplyStatus(ctx context.Context, name string, obj *unstructured.Unstructured, opts metav1.ApplyOptions) (*unstructured.Unstructured, error) {
	return c.Apply(ctx, name, obj, opts, "status")
}

// decoded sends a request and returns the object of the response.
func decoded(ctx context.Context, r *rest.Request) (*unstructured.Unstructured, error) {
	obj := &unstructured.Unstructured{}
	if err := r.DoInto(ctx, obj); err != nil {
		return nil, err
	}
	return obj, nil
}
