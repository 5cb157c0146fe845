package discovery_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/listwatch/listwatch/runtime/discovery"
	"github.com/listwatch/listwatch/runtime/rest"
)

const (
	legacyJSON     = "application/json"
	aggregatedJSON = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"
)

var aggregatedGVK = schema.GroupVersionKind{Group: "apidiscovery.k8s.io", Version: "v2", Kind: "APIGroupDiscoveryList"}

// answer is the server's response at a path.
type answer struct {
	code        int // 200 if not set
	contentType string
	body        string
}

// server answers GET requests at known paths and remembers all requests.
type server struct {
	*httptest.Server

	mu       sync.Mutex // guards answers and requests
	answers  map[string]answer
	requests []string
}

func serve(t *testing.T, answers map[string]answer) *server {
	t.Helper()
	s := &server{answers: answers}
	s.Server = httptestServer(t, s.ServeHTTP)
	return s
}

// ServeHTTP implements http.Handler.
func (s *server) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, req.Method+" "+req.URL.String())
	a, ok := s.answers[req.URL.Path]
	switch {
	case !ok:
		a = failure(http.StatusNotFound)
	case !slices.Contains(strings.Split(req.Header.Get("Accept"), ","), a.contentType) && a.contentType == aggregatedJSON:
		a = failure(http.StatusNotAcceptable)
	}
	w.Header().Set("Content-Type", a.contentType)
	if a.code != 0 {
		w.WriteHeader(a.code)
	}
	_, _ = io.WriteString(w, a.body)
}

// seen returns all requests up to now, sorted.
func (s *server) seen() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Sorted(slices.Values(s.requests))
}

func (s *server) set(path string, a answer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answers[path] = a
}

func (s *server) client(t *testing.T) *discovery.DiscoveryClient {
	t.Helper()
	return newClient(t, s.Server)
}

func httptestServer(t *testing.T, handler http.HandlerFunc) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(handler)
	t.Cleanup(s.Close)
	return s
}

func newClient(t *testing.T, s *httptest.Server) *discovery.DiscoveryClient {
	t.Helper()
	client, err := discovery.NewDiscoveryClientForConfigAndClient(&rest.Config{Host: s.URL}, s.Client())
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// failure is the response of a server that fails or refuses.
func failure(code int) answer {
	return answer{code, legacyJSON, toJSON(metav1.Status{
		TypeMeta: metav1.TypeMeta{Kind: "Status", APIVersion: "v1"},
		Status:   metav1.StatusFailure,
		Code:     int32(code),
		Reason: map[int]metav1.StatusReason{
			http.StatusNotFound:           metav1.StatusReasonNotFound,
			http.StatusForbidden:          metav1.StatusReasonForbidden,
			http.StatusNotAcceptable:      metav1.StatusReasonNotAcceptable,
			http.StatusServiceUnavailable: metav1.StatusReasonServiceUnavailable,
		}[code],
		Message: http.StatusText(code),
	})}
}

func legacy(object any) answer { return answer{contentType: legacyJSON, body: toJSON(object)} }

func aggregated(items string) answer {
	return answer{contentType: aggregatedJSON, body: `{"kind":"APIGroupDiscoveryList","apiVersion":"apidiscovery.k8s.io/v2","items":[` + items + `]}`}
}

// aggregatedGroup is a group in an aggregated document, with the given versions.
func aggregatedGroup(name string, versions ...string) string {
	return `{"metadata":{"name":"` + name + `"},"versions":[` + strings.Join(versions, ",") + `]}`
}

// aggregatedVersion is a version of a group with namespaced resources, which have
// their own names as kinds.
func aggregatedVersion(version string, resources ...string) string {
	var all []string
	for _, r := range resources {
		all = append(all, `{"resource":"`+r+`","responseKind":{"kind":"`+r+`"},"scope":"Namespaced","verbs":["get"]}`)
	}
	return `{"version":"` + version + `","freshness":"Current","resources":[` + strings.Join(all, ",") + `]}`
}

func staleVersion(version string) string {
	return strings.Replace(aggregatedVersion(version, "outdated"), "Current", "Stale", 1)
}

// groups returns the legacy list of groups; the first version of each is preferred.
func groups(all ...metav1.APIGroup) answer {
	return legacy(metav1.APIGroupList{
		TypeMeta: metav1.TypeMeta{Kind: "APIGroupList", APIVersion: "v1"},
		Groups:   all,
	})
}

func group(name string, versions ...string) metav1.APIGroup {
	g := metav1.APIGroup{Name: name}
	for _, v := range versions {
		gv := metav1.GroupVersionForDiscovery{GroupVersion: v, Version: v}
		if name != "" {
			gv.GroupVersion = name + "/" + v
		}
		g.Versions = append(g.Versions, gv)
	}
	if len(versions) > 0 {
		g.PreferredVersion = g.Versions[0]
	}
	return g
}

// resources returns the list of a group version; names with an exclamation mark are cluster-scoped.
func resources(groupVersion string, names ...string) *metav1.APIResourceList {
	list := &metav1.APIResourceList{GroupVersion: groupVersion}
	for _, name := range names {
		bare := strings.TrimSuffix(name, "!")
		list.APIResources = append(list.APIResources, metav1.APIResource{
			Name: bare, Kind: bare, Namespaced: bare == name, Verbs: metav1.Verbs{"get"},
		})
	}
	return list
}

func resourcesAnswer(groupVersion string, names ...string) answer {
	list := resources(groupVersion, names...)
	list.TypeMeta = metav1.TypeMeta{Kind: "APIResourceList", APIVersion: "v1"}
	return legacy(list)
}

func coreVersions(versions ...string) answer {
	return legacy(metav1.APIVersions{
		TypeMeta: metav1.TypeMeta{Kind: "APIVersions"},
		Versions: versions,
	})
}

func toJSON(object any) string {
	text, err := json.Marshal(object)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// digest formats lists of resources for comparison.
func digest(lists []*metav1.APIResourceList) []string {
	var lines []string
	for _, list := range lists {
		line := list.GroupVersion + ":"
		for _, r := range list.APIResources {
			line += " " + r.Name
		}
		lines = append(lines, line)
	}
	return lines
}

func digestGroups(all []metav1.APIGroup) []string {
	var lines []string
	for _, g := range all {
		line := g.Name + ":"
		for _, v := range g.Versions {
			line += " " + v.GroupVersion + "(" + v.Version + ")"
		}
		lines = append(lines, line+" preferred "+g.PreferredVersion.GroupVersion)
	}
	return lines
}
