package main

import (
	"context"
	"fmt"
	"io"
	"net/http"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"

	v1 "github.com/listwatch/listwatch/bench/apis/fleet/v1"
	"github.com/listwatch/listwatch/bench/clients/listwatch/clientset/versioned"
	"github.com/listwatch/listwatch/bench/clients/listwatch/clientset/versioned/scheme"
	"github.com/listwatch/listwatch/bench/internal/input"
	"github.com/listwatch/listwatch/runtime/codec"
	"github.com/listwatch/listwatch/runtime/gentype"
	"github.com/listwatch/listwatch/runtime/rest"
	restwatch "github.com/listwatch/listwatch/runtime/watch"
)

func ours() *contender {
	return &contender{
		name:       "listwatch",
		machines:   codec.ForScheme(scheme.Scheme, scheme.Codecs),
		pods:       codec.ForScheme(builtIn()),
		decodeFrom: decodeStream,
		decodeItems: func(d runtime.Decoder, r io.Reader) ([]runtime.Object, error) {
			return decodeStreamItems(d, r, &v1.MachineList{}, func() runtime.Object { return &v1.Machine{} })
		},
		decodePods: func(d runtime.Decoder, r io.Reader) ([]runtime.Object, error) {
			return decodeStreamItems(d, r, &corev1.PodList{}, func() runtime.Object { return &corev1.Pod{} })
		},
		events:  ourEvents,
		client:  ourClient,
		dynamic: ourDynamic,
		sharing: codec.WithSharing,
		fetch:   fetchByStream,
	}
}

func streamDecoder(d runtime.Decoder) (codec.StreamDecoder, error) {
	stream, ok := d.(codec.StreamDecoder)
	if !ok {
		return nil, fmt.Errorf("%T decodes no streams", d)
	}
	return stream, nil
}

func decodeStream(d runtime.Decoder, r io.Reader, into runtime.Object) error {
	stream, err := streamDecoder(d)
	if err != nil {
		return err
	}
	_, err = stream.DecodeFrom(r, into)
	return err
}

func decodeStreamItems(d runtime.Decoder, r io.Reader, list runtime.Object, newItem func() runtime.Object) ([]runtime.Object, error) {
	stream, err := streamDecoder(d)
	if err != nil {
		return nil, err
	}
	var objects []runtime.Object
	_, err = stream.DecodeList(r, list, newItem,
		func(object runtime.Object) error {
			objects = append(objects, object)
			return nil
		})
	return objects, err
}

func ourEvents(n runtime.ClientNegotiator, mediaType string, r io.ReadCloser) (watch.Decoder, error) {
	d, frames, _, err := n.StreamDecoder(mediaType, nil)
	if err != nil {
		return nil, err
	}
	stream, err := streamDecoder(d)
	if err != nil {
		return nil, err
	}
	if mediaType == runtime.ContentTypeProtobuf {
		return restwatch.NewProtobufDecoder(r, frames, stream), nil
	}
	return restwatch.NewStreamDecoder(r, stream), nil
}

func ourClient(host string, transport http.RoundTripper) (machines, error) {
	clientset, err := versioned.NewForConfig(&rest.Config{Host: host, Transport: transport})
	if err != nil {
		return nil, err
	}
	return clientset.FleetV1().Machines(input.Namespace), nil
}

// fetchByStream collects the objects of a list while they are decoded.
func fetchByStream(ctx context.Context, c machines, n int) ([]runtime.Object, error) {
	streamer, ok := c.(gentype.ListStreamer)
	if !ok {
		return nil, fmt.Errorf("%T streams no lists", c)
	}
	var objects []runtime.Object
	_, err := streamer.StreamList(ctx, metav1.ListOptions{Limit: int64(n)}, func(object runtime.Object) error {
		objects = append(objects, object)
		return nil
	})
	return objects, err
}
