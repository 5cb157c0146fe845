package restmapper_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync/atomic"
	"testing"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/disk"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
)

// documents are those of a server without aggregated discovery.
var documents = map[string]string{
	"/api":  `{"kind":"APIVersions","versions":["v1"]}`,
	"/apis": `{"kind":"APIGroupList","groups":[{"name":"apps","versions":[{"groupVersion":"apps/v1","version":"v1"}],"preferredVersion":{"groupVersion":"apps/v1","version":"v1"}}]}`,
	"/api/v1": `{"kind":"APIResourceList","groupVersion":"v1","resources":[
		{"name":"pods","singularName":"pod","kind":"Pod","namespaced":true,"shortNames":["po"],"categories":["all"],"verbs":["list"]}]}`,
	"/apis/apps/v1": `{"kind":"APIResourceList","groupVersion":"apps/v1","resources":[
		{"name":"deployments","singularName":"deployment","kind":"Deployment","namespaced":true,"shortNames":["deploy"],"categories":["all"],"verbs":["list"]}]}`,
}

// plain is a client of the program's, in the form without contexts.
type plain struct{ discovery.DiscoveryInterface }

func (p plain) WithLegacy() discovery.DiscoveryInterface { return p }

// withContext is a client of the program's, in the form with contexts.
type withContext struct {
	discovery.DiscoveryInterfaceWithContext
}

func (w withContext) WithLegacyWithContext(context.Context) discovery.DiscoveryInterfaceWithContext {
	return w
}

func newClient(t *testing.T) (*rest.Config, *discovery.DiscoveryClient, *atomic.Int64) {
	t.Helper()
	requests := &atomic.Int64{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		document, ok := documents[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(document))
	}))
	t.Cleanup(server.Close)
	config := &rest.Config{Host: server.URL}
	client, err := discovery.NewDiscoveryClientForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	return config, client, requests
}

var deployment = schema.GroupKind{Group: "apps", Kind: "Deployment"}

// Mappers take discovery clients of all forms: the module's, cached ones, and those that a program declares.
func TestMappers(t *testing.T) {
	config, client, _ := newClient(t)
	onDisk, err := disk.NewCachedDiscoveryClientForConfig(config, t.TempDir(), "", 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name   string
		client discovery.DiscoveryInterface
	}{
		{"client", client},
		{"declared by the program", plain{client}},
		{"in memory", memory.NewMemCacheClient(client)},
		{"in memory, declared by the program", memory.NewMemCacheClient(plain{client})},
		{"on disk", onDisk},
	} {
		t.Run(tt.name, func(t *testing.T) {
			groups, err := restmapper.GetAPIGroupResources(tt.client)
			if err != nil {
				t.Fatal(err)
			}
			checkMapper(t, restmapper.NewShortcutExpander(restmapper.NewDiscoveryRESTMapper(groups), tt.client, nil))
			if got, ok := restmapper.NewDiscoveryCategoryExpander(tt.client).Expand("all"); !ok || len(got) != 2 {
				t.Errorf("category %v, %t", got, ok)
			}
			if cached, ok := tt.client.(discovery.CachedDiscoveryInterface); ok {
				checkMapper(t, restmapper.NewShortcutExpander(restmapper.NewDeferredDiscoveryRESTMapper(cached), tt.client, nil))
			}
		})
	}
}

func checkMapper(t *testing.T, mapper meta.RESTMapper) {
	t.Helper()
	mapping, err := mapper.RESTMapping(deployment, "v1")
	if err != nil || mapping.Resource.Resource != "deployments" || mapping.Scope.Name() != meta.RESTScopeNameNamespace {
		t.Errorf("mapping %+v, %v", mapping, err)
	}
	if resource, err := mapper.ResourceFor(schema.GroupVersionResource{Resource: "deploy"}); err != nil || resource.Resource != "deployments" {
		t.Errorf("short name of %v, %v", resource, err)
	}
}

func TestMappersWithContext(t *testing.T) {
	_, client, _ := newClient(t)
	for name, client := range map[string]discovery.DiscoveryInterfaceWithContext{
		"client": client, "declared by the program": withContext{client}, "wrapped": discovery.ToDiscoveryInterfaceWithContext(plain{client}),
	} {
		groups, err := restmapper.GetAPIGroupResourcesWithContext(t.Context(), client)
		if err != nil || len(groups) != 2 {
			t.Errorf("%s: %v, %v", name, groups, err)
		}
		expander := restmapper.NewDiscoveryCategoryExpanderWithContext(client)
		if got, ok := expander.ExpandWithContext(t.Context(), "all"); !ok || len(got) != 2 {
			t.Errorf("%s: category %v, %t", name, got, ok)
		}
		mapper := restmapper.NewDeferredDiscoveryRESTMapperWithContext(memory.NewMemCacheClientWithContext(client))
		if mapping, err := mapper.RESTMappingWithContext(t.Context(), deployment); err != nil || mapping.Resource.Resource != "deployments" {
			t.Errorf("%s: mapping %v, %v", name, mapping, err)
		}
	}
}

// The functions of package discovery take them too.
func TestDiscoveryFunctions(t *testing.T) {
	_, client, requests := newClient(t)
	for name, client := range map[string]discovery.DiscoveryInterface{"client": client, "declared by the program": plain{client}} {
		preferred, err := discovery.ServerPreferredResources(client)
		if err != nil || len(preferred) != 2 {
			t.Errorf("%s: preferred %v, %v", name, preferred, err)
		}
		_, lists, err := discovery.ServerGroupsAndResources(client)
		var names []string
		for _, list := range lists {
			names = append(names, list.GroupVersion)
		}
		if err != nil || !slices.Equal(names, []string{"v1", "apps/v1"}) {
			t.Errorf("%s: resources of %v, %v", name, names, err)
		}
		has, err := discovery.IsResourceEnabled(client, schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "deployments"})
		if err != nil || !has {
			t.Errorf("%s: enabled %t, %v", name, has, err)
		}
		if err := discovery.ServerSupportsVersion(client, schema.GroupVersion{Group: "apps", Version: "v2"}); err == nil {
			t.Errorf("%s: supports apps/v2", name)
		}
	}
	cached := memory.NewMemCacheClient(client)
	for range 2 {
		if _, err := cached.ServerGroups(); err != nil {
			t.Fatal(err)
		}
	}
	before := requests.Load()
	if _, err := cached.ServerResourcesForGroupVersion("apps/v1"); err != nil || requests.Load() != before || !cached.Fresh() {
		t.Errorf("%d requests, %v", requests.Load()-before, err)
	}
	cached.Invalidate()
	if _, err := cached.ServerGroups(); err != nil || requests.Load() == before {
		t.Errorf("no request after the invalidation, %v", err)
	}
}

func TestNil(t *testing.T) {
	if discovery.ToDiscoveryInterfaceWithContext(nil) != nil {
		t.Error("nil does not stay nil")
	}
}
