package controllerruntime

import (
	"context"
	"net/http"
	"reflect"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/watch"
	builtin "k8s.io/client-go/kubernetes/scheme"
	theirrest "k8s.io/client-go/rest"

	"github.com/listwatch/listwatch/clientgo"
	"github.com/listwatch/listwatch/runtime/cache"
	"github.com/listwatch/listwatch/runtime/codec"
	"github.com/listwatch/listwatch/runtime/dynamic"
	"github.com/listwatch/listwatch/runtime/metadata"
	"github.com/listwatch/listwatch/runtime/rest"
)

// form is how the objects of a kind are represented.
type form string

// The forms. Objects of one kind in two forms have two informers.
const (
	structured  form = ""
	untyped     form = "unstructured"
	partialMeta form = "metadata"
)

// formOf returns the form of an object or list.
func formOf(obj runtime.Object) form {
	switch obj.(type) {
	case runtime.Unstructured:
		return untyped
	case *metav1.PartialObjectMetadata, *metav1.PartialObjectMetadataList:
		return partialMeta
	default:
		return structured
	}
}

// resources creates the sources of informers.
type resources struct {
	config    *rest.Config
	http      *http.Client
	scheme    *runtime.Scheme
	codec     runtime.NegotiatedSerializer
	parameter runtime.ParameterCodec
}

// protobufKinds returns the kinds that are requested as protobuf. Not builtin.Scheme, to which programs add their own.
var protobufKinds = sync.OnceValue(func() *runtime.Scheme {
	out := runtime.NewScheme()
	_ = builtin.AddToScheme(out) // it fails only if types are registered twice
	return out
})

func newResources(config *theirrest.Config, client *http.Client, scheme *runtime.Scheme) *resources {
	return &resources{
		config:    clientgo.FromConfig(config),
		http:      client,
		scheme:    scheme,
		codec:     codec.ForScheme(scheme, serializer.NewCodecFactory(scheme)),
		parameter: runtime.NewParameterCodec(scheme),
	}
}

// lists lists and watches the objects of a kind in one namespace, or in all if that is empty.
type lists func(namespace string, tweak func(*metav1.ListOptions)) cache.ListerWatcher

// kind returns an example of the objects of a kind in a form, and how they are listed.
func (r *resources) kind(mapping *meta.RESTMapping, as form) (runtime.Object, lists, error) {
	gvk := mapping.GroupVersionKind
	switch as {
	case untyped:
		client, err := dynamic.NewForConfigAndClient(r.anyConfig(), r.http)
		if err != nil {
			return nil, nil, err
		}
		example := &unstructured.Unstructured{}
		example.SetGroupVersionKind(gvk)
		return example, func(namespace string, tweak func(*metav1.ListOptions)) cache.ListerWatcher {
			return cache.ListWatchFor(client.Resource(mapping.Resource).Namespace(namespace), tweak)
		}, nil
	case partialMeta:
		client, err := metadata.NewForConfigAndClient(r.anyConfig(), r.http)
		if err != nil {
			return nil, nil, err
		}
		return &metav1.PartialObjectMetadata{}, func(namespace string, tweak func(*metav1.ListOptions)) cache.ListerWatcher {
			return cache.ListWatchFor(client.Resource(mapping.Resource).Namespace(namespace), tweak)
		}, nil
	default:
		return r.structured(gvk, mapping.Resource.Resource)
	}
}

// anyConfig returns the config of clients for any kind, which have their own serializers.
func (r *resources) anyConfig() *rest.Config {
	config := rest.CopyConfig(r.config)
	config.NegotiatedSerializer = nil
	return config
}

func (r *resources) structured(gvk schema.GroupVersionKind, resource string) (runtime.Object, lists, error) {
	gv := gvk.GroupVersion()
	config := rest.CopyConfig(r.config)
	config.GroupVersion, config.NegotiatedSerializer, config.APIPath = &gv, r.codec, "/apis"
	if gv.Group == "" {
		config.APIPath = "/api"
	}
	if config.ContentType == "" && protobufKinds().Recognizes(gvk) {
		config.ContentType = runtime.ContentTypeProtobuf
	}
	client, err := rest.RESTClientForConfigAndClient(config, r.http)
	if err != nil {
		return nil, nil, err
	}
	example, err := r.scheme.New(gvk)
	if err != nil {
		return nil, nil, err
	}
	list, err := r.scheme.New(gv.WithKind(gvk.Kind + "List"))
	if err != nil {
		return nil, nil, err
	}
	return example, func(namespace string, tweak func(*metav1.ListOptions)) cache.ListerWatcher {
		return cache.ListWatchFor(&structuredClient{
			client: client, parameter: r.parameter, resource: resource, namespace: namespace,
			item: reflect.TypeOf(example).Elem(), list: reflect.TypeOf(list).Elem(),
		}, tweak)
	}, nil
}

// structuredClient lists and watches the objects of a Go type.
type structuredClient struct {
	client     *rest.RESTClient
	parameter  runtime.ParameterCodec
	resource   string
	namespace  string
	item, list reflect.Type
}

func newOf(typ reflect.Type) runtime.Object { return reflect.New(typ).Interface().(runtime.Object) }

func (c *structuredClient) request(options *metav1.ListOptions) *rest.Request {
	r := c.client.Get().NamespaceIfScoped(c.namespace, c.namespace != "").Resource(c.resource).VersionedParams(options, c.parameter)
	if options.TimeoutSeconds != nil {
		r = r.Timeout(time.Duration(*options.TimeoutSeconds) * time.Second)
	}
	return r
}

// List implements the parameter of cache.ListWatchFor.
func (c *structuredClient) List(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
	list := newOf(c.list)
	return list, c.request(&options).DoInto(ctx, list)
}

// Watch implements the parameter of cache.ListWatchFor.
func (c *structuredClient) Watch(ctx context.Context, options metav1.ListOptions) (watch.Interface, error) {
	options.Watch = true
	return c.request(&options).Watch(ctx)
}

// PassesTexts reports that StreamList and Watch hand over what decoders return for a context of codec.WithTexts, unchanged.
func (c *structuredClient) PassesTexts() bool { return true }

// StreamList implements cache.ListStreamer.
func (c *structuredClient) StreamList(ctx context.Context, options metav1.ListOptions, each func(runtime.Object) error) (runtime.Object, error) {
	list := newOf(c.list)
	return list, c.request(&options).StreamList(ctx, list, func() runtime.Object { return newOf(c.item) }, each)
}
