package embedded_test

import (
	"fmt"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/listwatch/listwatch/apitest/embedded"
)

// TestSlowReader checks that a watch that nobody reads delays neither writes nor other watches, and that its reader gets
// every event in the end. The events are more than the buffers of the connection.
func TestSlowReader(t *testing.T) {
	const writes = 400
	srv := embedded.Start(t)
	clients := func() *kubernetes.Clientset {
		config := srv.RESTConfig()
		config.QPS = -1
		return kubernetes.NewForConfigOrDie(config)
	}
	maps := clients().CoreV1().ConfigMaps("default")
	slow, err := clients().CoreV1().ConfigMaps("default").Watch(t.Context(), metav1.ListOptions{LabelSelector: "of=slowreader"})
	if err != nil {
		t.Fatal(err)
	}
	defer slow.Stop()
	other, err := clients().CoreV1().ConfigMaps("default").Watch(t.Context(), metav1.ListOptions{LabelSelector: "of=slowreader"})
	if err != nil {
		t.Fatal(err)
	}
	defer other.Stop()
	filling := strings.Repeat("x", 50_000)
	for i := range writes {
		object := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("a-%04d", i), Labels: map[string]string{"of": "slowreader"}}, Data: map[string]string{"a": filling}}
		if _, err := maps.Create(t.Context(), object, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
		if e, ok := <-other.ResultChan(); !ok || e.Object.(*corev1.ConfigMap).Name != object.Name {
			t.Fatalf("the other watch got %v, want %s", e.Type, object.Name)
		}
	}
	for i := range writes {
		e, ok := <-slow.ResultChan()
		if !ok {
			t.Fatalf("the watch ended after %d of %d events", i, writes)
		}
		if got, want := e.Object.(*corev1.ConfigMap).Name, fmt.Sprintf("a-%04d", i); got != want {
			t.Fatalf("event %d is about %s, want %s", i, got, want)
		}
	}
}

// TestTwoServers checks that servers of one test share nothing: objects, resource versions, definitions, users and
// credentials.
func TestTwoServers(t *testing.T) {
	one, two := embedded.Start(t, embedded.WithManifestText(gadgets)), embedded.Start(t)
	first, second := kubernetes.NewForConfigOrDie(one.RESTConfig()), kubernetes.NewForConfigOrDie(two.RESTConfig())
	object := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "a"}}
	for name, client := range map[string]*kubernetes.Clientset{"the first": first, "the second": second} {
		if _, err := client.CoreV1().ConfigMaps("default").Create(t.Context(), object, metav1.CreateOptions{}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := first.CoreV1().ConfigMaps("default").Delete(t.Context(), "a", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, err := second.CoreV1().ConfigMaps("default").Get(t.Context(), "a", metav1.GetOptions{}); err != nil {
		t.Errorf("an object was deleted from the other server: %v", err)
	}
	if _, err := first.Discovery().ServerResourcesForGroupVersion("example.com/v1"); err != nil {
		t.Errorf("the definition is not served: %v", err)
	}
	if _, err := second.Discovery().ServerResourcesForGroupVersion("example.com/v1"); err == nil {
		t.Error("the other server has the definition")
	}
	foreign := two.RESTConfig()
	foreign.Host = one.RESTConfig().Host
	foreign.TLSClientConfig = one.RESTConfig().TLSClientConfig
	if _, err := kubernetes.NewForConfigOrDie(foreign).CoreV1().Namespaces().List(t.Context(), metav1.ListOptions{}); err == nil {
		t.Error("a token of the other server is accepted")
	}
	if err := one.Stop(); err != nil {
		t.Fatal(err)
	}
	if _, err := second.CoreV1().ConfigMaps("default").Get(t.Context(), "a", metav1.GetOptions{}); err != nil {
		t.Errorf("after the first server has stopped: %v", err)
	}
}
