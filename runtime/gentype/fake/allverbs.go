package fake

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/listwatch/listwatch/runtime/testing"
)

// AllVerbs is the fake client of a resource in generated code, with the methods of
// [FakeClientWithList] except those of its Fake. It embeds nothing, because the compiler would
// create wrappers of every promoted method for every kind.
type AllVerbs[T objectWithMeta, L runtime.Object] struct {
	Fake      *testing.Fake
	ns        string
	resource  schema.GroupVersionResource
	kind      schema.GroupVersionKind
	newObject func() T
	newList   func() L
}

// Invokes implements [Invoker].
func (c *AllVerbs[T, L]) Invokes(action testing.Action, defaultReturnObj runtime.Object) (runtime.Object, error) {
	return c.Fake.Invokes(action, defaultReturnObj)
}

// Namespace returns the namespace of the client.
func (c *AllVerbs[T, L]) Namespace() string { return c.ns }

// Kind returns the kind of the client's objects.
func (c *AllVerbs[T, L]) Kind() schema.GroupVersionKind { return c.kind }

// Resource returns the resource of the client.
func (c *AllVerbs[T, L]) Resource() schema.GroupVersionResource { return c.resource }

// IsWatchListSemanticsUnSupported makes informers list and then watch, which is what the
// reactors of tests expect.
func (c *AllVerbs[T, L]) IsWatchListSemanticsUnSupported() bool { return true }

// Get implements [gentype.Getter].
func (c *AllVerbs[T, L]) Get(_ context.Context, name string, options metav1.GetOptions) (T, error) {
	return Invoke(c, testing.NewGetActionWithOptions(c.resource, c.ns, name, options), c.newObject())
}

// Watch implements [gentype.Watcher]. Selectors are treated as in List.
func (c *AllVerbs[T, L]) Watch(_ context.Context, opts metav1.ListOptions) (watch.Interface, error) {
	return watchAs(c.Fake, c.resource, c.ns, opts)
}

// Create implements [gentype.Creator].
func (c *AllVerbs[T, L]) Create(_ context.Context, resource T, opts metav1.CreateOptions) (T, error) {
	return Invoke(c, testing.NewCreateActionWithOptions(c.resource, c.ns, resource, opts), c.newObject())
}

// Update implements [gentype.Updater].
func (c *AllVerbs[T, L]) Update(_ context.Context, resource T, opts metav1.UpdateOptions) (T, error) {
	return Invoke(c, testing.NewUpdateActionWithOptions(c.resource, c.ns, resource, opts), c.newObject())
}

// UpdateStatus implements [gentype.StatusUpdater].
func (c *AllVerbs[T, L]) UpdateStatus(_ context.Context, resource T, opts metav1.UpdateOptions) (T, error) {
	return Invoke(c, testing.NewUpdateSubresourceActionWithOptions(c.resource, "status", c.ns, resource, opts), c.newObject())
}

// Delete implements [gentype.Deleter].
func (c *AllVerbs[T, L]) Delete(_ context.Context, name string, opts metav1.DeleteOptions) error {
	_, err := c.Invokes(testing.NewDeleteActionWithOptions(c.resource, c.ns, name, opts), c.newObject())
	return err
}

// Patch implements [gentype.Patcher].
func (c *AllVerbs[T, L]) Patch(_ context.Context, name string, pt types.PatchType, data []byte, opts metav1.PatchOptions, subresources ...string) (T, error) {
	return Invoke(c, testing.NewPatchSubresourceActionWithOptions(c.resource, c.ns, name, pt, data, opts, subresources...), c.newObject())
}

// List implements [gentype.Lister]. What reactors return, even beside an error, is
// filtered by its label selector. A selector that cannot be parsed is an error, and the
// call is not recorded.
func (c *AllVerbs[T, L]) List(_ context.Context, opts metav1.ListOptions) (L, error) {
	list := c.newList()
	selector, err := parsed(opts)
	if err != nil {
		return list, err
	}
	all, err := Invoke(c, testing.NewListActionWithOptions(c.resource, c.kind, c.ns, opts), c.newList())
	selected(list, all, selector)
	return list, err
}

// DeleteCollection implements [gentype.CollectionDeleter]. Selectors are treated as in
// List.
func (c *AllVerbs[T, L]) DeleteCollection(_ context.Context, opts metav1.DeleteOptions, listOpts metav1.ListOptions) error {
	if _, err := parsed(listOpts); err != nil {
		return err
	}
	_, err := c.Invokes(testing.NewDeleteCollectionActionWithOptions(c.resource, c.ns, opts, listOpts), c.newList())
	return err
}
