package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/listwatch/listwatch/kubernetes"
	"github.com/listwatch/listwatch/runtime/cache"
	"github.com/listwatch/listwatch/runtime/rest"
)

// reflector fills a store with the pods of the server, and prints the requests that this takes.
func reflector(ctx context.Context, config *rest.Config, out io.Writer) error {
	ctx, cancel := context.WithCancel(ctx)
	sent := requests{URIs: make(chan string, 10)}
	config.Wrap(func(next http.RoundTripper) http.RoundTripper { sent.RoundTripper = next; return sent })
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		cancel()
		return err
	}
	store := filled{cache.NewStore(cache.MetaNamespaceKeyFunc), make(chan struct{})}
	r := cache.NewReflector(cache.ListWatchFor(client.CoreV1().Pods("tour"), nil), &corev1.Pod{}, store, 0)
	stopped := make(chan struct{})
	go func() { defer close(stopped); r.RunWithContext(ctx) }()
	defer func() { cancel(); <-stopped }()

	fmt.Fprintln(out, <-sent.URIs)
	select {
	case <-store.done:
	case <-ctx.Done():
		return ctx.Err()
	}
	keys := store.ListKeys()
	slices.Sort(keys)
	fmt.Fprintln(out, "stored:", keys)
	return nil
}

// filled is a store that closes done when it has received the first list.
type filled struct {
	cache.Store
	done chan struct{}
}

func (s filled) Replace(objects []any, version string) error {
	defer close(s.done)
	return s.Store.Replace(objects, version)
}

// requests passes on the requests of a client, and reports their URIs.
type requests struct {
	http.RoundTripper
	URIs chan string
}

func (r requests) RoundTrip(request *http.Request) (*http.Response, error) {
	r.URIs <- "GET " + request.URL.RequestURI()
	return r.RoundTripper.RoundTrip(request)
}
