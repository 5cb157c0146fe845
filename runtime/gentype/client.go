package gentype

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/listwatch/listwatch/runtime/rest"
)

// objectWithMeta is an API object.
type objectWithMeta interface {
	runtime.Object
	metav1.Object
}

// namedObject is an apply configuration. Its zero value means none.
type namedObject interface {
	comparable
	GetName() *string
}

// configuration is a namedObject whose constraint is a plain method set, so that the code of
// all pointer types is compiled once.
type configuration interface {
	GetName() *string
}

// Option configures a client.
type Option[T objectWithMeta] func(*Client[T])

// PrefersProtobuf makes a client request protobuf unless its config sets a content
// type.
func PrefersProtobuf[T objectWithMeta]() Option[T] {
	return func(c *Client[T]) { c.endpoint.prefersProtobuf = true }
}

// Client is the client of one resource, for single objects.
type Client[T objectWithMeta] struct {
	endpoint  *endpoint // not embedded: each method would be compiled again for every kind
	newObject func() T
}

// NewClient returns the client of a resource in a namespace. An empty namespace means all
// namespaces, and is used for cluster-scoped resources. Results are decoded into the objects that
// emptyObjectCreator returns.
func NewClient[T objectWithMeta](
	resource string, client rest.Interface, parameterCodec runtime.ParameterCodec, namespace string, emptyObjectCreator func() T,
	options ...Option[T],
) *Client[T] {
	c := &Client[T]{
		endpoint: &endpoint{
			client:         client,
			resource:       resource,
			namespace:      namespace,
			parameterCodec: parameterCodec,
		},
		newObject: emptyObjectCreator,
	}
	for _, option := range options {
		option(c)
	}
	return c
}

func (c *Client[T]) to() *endpoint { return c.endpoint }

// GetClient returns the REST client that sends the requests.
func (c *Client[T]) GetClient() rest.Interface { return c.endpoint.client }

// GetNamespace returns the namespace that the client is bound to, or "".
func (c *Client[T]) GetNamespace() string { return c.endpoint.namespace }

// Get returns the object of a name.
func (c *Client[T]) Get(ctx context.Context, name string, opts metav1.GetOptions) (T, error) {
	result := c.newObject()
	err := c.endpoint.get(ctx, name, &opts, result)
	return result, err
}

// Create stores a new object and returns it as stored.
func (c *Client[T]) Create(ctx context.Context, obj T, opts metav1.CreateOptions) (T, error) {
	result := c.newObject()
	err := c.endpoint.create(ctx, obj, &opts, result)
	return result, err
}

// Update replaces the object of the same name and returns it as stored.
func (c *Client[T]) Update(ctx context.Context, obj T, opts metav1.UpdateOptions) (T, error) {
	result := c.newObject()
	err := c.endpoint.update(ctx, obj.GetName(), obj, &opts, result)
	return result, err
}

// UpdateStatus replaces the status of the object of the same name and returns the
// object as stored.
func (c *Client[T]) UpdateStatus(ctx context.Context, obj T, opts metav1.UpdateOptions) (T, error) {
	result := c.newObject()
	err := c.endpoint.update(ctx, obj.GetName(), obj, &opts, result, "status")
	return result, err
}

// Delete deletes the object of a name.
func (c *Client[T]) Delete(ctx context.Context, name string, opts metav1.DeleteOptions) error {
	return c.endpoint.delete(ctx, name, &opts)
}

// Patch changes the object of a name, or one of its subresources, and returns it as stored.
func (c *Client[T]) Patch(ctx context.Context, name string, pt types.PatchType, data []byte, opts metav1.PatchOptions, subresources ...string) (T, error) {
	result := c.newObject()
	err := c.endpoint.patch(ctx, name, pt, data, &opts, result, subresources)
	return result, err
}

// Watch streams changes of the objects that opts selects. Their objects are of type T, unless the
// server sends others.
func (c *Client[T]) Watch(ctx context.Context, opts metav1.ListOptions) (watch.Interface, error) {
	return c.endpoint.watch(ctx, &opts)
}

// ListStreamer is implemented by clients that can list without storing the whole list.
type ListStreamer interface {
	// StreamList lists like List, but calls each for every object, in order, as soon as it is
	// decoded. It returns the list without items after the last object. An error of each ends the
	// list and is returned unchanged. If StreamList returns an error, the objects passed to each
	// may be only a part of the list. If the context comes from codec.WithUndecodable, an object
	// may be a *codec.Undecodable; if it comes from codec.WithTexts, a *codec.Text.
	StreamList(ctx context.Context, opts metav1.ListOptions, each func(runtime.Object) error) (runtime.Object, error)
}

// lister is the part of a client that lists.
type lister[T objectWithMeta, L runtime.Object] struct {
	client  *Client[T]
	newList func() L
}

// List returns the objects that opts selects.
func (l *lister[T, L]) List(ctx context.Context, opts metav1.ListOptions) (L, error) {
	list := l.newList()
	err := l.client.endpoint.list(ctx, &opts, list)
	return list, err
}

// StreamList implements [ListStreamer].
func (l *lister[T, L]) StreamList(ctx context.Context, opts metav1.ListOptions, each func(runtime.Object) error) (runtime.Object, error) {
	list := l.newList()
	newItem := func() runtime.Object { return l.client.newObject() }
	err := l.client.endpoint.streamList(ctx, &opts, list, newItem, each)
	return list, err
}

// PassesTexts reports that StreamList and Watch hand over what decoders return for a context of codec.WithTexts, unchanged.
func (l *lister[T, L]) PassesTexts() bool { return true }

// DeleteCollection deletes the objects that listOpts selects.
func (l *lister[T, L]) DeleteCollection(ctx context.Context, opts metav1.DeleteOptions, listOpts metav1.ListOptions) error {
	return l.client.endpoint.deleteCollection(ctx, &opts, &listOpts)
}

// applier is the part of a client that applies.
type applier[T objectWithMeta, C namedObject] struct {
	client *Client[T]
}

// Apply sends a configuration for the object that it names, and returns the object as stored. It
// returns [ErrNoConfiguration] or [ErrNoName] if there is nothing to send.
func (a *applier[T, C]) Apply(ctx context.Context, configuration C, opts metav1.ApplyOptions) (T, error) {
	return Apply(ctx, a.client, configuration, opts, a.client.newObject())
}

// ApplyStatus is Apply for the status of the object.
func (a *applier[T, C]) ApplyStatus(ctx context.Context, configuration C, opts metav1.ApplyOptions) (T, error) {
	return Apply(ctx, a.client, configuration, opts, a.client.newObject(), "status")
}

// ClientWithList is a [Client] that lists.
type ClientWithList[T objectWithMeta, L runtime.Object] struct {
	*Client[T]
	lister[T, L]
}

// NewClientWithList is [NewClient] with lists, which are decoded into the objects that
// emptyListCreator returns.
func NewClientWithList[T objectWithMeta, L runtime.Object](
	resource string, client rest.Interface, parameterCodec runtime.ParameterCodec, namespace string, emptyObjectCreator func() T,
	emptyListCreator func() L, options ...Option[T],
) *ClientWithList[T, L] {
	c := NewClient(resource, client, parameterCodec, namespace, emptyObjectCreator, options...)
	return &ClientWithList[T, L]{c, lister[T, L]{c, emptyListCreator}}
}

// ClientWithApply is a [Client] that applies.
type ClientWithApply[T objectWithMeta, C namedObject] struct {
	*Client[T]
	applier[T, C]
}

// NewClientWithApply is [NewClient] with server-side apply.
func NewClientWithApply[T objectWithMeta, C namedObject](
	resource string, client rest.Interface, parameterCodec runtime.ParameterCodec, namespace string, emptyObjectCreator func() T,
	options ...Option[T],
) *ClientWithApply[T, C] {
	c := NewClient(resource, client, parameterCodec, namespace, emptyObjectCreator, options...)
	return &ClientWithApply[T, C]{c, applier[T, C]{c}}
}

// ClientWithListAndApply is a [Client] that lists and applies.
type ClientWithListAndApply[T objectWithMeta, L runtime.Object, C namedObject] struct {
	*Client[T]
	lister[T, L]
	applier[T, C]
}

// NewClientWithListAndApply is [NewClientWithList] with server-side apply.
func NewClientWithListAndApply[T objectWithMeta, L runtime.Object, C namedObject](
	resource string, client rest.Interface, parameterCodec runtime.ParameterCodec, namespace string, emptyObjectCreator func() T,
	emptyListCreator func() L, options ...Option[T],
) *ClientWithListAndApply[T, L, C] {
	c := NewClient(resource, client, parameterCodec, namespace, emptyObjectCreator, options...)
	return &ClientWithListAndApply[T, L, C]{c, lister[T, L]{c, emptyListCreator}, applier[T, C]{c}}
}
