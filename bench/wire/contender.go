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
)

// contender is one of the two that are compared.
type contender struct {
	// name stands in the table's head.
	name string
	// machines and pods are the serializers of the clients that each emits.
	machines, pods runtime.NegotiatedSerializer
	// decodeFrom decodes what a reader holds, as the client does it for the body of
	// an answer.
	decodeFrom func(d runtime.Decoder, r io.Reader, into runtime.Object) error
	// decodeItems is decodeFrom for a list of machines that is not needed as such: it
	// returns the objects.
	decodeItems func(d runtime.Decoder, r io.Reader) ([]runtime.Object, error)
	// events decodes the events of a watch as the client does it.
	events func(n runtime.ClientNegotiator, r io.ReadCloser) (watch.Decoder, error)
	// client returns the emitted client of machines on a server; transport is nil for
	// the one that the contender makes of its config.
	client func(host string, transport http.RoundTripper) (machines, error)
	// fetch returns all of n objects in the way that an informer does by default.
	fetch func(ctx context.Context, c machines, n int) ([]runtime.Object, error)
}

// contenders run in this order, the peer first.
var contenders = []*contender{clientGo(), ours()}

// machines is what the emitted clients of either have in common and is measured.
type machines interface {
	Get(ctx context.Context, name string, opts metav1.GetOptions) (*v1.Machine, error)
	List(ctx context.Context, opts metav1.ListOptions) (*v1.MachineList, error)
	Watch(ctx context.Context, opts metav1.ListOptions) (watch.Interface, error)
}

// machineNegotiator and podNegotiator return what a client gets its decoders from.
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
		panic(err) // only where types contradict each other
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
