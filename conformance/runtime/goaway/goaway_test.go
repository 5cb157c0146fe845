package goaway_test

import (
	"context"
	"crypto/tls"
	"encoding/pem"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"go.uber.org/goleak"
	"golang.org/x/net/http2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/apimachinery/pkg/watch"
	theirs "k8s.io/client-go/dynamic"
	theirrest "k8s.io/client-go/rest"
	"k8s.io/klog/v2"

	ours "github.com/listwatch/listwatch/runtime/dynamic"
	ourrest "github.com/listwatch/listwatch/runtime/rest"
)

func TestMain(m *testing.M) {
	klog.SetLogger(logr.Discard())
	goleak.VerifyTestMain(m)
}

// client is both sides' client of one resource.
type client interface {
	Get(ctx context.Context, name string, options metav1.GetOptions, subresources ...string) (*unstructured.Unstructured, error)
	List(ctx context.Context, opts metav1.ListOptions) (*unstructured.UnstructuredList, error)
	Watch(ctx context.Context, opts metav1.ListOptions) (watch.Interface, error)
	Create(ctx context.Context, obj *unstructured.Unstructured, options metav1.CreateOptions, subresources ...string) (*unstructured.Unstructured, error)
}

var calls = map[string]func(context.Context, client) (string, error){
	"get": func(ctx context.Context, c client) (string, error) {
		got, err := c.Get(ctx, "a", metav1.GetOptions{})
		if err != nil {
			return "", err
		}
		return got.GetName(), nil
	},
	"list": func(ctx context.Context, c client) (string, error) {
		got, err := c.List(ctx, metav1.ListOptions{})
		if err != nil {
			return "", err
		}
		return fmt.Sprint(len(got.Items)), nil
	},
	"watch": func(ctx context.Context, c client) (string, error) {
		w, err := c.Watch(ctx, metav1.ListOptions{ResourceVersion: "7"})
		if err != nil {
			return "", err
		}
		defer w.Stop()
		var got []string
		for event := range w.ResultChan() {
			got = append(got, string(event.Type))
		}
		return fmt.Sprint(got), nil
	},
	"create": func(ctx context.Context, c client) (string, error) {
		object := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "v1", "kind": "ConfigMap", "metadata": map[string]any{"name": "a"}}}
		got, err := c.Create(ctx, object, metav1.CreateOptions{})
		if err != nil {
			return "", err
		}
		return got.GetName(), nil
	},
}

// observed is what a call leads to.
type observed struct {
	got      string
	failed   bool
	conns    int
	requests []string
}

var resource = schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}

// identity is a server's certificate.
func identity(t *testing.T) (*tls.Config, []byte) {
	t.Helper()
	s := httptest.NewTLSServer(http.NotFoundHandler())
	defer s.Close()
	return &tls.Config{Certificates: s.TLS.Certificates}, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw})
}

func TestGoAway(t *testing.T) {
	config, ca := identity(t)
	their := func(host string) (client, func(), error) {
		httpClient, err := theirrest.HTTPClientFor(&theirrest.Config{TLSClientConfig: theirrest.TLSClientConfig{CAData: ca, ServerName: "example.com"}})
		if err != nil {
			return nil, nil, err
		}
		c, err := theirs.NewForConfigAndClient(&theirrest.Config{Host: host, QPS: -1}, httpClient)
		if err != nil {
			return nil, nil, err
		}
		return c.Resource(resource).Namespace("n"), func() { utilnet.CloseIdleConnectionsFor(httpClient.Transport) }, nil
	}
	our := func(host string) (client, func(), error) {
		httpClient, err := ourrest.HTTPClientFor(&ourrest.Config{TLSClientConfig: ourrest.TLSClientConfig{CAData: ca, ServerName: "example.com"}})
		if err != nil {
			return nil, nil, err
		}
		c, err := ours.NewForConfigAndClient(&ourrest.Config{Host: host}, httpClient)
		if err != nil {
			return nil, nil, err
		}
		return c.Resource(resource).Namespace("n"), func() { utilnet.CloseIdleConnectionsFor(httpClient.Transport) }, nil
	}
	observe := func(t *testing.T, s script, call string, create func(string) (client, func(), error)) (result observed, err error) {
		t.Helper()
		srv := serve(t, config, s)
		c, closeIdle, err := create("https://" + srv.listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer closeIdle()
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		result.got, err = calls[call](ctx, c)
		result.failed = err != nil
		result.conns, result.requests = srv.saw()
		if _, again := calls["get"](ctx, c); again != nil {
			t.Errorf("the next call fails: %v", again)
		}
		return result, err
	}
	for _, at := range []point{unprocessed, beforeHead, afterHead, inBody, afterBody, refused, resetBody} {
		for _, code := range []http2.ErrCode{http2.ErrCodeNo, http2.ErrCodeEnhanceYourCalm, http2.ErrCodeInternal} {
			for _, closes := range []bool{false, true} {
				if (at == refused || at == resetBody) && (closes || code != http2.ErrCodeNo) {
					continue
				}
				for call := range calls {
					s := script{at, code, closes, 1}
					t.Run(fmt.Sprintf("%s/%s %v, closes: %v", call, at, code, closes), func(t *testing.T) {
						t.Parallel()
						want, wantErr := observe(t, s, call, their)
						got, err := observe(t, s, call, our)
						if call == "watch" && at == resetBody {
							// client-go has an event for it. With ours, the watch ends as one whose connection is lost.
							want.got = strings.Replace(want.got, " ERROR]", "]", 1)
						}
						// net/http may open a connection more than it needs.
						if got.got != want.got || got.failed != want.failed || got.conns > want.conns+1 || !slices.Equal(got.requests, want.requests) {
							t.Errorf("got %+v, %v\nwant %+v, %v", got, err, want, wantErr)
						}
						t.Logf("%+v, %v; client-go: %v", got, err, wantErr)
					})
				}
			}
		}
	}
}
