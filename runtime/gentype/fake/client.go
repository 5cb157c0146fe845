package fake

import (
	"context"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/listwatch/listwatch/runtime/testing"
)

// objectWithMeta is an API object.
type objectWithMeta interface {
	runtime.Object
	metav1.Object
}

// FakeClient is the fake client of one resource, for single objects.
type FakeClient[T objectWithMeta] struct { //nolint:revive // the name is client-go's
	*testing.Fake
	ns        string
	resource  schema.GroupVersionResource
	kind      schema.GroupVersionKind
	newObject func() T
}

// NewFakeClient returns a fake client. If no reactor returns an object, results are those of
// emptyObjectCreator.
func NewFakeClient[T objectWithMeta](
	fake *testing.Fake, namespace string, resource schema.GroupVersionResource, kind schema.GroupVersionKind, emptyObjectCreator func() T,
) *FakeClient[T] {
	return &FakeClient[T]{fake, namespace, resource, kind, emptyObjectCreator}
}

// Namespace returns the namespace of the client.
func (c *FakeClient[T]) Namespace() string { return c.ns }

// IsWatchListSemanticsUnSupported makes informers list and then watch, which is what the reactors
// of tests expect.
func (c *FakeClient[T]) IsWatchListSemanticsUnSupported() bool { return true }

// Kind returns the kind of the client's objects.
func (c *FakeClient[T]) Kind() schema.GroupVersionKind { return c.kind }

// Resource returns the resource of the client.
func (c *FakeClient[T]) Resource() schema.GroupVersionResource { return c.resource }

// Get returns the object of a name.
func (c *FakeClient[T]) Get(_ context.Context, name string, options metav1.GetOptions) (T, error) {
	return c.invoke(testing.NewGetActionWithOptions(c.resource, c.ns, name, options))
}

// Watch streams changes of the objects that opts selects. Selectors are treated as in List.
func (c *FakeClient[T]) Watch(_ context.Context, opts metav1.ListOptions) (watch.Interface, error) {
	return watchAs(c.Fake, c.resource, c.ns, opts)
}

// Create stores a new object and returns it as stored.
func (c *FakeClient[T]) Create(_ context.Context, resource T, opts metav1.CreateOptions) (T, error) {
	return c.invoke(testing.NewCreateActionWithOptions(c.resource, c.ns, resource, opts))
}

// Update replaces the object of the same name and returns it as stored.
func (c *FakeClient[T]) Update(_ context.Context, resource T, opts metav1.UpdateOptions) (T, error) {
	return c.invoke(testing.NewUpdateActionWithOptions(c.resource, c.ns, resource, opts))
}

// UpdateStatus replaces the status of the object of the same name and returns the object as stored.
func (c *FakeClient[T]) UpdateStatus(_ context.Context, resource T, opts metav1.UpdateOptions) (T, error) {
	return c.invoke(testing.NewUpdateSubresourceActionWithOptions(c.resource, "status", c.ns, resource, opts))
}

// Delete deletes the object of a name.
func (c *FakeClient[T]) Delete(_ context.Context, name string, opts metav1.DeleteOptions) error {
	_, err := c.Invokes(testing.NewDeleteActionWithOptions(c.resource, c.ns, name, opts), c.newObject())
	return err
}

// Patch changes the object of a name, or one of its subresources, and returns it as stored.
func (c *FakeClient[T]) Patch(_ context.Context, name string, pt types.PatchType, data []byte, opts metav1.PatchOptions, subresources ...string) (T, error) {
	return c.invoke(testing.NewPatchSubresourceActionWithOptions(c.resource, c.ns, name, pt, data, opts, subresources...))
}

func (c *FakeClient[T]) invoke(action testing.Action) (T, error) {
	return Invoke(c, action, c.newObject())
}

func watchAs(fake *testing.Fake, resource schema.GroupVersionResource, namespace string, opts metav1.ListOptions) (watch.Interface, error) {
	if _, err := parsed(opts); err != nil {
		return nil, err
	}
	opts.Watch = true
	return fake.InvokesWatch(testing.NewWatchActionWithOptions(resource, namespace, opts))
}

// Invoker has the reactors and records the actions: a [testing.Fake], or a type that embeds one.
type Invoker interface {
	Invokes(action testing.Action, defaultReturnObj runtime.Object) (runtime.Object, error)
}

// Invoke records an action and returns the object of the reactor that handles it, or empty if none
// returns an object. An object of another type than empty's is an error.
func Invoke[R runtime.Object](f Invoker, action testing.Action, empty R) (R, error) {
	obj, err := f.Invokes(action, empty)
	if obj == nil {
		return empty, err
	}
	result, ok := obj.(R)
	if !ok {
		return empty, fmt.Errorf("reactor returned %T, want %T", obj, empty)
	}
	return result, err
}
