package fake_test

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/types"

	"github.com/listwatch/listwatch/runtime/rest"
	"github.com/listwatch/listwatch/runtime/rest/fake"
)

var version = schema.GroupVersion{Group: "example.com", Version: "v1"}

func newClient() *fake.RESTClient {
	scheme := runtime.NewScheme()
	scheme.AddKnownTypes(version, &metav1.PartialObjectMetadata{})
	metav1.AddToGroupVersion(scheme, version)
	return &fake.RESTClient{
		NegotiatedSerializer: serializer.NewCodecFactory(scheme).WithoutConversion(),
		GroupVersion:         version,
		VersionedAPIPath:     "/apis/example.com/v1",
	}
}

func response(body string) *http.Response {
	return &http.Response{
		StatusCode: http.StatusOK,
		Header:     http.Header{"Content-Type": {"application/json"}},
		Body:       io.NopCloser(strings.NewReader(body)),
	}
}

const object = `{"apiVersion":"example.com/v1","kind":"PartialObjectMetadata","metadata":{"name":"a"}}`

func TestAnswers(t *testing.T) {
	failure := errors.New("no network")
	for _, c := range []struct {
		name string
		set  func(*fake.RESTClient)
		err  error
		sent bool
	}{
		{"a response", func(c *fake.RESTClient) { c.Resp = response(object) }, nil, true},
		{"an HTTP client before a response", func(c *fake.RESTClient) {
			c.Resp = response(`{}`)
			c.Client = fake.CreateHTTPClient(func(req *http.Request) (*http.Response, error) {
				if got := req.URL.String(); got != "https://localhost/apis/example.com/v1/namespaces/ns/things/a" {
					t.Errorf("sent to %s", got)
				}
				return response(object), nil
			})
		}, nil, true},
		{"an error before all", func(c *fake.RESTClient) {
			c.Err = failure
			c.Resp = response(object)
			c.Client = fake.CreateHTTPClient(func(*http.Request) (*http.Response, error) {
				t.Error("sent in spite of the error")
				return response(object), nil
			})
		}, failure, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			client := newClient()
			c.set(client)
			var got metav1.PartialObjectMetadata
			err := client.Get().Namespace("ns").Resource("things").Name("a").Do(t.Context()).Into(&got)
			if !errors.Is(err, c.err) {
				t.Fatalf("got %v, want %v", err, c.err)
			}
			if err == nil && got.Name != "a" {
				t.Errorf("got %+v", got)
			}
			if sent := client.Req != nil; sent != c.sent {
				t.Errorf("recorded %v", client.Req)
			}
		})
	}
}

func TestVerbs(t *testing.T) {
	for verb, begin := range map[string]func(*fake.RESTClient) *rest.Request{
		"GET":    (*fake.RESTClient).Get,
		"PUT":    (*fake.RESTClient).Put,
		"POST":   (*fake.RESTClient).Post,
		"DELETE": (*fake.RESTClient).Delete,
		"PATCH":  func(c *fake.RESTClient) *rest.Request { return c.Patch(types.MergePatchType) },
		"HEAD":   func(c *fake.RESTClient) *rest.Request { return c.Verb("HEAD") },
	} {
		client := newClient()
		client.Resp = response(object)
		if err := begin(client).Resource("things").Do(t.Context()).Error(); err != nil {
			t.Fatal(err)
		}
		if client.Req.Method != verb {
			t.Errorf("sent %s instead of %s", client.Req.Method, verb)
		}
		if got := client.Req.Header.Get("Content-Type"); verb == "PATCH" && got != string(types.MergePatchType) {
			t.Errorf("sent a patch as %s", got)
		}
	}
	if client := newClient(); client.APIVersion() != version || client.GetRateLimiter() != nil {
		t.Error("the client differs from the one that was set")
	}
}
