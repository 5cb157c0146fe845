package fake

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	policyv1beta1 "k8s.io/api/policy/v1beta1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/listwatch/listwatch/kubernetes/scheme"
	"github.com/listwatch/listwatch/runtime/rest"
	fakerest "github.com/listwatch/listwatch/runtime/rest/fake"
	"github.com/listwatch/listwatch/runtime/testing"
)

// Bind records an action in the namespace of binding, as client-go's fake does.
func (c *fakePods) Bind(_ context.Context, binding *corev1.Binding, _ metav1.CreateOptions) error {
	return c.create(binding.Namespace, "binding", binding)
}

func (c *fakePods) Evict(ctx context.Context, eviction *policyv1beta1.Eviction) error {
	return c.EvictV1beta1(ctx, eviction)
}

func (c *fakePods) EvictV1(_ context.Context, eviction *policyv1.Eviction) error {
	return c.create(c.Namespace(), "eviction", eviction)
}

func (c *fakePods) EvictV1beta1(_ context.Context, eviction *policyv1beta1.Eviction) error {
	return c.create(c.Namespace(), "eviction", eviction)
}

// create records the creation of a subresource. The action has no name, like client-go's: reactors
// find it in the object.
func (c *fakePods) create(namespace, subresource string, obj runtime.Object) error {
	_, err := c.Fake.Invokes(testing.NewCreateSubresourceAction(c.Resource(), "", subresource, namespace, obj), obj)
	return err
}

// fakeLogs are the logs of every pod for which no reactor has others.
const fakeLogs = "fake logs"

// GetLogs returns a request for "fake logs". A reactor for "get" and "pods/log" that returns a
// *runtime.Unknown replaces them by its Raw; the error that it returns is the error of the request.
func (c *fakePods) GetLogs(name string, opts *corev1.PodLogOptions) *rest.Request {
	logs, err := c.logs(opts)
	client := &fakerest.RESTClient{
		Client: fakerest.CreateHTTPClient(func(*http.Request) (*http.Response, error) {
			if err != nil {
				return nil, err
			}
			return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(bytes.NewReader(logs))}, nil
		}),
		NegotiatedSerializer: scheme.Codecs.WithoutConversion(),
		GroupVersion:         c.Kind().GroupVersion(),
		VersionedAPIPath:     fmt.Sprintf("/api/v1/namespaces/%s/pods/%s/log", c.Namespace(), name),
	}
	return client.Request()
}

// logs invokes the reactors for logs.
func (c *fakePods) logs(opts *corev1.PodLogOptions) ([]byte, error) {
	action := testing.GenericActionImpl{
		ActionImpl: testing.ActionImpl{Verb: "get", Namespace: c.Namespace(), Resource: c.Resource(), Subresource: "log"},
		Value:      opts,
	}
	obj, err := c.Fake.Invokes(action, &runtime.Unknown{Raw: []byte(fakeLogs)})
	if err != nil {
		return nil, err
	}
	if unknown, ok := obj.(*runtime.Unknown); ok && unknown != nil {
		return unknown.Raw, nil
	}
	return nil, fmt.Errorf("fake Pods.GetLogs expected reactor to return *runtime.Unknown, got %T", obj)
}

// ProxyGet returns the response of the first proxy reactor that handles the action, or nil.
func (c *fakePods) ProxyGet(scheme, name, port, path string, params map[string]string) rest.ResponseWrapper {
	return c.Fake.InvokesProxy(testing.NewProxyGetAction(c.Resource(), c.Namespace(), scheme, name, port, path, params))
}
