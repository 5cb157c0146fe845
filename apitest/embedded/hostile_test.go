package embedded_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/listwatch/listwatch/apitest/embedded"
)

const (
	configMaps = "/api/v1/namespaces/default/configmaps"
	widgets    = "/apis/hostile.example/v1/namespaces/default/widgets"
)

// widgetCRD defines widgets with arbitrary content.
func widgetCRD() *apiextensions.CustomResourceDefinition {
	keep := true
	crd := &apiextensions.CustomResourceDefinition{ObjectMeta: metav1.ObjectMeta{Name: "widgets.hostile.example"}}
	crd.Spec = apiextensions.CustomResourceDefinitionSpec{
		Group: "hostile.example", Scope: apiextensions.NamespaceScoped,
		Names: apiextensions.CustomResourceDefinitionNames{Plural: "widgets", Singular: "widget", Kind: "Widget", ListKind: "WidgetList"},
		Versions: []apiextensions.CustomResourceDefinitionVersion{{Name: "v1", Served: true, Storage: true,
			Schema:       &apiextensions.CustomResourceValidation{OpenAPIV3Schema: &apiextensions.JSONSchemaProps{Type: "object", XPreserveUnknownFields: &keep}},
			Subresources: &apiextensions.CustomResourceSubresources{Status: &apiextensions.CustomResourceSubresourceStatus{}},
		}},
	}
	return crd
}

// victim is a server with one object of each type.
type victim struct {
	server *embedded.Server
	client *http.Client
}

func newVictim(t testing.TB, opts ...embedded.Option) *victim {
	t.Helper()
	server := embedded.Start(t, append(opts, embedded.WithScheme(scheme.Scheme), embedded.WithCRDObjects(widgetCRD()))...)
	v := &victim{server, clientFor(t, server.Config())}
	for path, body := range map[string]string{
		configMaps: `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"one"},"data":{"a":"1"}}`,
		widgets:    `{"apiVersion":"hostile.example/v1","kind":"Widget","metadata":{"name":"one"}}`,
	} {
		if code, status := v.send(t, http.MethodPost, path, "application/json", strings.NewReader(body)); code != http.StatusCreated {
			t.Fatalf("create at %s: %d %+v", path, code, status)
		}
	}
	return v
}

// send sends a request, and returns the code of the response and the Status in it, if any.
func (v *victim) send(t testing.TB, method, path, contentType string, body io.Reader) (int, metav1.Status) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, v.server.Config().Host+path, body)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", contentType)
	resp, err := v.client.Do(req)
	if err != nil {
		t.Fatalf("%s %s: %v", method, path, err)
	}
	defer resp.Body.Close() //nolint:errcheck // nothing is lost
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatalf("%s %s: %v", method, path, err)
	}
	var status metav1.Status
	if err := json.Unmarshal(data, &status); err != nil && resp.StatusCode >= 400 {
		t.Errorf("%s %s: %d is not a Status: %.300s", method, path, resp.StatusCode, data)
	}
	return resp.StatusCode, status
}

// sound checks that a server still works, and that its objects are unchanged.
func (v *victim) sound(t testing.TB) {
	t.Helper()
	for _, path := range []string{configMaps + "/one", widgets + "/one", "/readyz", "/apis"} {
		resp, err := v.client.Get(v.server.Config().Host + path)
		if err != nil {
			t.Fatal(err)
		}
		_, err = io.Copy(io.Discard, resp.Body)
		if err = errors.Join(err, resp.Body.Close()); err != nil || resp.StatusCode != http.StatusOK {
			t.Errorf("afterwards, %s: %d, %v", path, resp.StatusCode, err)
		}
	}
}

// targets are requests with bodies, by name.
func targets() map[string]struct{ method, path, contentType string } {
	return map[string]struct{ method, path, contentType string }{
		"create":                {http.MethodPost, configMaps, "application/json"},
		"create custom":         {http.MethodPost, widgets, "application/json"},
		"create from YAML":      {http.MethodPost, configMaps, "application/yaml"},
		"update":                {http.MethodPut, configMaps + "/one", "application/json"},
		"update custom":         {http.MethodPut, widgets + "/one", "application/json"},
		"update status":         {http.MethodPut, widgets + "/one/status", "application/json"},
		"JSON patch":            {http.MethodPatch, configMaps + "/one", "application/json-patch+json"},
		"JSON patch custom":     {http.MethodPatch, widgets + "/one", "application/json-patch+json"},
		"merge patch":           {http.MethodPatch, configMaps + "/one", "application/merge-patch+json"},
		"merge patch custom":    {http.MethodPatch, widgets + "/one", "application/merge-patch+json"},
		"strategic merge patch": {http.MethodPatch, configMaps + "/one", "application/strategic-merge-patch+json"},
		"apply":                 {http.MethodPatch, configMaps + "/one?fieldManager=x", "application/apply-patch+yaml"},
		"apply custom":          {http.MethodPatch, widgets + "/one?fieldManager=x", "application/apply-patch+yaml"},
		"delete":                {http.MethodDelete, configMaps + "/none", "application/json"},
		"delete custom":         {http.MethodDelete, widgets + "/none", "application/json"},
		"delete all":            {http.MethodDelete, configMaps + "?labelSelector=none", "application/json"},
		"define":                {http.MethodPost, "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", "application/json"},
		"protobuf":              {http.MethodPost, configMaps, "application/vnd.kubernetes.protobuf"},
		"review":                {http.MethodPost, "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", "application/json"},
	}
}

const mib = 1 << 20

// endless is a body without end. It counts the bytes that were read.
type endless struct {
	begin string
	again []byte
	taken atomic.Int64
}

func (e *endless) Read(p []byte) (int, error) {
	n := 0
	if at := e.taken.Load(); at < int64(len(e.begin)) {
		n = copy(p, e.begin[at:])
	}
	for n < len(p) {
		n += copy(p[n:], e.again)
	}
	e.taken.Add(int64(n))
	return n, nil
}

// Of a body without end, only as much is read as a body may have, and it is rejected as too large.
func TestEndlessBodies(t *testing.T) {
	v := newVictim(t)
	for name, target := range targets() {
		t.Run(name, func(t *testing.T) {
			body := &endless{begin: `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"`, again: bytes.Repeat([]byte("x"), 4096)}
			code, status := v.send(t, target.method, target.path, target.contentType, body)
			if code != http.StatusRequestEntityTooLarge || status.Reason != metav1.StatusReasonRequestEntityTooLarge {
				t.Errorf("%d %+v", code, status)
			}
			if taken := body.taken.Load(); taken > 8*mib {
				t.Errorf("%d KiB were taken", taken>>10)
			}
		})
	}
	v.sound(t)
}

// The memory that is held for bodies that are too large is given back.
func TestMemoryOfEndlessBodies(t *testing.T) {
	v := newVictim(t)
	before := heap()
	for range 20 {
		body := &endless{begin: `{"data":{"a":"`, again: bytes.Repeat([]byte("x"), 4096)}
		v.send(t, http.MethodPost, configMaps, "application/json", body)
	}
	after := heap()
	t.Logf("the heap was %d KiB, and is %d KiB", before>>10, after>>10)
	if after > before+32*mib {
		t.Errorf("the heap grew by %d KiB", (after-before)>>10)
	}
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// Bodies that are deep, wide or large when they are decoded are rejected or accepted; they neither
// crash the server nor exhaust its stack.
func TestStrangeBodies(t *testing.T) {
	const depth = 50_000
	bomb := "a: &a [x,x,x,x,x,x,x,x,x]\n"
	for c := 'b'; c < 'p'; c++ {
		bomb += fmt.Sprintf("%c: &%c [%s]\n", c, c, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*%c,", c-1), 9), ","))
	}
	bodies := map[string]string{
		"deep arrays":         `{"apiVersion":"v1","kind":"ConfigMap","x":` + strings.Repeat("[", depth) + strings.Repeat("]", depth) + "}",
		"deep objects":        strings.Repeat(`{"a":`, depth) + "1" + strings.Repeat("}", depth),
		"arrays without end":  strings.Repeat("[", depth),
		"objects without end": strings.Repeat(`{"a":`, depth),
		"YAML bomb":           bomb,
		"many operations":     "[" + strings.TrimSuffix(strings.Repeat(`{"op":"add","path":"/a","value":1},`, 10_001), ",") + "]",
		"many copies":         "[" + strings.TrimSuffix(strings.Repeat(`{"op":"copy","from":"","path":"/metadata/annotations"},`, 100), ",") + "]",
		"many fields":         "{" + strings.TrimSuffix(strings.Repeat(`"f":1,`, 5_000), ",") + "}",
		"a long number":       `{"a":` + strings.Repeat("9", 64<<10) + "}",
		"a huge exponent":     `{"a":1e999999999,"metadata":{"generation":1e999999999}}`,
		"bytes":               string([]byte{0, 1, 2, 0xff, 0xfe}),
		"no UTF-8":            "{\"a\":\"\xff\xfe\"}",
		"protobuf":            "k8s\x00\x0a\x0d\x0a\x02v1\x12\x07",
		"protobuf of lengths": "k8s\x00" + strings.Repeat("\xff", 20),
		"protobuf of groups":  "k8s\x00" + strings.Repeat("\x0b", 20_000),
		"nothing":             "",
		"space":               strings.Repeat(" ", 64<<10),
	}
	v := newVictim(t)
	for name, body := range bodies {
		for target, to := range targets() {
			t.Run(name+"/"+target, func(t *testing.T) {
				code, status := v.send(t, to.method, to.path, to.contentType, strings.NewReader(body))
				if code >= 500 {
					t.Errorf("%d %+v", code, status)
				}
			})
		}
	}
	v.sound(t)
}

// Custom resources cannot be encoded in protobuf.
func TestProtobufOfCustomResources(t *testing.T) {
	v := newVictim(t)
	for _, body := range []string{"", "k8s\x00", "k8s\x00\x0a\x0d\x0a\x02v1\x12\x07", "text"} {
		for method, path := range map[string]string{http.MethodPost: widgets, http.MethodPut: widgets + "/one", http.MethodPatch: widgets + "/one"} {
			code, status := v.send(t, method, path, "application/vnd.kubernetes.protobuf", strings.NewReader(body))
			if code != http.StatusUnsupportedMediaType || status.Reason != metav1.StatusReasonUnsupportedMediaType {
				t.Errorf("%s %q: %d %+v", method, body, code, status)
			}
		}
	}
	v.sound(t)
}

// A body that stops in the middle blocks its request until that times out, and no longer.
func TestSlowBodies(t *testing.T) {
	for name, opts := range map[string][]embedded.Option{"HTTP/2": nil, "HTTP/1": {embedded.WithPlainHTTP()}} {
		t.Run(name, func(t *testing.T) {
			v := newVictim(t, opts...)
			for _, path := range []string{configMaps, widgets} {
				stuck, writer := io.Pipe()
				go func() { _, _ = io.WriteString(writer, `{"apiVersion":`) }()
				code, status := v.send(t, http.MethodPost, path+"?timeout=50ms", "application/json", stuck)
				if code != http.StatusGatewayTimeout || status.Reason != metav1.StatusReasonTimeout {
					t.Errorf("%s: %d %+v", path, code, status)
				}
				_ = writer.Close()
			}
			v.sound(t)
		})
	}
}

// A server with requests that wait for their bodies still stops.
func TestStopWithSlowBodies(t *testing.T) {
	v := newVictim(t)
	stuck, writer := io.Pipe()
	defer writer.Close() //nolint:errcheck // it returns nil
	ended := make(chan struct{})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, v.server.Config().Host+configMaps, stuck)
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(ended)
		if resp, err := v.client.Do(req); err == nil {
			_ = resp.Body.Close() // answered or cut, depending on when the stop comes
		}
	}()
	if _, err := io.WriteString(writer, `{"apiVersion":`); err != nil { // when it has been read, the request is in progress
		t.Fatal(err)
	}
	if err := v.server.Stop(); err != nil {
		t.Error(err)
	}
	<-ended
}

// The size of headers is limited.
func TestHugeHeaders(t *testing.T) {
	for name, opts := range map[string][]embedded.Option{"HTTP/2": nil, "HTTP/1": {embedded.WithPlainHTTP()}} {
		t.Run(name, func(t *testing.T) {
			v := newVictim(t, opts...)
			for _, set := range []func(*http.Request){
				func(req *http.Request) { req.Header.Set("X-Long", strings.Repeat("x", 2*mib)) },
				func(req *http.Request) {
					for i := range 40_000 {
						req.Header.Set(fmt.Sprint("X-", i), strings.Repeat("x", 40))
					}
				},
				func(req *http.Request) { req.URL.RawQuery = "labelSelector=" + strings.Repeat("x", 2*mib) },
			} {
				req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, v.server.Config().Host+configMaps, http.NoBody)
				if err != nil {
					t.Fatal(err)
				}
				set(req)
				resp, err := v.client.Do(req)
				if err != nil {
					continue // the connection is closed
				}
				if _ = resp.Body.Close(); resp.StatusCode != http.StatusRequestHeaderFieldsTooLarge {
					t.Errorf("a request with a head of 2 MiB: got %d, want 431", resp.StatusCode)
				}
			}
			v.sound(t)
		})
	}
}
