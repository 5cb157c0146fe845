package embedded_test

import (
	"context"
	"net/http"
	"reflect"
	"strings"
	"sync"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/listwatch/listwatch/apitest/embedded"
)

// Invalid options are reported with the name of the option and the reason.
func TestOptionErrors(t *testing.T) {
	for _, c := range []struct {
		name string
		opts []embedded.Option
		want string
	}{
		{"no scheme", []embedded.Option{embedded.WithScheme(nil)}, "WithScheme: the scheme is nil"},
		{"no definition", []embedded.Option{embedded.WithCRDObjects(nil)}, "a definition is nil"},
		{"no object", []embedded.Option{embedded.WithObjects(&corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "a"}}, nil)}, "object 2 is nil"},
	} {
		t.Run(c.name, func(t *testing.T) {
			srv, err := embedded.New(c.opts...)
			if err == nil {
				t.Fatal("it started", srv.Stop())
			}
			if !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %q, want %q in it", err, c.want)
			}
		})
	}
	srv := embedded.Start(t)
	if err := srv.Apply(context.Background(), nil); err == nil || !strings.Contains(err.Error(), "a definition is nil") {
		t.Errorf("applied nil: %v", err)
	}
}

// A server that listens at all interfaces has an address that clients can use, for which its certificate is valid.
func TestAddressOfAllInterfaces(t *testing.T) {
	srv := embedded.Start(t, embedded.WithAddress("0.0.0.0:0"))
	config := srv.Config()
	if !strings.HasPrefix(config.Host, "https://127.0.0.1:") {
		t.Errorf("the host is %s", config.Host)
	}
	if status, body := get(t, config, "/readyz"); status != http.StatusOK {
		t.Errorf("%d: %s", status, body)
	}
}

// The objects of WithObjects are not modified: servers that start at the same time may share them.
func TestObjectsAreShared(t *testing.T) {
	object := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "admissionregistration.k8s.io/v1",
		"kind":       "ValidatingWebhookConfiguration",
		"metadata":   map[string]any{"name": "a"},
		"webhooks": []any{map[string]any{
			"name":                    "a.example.com",
			"clientConfig":            map[string]any{"service": map[string]any{"name": "a", "namespace": "default"}},
			"sideEffects":             "None",
			"admissionReviewVersions": []any{"v1"},
		}},
	}}
	before := object.DeepCopy()
	options := []embedded.Option{embedded.WithWebhooks("https://127.0.0.1:1", nil), embedded.WithObjects(object)}
	const servers = 4
	var wg sync.WaitGroup
	for range servers {
		wg.Go(func() {
			srv, err := embedded.New(options...)
			if err != nil {
				t.Error(err)
				return
			}
			if err = srv.Stop(); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if !reflect.DeepEqual(object, before) {
		t.Errorf("the object is now %v", object.Object)
	}
}
