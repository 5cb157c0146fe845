package discovery_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/version"

	"github.com/listwatch/listwatch/runtime/discovery"
	"github.com/listwatch/listwatch/runtime/rest"
)

func TestServerVersion(t *testing.T) {
	want := version.Info{Major: "1", Minor: "37", GitVersion: "v1.37.2", GitCommit: "c", GitTreeState: "clean"}
	s := serve(t, map[string]answer{"/version": legacy(want)})
	client := s.client(t)
	got, err := client.ServerVersion()
	if err != nil || *got != want {
		t.Errorf("got %v, %v", got, err)
	}
	if err := discovery.MatchesServerVersion(want, client); err != nil {
		t.Errorf("the same version: %v", err)
	}
	built := want
	built.GoVersion, built.Platform = "go1", "elsewhere"
	if err := discovery.MatchesServerVersion(built, client); err != nil {
		t.Errorf("the same source: %v", err)
	}
	for name, change := range map[string]func(*version.Info){
		"version": func(v *version.Info) { v.GitVersion = "v1.37.1" },
		"commit":  func(v *version.Info) { v.GitCommit = "d" },
		"state":   func(v *version.Info) { v.GitTreeState = "dirty" },
	} {
		other := want
		change(&other)
		if err := discovery.MatchesServerVersion(other, client); err == nil {
			t.Errorf("another %s matches", name)
		}
	}

	s.set("/version", answer{contentType: legacyJSON, body: "{"})
	if got, err := client.ServerVersion(); err == nil || got != nil {
		t.Errorf("malformed: got %v, %v", got, err)
	}
	s.set("/version", failure(http.StatusForbidden))
	if got, err := client.ServerVersion(); !apierrors.IsForbidden(err) || got != nil {
		t.Errorf("forbidden: got %v, %v", got, err)
	}
	if err := discovery.MatchesServerVersion(want, client); !apierrors.IsForbidden(err) {
		t.Errorf("forbidden: match %v", err)
	}
}

// Errors contain the path and the cause.
func TestErrorsNameThePath(t *testing.T) {
	all := func(a answer) map[string]answer {
		return map[string]answer{"/api": a, "/apis": a, "/apis/a/v1": a, "/version": a}
	}
	calls := map[string]func(*discovery.DiscoveryClient) error{
		"/api": func(d *discovery.DiscoveryClient) error { _, err := d.ServerGroups(); return err },
		"/apis/a/v1": func(d *discovery.DiscoveryClient) error {
			_, err := d.ServerResourcesForGroupVersion("a/v1")
			return err
		},
		"/version": func(d *discovery.DiscoveryClient) error { _, err := d.ServerVersion(); return err },
	}
	for name, tt := range map[string]struct {
		answers map[string]answer
		is      func(error) bool
	}{
		"forbidden":   {all(failure(http.StatusForbidden)), apierrors.IsForbidden},
		"unavailable": {all(failure(http.StatusServiceUnavailable)), apierrors.IsServiceUnavailable},
		"unreadable":  {all(answer{contentType: legacyJSON, body: "<html>"}), func(err error) bool { return err != nil }},
		"aggregated, unreadable": {
			all(answer{contentType: aggregatedJSON, body: "<html>"}), func(err error) bool { return err != nil },
		},
	} {
		client := serve(t, tt.answers).client(t)
		for path, call := range calls {
			if err := call(client); !tt.is(err) || !strings.Contains(err.Error(), path) {
				t.Errorf("%s, %s: got %v", path, name, err)
			}
		}
	}
	// The response of /api does not affect /apis.
	for name, a := range map[string]answer{
		"legacy":     {contentType: legacyJSON, body: "<html>"},
		"aggregated": {contentType: aggregatedJSON, body: "<html>"},
		"forbidden":  failure(http.StatusForbidden),
	} {
		client := serve(t, map[string]answer{"/api": coreVersions("v1"), "/apis": a}).client(t)
		if _, err := client.ServerGroups(); err == nil || !strings.Contains(err.Error(), "/apis") {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func TestServerSupportsVersion(t *testing.T) {
	for _, tt := range []struct {
		name    string
		answers map[string]answer
		gv      schema.GroupVersion
		fails   func(error) bool
	}{
		{"core", map[string]answer{"/api": coreVersions("v1"), "/apis": groups()}, schema.GroupVersion{Version: "v1"}, nil},
		{
			"named", map[string]answer{"/api": coreVersions("v1"), "/apis": groups(group("a", "v1", "v2"))},
			schema.GroupVersion{Group: "a", Version: "v2"}, nil,
		},
		{
			"other version", map[string]answer{"/api": coreVersions("v1"), "/apis": groups(group("a", "v1"))},
			schema.GroupVersion{Group: "a", Version: "v2"},
			func(err error) bool { return err.Error() == `server does not support API version "a/v2"` },
		},
		{"nothing listed", map[string]answer{"/apis": groups()}, schema.GroupVersion{Group: "a", Version: "v2"}, nil},
		{"forbidden", map[string]answer{"/api": failure(http.StatusForbidden)}, schema.GroupVersion{Version: "v1"}, apierrors.IsForbidden},
	} {
		t.Run(tt.name, func(t *testing.T) {
			err := discovery.ServerSupportsVersion(serve(t, tt.answers).client(t), tt.gv)
			if (err != nil) != (tt.fails != nil) || err != nil && !tt.fails(err) {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestIsResourceEnabled(t *testing.T) {
	client := serve(t, map[string]answer{
		"/api/v1":       resourcesAnswer("v1", "pods", "pods/log"),
		"/apis/a/v1":    resourcesAnswer("a/v1", "foos"),
		"/apis/deny/v1": failure(http.StatusForbidden),
	}).client(t)
	for _, tt := range []struct {
		gvr   schema.GroupVersionResource
		want  bool
		fails bool
	}{
		{gvr: schema.GroupVersionResource{Version: "v1", Resource: "pods"}, want: true},
		{gvr: schema.GroupVersionResource{Group: "a", Version: "v1", Resource: "foos"}, want: true},
		{gvr: schema.GroupVersionResource{Group: "a", Version: "v1", Resource: "bars"}},
		{gvr: schema.GroupVersionResource{Group: "a", Version: "v2", Resource: "foos"}},
		{gvr: schema.GroupVersionResource{Group: "deny", Version: "v1", Resource: "foos"}, fails: true},
	} {
		got, err := discovery.IsResourceEnabled(client, tt.gvr)
		if got != tt.want || (err != nil) != tt.fails {
			t.Errorf("%v: got %t, %v", tt.gvr, got, err)
		}
	}
}

func TestConfig(t *testing.T) {
	var userAgent string
	s := httptestServer(t, func(w http.ResponseWriter, req *http.Request) {
		userAgent = req.UserAgent()
		_, _ = w.Write([]byte("{}"))
	})
	given := rest.Config{Host: s.URL, APIPath: "/elsewhere", ContentConfig: rest.ContentConfig{GroupVersion: &schema.GroupVersion{Group: "g", Version: "v"}}}
	config := given
	client, err := discovery.NewDiscoveryClientForConfig(&config)
	if err != nil {
		t.Fatal(err)
	}
	if config.Timeout != 0 || config.Burst != 0 || config.APIPath != given.APIPath || config.GroupVersion != given.GroupVersion || config.UserAgent != "" || config.NegotiatedSerializer != nil {
		t.Errorf("the config is changed: %v", config)
	}
	if path := client.RESTClient().Get().Resource("r").URL().Path; path != "/r" {
		t.Errorf("requests go to %s", path)
	}
	if _, err := client.ServerVersion(); err != nil {
		t.Fatal(err)
	}
	if userAgent != rest.DefaultKubernetesUserAgent() {
		t.Errorf("the user agent is %q", userAgent)
	}
	config.UserAgent = "me"
	if _, err := discovery.NewDiscoveryClientForConfigOrDie(&config).ServerVersion(); err != nil {
		t.Fatal(err)
	}
	if userAgent != "me" {
		t.Errorf("the user agent is %q", userAgent)
	}
}

func TestTimeout(t *testing.T) {
	for name, tt := range map[string]struct{ given, want time.Duration }{
		"default": {0, 32 * time.Second},
		"given":   {time.Hour, time.Hour},
	} {
		client, err := discovery.NewDiscoveryClientForConfig(&rest.Config{Host: "localhost", Timeout: tt.given})
		if err != nil {
			t.Fatal(err)
		}
		if got := client.RESTClient().(*rest.RESTClient).Client.Timeout; got != tt.want {
			t.Errorf("%s: got %v, want %v", name, got, tt.want)
		}
	}
}

func TestBadConfig(t *testing.T) {
	bad := &rest.Config{Host: "://"}
	if client, err := discovery.NewDiscoveryClientForConfig(bad); err == nil || client != nil {
		t.Errorf("got %v, %v", client, err)
	}
	if client, err := discovery.NewDiscoveryClientForConfigAndClient(bad, http.DefaultClient); err == nil || client != nil {
		t.Errorf("with a client: got %v, %v", client, err)
	}
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	discovery.NewDiscoveryClientForConfigOrDie(bad)
}

func TestRESTClient(t *testing.T) {
	var none *discovery.DiscoveryClient
	if none.RESTClient() != nil {
		t.Error("nil has a client")
	}
	client := &rest.RESTClient{}
	if discovery.NewDiscoveryClient(client).RESTClient() != rest.Interface(client) {
		t.Error("another client than the one that was given")
	}
}
