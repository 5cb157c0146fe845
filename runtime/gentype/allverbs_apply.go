package gentype

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/listwatch/listwatch/runtime/rest"
)

// AllVerbsWithApply is [AllVerbs] with server-side apply.
type AllVerbsWithApply[T objectWithMeta, L runtime.Object, C configuration] struct {
	endpoint  *endpoint
	newObject func() T
	newList   func() L
}

func (c *AllVerbsWithApply[T, L, C]) to() *endpoint { return c.endpoint }

// GetClient returns the REST client that sends the requests.
func (c *AllVerbsWithApply[T, L, C]) GetClient() rest.Interface { return c.endpoint.client }

// GetNamespace returns the namespace that the client is bound to, or "".
func (c *AllVerbsWithApply[T, L, C]) GetNamespace() string { return c.endpoint.namespace }

// Get implements [Getter].
func (c *AllVerbsWithApply[T, L, C]) Get(ctx context.Context, name string, opts metav1.GetOptions) (T, error) {
	result := c.newObject()
	return result, c.endpoint.get(ctx, name, &opts, result)
}

// Create implements [Creator].
func (c *AllVerbsWithApply[T, L, C]) Create(ctx context.Context, obj T, opts metav1.CreateOptions) (T, error) {
	result := c.newObject()
	return result, c.endpoint.create(ctx, obj, &opts, result)
}

// Update implements [Updater].
func (c *AllVerbsWithApply[T, L, C]) Update(ctx context.Context, obj T, opts metav1.UpdateOptions) (T, error) {
	result := c.newObject()
	return result, c.endpoint.update(ctx, obj.GetName(), obj, &opts, result)
}

// UpdateStatus implements [StatusUpdater].
func (c *AllVerbsWithApply[T, L, C]) UpdateStatus(ctx context.Context, obj T, opts metav1.UpdateOptions) (T, error) {
	result := c.newObject()
	return result, c.endpoint.update(ctx, obj.GetName(), obj, &opts, result, "status")
}

// Delete implements [Deleter].
func (c *AllVerbsWithApply[T, L, C]) Delete(ctx context.Context, name string, opts metav1.DeleteOptions) error {
	return c.endpoint.delete(ctx, name, &opts)
}

// Patch implements [Patcher].
func (c *AllVerbsWithApply[T, L, C]) Patch(ctx context.Context, name string, pt types.PatchType, data []byte, opts metav1.PatchOptions, subresources ...string) (T, error) {
	result := c.newObject()
	return result, c.endpoint.patch(ctx, name, pt, data, &opts, result, subresources)
}

// Watch implements [Watcher].
func (c *AllVerbsWithApply[T, L, C]) Watch(ctx context.Context, opts metav1.ListOptions) (watch.Interface, error) {
	return c.endpoint.watch(ctx, &opts)
}

// List implements [Lister].
func (c *AllVerbsWithApply[T, L, C]) List(ctx context.Context, opts metav1.ListOptions) (L, error) {
	list := c.newList()
	return list, c.endpoint.list(ctx, &opts, list)
}

// StreamList implements [ListStreamer].
func (c *AllVerbsWithApply[T, L, C]) StreamList(ctx context.Context, opts metav1.ListOptions, each func(runtime.Object) error) (runtime.Object, error) {
	list := c.newList()
	return list, c.endpoint.streamList(ctx, &opts, list, func() runtime.Object { return c.newObject() }, each)
}

// PassesTexts reports that StreamList and Watch hand over what decoders return for a context of codec.WithTexts, unchanged.
func (c *AllVerbsWithApply[T, L, C]) PassesTexts() bool { return true }

// DeleteCollection implements [CollectionDeleter].
func (c *AllVerbsWithApply[T, L, C]) DeleteCollection(ctx context.Context, opts metav1.DeleteOptions, listOpts metav1.ListOptions) error {
	return c.endpoint.deleteCollection(ctx, &opts, &listOpts)
}

// Apply implements [Applier]. It returns [ErrNoConfiguration] or [ErrNoName] if there is nothing to
// send.
func (c *AllVerbsWithApply[T, L, C]) Apply(ctx context.Context, configuration C, opts metav1.ApplyOptions) (T, error) {
	return Apply(ctx, c, configuration, opts, c.newObject())
}

// ApplyStatus implements [StatusApplier]; it fails like Apply.
func (c *AllVerbsWithApply[T, L, C]) ApplyStatus(ctx context.Context, configuration C, opts metav1.ApplyOptions) (T, error) {
	return Apply(ctx, c, configuration, opts, c.newObject(), "status")
}
