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

// AllVerbsWithApply is [AllVerbs] with server-side apply.
type AllVerbsWithApply[T objectWithMeta, L runtime.Object, C configuration] struct {
	Fake      *testing.Fake
	ns        string
	resource  schema.GroupVersionResource
	kind      schema.GroupVersionKind
	newObject func() T
	newList   func() L
}

// Invokes implements [Invoker].
func (c *AllVerbsWithApply[T, L, C]) Invokes(action testing.Action, defaultReturnObj runtime.Object) (runtime.Object, error) {
	return c.Fake.Invokes(action, defaultReturnObj)
}

// Namespace returns the namespace of the client.
func (c *AllVerbsWithApply[T, L, C]) Namespace() string { return c.ns }

// Kind returns the kind of the client's objects.
func (c *AllVerbsWithApply[T, L, C]) Kind() schema.GroupVersionKind { return c.kind }

// Resource returns the resource of the client.
func (c *AllVerbsWithApply[T, L, C]) Resource() schema.GroupVersionResource {
	return c.resource
}

// IsWatchListSemanticsUnSupported makes informers list and then watch, which is what the
// reactors of tests expect.
func (c *AllVerbsWithApply[T, L, C]) IsWatchListSemanticsUnSupported() bool { return true }

// Get implements [gentype.Getter].
func (c *AllVerbsWithApply[T, L, C]) Get(_ context.Context, name string, options metav1.GetOptions) (T, error) {
	return Invoke(c, testing.NewGetActionWithOptions(c.resource, c.ns, name, options), c.newObject())
}

// Watch implements [gentype.Watcher]. Selectors are treated as in List.
func (c *AllVerbsWithApply[T, L, C]) Watch(_ context.Context, opts metav1.ListOptions) (watch.Interface, error) {
	return watchAs(c.Fake, c.resource, c.ns, opts)
}

// Create implements [gentype.Creator].
func (c *AllVerbsWithApply[T, L, C]) Create(_ context.Context, resource T, opts metav1.CreateOptions) (T, error) {
	return Invoke(c, testing.NewCreateActionWithOptions(c.resource, c.ns, resource, opts), c.newObject())
}

// Update implements [gentype.Updater].
func (c *AllVerbsWithApply[T, L, C]) Update(_ context.Context, resource T, opts metav1.UpdateOptions) (T, error) {
	return Invoke(c, testing.NewUpdateActionWithOptions(c.resource, c.ns, resource, opts), c.newObject())
}

// UpdateStatus implements [gentype.StatusUpdater].
func (c *AllVerbsWithApply[T, L, C]) UpdateStatus(_ context.Context, resource T, opts metav1.UpdateOptions) (T, error) {
	return Invoke(c, testing.NewUpdateSubresourceActionWithOptions(c.resource, "status", c.ns, resource, opts), c.newObject())
}

// Delete implements [gentype.Deleter].
func (c *AllVerbsWithApply[T, L, C]) Delete(_ context.Context, name string, opts metav1.DeleteOptions) error {
	_, err := c.Invokes(testing.NewDeleteActionWithOptions(c.resource, c.ns, name, opts), c.newObject())
	return err
}

// Patch implements [gentype.Patcher].
func (c *AllVerbsWithApply[T, L, C]) Patch(_ context.Context, name string, pt types.PatchType, data []byte, opts metav1.PatchOptions, subresources ...string) (T, error) {
	return Invoke(c, testing.NewPatchSubresourceActionWithOptions(c.resource, c.ns, name, pt, data, opts, subresources...), c.newObject())
}

// List implements [gentype.Lister]. What reactors return, even beside an error, is
// filtered by its label selector. A selector that cannot be parsed is an error, and the
// call is not recorded.
func (c *AllVerbsWithApply[T, L, C]) List(_ context.Context, opts metav1.ListOptions) (L, error) {
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
func (c *AllVerbsWithApply[T, L, C]) DeleteCollection(_ context.Context, opts metav1.DeleteOptions, listOpts metav1.ListOptions) error {
	if _, err := parsed(listOpts); err != nil {
		return err
	}
	_, err := c.Invokes(testing.NewDeleteCollectionActionWithOptions(c.resource, c.ns, opts, listOpts), c.newList())
	return err
}

// Apply implements [gentype.Applier]. It returns the same errors as [Apply].
func (c *AllVerbsWithApply[T, L, C]) Apply(_ context.Context, configuration C, opts metav1.ApplyOptions) (T, error) {
	return Apply(c, configuration, opts, c.newObject())
}

// ApplyStatus implements [gentype.StatusApplier]; it fails like Apply.
func (c *AllVerbsWithApply[T, L, C]) ApplyStatus(_ context.Context, configuration C, opts metav1.ApplyOptions) (T, error) {
	return Apply(c, configuration, opts, c.newObject(), "status")
}
