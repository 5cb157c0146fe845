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
		t.Errorf("/openapi/v3 lists %q, want the group versions that are served", got)
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
	if ds := doc.Paths["/apis/example.com/v1/namespaces/{namespace}/ds/{name}"]; ds.Patch != nil {
		t.Error("a resource can be patched that cannot")
	}
}

func TestOthers(t *testing.T) {
	for _, c := range []struct{ method, path string }{
		{http.MethodGet, "/openapi/v3/apis/example.com/v2"},
		{http.MethodGet, "/openapi/v3/api"},
		{http.MethodGet, "/openapi/v2/"},
		{http.MethodPost, "/openapi/v2"},
		{http.MethodPost, "/openapi/v3"},
		{http.MethodGet, "/version"},
	} {
		if w, ok := serve(handler(), c.method, c.path); ok {
			t.Errorf("%s %s: %d %s", c.method, c.path, w.Code, w.Body)
		}
	}
}

// A document can be cached by its hash; another hash is redirected to the current one.
func TestHash(t *testing.T) {
	h := handler()
	w, _ := serve(h, http.MethodGet, "/openapi/v3/api/v1?hash=old")
	if w.Code != http.StatusMovedPermanently {
		t.Fatalf("another hash: %d", w.Code)
	}
	w, _ = serve(h, http.MethodGet, w.Header().Get("Location"))
	if w.Code != http.StatusOK || w.Header().Get("Cache-Control") != "public, immutable" {
		t.Errorf("the current hash: %d, %v", w.Code, w.Header())
	}
	if w.Header().Get("Etag") == "" {
		t.Error("no entity tag")
	}
}

func TestEncodings(t *testing.T) {
	for _, c := range []struct{ path, accept, want string }{
		{"/openapi/v3/api/v1", "application/com.github.proto-openapi.spec.v3@v1.0+protobuf", "application/com.github.proto-openapi.spec.v3.v1.0+protobuf"},
		{"/openapi/v3/api/v1", "application/com.github.proto-openapi.spec.v3.v1.0+protobuf", "application/com.github.proto-openapi.spec.v3.v1.0+protobuf"},
		{"/openapi/v3/api/v1", "", "application/json"},
		{"/openapi/v3/api/v1", "*/*", "application/json"},
		{"/openapi/v3/api/v1", "text/plain", ""},
		{"/openapi/v2", "application/com.github.proto-openapi.spec.v2@v1.0+protobuf", "application/com.github.proto-openapi.spec.v2.v1.0+protobuf"},
		{"/openapi/v2", "application/json", "application/json"},
		{"/openapi/v2", "text/plain", ""},
	} {
		w := httptest.NewRecorder()
		req := httptest.NewRequest(http.MethodGet, c.path, nil)
		req.Header.Set("Accept", c.accept)
		if !handler().Serve(w, req) || w.Header().Get("Content-Type") != c.want {
			t.Errorf("%s as %q: %d %s", c.path, c.accept, w.Code, w.Header().Get("Content-Type"))
		}
		if (w.Code == http.StatusNotAcceptable) != (c.want == "") {
			t.Errorf("%s as %q: %d", c.path, c.accept, w.Code)
		}
	}
}

// Kubernetes' own kinds have the recorded models, others one that allows any fields.
func TestModels(t *testing.T) {
	h := &openapi.Handler{
		Groups: func() []apidiscovery.APIGroupDiscovery {
			r := resource("deployments", "Deployment", apidiscovery.ScopeNamespace, "get", "list", "watch", "create", "update", "patch", "delete", "deletecollection")
			r.ResponseKind = &metav1.GroupVersionKind{Kind: "Deployment"}
			r.Subresources = []apidiscovery.APISubresourceDiscovery{
				{Subresource: "scale", ResponseKind: &metav1.GroupVersionKind{Group: "autoscaling", Version: "v1", Kind: "Scale"}, Verbs: []string{"get", "create", "connect"}},
				{Subresource: "none"},
			}
			return []apidiscovery.APIGroupDiscovery{group("apps", r), group("example.com", resource("cs", "C", apidiscovery.ScopeCluster, "list"))}
		},
		Definitions: func(context.Context) ([]apiextensions.CustomResourceDefinition, error) { return nil, nil },
	}
	type model struct {
		Kinds      []metav1.GroupVersionKind `json:"x-kubernetes-group-version-kind"`
		Any        bool                      `json:"x-kubernetes-preserve-unknown-fields"`
		Properties map[string]json.RawMessage
	}
	var doc struct {
		Paths       map[string]json.RawMessage
		Definitions map[string]model
	}
	w, _ := serve(h, http.MethodGet, "/openapi/v2")
	if err := json.Unmarshal(w.Body.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"io.k8s.api.apps.v1.Deployment":     "/v1, Kind=Deployment",
		"io.k8s.api.apps.v1.DeploymentList": "/v1, Kind=DeploymentList",
		"io.k8s.api.autoscaling.v1.Scale":   "/v1, Kind=Scale",
		"com.example.v1.C":                  "/v1, Kind=C",
		"com.example.v1.CList":              "/v1, Kind=CList",
	} {
		got := doc.Definitions[name]
		if len(got.Kinds) != 1 || "/"+got.Kinds[0].Version+", Kind="+got.Kinds[0].Kind != want {
			t.Errorf("%s: kinds %v, want %s", name, got.Kinds, want)
		}
	}
	if kinds := doc.Definitions["io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions"].Kinds; len(kinds) != 2 {
		t.Errorf("kinds of options: %v", kinds)
	}
	if !doc.Definitions["com.example.v1.C"].Any || len(doc.Definitions["io.k8s.api.core.v1.PodSpec"].Properties) < 30 {
		t.Error("models are not those of their kinds")
	}
	for _, path := range []string{
		"/apis/apps/v1/deployments", "/apis/apps/v1/namespaces/{namespace}/deployments/{name}/scale",
		"/apis/apps/v1/watch/namespaces/{namespace}/deployments/{name}", "/apis/example.com/v1/cs",
	} {
		if doc.Paths[path] == nil {
			t.Errorf("no path %s", path)
		}
	}
}

func TestUnknownDefinitions(t *testing.T) {
	h := handler()
	h.Definitions = func(context.Context) ([]apiextensions.CustomResourceDefinition, error) {
		return nil, errors.New("out of order")
	}
	if w, ok := serve(h, http.MethodGet, "/openapi/v3"); !ok || w.Code != http.StatusInternalServerError {
		t.Errorf("GET /openapi/v3, when CRDs cannot be read: got %d (handled: %t), want 500", w.Code, ok)
	}
}
