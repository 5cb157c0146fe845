package gentype

import (
	"context"
	"errors"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/listwatch/listwatch/runtime/apply"
	"github.com/listwatch/listwatch/runtime/rest"
)

// ErrNoConfiguration and ErrNoName report that an apply configuration cannot be sent because it is
// nil or does not name its object.
var (
	ErrNoConfiguration = errors.New("configuration provided to Apply must not be nil")
	ErrNoName          = errors.New("configuration.Name must be provided to Apply")
)

// endpoint sends the requests of a client. It contains all behaviour, once for all kinds: the
// generic types around it only add types.
type endpoint struct {
	client          rest.Interface
	resource        string
	namespace       string // "" for all namespaces, and for cluster-scoped resources
	parameterCodec  runtime.ParameterCodec
	prefersProtobuf bool
	negotiator      runtime.ClientNegotiator // nil for the REST client's
}

// Endpoint is a client for which [NewRequest], [Apply] and similar functions create requests: every
// type of this package, and every type that embeds one.
type Endpoint interface {
	to() *endpoint
}

// NewRequest returns a request to the resource of a client, with opts as query parameters. method
// is an HTTP method. The caller adds a body and sends the request.
func NewRequest(c Endpoint, method string, opts runtime.Object) *rest.Request {
	e := c.to()
	return e.collection(e.client.Verb(method), opts)
}

// NewObjectRequest is [NewRequest] for one object of the resource, or for a subresource of it.
func NewObjectRequest(c Endpoint, method, name string, opts runtime.Object, subresources ...string) *rest.Request {
	e := c.to()
	return e.object(e.client.Verb(method), name, subresources...).VersionedParams(opts, e.parameterCodec)
}

// Apply sends an apply configuration for the object that it names, or for a subresource of it, and
// decodes the response into result, which it returns. If there is nothing to send, it returns
// [ErrNoConfiguration] or [ErrNoName] and no result.
func Apply[C configuration, R runtime.Object](ctx context.Context, c Endpoint, configuration C, opts metav1.ApplyOptions, result R, subresources ...string) (R, error) {
	var none C
	var noResult R
	if any(configuration) == any(none) {
		return noResult, ErrNoConfiguration
	}
	name := configuration.GetName()
	if name == nil {
		return noResult, ErrNoName
	}
	return ApplyTo(ctx, c, *name, configuration, opts, result, subresources...)
}

// ApplyTo is [Apply] for the object of the given name, regardless of the name in the configuration.
func ApplyTo[C any, R runtime.Object](ctx context.Context, c Endpoint, name string, configuration C, opts metav1.ApplyOptions, result R, subresources ...string) (R, error) {
	var none C
	if any(configuration) == any(none) {
		var noResult R
		return noResult, ErrNoConfiguration
	}
	return result, c.to().apply(ctx, name, configuration, &opts, result, subresources...)
}

// address sets the path of the resource.
func (e *endpoint) address(r *rest.Request) *rest.Request {
	if e.negotiator != nil {
		r = r.Negotiator(e.negotiator)
	}
	return r.UseProtobufAsDefaultIfPreferred(e.prefersProtobuf).
		NamespaceIfScoped(e.namespace, e.namespace != "").
		Resource(e.resource)
}

// object sets the path of an object, or of a subresource of it.
func (e *endpoint) object(r *rest.Request, name string, subresources ...string) *rest.Request {
	return e.address(r).Name(name).SubResource(subresources...)
}

// collection sets the path of the resource, and the options. The timeout in ListOptions also bounds
// the request itself.
func (e *endpoint) collection(r *rest.Request, opts runtime.Object) *rest.Request {
	r = e.address(r).VersionedParams(opts, e.parameterCodec)
	if list, ok := opts.(*metav1.ListOptions); ok && list.TimeoutSeconds != nil {
		r = r.Timeout(time.Duration(*list.TimeoutSeconds) * time.Second)
	}
	return r
}

func (e *endpoint) get(ctx context.Context, name string, opts *metav1.GetOptions, result runtime.Object) error {
	return e.object(e.client.Get(), name).VersionedParams(opts, e.parameterCodec).DoInto(ctx, result)
}

func (e *endpoint) create(ctx context.Context, obj runtime.Object, opts *metav1.CreateOptions, result runtime.Object) error {
	return e.collection(e.client.Post(), opts).Body(obj).DoInto(ctx, result)
}

func (e *endpoint) update(ctx context.Context, name string, obj runtime.Object, opts *metav1.UpdateOptions, result runtime.Object, subresources ...string) error {
	return e.object(e.client.Put(), name, subresources...).VersionedParams(opts, e.parameterCodec).Body(obj).DoInto(ctx, result)
}

func (e *endpoint) patch(ctx context.Context, name string, pt types.PatchType, data []byte, opts *metav1.PatchOptions, result runtime.Object, subresources []string) error {
	return e.object(e.client.Patch(pt), name, subresources...).VersionedParams(opts, e.parameterCodec).Body(data).DoInto(ctx, result)
}

func (e *endpoint) apply(ctx context.Context, name string, configuration any, opts *metav1.ApplyOptions, result runtime.Object, subresources ...string) error {
	request, err := apply.NewRequest(e.client, configuration)
	if err != nil {
		return err
	}
	patchOpts := opts.ToPatchOptions()
	return e.object(request, name, subresources...).VersionedParams(&patchOpts, e.parameterCodec).DoInto(ctx, result)
}

func (e *endpoint) delete(ctx context.Context, name string, opts *metav1.DeleteOptions) error {
	return e.object(e.client.Delete(), name).Body(opts).DoDiscard(ctx)
}

func (e *endpoint) deleteCollection(ctx context.Context, opts *metav1.DeleteOptions, listOpts *metav1.ListOptions) error {
	return e.collection(e.client.Delete(), listOpts).Body(opts).DoDiscard(ctx)
}

func (e *endpoint) list(ctx context.Context, opts *metav1.ListOptions, list runtime.Object) error {
	return e.collection(e.client.Get(), opts).DoInto(ctx, list)
}

func (e *endpoint) streamList(ctx context.Context, opts *metav1.ListOptions, list runtime.Object, newItem func() runtime.Object, each func(runtime.Object) error) error {
	return e.collection(e.client.Get(), opts).StreamList(ctx, list, newItem, each)
}

func (e *endpoint) watch(ctx context.Context, opts *metav1.ListOptions) (watch.Interface, error) {
	opts.Watch = true
	return e.collection(e.client.Get(), opts).Watch(ctx)
}
