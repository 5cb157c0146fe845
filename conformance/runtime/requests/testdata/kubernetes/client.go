package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"

	"example.test/requests/drive"
	clientset "example.test/requests/kubernetes/clientset/versioned"
	typedappsv1 "example.test/requests/kubernetes/clientset/versioned/typed/apps/v1"
	"example.test/requests/transcript"
)

func init() { scenarios = append(scenarios, construct, nilClients) }

// construct makes clients in all ways, and gets a deployment with each.
func construct(r *drive.Recorder) error {
	server := drive.NewServer(true)
	defer server.Close()
	ways := []struct {
		name   string
		client func(*rest.Config) (typedappsv1.AppsV1Interface, error)
	}{
		{"NewForConfig", func(c *rest.Config) (typedappsv1.AppsV1Interface, error) {
			return apps(clientset.NewForConfig(c))
		}},
		{"NewForConfigAndClient", func(c *rest.Config) (typedappsv1.AppsV1Interface, error) {
			return apps(clientset.NewForConfigAndClient(c, &http.Client{Transport: stamp{}}))
		}},
		{"NewForConfigOrDie", func(c *rest.Config) (typedappsv1.AppsV1Interface, error) {
			return apps(clientset.NewForConfigOrDie(c), nil)
		}},
		{"New", func(c *rest.Config) (typedappsv1.AppsV1Interface, error) {
			set, err := clientset.NewForConfig(c)
			if err != nil {
				return nil, err
			}
			return apps(clientset.New(set.AppsV1().RESTClient()), nil)
		}},
		{"apps NewForConfig", func(c *rest.Config) (typedappsv1.AppsV1Interface, error) {
			return typedappsv1.NewForConfig(c)
		}},
		{"apps NewForConfigAndClient", func(c *rest.Config) (typedappsv1.AppsV1Interface, error) {
			return typedappsv1.NewForConfigAndClient(c, &http.Client{Transport: stamp{}})
		}},
		{"apps NewForConfigOrDie", func(c *rest.Config) (typedappsv1.AppsV1Interface, error) {
			return typedappsv1.NewForConfigOrDie(c), nil
		}},
		{"apps New", func(c *rest.Config) (typedappsv1.AppsV1Interface, error) {
			client, err := typedappsv1.NewForConfig(c)
			if err != nil {
				return nil, err
			}
			return typedappsv1.New(client.RESTClient()), nil
		}},
	}
	other := schema.GroupVersion{Group: "other", Version: "v9"}
	configs := []struct {
		name string
		set  func(*rest.Config)
	}{
		{"as it is", func(*rest.Config) {}},
		{"with a user agent", func(c *rest.Config) { c.UserAgent = "somebody" }},
		{"with another group", func(c *rest.Config) { c.GroupVersion, c.APIPath = &other, "/elsewhere" }},
		{"with a content type", func(c *rest.Config) { c.ContentType, c.AcceptContentTypes = "application/yaml", "application/yaml" }},
		{"with a rate but no burst", func(c *rest.Config) { c.QPS = 5 }},
		{"with no host to be had", func(c *rest.Config) { c.Host = "http://a b" }},
		{"with a certificate that is none", func(c *rest.Config) { c.CAData = []byte("none") }},
		{"with a certificate, but without a care", func(c *rest.Config) { c.Insecure, c.CAData = true, []byte("none") }},
		{"with a key but no certificate", func(c *rest.Config) { c.KeyData = []byte("key") }},
		{"with a token", func(c *rest.Config) { c.BearerToken = "secret" }},
		{"with a token in a file that is not there", func(c *rest.Config) { c.BearerTokenFile = "/no/such/file" }},
		{"with a user", func(c *rest.Config) { c.Username, c.Password = "somebody", "secret" }},
		{"with a user and a token", func(c *rest.Config) { c.Username, c.BearerToken = "somebody", "secret" }},
		{"as another", func(c *rest.Config) {
			c.Impersonate = rest.ImpersonationConfig{
				UserName: "another", UID: "1-2-3", Groups: []string{"a", "b"}, Extra: map[string][]string{"Some/Thing": {"x y", "z"}},
			}
		}},
		{"as another without a name", func(c *rest.Config) { c.Impersonate = rest.ImpersonationConfig{Groups: []string{"a"}} }},
		{"with a time limit", func(c *rest.Config) { c.Timeout = time.Minute }},
		{"with a transport", func(c *rest.Config) { c.Transport = stamp{} }},
		{"with a transport and a certificate", func(c *rest.Config) { c.Transport, c.CAData = stamp{}, []byte("none") }},
		{"with a wrapped transport", func(c *rest.Config) { c.Wrap(func(http.RoundTripper) http.RoundTripper { return stamp{} }) }},
		{"with a dialer that fails", func(c *rest.Config) {
			c.Dial = func(context.Context, string, string) (net.Conn, error) {
				return nil, errors.New("the dialer does not want to")
			}
		}},
		{"with a host of no scheme", func(c *rest.Config) { c.Host = strings.TrimPrefix(c.Host, "http://") }},
		{"with a host that has a path", func(c *rest.Config) { c.Host += "/under/" }},
		{"with a host that has a query", func(c *rest.Config) { c.Host += "?a=b" }},
		{"without compression", func(c *rest.Config) { c.DisableCompression = true }},
		{"with protobuf", func(c *rest.Config) { c.ContentType = "application/vnd.kubernetes.protobuf" }},
		{"with protobuf and JSON", func(c *rest.Config) {
			c.ContentType, c.AcceptContentTypes = "application/vnd.kubernetes.protobuf", "application/vnd.kubernetes.protobuf,application/json"
		}},
		{"with CBOR", func(c *rest.Config) { c.ContentType, c.AcceptContentTypes = "application/cbor", "application/cbor" }},
		{"with a content type that nobody knows", func(c *rest.Config) { c.ContentType = "application/nonsense" }},
	}
	for _, way := range ways {
		for _, config := range configs {
			c := drive.Config(server.URL)
			config.set(c)
			call := transcript.Call{Name: "construct " + way.name + " " + config.name}
			before := fmt.Sprintf("%+v", c)
			call.Requests = server.During(func() { get(&call, way.client, c) })
			call.Result = fmt.Sprintf("config untouched: %v", before == fmt.Sprintf("%+v", c))
			r.Record(call)
		}
	}
	return nil
}

// get gets a deployment and notes what went wrong.
func get(call *transcript.Call, client func(*rest.Config) (typedappsv1.AppsV1Interface, error), c *rest.Config) {
	defer drive.Recovered(call)
	apps, err := client(c)
	if err == nil {
		_, err = apps.Deployments("here").Get(context.Background(), "thing", metav1.GetOptions{})
	}
	drive.Fail(call, err)
}

func apps(set *clientset.Clientset, err error) (typedappsv1.AppsV1Interface, error) {
	if err != nil {
		return nil, err
	}
	return set.AppsV1(), nil
}

// stamp marks the requests that go through it.
type stamp struct{}

// RoundTrip implements [http.RoundTripper].
func (stamp) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Stamped", "yes")
	return http.DefaultTransport.RoundTrip(r)
}

// nilClients asks clients that are nil for what they hand on.
func nilClients(r *drive.Recorder) error {
	r.Record(transcript.Call{Name: "construct nil", Result: fmt.Sprint(
		(*clientset.Clientset)(nil).Discovery() == nil,
		(*typedappsv1.AppsV1Client)(nil).RESTClient() == nil,
	)})
	return nil
}
