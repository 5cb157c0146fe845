package main

import (
	"context"
	"fmt"
	"io"
	"net/http"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/streaming"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/rest"
	restwatch "k8s.io/client-go/rest/watch"

	v1 "github.com/listwatch/listwatch/bench/apis/fleet/v1"
	"github.com/listwatch/listwatch/bench/clients/clientgo/clientset/versioned"
	"github.com/listwatch/listwatch/bench/clients/clientgo/clientset/versioned/scheme"
	"github.com/listwatch/listwatch/bench/internal/input"
)

func clientGo() *contender {
	return &contender{
		name:        "client-go",
		machines:    rest.CodecFactoryForGeneratedClient(scheme.Scheme, scheme.Codecs).WithoutConversion(),
		pods:        rest.CodecFactoryForGeneratedClient(builtIn()).WithoutConversion(),
		decodeFrom:  decodeWhole,
		decodeItems: decodeWholeItems,
		decodePods:  decodeWholePods,
		events:      clientGoEvents,
		client:      clientGoClient,
		dynamic:     clientGoDynamic,
		fetch:       fetchByWatch,
	}
}

// decodeWhole reads all, then decodes.
func decodeWhole(d runtime.Decoder, r io.Reader, into runtime.Object) error {
	data, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	_, _, err = d.Decode(data, nil, into)
	return err
}

func decodeWholeItems(d runtime.Decoder, r io.Reader) ([]runtime.Object, error) {
	var list v1.MachineList
	err := decodeWhole(d, r, &list)
	return pointers(&list), err
}

func decodeWholePods(d runtime.Decoder, r io.Reader) ([]runtime.Object, error) {
	var list corev1.PodList
	err := decodeWhole(d, r, &list)
	objects := make([]runtime.Object, len(list.Items))
	for i := range list.Items {
		objects[i] = &list.Items[i]
	}
	return objects, err
}

func clientGoEvents(n runtime.ClientNegotiator, mediaType string, r io.ReadCloser) (watch.Decoder, error) {
	objects, frames, framer, err := n.StreamDecoder(mediaType, nil)
	if err != nil {
		return nil, err
	}
	return restwatch.NewDecoder(streaming.NewDecoder(framer.NewFrameReader(r), frames), objects), nil
}

func clientGoClient(host string, transport http.RoundTripper) (machines, error) {
	// No client-side limit, as in ours.
	config := &rest.Config{Host: host, QPS: -1, Transport: transport}
	clientset, err := versioned.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	return clientset.FleetV1().Machines(input.Namespace), nil
}

// fetchByWatch collects the objects of a watch that starts with all existing objects.
func fetchByWatch(ctx context.Context, c machines, n int) ([]runtime.Object, error) {
	w, err := c.Watch(ctx, metav1.ListOptions{Limit: int64(n)})
	if err != nil {
		return nil, err
	}
	defer w.Stop()
	var objects []runtime.Object
	for event := range w.ResultChan() {
		if event.Type != watch.Modified {
			return nil, fmt.Errorf("event %s: %v", event.Type, event.Object)
		}
		objects = append(objects, event.Object)
	}
	return objects, nil
}
