package main

import (
	"context"
	"io"
	"net/http"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/watch"

	v1 "github.com/listwatch/listwatch/bench/apis/fleet/v1"
	"github.com/listwatch/listwatch/runtime/dynamic"
)

// contender is one of the two implementations that are compared.
type contender struct {
	// name is its name in the table's header.
	name string
	// machines and pods are the serializers of the generated clients.
	machines, pods runtime.NegotiatedSerializer
	// decodeFrom decodes the content of a reader, as the client decodes a response body.
	decodeFrom func(d runtime.Decoder, r io.Reader, into runtime.Object) error
	// decodeItems is decodeFrom for a list of machines, but returns only the objects.
	decodeItems func(d runtime.Decoder, r io.Reader) ([]runtime.Object, error)
	// decodePods is decodeItems for a list of pods.
	decodePods func(d runtime.Decoder, r io.Reader) ([]runtime.Object, error)
	// events decodes the events of a watch in a media type, as the client does.
	events func(n runtime.ClientNegotiator, mediaType string, r io.ReadCloser) (watch.Decoder, error)
	// client returns the generated client of machines on a server; if transport is nil, the
	// contender creates one from its config.
	client func(host string, transport http.RoundTripper) (machines, error)
	// dynamic returns the dynamic client of machines with a transport.
	dynamic func(transport http.RoundTripper) (dynamic.ResourceInterface, error)
	// sharing returns a context for requests of informers, which share what is equal in objects; nil if they do not.
	sharing func(ctx context.Context) context.Context
	// fetch returns n objects, loaded like an informer does by default.
	fetch func(ctx context.Context, c machines, n int) ([]runtime.Object, error)
}

// contenders run in this order, the peer first.
var contenders = []*contender{clientGo(), ours()}

// machines is the measured common interface of the generated clients.
type machines interface {
	Get(ctx context.Context, name string, opts metav1.GetOptions) (*v1.Machine, error)
	List(ctx context.Context, opts metav1.ListOptions) (*v1.MachineList, error)
	Watch(ctx context.Context, opts metav1.ListOptions) (watch.Interface, error)
}

// machineNegotiator and podNegotiator return the negotiators from which a client gets its
// decoders.
func (c *contender) machineNegotiator() runtime.ClientNegotiator {
	return runtime.NewClientNegotiator(c.machines, v1.SchemeGroupVersion)
}

func (c *contender) podNegotiator() runtime.ClientNegotiator {
	return runtime.NewClientNegotiator(c.pods, corev1.SchemeGroupVersion)
}

// builtIn returns a scheme of some built-in kinds, with codecs for it.
func builtIn() (*runtime.Scheme, serializer.CodecFactory) {
	scheme := runtime.NewScheme()
	if err := corev1.AddToScheme(scheme); err != nil {
		panic(err) // only if types contradict each other
	}
	return scheme, serializer.NewCodecFactory(scheme)
}

// pointers returns the objects of a list.
func pointers(list *v1.MachineList) []runtime.Object {
	objects := make([]runtime.Object, len(list.Items))
	for i := range list.Items {
		objects[i] = &list.Items[i]
	}
	return objects
}
