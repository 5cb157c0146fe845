package typed_test

import (
	"errors"
	"io"
	"net/http"
	"net/url"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	kjson "sigs.k8s.io/json"

	"github.com/listwatch/listwatch/conformance/server/suite/typed"
	"github.com/listwatch/listwatch/kubernetes"
	"github.com/listwatch/listwatch/kubernetes/scheme"
	"github.com/listwatch/listwatch/runtime/rest"
)

func newClientset(t *testing.T, exact bool) *typed.Clientset {
	t.Helper()
	c, err := typed.New(typed.Source{
		Interface: reflect.TypeFor[kubernetes.Interface](),
		New:       func(c *rest.Config) (any, error) { return kubernetes.NewForConfig(c) },
		Scheme:    scheme.Scheme,
		Exact:     exact,
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// newRequest parses "METHOD path?query". A non-empty body has a media type that may precede it in
// brackets.
func newRequest(t *testing.T, line, body string) (*http.Request, string) {
	t.Helper()
	method, target, _ := strings.Cut(line, " ")
	r, err := http.NewRequestWithContext(t.Context(), method, "http://server"+target, nil)
	if err != nil {
		t.Fatal(err)
	}
	if rest, ok := strings.CutPrefix(body, "["); ok && !strings.HasPrefix(body, "[{") {
		var media string
		media, body, _ = strings.Cut(rest, "]")
		r.Header.Set("Content-Type", media)
	}
	return r, body
}

const (
	objects = "/api/v1/namespaces/default/configmaps"
	object  = objects + "/a"
	pod     = "/api/v1/namespaces/default/pods/a"
	scale   = "/apis/apps/v1/namespaces/default/deployments/a/scale"
	a       = `{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a"},"data":{"k":"v"}}`
	applied = "[application/apply-patch+yaml]" + a
)

// TestExpressible resolves requests to calls, and checks that the call sends the request.
func TestExpressible(t *testing.T) {
	clientset := newClientset(t, false)
	for _, c := range []struct{ request, body, call string }{
		{"GET " + object, "", `CoreV1().ConfigMaps("default").Get`},
		{"GET " + object + "?resourceVersion=7", "", `CoreV1().ConfigMaps("default").Get`},
		{"GET " + objects, "", `CoreV1().ConfigMaps("default").List`},
		{"GET /api/v1/configmaps?labelSelector=a%3Db&fieldSelector=metadata.name%3Da&limit=3&continue=c", "", `CoreV1().ConfigMaps("").List`},
		{"GET " + objects + "?resourceVersion=0&resourceVersionMatch=NotOlderThan", "", `CoreV1().ConfigMaps("default").List`},
		{"GET " + objects + "?watch=true&allowWatchBookmarks=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan", "", `CoreV1().ConfigMaps("default").Watch`},
		{"POST " + objects, a, `CoreV1().ConfigMaps("default").Create`},
		{"POST " + objects + "?dryRun=All&fieldManager=me&fieldValidation=Strict", a, `CoreV1().ConfigMaps("default").Create`},
		{"POST /api/v1/configmaps", a, `CoreV1().ConfigMaps("").Create`},
		{"PUT " + object + "?fieldManager=me", a, `CoreV1().ConfigMaps("default").Update`},
		{"DELETE " + object, "", `CoreV1().ConfigMaps("default").Delete`},
		{"DELETE " + object, `{"kind":"DeleteOptions","apiVersion":"v1","preconditions":{"uid":"1"}}`, `CoreV1().ConfigMaps("default").Delete`},
		{"DELETE " + objects + "?labelSelector=a", "", `CoreV1().ConfigMaps("default").DeleteCollection`},
		{"PATCH " + object, "[application/json-patch+json][]", `CoreV1().ConfigMaps("default").Patch`},
		{"PATCH " + object, "[application/merge-patch+json]{}", `CoreV1().ConfigMaps("default").Patch`},
		{"PATCH " + object, "[text/plain]{}", `CoreV1().ConfigMaps("default").Patch`},
		{"PATCH " + pod + "/status", "[application/strategic-merge-patch+json]{}", `CoreV1().Pods("default").Patch`},
		{"PATCH " + object + "?fieldManager=me&force=true", applied, `CoreV1().ConfigMaps("default").Apply`},
		{"PATCH " + object + "?fieldManager=me", applied, `CoreV1().ConfigMaps("default").Patch`},
		{"PATCH " + object + "?force=true&fieldValidation=Warn", applied, `CoreV1().ConfigMaps("default").Patch`},
		{"PATCH " + object + "?force=false", "[application/apply-patch+yaml]" + `{"unknown":1}`, `CoreV1().ConfigMaps("default").Patch`},
		{"PATCH " + object + "b?force=false", applied, `CoreV1().ConfigMaps("default").Patch`},
		{"PATCH " + pod + "/status?force=false", "[application/apply-patch+yaml]" + `{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a"}}`, `CoreV1().Pods("default").ApplyStatus`},
		{"PUT " + pod + "/status", `{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a"},"spec":{"containers":null},"status":{}}`, `CoreV1().Pods("default").UpdateStatus`},
		{"PUT " + pod + "/ephemeralcontainers", `{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a"},"spec":{"containers":null},"status":{}}`, `CoreV1().Pods("default").UpdateEphemeralContainers`},
		{"GET " + scale, "", `AppsV1().Deployments("default").GetScale`},
		{"PUT " + scale, `{"kind":"Scale","apiVersion":"autoscaling/v1","metadata":{"name":"a"},"spec":{"replicas":3},"status":{"replicas":0}}`, `AppsV1().Deployments("default").UpdateScale`},
		{"POST /api/v1/namespaces/default/serviceaccounts/a/token", `{"kind":"TokenRequest","apiVersion":"authentication.k8s.io/v1","metadata":{},"spec":{"audiences":["x"],"expirationSeconds":null,"boundObjectRef":null},"status":{"token":"","expirationTimestamp":null}}`, `CoreV1().ServiceAccounts("default").CreateToken`},
		{"GET /api/v1/namespaces/a", "", `CoreV1().Namespaces().Get`},
		{"POST /api/v1/namespaces", `{"kind":"Namespace","apiVersion":"v1","metadata":{"name":"a"},"spec":{},"status":{}}`, `CoreV1().Namespaces().Create`},
		{"PUT /api/v1/namespaces/a/status", `{"kind":"Namespace","apiVersion":"v1","metadata":{"name":"a"},"spec":{},"status":{}}`, `CoreV1().Namespaces().UpdateStatus`},
		{"GET /apis/coordination.k8s.io/v1/leases?allowWatchBookmarks=false&limit=0&resourceVersion=", "", `CoordinationV1().Leases("").List`},
	} {
		t.Run(c.request, func(t *testing.T) {
			r, body := newRequest(t, c.request, c.body)
			call, err := clientset.Resolve(r, []byte(body))
			if err != nil {
				t.Fatal(err)
			}
			if call.String() != c.call {
				t.Errorf("%v instead of %s", call, c.call)
			}
			sent := &recorder{}
			client, err := kubernetes.NewForConfig(&rest.Config{Host: "http://server", Transport: sent, ContentConfig: rest.ContentConfig{ContentType: runtime.ContentTypeJSON}})
			if err != nil {
				t.Fatal(err)
			}
			if result := call.Do(t.Context(), client); result.Watch != nil {
				result.Watch.Stop()
			}
			if diff := cmp.Diff(requestOf(t, r, body), requestOf(t, sent.request, sent.body)); diff != "" {
				t.Errorf("the call sends another request (-asked +sent):\n%s", diff)
			}
		})
	}
}

// recorder records the last request and responds with an empty object.
type recorder struct {
	request *http.Request
	body    string
}

func (r *recorder) RoundTrip(request *http.Request) (*http.Response, error) {
	r.request, r.body = request, ""
	if request.Body != nil {
		data, err := io.ReadAll(request.Body)
		if err != nil {
			return nil, err
		}
		r.body = string(data)
	}
	return &http.Response{
		StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"application/json"}},
		Body: io.NopCloser(strings.NewReader("{}")), Request: request,
	}, nil
}

// request is a request as a server parses it.
type request struct {
	Method, Path, Patch string
	Query               url.Values
	Body                any
}

func requestOf(t *testing.T, r *http.Request, body string) request {
	t.Helper()
	seen := request{Method: r.Method, Path: r.URL.EscapedPath(), Query: url.Values{}}
	for key, values := range r.URL.Query() {
		if value := values[0]; value != "" && value != "0" && value != "false" || key == "resourceVersion" && value == "0" || key == "force" {
			seen.Query[key] = values
		}
	}
	if r.Method == http.MethodPatch {
		seen.Patch = r.Header.Get("Content-Type")
	}
	if r.Method == http.MethodDelete && (body == "" || body == `{"kind":"DeleteOptions","apiVersion":"v1"}`+"\n") {
		return seen
	}
	if body != "" {
		if err := kjson.UnmarshalCaseSensitivePreserveInts([]byte(body), &seen.Body); err != nil {
			t.Fatalf("%s: %v", body, err)
		}
	}
	return seen
}

// TestInexpressible checks requests that no call can send, and the reasons.
func TestInexpressible(t *testing.T) {
	clientset := newClientset(t, false)
	for _, c := range []struct {
		request, body string
		accept        string
		reason        typed.Reason
	}{
		{request: "GET /version", reason: typed.NoResource},
		{request: "GET /apis/apps/v1", reason: typed.NoResource},
		{request: "GET /apis/example.com/v1/things", reason: typed.NoClient},
		{request: "GET /apis/apps/v3/deployments", reason: typed.NoClient},
		{request: "GET " + pod + "/log", reason: typed.NoMethod},
		{request: "GET " + pod + "/status", reason: typed.NoMethod},
		{request: "POST " + pod + "/eviction", body: "{}", reason: typed.NoMethod},
		{request: "POST " + object, body: a, reason: typed.NoMethod},
		{request: "DELETE /api/v1/namespaces", reason: typed.NoMethod},
		{request: "PUT " + objects, body: a, reason: typed.NoMethod},
		{request: "PATCH " + scale, body: "[application/merge-patch+json]{}", reason: typed.NoMethod},
		{request: "HEAD " + object, reason: typed.NoMethod},
		{request: "GET /api/v1/watch/configmaps", reason: typed.Path},
		{request: "GET /api/v1//configmaps", reason: typed.NoResource},
		{request: "GET " + object + "/", reason: typed.Path},
		{request: "GET " + pod + "/proxy/a/b", reason: typed.Path},
		{request: "PUT " + object + "b", body: a, reason: typed.Path},
		{request: "GET " + objects + "?limit=many", reason: typed.Query},
		{request: "GET " + objects + "?pretty=true", reason: typed.Query},
		{request: "GET " + object + "?limit=3", reason: typed.Query},
		{request: "GET " + objects + "?limit=3&limit=4", reason: typed.Query},
		{request: "POST " + objects + "?dryRun=", body: a, reason: typed.Query},
		{request: "DELETE " + object + "?fieldManager=me", reason: typed.Query},
		{request: "GET " + objects, accept: "application/json;as=Table;v=v1;g=meta.k8s.io", reason: typed.Header},
		{request: "GET " + objects, accept: "application/yaml", reason: typed.Header},
		{request: "POST " + objects, body: "[application/yaml]" + a, reason: typed.Header},
		{request: "POST " + objects, body: "", reason: typed.Body},
		{request: "POST " + objects, body: "{", reason: typed.Body},
		{request: "POST " + objects, body: `{"metadata":{"name":"a"},"unknown":1}`, reason: typed.Body},
		{request: "POST " + objects, body: `{"metadata":{"name":"a","name":"b"}}`, reason: typed.Body},
		{request: "POST " + objects, body: `{"kind":"Secret","apiVersion":"v1","metadata":{"name":"a"}}`, reason: typed.Body},
		{request: "POST " + objects, body: `{"kind":"ConfigMap","apiVersion":"v2","metadata":{"name":"a"}}`, reason: typed.Body},
		{request: "DELETE " + object, body: `{"kind":"ConfigMap","apiVersion":"v1"}`, reason: typed.Body},
	} {
		t.Run(c.request+c.body, func(t *testing.T) {
			r, body := newRequest(t, c.request, c.body)
			if c.accept != "" {
				r.Header.Set("Accept", c.accept)
			}
			call, err := clientset.Resolve(r, []byte(body))
			var got *typed.Inexpressible
			if !errors.As(err, &got) {
				t.Fatalf("the call %v, and the error %v", call, err)
			}
			if got.Reason != c.reason {
				t.Errorf("got the reason %q (%v), want %q", got.Reason, got, c.reason)
			}
		})
	}
}

// TestOtherHeaders checks that clients send no headers of the caller.
func TestOtherHeaders(t *testing.T) {
	clientset := newClientset(t, false)
	r, _ := newRequest(t, "GET "+object, "")
	r.Header.Set("If-None-Match", "x")
	var got *typed.Inexpressible
	if call, err := clientset.Resolve(r, nil); !errors.As(err, &got) || got.Reason != typed.Header {
		t.Errorf("the call %v, and the error %v", call, err)
	}
}

// TestExact accepts only bodies that are encoded as they were decoded.
func TestExact(t *testing.T) {
	clientset := newClientset(t, true)
	for body, ok := range map[string]bool{
		a: true,
		`{"apiVersion":"v1","metadata":{"name":"a"}}`: false,
		`{"metadata":{"name":"a"}}`:                   false,
		`{"metadata":{"name":"a"},"data":{}}`:         false,
		`{"metadata":{"name":"a"},"immutable":null}`:  false,
	} {
		r, _ := newRequest(t, "POST "+objects, "")
		if _, err := clientset.Resolve(r, []byte(body)); (err == nil) != ok {
			t.Errorf("%s: %v", body, err)
		}
	}
}

func TestMedia(t *testing.T) {
	const json, protobuf = "application/json", "application/vnd.kubernetes.protobuf"
	clientset := newClientset(t, false)
	for _, c := range []struct{ request, body, accept, sends, accepts string }{
		{"GET " + object, "", "", json, json},
		{"GET " + object, "", "*/*", json, "*/*"},
		{"GET " + object, "", protobuf + "," + json, json, protobuf + "," + json},
		{"POST " + objects, "[" + json + "; charset=utf-8]" + a, "", json, json},
		{"DELETE " + object, "[" + protobuf + "]k8s\x00\n\x13\n\x02v1\x12\rDeleteOptions\x12\x00\x1a\x00\"\x00", protobuf, protobuf, protobuf},
	} {
		r, body := newRequest(t, c.request, c.body)
		if c.accept != "" {
			r.Header.Set("Accept", c.accept)
		}
		call, err := clientset.Resolve(r, []byte(body))
		if err != nil || call.Sends != c.sends || call.Accepts != c.accepts {
			t.Errorf("%s, accepting %q: %+v, %v", c.request, c.accept, call, err)
		}
	}
}

func TestHas(t *testing.T) {
	clientset := newClientset(t, false)
	for resource, want := range map[schema.GroupVersionResource]bool{
		{Version: "v1", Resource: "configmaps"}:                           true,
		{Group: "apps", Version: "v1", Resource: "deployments"}:           true,
		{Group: "coordination.k8s.io", Version: "v1", Resource: "leases"}: true,
		{Group: "coordination.k8s.io", Version: "v2", Resource: "leases"}: false,
	} {
		if clientset.Has(resource) != want {
			t.Errorf("%v: %v", resource, !want)
		}
	}
}
