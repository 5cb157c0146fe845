package controllerruntime_test

import (
	"net/http"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// A read copies, in each form, unless its own option says otherwise.
func TestCopies(t *testing.T) {
	_, config, _ := fleet(t, "bay/a")
	c := start(t, config, cache.Options{})
	yes, name := true, client.ObjectKey{Namespace: "bay", Name: "a"}
	shared := &client.GetOptions{UnsafeDisableDeepCopy: &yes}
	for _, form := range []string{"", "unstructured", "metadata"} {
		first := inForm(form)
		if err := c.Get(t.Context(), name, first); err != nil {
			t.Fatal(err)
		}
		first.GetLabels()["changed"] = "a copy"
		stored := inForm(form)
		if err := c.Get(t.Context(), name, stored, shared); err != nil {
			t.Fatal(err)
		}
		equal(t, "labels as "+form, stored.GetLabels(), map[string]string{"name": "a"})
	}
	var list, again corev1.ConfigMapList
	for _, into := range []*corev1.ConfigMapList{&list, &again} {
		if err := c.List(t.Context(), into, client.UnsafeDisableDeepCopy); err != nil {
			t.Fatal(err)
		}
	}
	list.Items[0].Data["shared"] = "yes"
	equal(t, "data of a list that is not copied", again.Items[0].Data["shared"], "yes")
	lists := &unstructured.UnstructuredList{}
	lists.SetGroupVersionKind(corev1.SchemeGroupVersion.WithKind("ConfigMapList"))
	partials := &metav1.PartialObjectMetadataList{}
	partials.SetGroupVersionKind(corev1.SchemeGroupVersion.WithKind("ConfigMapList"))
	for _, into := range []client.ObjectList{lists, partials} {
		if err := c.List(t.Context(), into, client.UnsafeDisableDeepCopy); err != nil {
			t.Fatal(err)
		}
		equal(t, "items", meta.LenList(into), 1)
	}
}

// The program's mapper chooses the resources of kinds; nothing is discovered then.
func TestMapper(t *testing.T) {
	_, config, _ := fleet(t, "bay/a")
	mapper := meta.NewDefaultRESTMapper(nil)
	mapper.Add(corev1.SchemeGroupVersion.WithKind("ConfigMap"), meta.RESTScopeNamespace)
	own, err := rest.HTTPClientFor(config)
	if err != nil {
		t.Fatal(err)
	}
	requests := &recorder{RoundTripper: own.Transport}
	c := start(t, config, cache.Options{
		HTTPClient: &http.Client{Transport: requests},
		Mapper:     mapper,
		ByObject:   map[client.Object]cache.ByObject{&corev1.ConfigMap{}: {}},
	})
	if err := c.List(t.Context(), &corev1.ConfigMapList{}); err != nil {
		t.Fatal(err)
	}
	if err := c.List(t.Context(), &corev1.SecretList{}); !meta.IsNoMatchError(err) {
		t.Errorf("of a kind that the mapper lacks: error %v", err)
	}
	requests.mu.Lock()
	defer requests.mu.Unlock()
	for _, path := range requests.paths {
		if !strings.HasSuffix(path, "/configmaps") {
			t.Errorf("request of %s", path)
		}
	}
}
