package discovery_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	apidiscovery "k8s.io/api/apidiscovery/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	dynamic "k8s.io/client-go/discovery"
	restclient "k8s.io/client-go/rest"

	"github.com/listwatch/listwatch/apitest/internal/discovery"
)

const (
	aggregatedV2   = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"
	aggregatedBeta = "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList"
)

// serve sends a request, and fails the test if the handler does not handle it.
func serve(t *testing.T, h *discovery.Handler, method, path string, header ...string) *httptest.ResponseRecorder {
	t.Helper()
	req := httptest.NewRequest(method, path, nil)
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	if !h.Serve(w, req) {
		t.Fatalf("%s %s was not handled", method, path)
	}
	return w
}

func get[T any](t *testing.T, h *discovery.Handler, path string, header ...string) T {
	t.Helper()
	w := serve(t, h, http.MethodGet, path, header...)
	if w.Code != http.StatusOK {
		t.Fatalf("GET %s: %d %s", path, w.Code, w.Body)
	}
	var v T
	if err := json.Unmarshal(w.Body.Bytes(), &v); err != nil {
		t.Fatal(err)
	}
	return v
}

func handler(t *testing.T) *discovery.Handler {
	t.Helper()
	builtin, custom := cluster()
	return discovery.New(builtin, custom)
}

// Groups have a real server's order, whatever the order of the sources is.
func TestOrder(t *testing.T) {
	want := []string{
		"apps: v1", "autoscaling: v2 v1", "policy: v1",
		"farm.example: v1 v1beta2 v2alpha1", "zoo.example: v1alpha1",
	}
	h := handler(t)
	var legacy, aggregated []string
	for _, g := range get[metav1.APIGroupList](t, h, "/apis").Groups {
		line := g.Name + ":"
		for _, v := range g.Versions {
			line += " " + v.Version
		}
		legacy = append(legacy, line)
		if g.PreferredVersion != g.Versions[0] {
			t.Errorf("%s prefers %v", g.Name, g.PreferredVersion)
		}
	}
	for _, g := range get[apidiscovery.APIGroupDiscoveryList](t, h, "/apis", "Accept", aggregatedV2).Items {
		line := g.Name + ":"
		for _, v := range g.Versions {
			line += " " + v.Version
		}
		aggregated = append(aggregated, line)
	}
	if diff := cmp.Diff(want, legacy); diff != "" {
		t.Error("legacy", diff)
	}
	if diff := cmp.Diff(want, aggregated); diff != "" {
		t.Error("aggregated", diff)
	}
}

func TestResources(t *testing.T) {
	h := handler(t)
	for path, want := range map[string][]string{
		"/api/v1":               {"pods Pod", "pods/eviction policy/v1 Eviction", "pods/status Pod", "namespaces Namespace", "bindings Binding"},
		"/api/v1/":              {"pods Pod", "pods/eviction policy/v1 Eviction", "pods/status Pod", "namespaces Namespace", "bindings Binding"},
		"/apis/apps/v1":         {"deployments Deployment", "deployments/scale autoscaling/v1 Scale", "helms Helm"},
		"/apis/farm.example/v1": {"cows Cow", "cows/status Cow"},
	} {
		t.Run(path, func(t *testing.T) {
			var got []string
			for _, r := range get[metav1.APIResourceList](t, h, path).APIResources {
				line := r.Name + " "
				if r.Group != "" {
					line += r.Group + "/" + r.Version + " "
				}
				got = append(got, line+r.Kind)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Clients of the peer get the same from both forms.
func TestPeerClients(t *testing.T) {
	h := handler(t)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if !h.Serve(w, req) {
			http.NotFound(w, req)
		}
	}))
	defer server.Close()
	resources := func(legacy bool) (names []string) {
		client, err := dynamic.NewDiscoveryClientForConfigAndClient(&restclient.Config{Host: server.URL}, server.Client())
		if err != nil {
			t.Fatal(err)
		}
		client.UseLegacyDiscovery = legacy
		groups, lists, err := client.ServerGroupsAndResources()
		if err != nil {
			t.Fatal(err)
		}
		for _, group := range groups {
			names = append(names, group.Name+" prefers "+group.PreferredVersion.Version)
		}
		for _, list := range lists {
			for _, r := range list.APIResources {
				gvk := schema.FromAPIVersionAndKind(list.GroupVersion, r.Kind)
				if r.Group != "" || r.Version != "" {
					gvk.Group, gvk.Version = r.Group, r.Version
				}
				names = append(names, strings.Join([]string{list.GroupVersion, r.Name, gvk.String(), strings.Join(r.Verbs, ",")}, " "))
			}
		}
		slices.Sort(names)
		return names
	}
	legacy, aggregated := resources(true), resources(false)
	if len(legacy) < 15 {
		t.Errorf("only %d lines: %q", len(legacy), legacy)
	}
	if diff := cmp.Diff(legacy, aggregated); diff != "" {
		t.Error(diff)
	}
}

func TestChanged(t *testing.T) {
	s := sourceOf(group("a.example", version("v1", resource("foos", "Foo"))))
	h := discovery.New(s)
	first := serve(t, h, http.MethodGet, "/apis", "Accept", aggregatedV2)
	s.set(group("b.example", version("v1", resource("foos", "Foo"))))
	if again := serve(t, h, http.MethodGet, "/apis", "Accept", aggregatedV2); again.Body.String() != first.Body.String() {
		t.Error("the document was created again")
	}
	s.change()
	second := serve(t, h, http.MethodGet, "/apis", "Accept", aggregatedV2)
	if !strings.Contains(second.Body.String(), "b.example") {
		t.Errorf("after the change: %s", second.Body)
	}
	if first.Header().Get("ETag") == second.Header().Get("ETag") {
		t.Error("other documents have the same tag")
	}
	if h.Serve(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/apis/a.example", nil)) {
		t.Error("a deleted group was served")
	}
}

// A document that is created while its source changes is not cached.
func TestChangedMeanwhile(t *testing.T) {
	s := &changing{groups: []string{"a.example", "b.example"}}
	h := discovery.New(s)
	serve(t, h, http.MethodGet, "/apis")
	if got := get[metav1.APIGroupList](t, h, "/apis").Groups[0].Name; got != "b.example" {
		t.Errorf("an old document was cached: %s", got)
	}
}

// changing changes while it is read for the first time.
type changing struct {
	groups  []string
	version uint64
}

func (c *changing) Groups() []apidiscovery.APIGroupDiscovery {
	now := c.groups[0]
	if len(c.groups) > 1 {
		c.groups = c.groups[1:]
		c.version++
	}
	return []apidiscovery.APIGroupDiscovery{group(now, version("v1", resource("foos", "Foo")))}
}

func (c *changing) Version() uint64 { return c.version }

func TestEntityTag(t *testing.T) {
	h := handler(t)
	tag := serve(t, h, http.MethodGet, "/apis", "Accept", aggregatedV2).Header().Get("ETag")
	if len(tag) < 100 || tag[0] != '"' {
		t.Errorf("tag %q", tag)
	}
	w := serve(t, h, http.MethodGet, "/apis", "Accept", aggregatedV2, "If-None-Match", tag)
	if w.Code != http.StatusNotModified || w.Body.Len() != 0 {
		t.Errorf("got %d with %d bytes", w.Code, w.Body.Len())
	}
	if w = serve(t, h, http.MethodGet, "/api", "Accept", aggregatedV2, "If-None-Match", tag); w.Code != http.StatusOK {
		t.Errorf("/api has the tag of /apis: %d", w.Code)
	}
}

// Requests share a document. None modifies it, which the race detector would report.
func TestAtOnce(t *testing.T) {
	h := handler(t)
	for _, path := range []string{"/api", "/apis", "/apis/", "/apis/farm.example", "/apis/farm.example/v1", "/api/v1", "/apis/apps/v1"} {
		for _, accept := range []string{"", aggregatedV2, aggregatedBeta, "application/vnd.kubernetes.protobuf"} {
			var requests sync.WaitGroup
			for range 4 {
				requests.Go(func() {
					req := httptest.NewRequest(http.MethodGet, path, nil)
					req.Header.Set("Accept", accept)
					h.Serve(httptest.NewRecorder(), req)
				})
			}
			requests.Wait()
		}
	}
}
