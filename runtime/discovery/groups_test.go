package discovery_test

import (
	"context"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/listwatch/listwatch/runtime/discovery"
)

func TestServerGroups(t *testing.T) {
	for _, tt := range []struct {
		name    string
		answers map[string]answer
		want    []string
		fails   func(error) bool
	}{
		{
			name: "legacy",
			answers: map[string]answer{
				"/api":  coreVersions("v1"),
				"/apis": groups(group("apps", "v1", "v1beta1"), group("example.com", "v2")),
			},
			want: []string{
				": v1(v1) preferred v1",
				"apps: apps/v1(v1) apps/v1beta1(v1beta1) preferred apps/v1",
				"example.com: example.com/v2(v2) preferred example.com/v2",
			},
		},
		{
			name: "aggregated",
			answers: map[string]answer{
				"/api":  aggregated(aggregatedGroup("", aggregatedVersion("v1"))),
				"/apis": aggregated(aggregatedGroup("apps", aggregatedVersion("v1"), aggregatedVersion("v1beta1")) + "," + aggregatedGroup("b", aggregatedVersion("v2"))),
			},
			want: []string{
				": v1(v1) preferred v1",
				"apps: apps/v1(v1) apps/v1beta1(v1beta1) preferred apps/v1",
				"b: b/v2(v2) preferred b/v2",
			},
		},
		{
			name: "stale versions are neither listed nor preferred",
			answers: map[string]answer{
				"/api":  aggregated(""),
				"/apis": aggregated(aggregatedGroup("a", staleVersion("v2"), aggregatedVersion("v1")) + "," + aggregatedGroup("b", staleVersion("v1"))),
			},
			want: []string{"a: a/v1(v1) preferred a/v1", "b: preferred "},
		},
		{
			name: "aggregated core group, legacy others",
			answers: map[string]answer{
				"/api":  aggregated(aggregatedGroup("", aggregatedVersion("v1"))),
				"/apis": groups(group("apps", "v1")),
			},
			want: []string{": v1(v1) preferred v1", "apps: apps/v1(v1) preferred apps/v1"},
		},
		{
			name: "legacy core group, aggregated others",
			answers: map[string]answer{
				"/api":  coreVersions("v1"),
				"/apis": aggregated(aggregatedGroup("apps", aggregatedVersion("v1"))),
			},
			want: []string{": v1(v1) preferred v1", "apps: apps/v1(v1) preferred apps/v1"},
		},
		{
			name:    "no core group",
			answers: map[string]answer{"/apis": groups(group("apps", "v1"))},
			want:    []string{"apps: apps/v1(v1) preferred apps/v1"},
		},
		{
			name:    "a core group without versions",
			answers: map[string]answer{"/api": coreVersions(), "/apis": groups()},
			want:    []string{": preferred "},
		},
		{
			name:    "only a core group",
			answers: map[string]answer{"/api": coreVersions("v1")},
			fails:   apierrors.IsNotFound,
		},
		{
			name:    "core group forbidden",
			answers: map[string]answer{"/api": failure(http.StatusForbidden), "/apis": groups()},
			fails:   apierrors.IsForbidden,
		},
		{
			name:    "others forbidden",
			answers: map[string]answer{"/api": coreVersions("v1"), "/apis": failure(http.StatusForbidden)},
			fails:   apierrors.IsForbidden,
		},
		{
			name:    "nothing acceptable",
			answers: map[string]answer{"/api": coreVersions("v1"), "/apis": failure(http.StatusNotAcceptable)},
			fails:   func(err error) bool { return apierrors.ReasonForError(err) == "NotAcceptable" },
		},
		{
			name:    "malformed core group",
			answers: map[string]answer{"/api": {contentType: legacyJSON, body: `{"versions":[`}, "/apis": groups()},
			fails:   func(err error) bool { return err != nil },
		},
		{
			name:    "malformed aggregated document",
			answers: map[string]answer{"/api": coreVersions("v1"), "/apis": {contentType: aggregatedJSON, body: `{"items":{}}`}},
			fails:   func(err error) bool { return err != nil },
		},
		{
			name:    "malformed list of groups",
			answers: map[string]answer{"/api": coreVersions("v1"), "/apis": {contentType: legacyJSON, body: `[]`}},
			fails:   func(err error) bool { return err != nil },
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := serve(t, tt.answers)
			list, err := s.client(t).ServerGroups()
			if tt.fails != nil {
				if !tt.fails(err) || list != nil {
					t.Errorf("got %v, %v", list, err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(tt.want, digestGroups(list.Groups)); d != "" {
				t.Errorf("groups (-want +got):\n%s", d)
			}
			if d := cmp.Diff([]string{"GET /api", "GET /apis"}, s.seen()); d != "" {
				t.Errorf("requests (-want +got):\n%s", d)
			}
		})
	}
}

func TestGroupsAndMaybeResources(t *testing.T) {
	core := aggregated(aggregatedGroup("", aggregatedVersion("v1", "pods")))
	apps := aggregated(aggregatedGroup("apps", aggregatedVersion("v1", "deployments"), staleVersion("v2")))
	for _, tt := range []struct {
		name      string
		answers   map[string]answer
		resources []string // nil if the response does not contain them
		failed    []string
	}{
		{
			name:      "aggregated",
			answers:   map[string]answer{"/api": core, "/apis": apps},
			resources: []string{"v1", "apps/v1"},
			failed:    []string{"apps/v2"},
		},
		{
			name:      "no core group",
			answers:   map[string]answer{"/apis": apps},
			resources: []string{"apps/v1"},
			failed:    []string{"apps/v2"},
		},
		{
			name:      "nothing at all",
			answers:   map[string]answer{"/apis": aggregated("")},
			resources: []string{},
		},
		{
			name:    "legacy",
			answers: map[string]answer{"/api": coreVersions("v1"), "/apis": groups(group("apps", "v1"))},
		},
		{
			name:    "no core group, legacy",
			answers: map[string]answer{"/apis": groups(group("apps", "v1"))},
		},
		{
			name:    "legacy core group only",
			answers: map[string]answer{"/api": coreVersions("v1"), "/apis": apps},
			failed:  []string{"apps/v2"},
		},
		{
			name:    "aggregated core group only",
			answers: map[string]answer{"/api": core, "/apis": groups(group("apps", "v1"))},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, resources, failed, err := serve(t, tt.answers).client(t).GroupsAndMaybeResources()
			if err != nil {
				t.Fatal(err)
			}
			if (resources == nil) != (tt.resources == nil) || len(resources) != len(tt.resources) {
				t.Errorf("got resources %v, want those of %q", resources, tt.resources)
			}
			for gv, list := range resources {
				if list.GroupVersion != gv.String() {
					t.Errorf("%v has the list of %s", gv, list.GroupVersion)
				}
			}
			if failed == nil || len(failed) != len(tt.failed) {
				t.Errorf("got failures %v, want those of %q", failed, tt.failed)
			}
			for gv, err := range failed {
				if _, stale := err.(discovery.StaleGroupVersionError); !stale { //nolint:errorlint // the error itself is promised, unwrapped
					t.Errorf("%v failed with %T", gv, err)
				}
			}
		})
	}
}

// The Accept header of each request.
func TestAccept(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(*discovery.DiscoveryClient) discovery.DiscoveryInterface
		want   string
	}{
		{
			"both",
			func(d *discovery.DiscoveryClient) discovery.DiscoveryInterface { return d },
			discovery.AcceptV2 + "," + discovery.AcceptV1,
		},
		{
			"without peers",
			func(d *discovery.DiscoveryClient) discovery.DiscoveryInterface {
				d.NoPeerDiscovery = true
				return d
			},
			discovery.AcceptV2NoPeer + "," + discovery.AcceptV2 + "," + discovery.AcceptV1,
		},
		{
			"legacy",
			func(d *discovery.DiscoveryClient) discovery.DiscoveryInterface { return d.WithLegacy() },
			discovery.AcceptV1,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			s := httptestServer(t, func(w http.ResponseWriter, req *http.Request) {
				got = append(got, req.Header.Get("Accept"))
				w.Header().Set("Content-Type", legacyJSON)
				_, _ = w.Write([]byte("{}"))
			})
			if _, err := tt.change(newClient(t, s)).ServerGroups(); err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff([]string{tt.want, tt.want}, got); d != "" {
				t.Errorf("accepted (-want +got):\n%s", d)
			}
		})
	}
}

func TestWithLegacyIsACopy(t *testing.T) {
	s := serve(t, map[string]answer{
		"/api":  aggregated(""),
		"/apis": aggregated(""),
	})
	client := s.client(t)
	for name, legacy := range map[string]discovery.DiscoveryInterfaceWithContext{
		"without context": discovery.ToDiscoveryInterfaceWithContext(client.WithLegacy()),
		"with context":    client.WithLegacyWithContext(t.Context()),
	} {
		if _, err := legacy.ServerGroupsWithContext(t.Context()); apierrors.ReasonForError(err) != "NotAcceptable" {
			t.Errorf("%s: got %v, want a server that cannot do legacy discovery", name, err)
		}
	}
	if _, err := client.ServerGroups(); err != nil {
		t.Errorf("the original is changed: %v", err)
	}
}

func TestCancelled(t *testing.T) {
	s := serve(t, nil)
	client := s.client(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for name, call := range map[string]func() error{
		"groups":    func() error { _, err := client.ServerGroupsWithContext(ctx); return err },
		"resources": func() error { _, _, err := client.ServerGroupsAndResourcesWithContext(ctx); return err },
		"preferred": func() error { _, err := client.ServerPreferredResourcesWithContext(ctx); return err },
		"a client without contexts": func() error {
			_, err := discovery.ServerPreferredResourcesWithContext(ctx, discovery.ToDiscoveryInterfaceWithContext(anOldClient()))
			return err
		},
		"namespaced": func() error { _, err := client.ServerPreferredNamespacedResourcesWithContext(ctx); return err },
	} {
		if err := call(); err != context.Canceled { //nolint:errorlint // nothing wraps it
			t.Errorf("%s: got %v", name, err)
		}
	}
	if seen := s.seen(); len(seen) > 0 {
		t.Errorf("requests %q", seen)
	}
}

func TestContentTypeIsGVK(t *testing.T) {
	for contentType, want := range map[string]bool{
		aggregatedJSON: true,
		"application/json; as=APIGroupDiscoveryList;v=v2;g=apidiscovery.k8s.io":                 true,
		"application/json; as=APIGroupDiscoveryList; v=v2; g=apidiscovery.k8s.io;charset=utf-8": true,
		"application/json": false,
		"application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList":               false,
		"application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroup":                                 false,
		"application/json;v=v2;as=APIGroupDiscoveryList":                                          false,
		"application/vnd.kubernetes.protobuf;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList": false,
		"application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList;profile=nopeer;x=y": true,
		"text/plain": false,
	} {
		got, err := discovery.ContentTypeIsGVK(contentType, aggregatedGVK)
		if got != want || err != nil {
			t.Errorf("%s: got %t, %v", contentType, got, err)
		}
	}
	for _, malformed := range []string{"", "application/json; g", ";"} {
		if got, err := discovery.ContentTypeIsGVK(malformed, aggregatedGVK); got || err == nil {
			t.Errorf("%q: got %t, %v", malformed, got, err)
		}
	}
}
