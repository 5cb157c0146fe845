package discovery_test

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/listwatch/listwatch/runtime/discovery"
	"github.com/listwatch/listwatch/runtime/rest"
)

func TestServerResourcesForGroupVersion(t *testing.T) {
	s := serve(t, map[string]answer{
		"/api/v1":        resourcesAnswer("v1", "pods", "pods/log", "nodes!"),
		"/apis/apps/v1":  resourcesAnswer("apps/v1", "deployments"),
		"/apis/bad/v1":   failure(http.StatusServiceUnavailable),
		"/apis/other/v1": {contentType: legacyJSON, body: `{"kind":"APIVersions","apiVersion":"v1","versions":["v1"]}`},
		"/apis/not/v1":   {contentType: legacyJSON, body: `{"kind":"Status","apiVersion":"v1","status":"Failure","code":403,"reason":"Forbidden"}`},
	})
	client := s.client(t)
	for _, tt := range []struct {
		groupVersion string
		want         string
		fails        func(error) bool
	}{
		{groupVersion: "v1", want: "v1: pods pods/log nodes"},
		{groupVersion: "apps/v1", want: "apps/v1: deployments"},
		{groupVersion: "apps/v2", fails: apierrors.IsNotFound},
		{groupVersion: "v2", fails: apierrors.IsNotFound},
		{groupVersion: "bad/v1", fails: apierrors.IsServiceUnavailable},
		{groupVersion: "not/v1", fails: func(err error) bool { return err != nil }},
		{groupVersion: "other/v1", fails: func(err error) bool { return err != nil }},
		{groupVersion: "", fails: func(err error) bool { return err != nil }},
	} {
		list, err := client.ServerResourcesForGroupVersion(tt.groupVersion)
		if tt.fails != nil {
			if !tt.fails(err) || list != nil {
				t.Errorf("%q: got %v, %v", tt.groupVersion, list, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%q: %v", tt.groupVersion, err)
			continue
		}
		if got := digest([]*metav1.APIResourceList{list})[0]; got != tt.want {
			t.Errorf("%q: got %q, want %q", tt.groupVersion, got, tt.want)
		}
	}
	if slices.Contains(s.seen(), "GET /apis/") || slices.Contains(s.seen(), "GET /apis") {
		t.Errorf("unexpected requests: %q", s.seen())
	}
}

// A group version that is missing in the response is the requested one.
func TestServerResourcesWithoutGroupVersion(t *testing.T) {
	s := serve(t, map[string]answer{
		"/apis/a/v1": {contentType: legacyJSON, body: `{"kind":"APIResourceList","apiVersion":"v1","resources":[{"name":"x"}]}`},
	})
	list, err := s.client(t).ServerResourcesForGroupVersion("a/v1")
	if err != nil || list.GroupVersion != "a/v1" || len(list.APIResources) != 1 {
		t.Errorf("got %v, %v", list, err)
	}
}

// A server that serves an aggregated API has no core group; that is not an error.
func TestServerResourcesForMissingCoreGroup(t *testing.T) {
	s := serve(t, map[string]answer{"/apis/v1": resourcesAnswer("v1", "pods")})
	client := s.client(t)
	list, err := client.ServerResourcesForGroupVersion("v1")
	if err != nil || list.GroupVersion != "v1" || len(list.APIResources) > 0 {
		t.Errorf("got %v, %v", list, err)
	}
	client.LegacyPrefix = ""
	list, err = client.ServerResourcesForGroupVersion("v1")
	if err != nil || len(list.APIResources) != 1 {
		t.Errorf("without a prefix: got %v, %v", list, err)
	}
	if d := cmp.Diff([]string{"GET /api/v1", "GET /apis/v1"}, s.seen()); d != "" {
		t.Errorf("requests (-want +got):\n%s", d)
	}
}

// legacyServer serves a group with two versions that have different resources.
func legacyServer(t *testing.T) *server {
	return serve(t, map[string]answer{
		"/api":                 coreVersions("v1"),
		"/api/v1":              resourcesAnswer("v1", "pods", "pods/log", "nodes!"),
		"/apis":                groups(group("apps", "v1", "v1beta1"), group("example.com", "v2")),
		"/apis/apps/v1":        resourcesAnswer("apps/v1", "deployments", "statefulsets"),
		"/apis/apps/v1beta1":   resourcesAnswer("apps/v1beta1", "scales", "deployments"),
		"/apis/example.com/v2": resourcesAnswer("example.com/v2", "foos!"),
	})
}

// aggregatedServer serves the same as legacyServer.
func aggregatedServer(t *testing.T) *server {
	return serve(t, map[string]answer{
		"/api": aggregated(aggregatedGroup("", `{"version":"v1","resources":[
			{"resource":"pods","responseKind":{"kind":"pods"},"scope":"Namespaced","subresources":[
				{"subresource":"log","responseKind":{"kind":"pods/log"}}]},
			{"resource":"nodes","responseKind":{"kind":"nodes"},"scope":"Cluster"}]}`)),
		"/apis": aggregated(
			aggregatedGroup("apps", aggregatedVersion("v1", "deployments", "statefulsets"), aggregatedVersion("v1beta1", "scales", "deployments")) + "," +
				aggregatedGroup("example.com", `{"version":"v2","resources":[{"resource":"foos","responseKind":{"kind":"foos"},"scope":"Cluster"}]}`)),
	})
}

func TestAllResources(t *testing.T) {
	all := []string{
		"v1: pods pods/log nodes",
		"apps/v1: deployments statefulsets",
		"apps/v1beta1: scales deployments",
		"example.com/v2: foos",
	}
	preferred := []string{
		"v1: pods nodes",
		"apps/v1: deployments statefulsets",
		"apps/v1beta1: scales",
		"example.com/v2: foos",
	}
	namespaced := []string{
		"v1: pods",
		"apps/v1: deployments statefulsets",
		"apps/v1beta1: scales",
	}
	twoRequests := []string{"GET /api", "GET /apis"}
	sixRequests := []string{
		"GET /api", "GET /api/v1", "GET /apis",
		"GET /apis/apps/v1", "GET /apis/apps/v1beta1", "GET /apis/example.com/v2",
	}
	for _, tt := range []struct {
		name     string
		server   func(*testing.T) *server
		legacy   bool
		requests []string
	}{
		{"legacy", legacyServer, false, sixRequests},
		{"aggregated", aggregatedServer, false, twoRequests},
		{"legacy by choice", legacyServer, true, sixRequests},
	} {
		for _, call := range []struct {
			name string
			call func(discovery.DiscoveryInterface) ([]*metav1.APIResourceList, error)
			want []string
		}{
			{
				"all",
				func(d discovery.DiscoveryInterface) ([]*metav1.APIResourceList, error) {
					groups, lists, err := d.ServerGroupsAndResources()
					if len(groups) != 3 || groups[1].Name != "apps" {
						t.Errorf("got groups %v", groups)
					}
					return lists, err
				},
				all,
			},
			{"preferred", discovery.DiscoveryInterface.ServerPreferredResources, preferred},
			{"namespaced", discovery.DiscoveryInterface.ServerPreferredNamespacedResources, namespaced},
			{"all of any client", func(d discovery.DiscoveryInterface) ([]*metav1.APIResourceList, error) {
				_, lists, err := discovery.ServerGroupsAndResources(d)
				return lists, err
			}, all},
			{"preferred of any client", discovery.ServerPreferredResources, preferred},
			{"namespaced of any client", discovery.ServerPreferredNamespacedResources, namespaced},
		} {
			t.Run(tt.name+"/"+call.name, func(t *testing.T) {
				s := tt.server(t)
				var client discovery.DiscoveryInterface = s.client(t)
				if tt.legacy {
					client = client.WithLegacy()
				}
				lists, err := call.call(client)
				if err != nil {
					t.Fatal(err)
				}
				if d := cmp.Diff(call.want, digest(lists)); d != "" {
					t.Errorf("resources (-want +got):\n%s", d)
				}
				if d := cmp.Diff(tt.requests, s.seen()); d != "" {
					t.Errorf("requests (-want +got):\n%s", d)
				}
			})
		}
	}
}

// The version that a group prefers takes precedence, wherever it is in the list.
func TestPreferredVersion(t *testing.T) {
	apps := group("apps", "v1beta1", "v1", "v1alpha1")
	apps.PreferredVersion = apps.Versions[1]
	s := serve(t, map[string]answer{
		"/apis":               groups(apps),
		"/apis/apps/v1alpha1": resourcesAnswer("apps/v1alpha1", "a", "b", "c", "d"),
		"/apis/apps/v1beta1":  resourcesAnswer("apps/v1beta1", "b", "c"),
		"/apis/apps/v1":       resourcesAnswer("apps/v1", "c", "x/y"),
	})
	lists, err := s.client(t).ServerPreferredResources()
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"apps/v1beta1: b", "apps/v1: c", "apps/v1alpha1: a d"}
	if d := cmp.Diff(want, digest(lists)); d != "" {
		t.Errorf("resources (-want +got):\n%s", d)
	}
}

func TestPartialFailure(t *testing.T) {
	example := schema.GroupVersion{Group: "example.com", Version: "v2"}
	for _, tt := range []struct {
		name     string
		server   func(*testing.T) *server
		breaks   string // a path
		answer   answer
		reason   func(error) bool
		requests int // of one attempt
	}{
		{
			name:     "unavailable",
			server:   legacyServer,
			breaks:   "/apis/example.com/v2",
			answer:   failure(http.StatusServiceUnavailable),
			reason:   apierrors.IsServiceUnavailable,
			requests: 6,
		},
		{
			name:     "gone",
			server:   legacyServer,
			breaks:   "/apis/example.com/v2",
			answer:   failure(http.StatusNotFound),
			reason:   apierrors.IsNotFound,
			requests: 6,
		},
		{
			name:   "stale",
			server: aggregatedServer,
			breaks: "/apis",
			answer: aggregated(aggregatedGroup("apps", aggregatedVersion("v1", "deployments", "statefulsets")) + "," +
				aggregatedGroup("example.com", staleVersion("v2"))),
			reason:   func(err error) bool { return err.Error() == "stale GroupVersion discovery: example.com/v2" },
			requests: 2,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := tt.server(t)
			s.set(tt.breaks, tt.answer)
			check := func(call string, err error, lists []*metav1.APIResourceList, attempts int) {
				t.Helper()
				failed, ok := discovery.GroupDiscoveryFailedErrorGroups(err)
				if !ok || len(failed) != 1 || !tt.reason(failed[example]) {
					t.Errorf("%s: got error %v", call, err)
				}
				got := digest(lists)
				if len(got) < 2 || slices.ContainsFunc(lists, func(l *metav1.APIResourceList) bool { return l.GroupVersion == example.String() }) {
					t.Errorf("%s: got %q, want all but the failed", call, got)
				}
				s.mu.Lock()
				defer s.mu.Unlock()
				if len(s.requests) != attempts*tt.requests {
					t.Errorf("%s: %d requests, want %d times %d: %q", call, len(s.requests), attempts, tt.requests, s.requests)
				}
				s.requests = nil
			}
			client := s.client(t)
			groups, lists, err := client.ServerGroupsAndResources()
			check("all", err, lists, 2)
			if len(groups) != 3 {
				t.Errorf("got groups %v", groups)
			}
			lists, err = client.ServerPreferredResources()
			check("preferred", err, lists, 2)
			lists, err = client.ServerPreferredNamespacedResources()
			check("namespaced", err, lists, 1)
			_, lists, err = discovery.ServerGroupsAndResources(client)
			check("all of any client", err, lists, 1)
		})
	}
}

// All group versions of the server are stale, which differs from having none.
func TestAllStale(t *testing.T) {
	s := serve(t, map[string]answer{"/apis": aggregated(aggregatedGroup("apps", staleVersion("v1")))})
	groups, lists, err := s.client(t).ServerGroupsAndResources()
	if !discovery.IsGroupDiscoveryFailedError(err) || len(groups) != 1 || len(lists) > 0 {
		t.Errorf("got %v, %v, %v", groups, lists, err)
	}
	if lists == nil {
		t.Error("the list is nil")
	}
}

// Stale versions are reported even if resources have to be requested separately.
func TestStaleBesideLegacy(t *testing.T) {
	s := serve(t, map[string]answer{
		"/api":    coreVersions("v1"),
		"/api/v1": resourcesAnswer("v1", "pods"),
		"/apis":   aggregated(aggregatedGroup("apps", staleVersion("v1"))),
	})
	_, lists, err := s.client(t).ServerGroupsAndResources()
	failed, _ := discovery.GroupDiscoveryFailedErrorGroups(err)
	if len(failed) != 1 || len(lists) != 1 {
		t.Errorf("got %v, %v", digest(lists), err)
	}
}

// A failed request for the groups is not repeated and returns nothing.
func TestTotalFailure(t *testing.T) {
	s := serve(t, map[string]answer{"/api": coreVersions("v1"), "/apis": failure(http.StatusForbidden)})
	client := s.client(t)
	groups, lists, err := client.ServerGroupsAndResources()
	if !apierrors.IsForbidden(err) || groups != nil || lists != nil {
		t.Errorf("got %v, %v, %v", groups, lists, err)
	}
	lists, err = client.ServerPreferredResources()
	if !apierrors.IsForbidden(err) || lists != nil {
		t.Errorf("preferred: got %v, %v", lists, err)
	}
	if d := cmp.Diff([]string{"GET /api", "GET /api", "GET /apis", "GET /apis"}, s.seen()); d != "" {
		t.Errorf("requests (-want +got):\n%s", d)
	}
}

// A group version that is deleted between two requests is missing in the second attempt.
func TestRecovery(t *testing.T) {
	s := legacyServer(t)
	s.set("/apis/example.com/v2", failure(http.StatusNotFound))
	var once sync.Once
	front := httptestServer(t, func(w http.ResponseWriter, req *http.Request) {
		s.ServeHTTP(w, req)
		if req.URL.Path == "/apis" {
			once.Do(func() { s.set("/apis", groups(group("apps", "v1"))) })
		}
	})
	_, lists, err := newClient(t, front).ServerGroupsAndResources()
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"v1: pods pods/log nodes", "apps/v1: deployments statefulsets"}
	if d := cmp.Diff(want, digest(lists)); d != "" {
		t.Errorf("resources (-want +got):\n%s", d)
	}
}

// Once the context is done, there is no second attempt.
func TestCancelledMeanwhile(t *testing.T) {
	s := legacyServer(t)
	ctx, cancel := context.WithCancel(t.Context())
	front := httptestServer(t, func(w http.ResponseWriter, req *http.Request) {
		if req.URL.Path == "/apis/apps/v1" {
			cancel()
			<-req.Context().Done()
			return
		}
		s.ServeHTTP(w, req)
	})
	groups, lists, err := newClient(t, front).ServerGroupsAndResourcesWithContext(ctx)
	failed, _ := discovery.GroupDiscoveryFailedErrorGroups(err)
	if !errors.Is(failed[schema.GroupVersion{Group: "apps", Version: "v1"}], context.Canceled) || groups != nil || lists != nil {
		t.Errorf("got %v, %v, %v", groups, lists, err)
	}
	if n := len(slices.Compact(s.seen())); n != len(s.seen()) {
		t.Errorf("requests %q", s.seen())
	}
}

// A client can be used by many goroutines.
func TestConcurrency(t *testing.T) {
	client := legacyServer(t).client(t)
	var calls sync.WaitGroup
	for range 8 {
		calls.Go(func() {
			if _, lists, err := client.ServerGroupsAndResources(); err != nil || len(lists) != 4 {
				t.Errorf("got %v, %v", digest(lists), err)
			}
		})
		calls.Go(func() {
			if lists, err := client.WithLegacy().ServerPreferredResources(); err != nil || len(lists) != 4 {
				t.Errorf("got %v, %v", digest(lists), err)
			}
		})
	}
	calls.Wait()
}

// The resources of all group versions are requested concurrently.
func TestParallelRequests(t *testing.T) {
	s := legacyServer(t)
	var all sync.WaitGroup
	all.Add(4)
	front := httptestServer(t, func(w http.ResponseWriter, req *http.Request) {
		if req.URL.Path != "/api" && req.URL.Path != "/apis" {
			all.Done()
			all.Wait()
		}
		s.ServeHTTP(w, req)
	})
	if _, lists, err := newClient(t, front).ServerGroupsAndResources(); err != nil || len(lists) != 4 {
		t.Errorf("got %v, %v", digest(lists), err)
	}
}

// oldClient is an implementation without contexts.
type oldClient struct {
	groups    *metav1.APIGroupList
	resources map[string]*metav1.APIResourceList
	err       error
}

func (c oldClient) RESTClient() rest.Interface                  { return nil }
func (c oldClient) WithLegacy() discovery.DiscoveryInterface    { return c }
func (c oldClient) ServerGroups() (*metav1.APIGroupList, error) { return c.groups, c.err }

func (c oldClient) ServerResourcesForGroupVersion(gv string) (*metav1.APIResourceList, error) {
	if list := c.resources[gv]; list != nil {
		return list, nil
	}
	return resources(gv, "outdated"), errors.New("expired")
}

func (c oldClient) ServerGroupsAndResources() ([]*metav1.APIGroup, []*metav1.APIResourceList, error) {
	return discovery.ServerGroupsAndResources(c)
}

func (c oldClient) ServerPreferredResources() ([]*metav1.APIResourceList, error) {
	return discovery.ServerPreferredResources(c)
}

func (c oldClient) ServerPreferredNamespacedResources() ([]*metav1.APIResourceList, error) {
	return discovery.ServerPreferredNamespacedResources(c)
}
