package script_test

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/disk"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
	"k8s.io/client-go/scale"
)

// groups is a server's discovery, by paths, of the old form.
var groups = map[string]response{
	"/api":                 {200, asJSON, `{"kind":"APIVersions","versions":["v1"]}`},
	"/apis":                {200, asJSON, `{"kind":"APIGroupList","apiVersion":"v1","groups":[` + group("apps", "v1", "v1beta1") + "," + group("broken.io", "v1") + "," + group("example.com", "v2", "v1") + `]}`},
	"/api/v1":              {200, asJSON, resources("v1", "pods Pod po,all", "pods/status Pod", "nodes Node no", "services Service svc,all")},
	"/apis/apps/v1":        {200, asJSON, resources("apps/v1", "deployments Deployment deploy,all", "deployments/scale Scale")},
	"/apis/apps/v1beta1":   {200, asJSON, resources("apps/v1beta1", "deployments Deployment deploy")},
	"/apis/broken.io/v1":   {503, asText, "service unavailable"},
	"/apis/example.com/v2": {200, asJSON, resources("example.com/v2", "things Thing th", "pods Pod")},
	"/apis/example.com/v1": {200, asJSON, resources("example.com/v1", "things Thing", "others Other")},
	"/version":             {200, asJSON, `{"major":"1","minor":"37","gitVersion":"v1.37.1"}`},
	"/apis/apps/v1/namespaces/n/deployments/a/scale": {200, asJSON, `{"kind":"Scale","apiVersion":"autoscaling/v1","metadata":{"name":"a"},"spec":{"replicas":3},"status":{"replicas":2,"selector":"a=b"}}`},
	"/apis/apps/v1/namespaces/n/deployments/b/scale": {200, asJSON, `{"kind":"Thing","apiVersion":"example.com/v1"}`},
}

func group(name string, versions ...string) string {
	var list []string
	for _, v := range versions {
		list = append(list, `{"groupVersion":"`+name+"/"+v+`","version":"`+v+`"}`)
	}
	return `{"name":"` + name + `","versions":[` + strings.Join(list, ",") + `],"preferredVersion":` + list[0] + `}`
}

// resources is a list of resources, each with its kind and its short names, of which all is a category.
func resources(groupVersion string, names ...string) string {
	var list []string
	for _, name := range names {
		f := append(strings.Fields(name), "")
		short, category, _ := strings.Cut(f[2], ",")
		one := `{"name":"` + f[0] + `","singularName":"` + strings.ToLower(f[1]) + `","kind":"` + f[1] + `","namespaced":` + map[bool]string{true: "false", false: "true"}[f[0] == "nodes"] + `,"verbs":["get","list"]`
		if short != "" {
			one += `,"shortNames":["` + short + `"]`
		}
		if category != "" {
			one += `,"categories":["` + category + `"]`
		}
		list = append(list, one+"}")
	}
	return `{"kind":"APIResourceList","apiVersion":"v1","groupVersion":"` + groupVersion + `","resources":[` + strings.Join(list, ",") + `]}`
}

func without(paths map[string]response, changed map[string]response) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		answer, ok := changed[r.URL.Path]
		if !ok {
			answer, ok = paths[r.URL.Path]
		}
		if !ok {
			answer = response{404, asText, "404 page not found"}
		}
		answer.write(w)
	}
}

var discoveries = map[string]map[string]response{
	"partly":                {},
	"whole":                 {"/apis/broken.io/v1": {200, asJSON, resources("broken.io/v1", "fixed Fixed")}},
	"group missing":         {"/apis/broken.io/v1": {404, asText, "gone"}},
	"group forbidden":       {"/apis/broken.io/v1": {403, asJSON, status(403, "Forbidden", "no")}},
	"group without content": {"/apis/broken.io/v1": {200, asJSON, `{"kind":"APIResourceList","apiVersion":"v1","groupVersion":"broken.io/v1"}`}},
	"group of text":         {"/apis/broken.io/v1": {200, asText, "hello"}},
	"no groups":             {"/apis": {404, asText, "gone"}},
	"no core":               {"/api": {404, asText, "gone"}},
	"nothing":               {"/apis": {404, asText, "gone"}, "/api": {404, asText, "gone"}},
	"forbidden":             {"/apis": {403, asJSON, status(403, "Forbidden", "no")}, "/api": {403, asJSON, status(403, "Forbidden", "no")}},
	"unavailable":           {"/apis": {503, asText, "later"}, "/api": {503, asText, "later"}},
	"groups unavailable":    {"/apis": {503, asText, "later"}},
	"text":                  {"/apis": {200, asText, "hello"}, "/api": {200, asText, "hello"}},
	"broken":                {"/apis": {200, asJSON, "{"}, "/version": {200, asJSON, "{"}},
}

func (p *tape) discovered(c discovery.DiscoveryInterface) {
	list, err := c.ServerGroups()
	p.json("ServerGroups", list)
	p.err("ServerGroups", err)
	all, lists, err := c.ServerGroupsAndResources()
	p.json("ServerGroupsAndResources", all)
	slices.SortFunc(lists, func(a, b *metav1.APIResourceList) int { return strings.Compare(a.GroupVersion, b.GroupVersion) })
	p.json("ServerGroupsAndResources", lists)
	p.err("ServerGroupsAndResources", err)
	p.printf("group discovery failed: %v", discovery.IsGroupDiscoveryFailedError(err))
	failed, ok := discovery.GroupDiscoveryFailedErrorGroups(err)
	p.printf("%d %v", len(failed), ok)
	lists, err = c.ServerPreferredResources()
	for _, list := range lists { // whose order is random in client-go
		slices.SortFunc(list.APIResources, func(a, b metav1.APIResource) int { return strings.Compare(a.Name, b.Name) })
	}
	slices.SortFunc(lists, func(a, b *metav1.APIResourceList) int { return strings.Compare(a.GroupVersion, b.GroupVersion) })
	p.json("ServerPreferredResources", lists)
	p.err("ServerPreferredResources", err)
	lists, err = c.ServerPreferredNamespacedResources()
	p.printf("namespaced %d", len(lists))
	p.err("ServerPreferredNamespacedResources", err)
	for _, gv := range []string{"v1", "apps/v1", "broken.io/v1", "none/v1", "a/b/c", ""} {
		one, oneErr := c.ServerResourcesForGroupVersion(gv)
		p.json(gv, one)
		p.err(gv, oneErr)
	}
	version, err := c.ServerVersion()
	p.json("ServerVersion", version)
	p.err("ServerVersion", err)
}

func TestDiscovery(t *testing.T) {
	for name, changed := range discoveries {
		run(t, name, func(t *testing.T, p *tape) {
			server := serve(t, p, without(groups, changed))
			c, err := discovery.NewDiscoveryClientForConfig(&rest.Config{Host: server.URL, QPS: 1000, Burst: 1000})
			if err != nil {
				t.Fatal(err)
			}
			p.discovered(c)
		})
		run(t, name+", memory", func(t *testing.T, p *tape) {
			server := serve(t, p, without(groups, changed))
			c, err := discovery.NewDiscoveryClientForConfig(&rest.Config{Host: server.URL, QPS: 1000, Burst: 1000})
			if err != nil {
				t.Fatal(err)
			}
			cached := memory.NewMemCacheClient(c)
			p.printf("fresh %v", cached.Fresh())
			p.discovered(cached)
			p.printf("fresh %v", cached.Fresh())
			cached.Invalidate()
			p.printf("fresh %v", cached.Fresh())
			_, err = cached.ServerResourcesForGroupVersion("apps/v1")
			p.err("again", err)
		})
		run(t, name+", disk", func(t *testing.T, p *tape) {
			server := serve(t, p, without(groups, changed))
			dir := t.TempDir()
			c, err := disk.NewCachedDiscoveryClientForConfig(&rest.Config{Host: server.URL, QPS: 1000, Burst: 1000}, filepath.Join(dir, "d"), filepath.Join(dir, "h"), time.Minute)
			if err != nil {
				t.Fatal(err)
			}
			p.discovered(c)
			p.printf("fresh %v", c.Fresh())
			server.Close()
			p.discovered(c)
			c.Invalidate()
			p.printf("fresh %v", c.Fresh())
		})
	}
	run(t, "unusable disk", func(t *testing.T, p *tape) {
		server := serve(t, p, without(groups, nil))
		file := filepath.Join(t.TempDir(), "file")
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		c, err := disk.NewCachedDiscoveryClientForConfig(&rest.Config{Host: server.URL}, file, "", time.Minute)
		p.err("NewCachedDiscoveryClientForConfig", err)
		if err == nil {
			p.discovered(c)
		}
	})
}

func TestMapper(t *testing.T) {
	questions := func(p *tape, m meta.RESTMapper) {
		for _, r := range []schema.GroupVersionResource{
			{Resource: "pods"}, {Resource: "po"}, {Resource: "pod"}, {Resource: "things"}, {Resource: "none"}, {},
			{Group: "apps", Resource: "deployments"}, {Group: "apps", Version: "v1beta1", Resource: "deployments"},
			{Group: "apps", Version: "v9", Resource: "deployments"}, {Group: "broken.io", Resource: "fixed"}, {Resource: "th"}, {Group: "exam", Resource: "things"},
		} {
			kind, err := m.KindFor(r)
			p.printf("KindFor %v %v", r, kind)
			p.err("KindFor", err)
			kinds, err := m.KindsFor(r)
			p.printf("KindsFor %v %v", r, kinds)
			p.err("KindsFor", err)
			resource, err := m.ResourceFor(r)
			p.printf("ResourceFor %v %v", r, resource)
			p.err("ResourceFor", err)
			resources, err := m.ResourcesFor(r)
			p.printf("ResourcesFor %v %v", r, resources)
			p.err("ResourcesFor", err)
		}
		for _, k := range []struct {
			kind     schema.GroupKind
			versions []string
		}{
			{schema.GroupKind{Kind: "Pod"}, nil},
			{schema.GroupKind{Kind: "Pod"}, []string{"v1"}},
			{schema.GroupKind{Kind: "Pod"}, []string{"v2"}},
			{schema.GroupKind{Group: "example.com", Kind: "Thing"}, nil},
			{schema.GroupKind{Group: "example.com", Kind: "Thing"}, []string{"v1", "v2"}},
			{schema.GroupKind{Group: "none", Kind: "None"}, nil},
			{schema.GroupKind{Group: "none", Kind: "None"}, []string{"v1"}},
			{schema.GroupKind{Group: "broken.io", Kind: "Fixed"}, nil},
			{schema.GroupKind{}, nil},
		} {
			mapping, err := m.RESTMapping(k.kind, k.versions...)
			if mapping != nil {
				p.printf("RESTMapping %v %v %v %v", k.kind, mapping.Resource, mapping.GroupVersionKind, mapping.Scope.Name())
			}
			p.err("RESTMapping", err)
			mappings, err := m.RESTMappings(k.kind, k.versions...)
			p.printf("RESTMappings %d", len(mappings))
			p.err("RESTMappings", err)
		}
		for _, name := range []string{"pods", "po", "nothing", ""} {
			singular, err := m.ResourceSingularizer(name)
			p.printf("ResourceSingularizer %s %q", name, singular)
			p.err("ResourceSingularizer", err)
		}
	}
	for _, name := range []string{"partly", "whole", "unavailable", "nothing"} {
		run(t, name, func(t *testing.T, p *tape) {
			server := serve(t, p, without(groups, discoveries[name]))
			c, err := discovery.NewDiscoveryClientForConfig(&rest.Config{Host: server.URL, QPS: 1000, Burst: 1000})
			if err != nil {
				t.Fatal(err)
			}
			found, err := restmapper.GetAPIGroupResources(c)
			p.err("GetAPIGroupResources", err)
			p.printf("groups %d", len(found))
			p.printf("== discovered")
			questions(p, restmapper.NewDiscoveryRESTMapper(found))
			p.printf("== deferred")
			cached := memory.NewMemCacheClient(c)
			deferred := restmapper.NewDeferredDiscoveryRESTMapper(cached)
			questions(p, deferred)
			p.printf("== shortcuts")
			questions(p, restmapper.NewShortcutExpander(deferred, cached, func(w string) { p.printf("warning %s", w) }))
			expander := restmapper.NewDiscoveryCategoryExpander(cached)
			for _, category := range []string{"all", "none"} {
				list, ok := expander.Expand(category)
				p.printf("category %s %v %v", category, list, ok)
			}
			deferred.Reset()
			_, err = deferred.KindFor(schema.GroupVersionResource{Resource: "pods"})
			p.err("after Reset", err)
		})
	}
}

// Scales, and clients without types.
func TestUntyped(t *testing.T) {
	ctx := context.Background()
	run(t, "scale", func(t *testing.T, p *tape) {
		server := serve(t, p, without(groups, nil))
		config := &rest.Config{Host: server.URL, QPS: 1000, Burst: 1000}
		c, err := discovery.NewDiscoveryClientForConfig(config)
		if err != nil {
			t.Fatal(err)
		}
		mapper := restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(c))
		scales, err := scale.NewForConfig(config, mapper, dynamic.LegacyAPIPathResolverFunc, scale.NewDiscoveryScaleKindResolver(c))
		p.err("NewForConfig", err)
		for _, r := range []schema.GroupResource{{Group: "apps", Resource: "deployments"}, {Resource: "pods"}, {Group: "none", Resource: "nones"}} {
			for _, name := range []string{"a", "b", "missing", ""} {
				s, getErr := scales.Scales("n").Get(ctx, r, name, metav1.GetOptions{})
				p.json("Get", s)
				p.err("Get", getErr)
			}
			_, err = scales.Scales("n").Update(ctx, r, &autoscalingv1.Scale{ObjectMeta: metav1.ObjectMeta{Name: "a"}}, metav1.UpdateOptions{})
			p.err("Update", err)
		}
		_, err = scales.Scales("n").Patch(ctx, schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "deployments"}, "missing", types.MergePatchType, []byte("{}"), metav1.PatchOptions{})
		p.err("Patch", err)
	})
	for _, name := range []string{
		"404-status", "404-text", "500-text", "200-text", "200-empty", "200-broken", "200-no-kind", "200-null", "200-list", "200-status-failure", "200-status-success", "204-empty", "200-short", "200-array", "200-watch-broken", "200-watch-error", "200-watch-other", "200-no-type", "200-unknown-kind",
	} {
		run(t, "dynamic "+name, func(t *testing.T, p *tape) {
			server := serve(t, p, responses[name].handler())
			c, err := dynamic.NewForConfig(&rest.Config{Host: server.URL, QPS: 1000, Burst: 1000})
			if err != nil {
				t.Fatal(err)
			}
			n := c.Resource(podResource).Namespace("n")
			u, err := n.Get(ctx, "a", metav1.GetOptions{})
			p.json("Get", u)
			p.err("Get", err)
			list, err := n.List(ctx, metav1.ListOptions{})
			p.json("List", list)
			p.err("List", err)
			u, err = n.Create(ctx, thing("n", "a"), metav1.CreateOptions{})
			p.json("Create", u)
			p.err("Create", err)
			u, err = n.Patch(ctx, "a", types.MergePatchType, []byte("{}"), metav1.PatchOptions{})
			p.json("Patch", u)
			p.err("Patch", err)
			u, err = n.Apply(ctx, "a", thing("n", "a"), metav1.ApplyOptions{FieldManager: "f"})
			p.json("Apply", u)
			p.err("Apply", err)
			p.err("Delete", n.Delete(ctx, "a", metav1.DeleteOptions{}))
			p.err("DeleteCollection", n.DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{}))
			_, err = n.Get(ctx, "", metav1.GetOptions{})
			p.err("Get nothing", err)
			_, err = n.Get(ctx, "a/b", metav1.GetOptions{})
			p.err("Get a/b", err)
			_, err = c.Resource(podResource).Namespace("..").Get(ctx, "a", metav1.GetOptions{})
			p.err("Get in ..", err)
			w, err := n.Watch(ctx, metav1.ListOptions{})
			p.err("Watch", err)
			if err == nil {
				for e := range w.ResultChan() {
					p.printf("%s %T", e.Type, e.Object)
					p.json("event", e.Object)
				}
			}
		})
		run(t, "metadata "+name, func(t *testing.T, p *tape) {
			server := serve(t, p, responses[name].handler())
			c, err := metadata.NewForConfig(&rest.Config{Host: server.URL, QPS: 1000, Burst: 1000})
			if err != nil {
				t.Fatal(err)
			}
			n := c.Resource(podResource).Namespace("n")
			m, err := n.Get(ctx, "a", metav1.GetOptions{})
			p.json("Get", m)
			p.err("Get", err)
			list, err := n.List(ctx, metav1.ListOptions{})
			p.json("List", list)
			p.err("List", err)
			m, err = n.Patch(ctx, "a", types.MergePatchType, []byte("{}"), metav1.PatchOptions{})
			p.json("Patch", m)
			p.err("Patch", err)
			p.err("Delete", n.Delete(ctx, "a", metav1.DeleteOptions{}))
			_, err = n.Get(ctx, "", metav1.GetOptions{})
			p.err("Get nothing", err)
			w, err := n.Watch(ctx, metav1.ListOptions{})
			p.err("Watch", err)
			if err == nil {
				for e := range w.ResultChan() {
					p.printf("%s %T", e.Type, e.Object)
					p.json("event", e.Object)
				}
			}
		})
	}
}
