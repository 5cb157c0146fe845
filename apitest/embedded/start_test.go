package embedded_test

import (
	"context"
	"path/filepath"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"

	"github.com/listwatch/listwatch/apitest/embedded"
	"github.com/listwatch/listwatch/runtime/rest"
)

// client returns a client for group example.com, which sends objects unchanged.
func client(tb testing.TB, config *rest.Config) *rest.RESTClient {
	tb.Helper()
	config.APIPath = "/apis/example.com/v1"
	config.NegotiatedSerializer = serializer.NewCodecFactory(runtime.NewScheme())
	c, err := rest.UnversionedRESTClientFor(config)
	if err != nil {
		tb.Fatal(err)
	}
	return c
}

// BenchmarkNew starts and stops a server without a request.
func BenchmarkNew(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		srv, err := embedded.New()
		if err != nil {
			b.Fatal(err)
		}
		if err := srv.Stop(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkLife starts and stops a server, with one CRD and one object created over the network.
func BenchmarkLife(b *testing.B) {
	dir := b.TempDir()
	write(b, filepath.Join(dir, "as.yaml"), manifest("as", "A"))
	for b.Loop() {
		srv, err := embedded.New(embedded.WithCRDs(dir))
		if err != nil {
			b.Fatal(err)
		}
		body := []byte(`{"apiVersion":"example.com/v1","kind":"A","metadata":{"name":"one"},"spec":{"size":1}}`)
		err = client(b, srv.Config()).Post().Namespace("default").Resource("as").
			SetHeader("Content-Type", "application/json").Body(body).Do(context.Background()).Error()
		if err != nil {
			b.Fatal(err)
		}
		if err := srv.Stop(); err != nil {
			b.Fatal(err)
		}
	}
}
