package openapi_test

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	apidiscovery "k8s.io/api/apidiscovery/v2"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/apitest/internal/openapi"
)

func resource(name, kind string, scope apidiscovery.ResourceScope, verbs ...string) apidiscovery.APIResourceDiscovery {
	return apidiscovery.APIResourceDiscovery{
		Resource: name, Scope: scope, Verbs: verbs, ResponseKind: &metav1.GroupVersionKind{Group: "example.com", Version: "v1", Kind: kind},
	}
}

func group(name string, resources ...apidiscovery.APIResourceDiscovery) apidiscovery.APIGroupDiscovery {
	return apidiscovery.APIGroupDiscovery{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Versions:   []apidiscovery.APIVersionDiscovery{{Version: "v1", Resources: resources}},
	}
}

func definition() apiextensions.CustomResourceDefinition {
	crd := apiextensions.CustomResourceDefinition{ObjectMeta: metav1.ObjectMeta{Name: "bs.example.com"}}
	crd.Spec.Group = "example.com"
	crd.Spec.Scope = apiextensions.NamespaceScoped
	crd.Spec.Names = apiextensions.CustomResourceDefinitionNames{Plural: "bs", Singular: "b", Kind: "B", ListKind: "BList"}
	crd.Status.AcceptedNames = crd.Spec.Names
	crd.Spec.Versions = []apiextensions.CustomResourceDefinitionVersion{{
		Name: "v1", Served: true, Storage: true,
		Schema: &apiextensions.CustomResourceValidation{OpenAPIV3Schema: &apiextensions.JSONSchemaProps{
			Type:       "object",
			Properties: map[string]apiextensions.JSONSchemaProps{"spec": {Type: "string", Description: "requested state"}},
		}},
	}}
	return crd
}

func handler() *openapi.Handler {
	return &openapi.Handler{
		Groups: func() []apidiscovery.APIGroupDiscovery {
			return []apidiscovery.APIGroupDiscovery{
				group("example.com", resource("bs", "B", apidiscovery.ScopeNamespace, "get", "patch")),
				group("", resource("as", "A", apidiscovery.ScopeCluster, "get")),
				group("example.com", resource("cs", "C", apidiscovery.ScopeCluster, "get", "patch"), resource("ds", "D", apidiscovery.ScopeNamespace, "get")),
			}
		},
		Definitions: func(context.Context) ([]apiextensions.CustomResourceDefinition, error) {
			return []apiextensions.CustomResourceDefinition{definition()}, nil
		},
	}
}

func serve(h *openapi.Handler, method, path string) (*httptest.ResponseRecorder, bool) {
	w := httptest.NewRecorder()
	req := httptest.NewRequest(method, path, nil)
	req.Header.Set("Accept", "application/json")
	return w, h.Serve(w, req)
}

func TestList(t *testing.T) {
	w, ok := serve(handler(), http.MethodGet, "/openapi/v3")
	var list struct {
		Paths map[string]struct{ ServerRelativeURL string }
	}
	if err := json.Unmarshal(w.Body.Bytes(), &list); err != nil || !ok {
		t.Fatal(err, ok)
	}
	if got := slices.Sorted(maps.Keys(list.Paths)); !slices.Equal(got, []string{"api/v1", "apis/example.com/v1"}) {
		t.Errorf("got %v", got)
	}
	if url := list.Paths["api/v1"].ServerRelativeURL; !strings.HasPrefix(url, "/openapi/v3/api/v1?hash=") {
		t.Errorf("URL: %s", url)
	}
}

func TestDocument(t *testing.T) {
	w, ok := serve(handler(), http.MethodGet, "/openapi/v3/apis/example.com/v1")
	var doc struct {
		Paths map[string]struct {
			Patch *struct {
				Kind       metav1.GroupVersionKind `json:"x-kubernetes-group-version-kind"`
				Parameters []struct{ Name string }
			}
		}
		Components struct {
			Schemas map[string]struct {
				Properties map[string]struct{ Description string }
			}
		}
	}
	if err := json.Unmarshal(w.Body.Bytes(), &doc); err != nil || !ok {
		t.Fatal(err, ok)
	}
	if got := doc.Components.Schemas["com.example.v1.B"].Properties["spec"].Description; got != "requested state" {
		t.Errorf("a definition's field is described by %q", got)
	}
	for path, kind := range map[string]string{
		"/apis/example.com/v1/namespaces/{namespace}/bs/{name}": "B",
		"/apis/example.com/v1/cs/{name}":                        "C",
	} {
		patch := doc.Paths[path].Patch
		if patch == nil {
			t.Errorf("%s: no patch", path)
			continue
		}
		if patch.Kind != (metav1.GroupVersionKind{Group: "example.com", Version: "v1", Kind: kind}) {
			t.Errorf("%s: kind %v", path, patch.Kind)
		}
		if !slices.ContainsFunc(patch.Parameters, func(p struct{ Name string }) bool { return p.Name == "fieldValidation" }) {
			t.Errorf("%s: no validation of fields among %v", path, patch.Parameters)
		}
	}
	if _, ok := doc.Paths["/apis/example.com/v1/namespaces/{namespace}/ds/{name}"]; ok {
		t.Error("a resource can be patched that cannot")
	}
}

func TestOthers(t *testing.T) {
	for _, c := range []struct{ method, path string }{
		{http.MethodGet, "/openapi/v3/apis/example.com/v2"},
		{http.MethodGet, "/openapi/v3/api"},
		{http.MethodGet, "/openapi/v2"},
		{http.MethodPost, "/openapi/v3"},
		{http.MethodGet, "/version"},
	} {
		if w, ok := serve(handler(), c.method, c.path); ok {
			t.Errorf("%s %s: %d %s", c.method, c.path, w.Code, w.Body)
		}
	}
}

func TestUnknownDefinitions(t *testing.T) {
	h := handler()
	h.Definitions = func(context.Context) ([]apiextensions.CustomResourceDefinition, error) {
		return nil, errors.New("out of order")
	}
	if w, ok := serve(h, http.MethodGet, "/openapi/v3"); !ok || w.Code != http.StatusInternalServerError {
		t.Errorf("got %d", w.Code)
	}
}
