package builtin_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/listwatch/listwatch/apitest/internal/builtin"
	"github.com/listwatch/listwatch/apitest/internal/store"
)

func TestPrepare(t *testing.T) {
	backend := store.NewBackend(store.Options{})
	for _, life := range []string{"first", "second"} {
		s := serve(t, builtin.Options{Backend: backend})
		a := s.must("GET", "/api/v1/namespaces", "")
		items, _ := a.at("items").([]any)
		if len(items) != 4 {
			t.Errorf("%s life: %d namespaces, want 4: %s", life, len(items), a.raw)
		}
	}
}

func TestNamespaceLife(t *testing.T) {
	s := serve(t, builtin.Options{})
	s.must("POST", "/api/v1/namespaces", "{metadata: {name: a}}")
	s.must("POST", "/api/v1/namespaces/a/configmaps", "{metadata: {name: one}}")
	if a := s.must("DELETE", "/api/v1/namespaces/a", ""); a.at("status", "phase") != "Terminating" {
		t.Errorf("after a delete: %s", a.raw)
	}
	a := s.do("POST", "/api/v1/namespaces/a/configmaps", "{metadata: {name: two}}")
	if a.code != http.StatusForbidden || !strings.Contains(a.message(), "because it is being terminated") {
		t.Errorf("create in a namespace that terminates: %d %s", a.code, a.raw)
	}
	causes, _ := a.at("details", "causes").([]any)
	if len(causes) != 1 {
		t.Errorf("causes: %s", a.raw)
	}
	s.must("PUT", "/api/v1/namespaces/a/finalize", "{metadata: {name: a}, spec: {finalizers: []}}")
	if a := s.do("GET", "/api/v1/namespaces/a", ""); a.code != http.StatusNotFound {
		t.Errorf("after finalize: %d %s", a.code, a.raw)
	}
}

func TestRoutes(t *testing.T) {
	s := serve(t, builtin.Options{})
	s.must("POST", "/api/v1/namespaces/default/configmaps", "{metadata: {name: one}}")
	for _, test := range []struct {
		request string
		code    int
	}{
		{"GET /api/v1/watch/namespaces/default/nothing", 404},
		{"GET /api/v1/proxy/namespaces/default/configmaps/one", 404},
		{"GET /api/v1/configmaps", 200},
		{"POST /api/v1/configmaps", 405},
		{"GET /api/v1/configmaps/one", 404},
		{"HEAD /api/v1/namespaces/default/configmaps", 405},
		{"OPTIONS /api/v1/namespaces/default/configmaps", 405},
		{"GET /api/v1/namespaces/default/configmaps/one/a/b/c", 404},
		{"GET /api/v1/namespaces/default/nodes", 404},
		{"GET /apis/apps/v1beta1/deployments", 404},
		{"GET /apis/example.com/v1/things", 404},
		{"DELETE /api/v1/namespaces", 405},
		{"GET /api/v1/namespaces/default/configmaps?fieldSelector=metadata.name=one", 200},
		{"GET /apis/resource.k8s.io/v1beta1/deviceclasses", 404},
	} {
		t.Run(test.request, func(t *testing.T) {
			method, path, _ := strings.Cut(test.request, " ")
			if a := s.do(method, path, ""); a.code != test.code {
				t.Errorf("%d %s, want %d", a.code, a.raw, test.code)
			}
		})
	}
}

func TestServiceAddresses(t *testing.T) {
	backend := store.NewBackend(store.Options{})
	const path = "/api/v1/namespaces/default/services"
	s := serve(t, builtin.Options{Backend: backend})
	var seen []any
	create := func(s *server, name, spec string) answer {
		t.Helper()
		a := s.must("POST", path, fmt.Sprintf("{metadata: {name: %s}, spec: {ports: [{port: 80}]%s}}", name, spec))
		if ip := a.at("spec", "clusterIP"); ip == nil || slices.Contains(seen, ip) {
			t.Errorf("%s has address %v, after %v", name, ip, seen)
		} else {
			seen = append(seen, ip)
		}
		return a
	}
	create(s, "a", "")
	create(s, "b", "")
	create(s, "c", ", clusterIP: 10.0.1.2")
	if a := s.do("POST", path, "{metadata: {name: d}, spec: {clusterIP: 10.0.1.2, ports: [{port: 80}]}}"); a.code != 422 || !strings.Contains(a.message(), "provided IP is already allocated") {
		t.Errorf("an address that is taken: %d %s", a.code, a.raw)
	}
	s = serve(t, builtin.Options{Backend: backend}) // reads what is in use
	create(s, "e", ", type: NodePort")
	f := create(s, "f", ", type: LoadBalancer")
	ports, _ := f.at("spec", "ports").([]any)
	if len(ports) != 1 || (answer{object: ports[0].(map[string]any)}).at("nodePort") != 30087.0 {
		t.Errorf("ports of the second service with ports of nodes: %s", f.raw)
	}
	ip := s.must("GET", path+"/a", "").at("spec", "clusterIP")
	s.must("DELETE", path+"/a", "")
	if a := s.must("POST", path, fmt.Sprintf("{metadata: {name: g}, spec: {clusterIP: %v, ports: [{port: 80}]}}", ip)); a.at("spec", "clusterIP") != ip {
		t.Errorf("an address that is free again: %s", a.raw)
	}
	a := s.must("PUT", path+"/b", "{metadata: {name: b}, spec: {ports: [{port: 81}]}}")
	if !slices.Contains(seen, a.at("spec", "clusterIP")) {
		t.Errorf("after an update without an address: %s", a.raw)
	}
	dry := s.must("POST", path+"?dryRun=All", "{metadata: {name: h}, spec: {ports: [{port: 80}]}}").at("spec", "clusterIP")
	if a := s.must("POST", path, fmt.Sprintf("{metadata: {name: h}, spec: {clusterIP: %v, ports: [{port: 80}]}}", dry)); a.at("spec", "clusterIP") != dry {
		t.Errorf("an address of a dry run: %s", a.raw)
	}
}

func TestPodPriority(t *testing.T) {
	s := serve(t, builtin.Options{})
	s.must("POST", "/apis/scheduling.k8s.io/v1/priorityclasses", "{metadata: {name: high}, value: 7}")
	pod := func(spec string) answer {
		return s.do("POST", "/api/v1/namespaces/default/pods?dryRun=All", "{metadata: {name: a}, spec: {containers: [{name: a, image: b}]"+spec+"}}")
	}
	for spec, want := range map[string]any{"": 0.0, ", priorityClassName: high": 7.0, ", priorityClassName: system-node-critical": 2000001000.0} {
		if a := pod(spec); a.at("spec", "priority") != want {
			t.Errorf("pod with %q: %d %s, want priority %v", spec, a.code, a.raw, want)
		}
	}
	for spec, want := range map[string]string{
		", priorityClassName: none":              "no PriorityClass with name none was found",
		", priorityClassName: high, priority: 8": "computed 7 from the given PriorityClass name",
	} {
		if a := pod(spec); a.code != http.StatusForbidden || !strings.Contains(a.message(), want) {
			t.Errorf("pod with %q: %d %s", spec, a.code, a.raw)
		}
	}
}

func TestOwnWarnings(t *testing.T) {
	s := serve(t, builtin.Options{})
	const path, want = "/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas", `299 - "apitest has no priority and fairness: flowschemas.flowcontrol.apiserver.k8s.io have no effect"`
	const object = "{metadata: {name: one}, spec: {matchingPrecedence: 9, priorityLevelConfiguration: {name: x}}}"
	for _, test := range []struct{ name, method, path, body, contentType, want string }{
		{"create", "POST", path, object, "application/json", want},
		{"update", "PUT", path + "/one", object, "application/json", want},
		{"patch", "PATCH", path + "/one", "{metadata: {labels: {a: b}}}", mergePatch, want},
		{"status", "PATCH", path + "/one/status", "{status: {conditions: []}}", mergePatch, ""},
		{"get", "GET", path + "/one", "", "application/json", ""},
		{"delete", "DELETE", path + "/one", "", "application/json", ""},
		{"with an effect", "POST", "/api/v1/namespaces/default/serviceaccounts", "{metadata: {name: one}}", "application/json", ""},
	} {
		if got := s.must(test.method, test.path, test.body, test.contentType).header.Get("Warning"); got != test.want {
			t.Errorf("%s: warning %q, want %q", test.name, got, test.want)
		}
	}
}
