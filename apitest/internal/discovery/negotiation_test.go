package discovery_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	upstream "k8s.io/apiserver/pkg/endpoints/discovery"

	"github.com/listwatch/listwatch/apitest/internal/discovery"
)

func TestNegotiation(t *testing.T) {
	const protobuf = "application/vnd.kubernetes.protobuf"
	aggregatedType := strings.ReplaceAll(aggregatedV2, " ", "")
	for _, test := range []struct {
		name, path, accept string
		code               int
		contentType, body  string
	}{
		{"core", "/api", "", 200, "application/json", `{"kind":"APIVersions","versions":["v1"],"serverAddressByClientCIDRs":[{"clientCIDR":"0.0.0.0/0","serverAddress":"example.com"}]}`},
		{"core with a slash", "/api/", "", 200, "application/json", `{"kind":"APIVersions"`},
		{"core, aggregated", "/api", aggregatedV2, 200, aggregatedType, `{"kind":"APIGroupDiscoveryList","apiVersion":"apidiscovery.k8s.io/v2","metadata":{},"items":[{"metadata":{},"versions":[{"version":"v1"`},
		{"groups", "/apis", "application/json", 200, "application/json", `{"kind":"APIGroupList","apiVersion":"v1","groups":[{"name":"apps","versions":[{"groupVersion":"apps/v1","version":"v1"}],"preferredVersion":{"groupVersion":"apps/v1","version":"v1"}}`},
		{"groups with a slash", "/apis/", "", 200, "application/json", `{"kind":"APIGroupList"`},
		{"groups, aggregated", "/apis", aggregatedV2, 200, aggregatedType, `"kind":"APIGroupDiscoveryList"`},
		{"aggregated or not", "/apis", aggregatedV2 + "," + aggregatedBeta + ",application/json", 200, aggregatedType, `"kind":"APIGroupDiscoveryList"`},
		{"the old beta or not aggregated", "/apis", aggregatedBeta + ",application/json", 200, "application/json", `"kind":"APIGroupList"`},
		{"the old beta alone", "/apis", aggregatedBeta, 406, "application/json", `"reason": "NotAcceptable"`},
		{"protobuf", "/apis", protobuf, 200, protobuf, "k8s\x00"},
		{"aggregated protobuf", "/apis", strings.Replace(aggregatedV2, "application/json", protobuf, 1), 200, strings.Replace(aggregatedType, "application/json", protobuf, 1), "k8s\x00"},
		{"YAML", "/apis/apps", "application/yaml", 200, "application/yaml", "kind: APIGroup\n"},
		{"one group", "/apis/apps", "", 200, "application/json", `{"kind":"APIGroup","apiVersion":"v1","name":"apps"`},
		{"resources of the core", "/api/v1", "", 200, "application/json", `{"kind":"APIResourceList","groupVersion":"v1"`},
		{"resources", "/apis/apps/v1", "", 200, "application/json", `{"kind":"APIResourceList","apiVersion":"v1","groupVersion":"apps/v1"`},
		{"aggregated resources", "/apis/apps/v1", aggregatedV2, 406, "application/json", `"reason": "NotAcceptable"`},
		{"HTML of the core", "/api", "text/html", 406, "application/json", `"message": "406: Not Acceptable`},
		{"HTML of resources", "/apis/apps/v1", "text/html", 406, "application/json", `"message": "406: Not Acceptable`},
		{"HTML of others' resources", "/apis/farm.example/v1", "text/html", 406, "application/json", `"message": "only the following`},
		{"HTML", "/apis", "text/html", 406, "application/json", "only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var header []string
			if test.accept != "" {
				header = []string{"Accept", test.accept}
			}
			w := serve(t, handler(t), http.MethodGet, test.path, header...)
			if got := w.Header().Get("Content-Type"); w.Code != test.code || got != test.contentType {
				t.Errorf("GET %s, accepting %q: got %d %s, want %d %s", test.path, test.accept, w.Code, got, test.code, test.contentType)
			}
			if !strings.Contains(w.Body.String(), test.body) {
				t.Errorf("GET %s, accepting %q: got %s, want a body with %s", test.path, test.accept, w.Body, test.body)
			}
		})
	}
}

// Kubernetes' own groups, except their names, are read with GET; others with any method.
func TestMethods(t *testing.T) {
	for path, code := range map[string]int{
		"/api": 405, "/api/v1": 405, "/apis/apps/v1": 405,
		"/apis": 200, "/apis/apps": 200, "/apis/farm.example": 200, "/apis/farm.example/v1": 200,
	} {
		w := serve(t, handler(t), http.MethodPost, path)
		if w.Code != code || (code == 405) != strings.Contains(w.Body.String(), `"reason":"MethodNotAllowed"`) {
			t.Errorf("POST %s: %d %s", path, w.Code, w.Body)
		}
	}
}

func TestOthersPaths(t *testing.T) {
	h := handler(t)
	for _, path := range []string{
		"/", "/version", "/apix", "/apis/none.example", "/apis//v1", "/apis//", "//api", "//apis", "//apis/farm.example/v1",
		"/apis/farm.example/v7", "/apis/farm.example/v1/cows", "/apis/v1",
	} {
		if h.Serve(httptest.NewRecorder(), &http.Request{Method: http.MethodGet, URL: httptest.NewRequest(http.MethodGet, "http://host"+path, nil).URL}) {
			t.Errorf("%s was served", path)
		}
	}
}

// All paths below Kubernetes' own groups are handled.
func TestOwnPaths(t *testing.T) {
	for _, path := range []string{"/api/v2", "/api/v2/pods", "/api//v1", "/apis/apps/v2", "/apis/apps/v1/deployments"} {
		w := serve(t, handler(t), http.MethodGet, path)
		if w.Code != http.StatusNotFound || !strings.Contains(w.Body.String(), `"reason":"NotFound"`) {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
	}
	for _, path := range []string{"/apis/apps//", "/apis/farm.example/v1/", "/apis/farm.example//"} {
		if w := serve(t, handler(t), http.MethodGet, path); w.Code != http.StatusOK {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
	}
}

// A server without sources has an empty core group.
func TestEmpty(t *testing.T) {
	h := discovery.New()
	if got := get[metav1.APIGroupList](t, h, "/apis"); len(got.Groups) != 0 {
		t.Errorf("groups: %v", got)
	}
	if w := serve(t, h, http.MethodGet, "/api/v1"); !strings.Contains(w.Body.String(), `"resources":[]`) {
		t.Errorf("core: %s", w.Body)
	}
}

func TestStorageVersionHash(t *testing.T) {
	hash := upstream.StorageVersionHash
	builtin, custom := cluster()
	cows := schema.GroupResource{Group: "farm.example", Resource: "cows"}
	h := discovery.New(builtin, storing{custom, map[schema.GroupResource]string{cows: "v1beta2"}})
	hashes := map[string]string{}
	for _, path := range []string{"/api/v1", "/apis/farm.example/v1", "/apis/farm.example/v1beta2", "/apis/autoscaling/v1"} {
		for _, r := range get[metav1.APIResourceList](t, h, path).APIResources {
			hashes[path+" "+r.Name] = r.StorageVersionHash
		}
	}
	for name, want := range map[string]string{
		"/api/v1 pods":                    "xPOwRZ+Yhw8=", // as on every real server
		"/api/v1 pods/status":             "",
		"/api/v1 bindings":                "",
		"/apis/farm.example/v1beta2 cows": hashes["/apis/farm.example/v1 cows"],
		"/apis/autoscaling/v1 hpas":       hash("autoscaling", "v2", "HPA"),
	} {
		if got, ok := hashes[name]; !ok || got != want {
			t.Errorf("%s: %q, not %q", name, got, want)
		}
	}
	if got, want := hashes["/apis/farm.example/v1 cows"], hash("farm.example", "v1beta2", "Cow"); got != want {
		t.Errorf("a resource whose source knows its storage version: %q, not %q", got, want)
	}
}
