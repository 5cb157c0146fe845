package main

import (
	"context"
	"fmt"
	"net/http"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"

	"example.test/requests/drive"
	clientset "example.test/requests/kubernetes/clientset/versioned"
	typedappsv1 "example.test/requests/kubernetes/clientset/versioned/typed/apps/v1"
	"example.test/requests/transcript"
)

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
	}
	for _, way := range ways {
		for _, config := range configs {
			c := drive.Config(server.URL)
			config.set(c)
			call := transcript.Call{Name: "construct " + way.name + " " + config.name}
			before := fmt.Sprintf("%+v", c)
			call.Requests = server.During(func() { call.Error = get(way.client, c) })
			call.Result = fmt.Sprintf("config untouched: %v", before == fmt.Sprintf("%+v", c))
			r.Record(call)
		}
	}
	return nil
}

// get gets a deployment and returns what went wrong; a panic counts.
func get(client func(*rest.Config) (typedappsv1.AppsV1Interface, error), c *rest.Config) (complaint string) {
	defer func() {
		if p := recover(); p != nil {
			complaint = fmt.Sprint("panic: ", p)
		}
	}()
	apps, err := client(c)
	if err == nil {
		_, err = apps.Deployments("here").Get(context.Background(), "thing", metav1.GetOptions{})
	}
	return fmt.Sprint(err)
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
