package gentype

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/listwatch/listwatch/runtime/rest"
)

// AllVerbs is the client of a resource in generated code, with the methods of [ClientWithList]. It
// embeds nothing, because the compiler would create wrappers of every promoted method for every
// kind.
type AllVerbs[T objectWithMeta, L runtime.Object] struct {
	endpoint  *endpoint
	newObject func() T
	newList   func() L
}

func (c *AllVerbs[T, L]) to() *endpoint { return c.endpoint }

// GetClient returns the REST client that sends the requests.
func (c *AllVerbs[T, L]) GetClient() rest.Interface { return c.endpoint.client }

// GetNamespace returns the namespace that the client is bound to, or "".
func (c *AllVerbs[T, L]) GetNamespace() string { return c.endpoint.namespace }

// Get implements [Getter].
func (c *AllVerbs[T, L]) Get(ctx context.Context, name string, opts metav1.GetOptions) (T, error) {
	result := c.newObject()
	return result, c.endpoint.get(ctx, name, &opts, result)
}

// Create implements [Creator].
func (c *AllVerbs[T, L]) Create(ctx context.Context, obj T, opts metav1.CreateOptions) (T, error) {
	result := c.newObject()
	return result, c.endpoint.create(ctx, obj, &opts, result)
}

// Update implements [Updater].
func (c *AllVerbs[T, L]) Update(ctx context.Context, obj T, opts metav1.UpdateOptions) (T, error) {
	result := c.newObject()
	return result, c.endpoint.update(ctx, obj.GetName(), obj, &opts, result)
}

// UpdateStatus implements [StatusUpdater].
func (c *AllVerbs[T, L]) UpdateStatus(ctx context.Context, obj T, opts metav1.UpdateOptions) (T, error) {
	result := c.newObject()
	return result, c.endpoint.update(ctx, obj.GetName(), obj, &opts, result, "status")
}

// Delete implements [Deleter].
func (c *AllVerbs[T, L]) Delete(ctx context.Context, name string, opts metav1.DeleteOptions) error {
	return c.endpoint.delete(ctx, name, &opts)
}

// Patch implements [Patcher].
func (c *AllVerbs[T, L]) Patch(ctx context.Context, name string, pt types.PatchType, data []byte, opts metav1.PatchOptions, subresources ...string) (T, error) {
	result := c.newObject()
	return result, c.endpoint.patch(ctx, name, pt, data, &opts, result, subresources)
}

// Watch implements [Watcher].
func (c *AllVerbs[T, L]) Watch(ctx context.Context, opts metav1.ListOptions) (watch.Interface, error) {
	return c.endpoint.watch(ctx, &opts)
}

// List implements [Lister].
func (c *AllVerbs[T, L]) List(ctx context.Context, opts metav1.ListOptions) (L, error) {
	list := c.newList()
	return list, c.endpoint.list(ctx, &opts, list)
}

// StreamList implements [ListStreamer].
func (c *AllVerbs[T, L]) StreamList(ctx context.Context, opts metav1.ListOptions, each func(runtime.Object) error) (runtime.Object, error) {
	list := c.newList()
	return list, c.endpoint.streamList(ctx, &opts, list, func() runtime.Object { return c.newObject() }, each)
}

// PassesTexts reports that StreamList and Watch hand over what decoders return for a context of codec.WithTexts, unchanged.
func (c *AllVerbs[T, L]) PassesTexts() bool { return true }

// DeleteCollection implements [CollectionDeleter].
func (c *AllVerbs[T, L]) DeleteCollection(ctx context.Context, opts metav1.DeleteOptions, listOpts metav1.ListOptions) error {
	return c.endpoint.deleteCollection(ctx, &opts, &listOpts)
}
