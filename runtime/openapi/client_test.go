package openapi_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/listwatch/listwatch/runtime/discovery"
	"github.com/listwatch/listwatch/runtime/discovery/fake"
	"github.com/listwatch/listwatch/runtime/openapi"
	"github.com/listwatch/listwatch/runtime/openapi/cached"
	"github.com/listwatch/listwatch/runtime/openapi/models"
	"github.com/listwatch/listwatch/runtime/openapi/openapitest"
	"github.com/listwatch/listwatch/runtime/rest"
	clienttesting "github.com/listwatch/listwatch/runtime/testing"
)

// server answers requests from a table of URIs, and notes what was requested.
type server struct {
	bodies   map[string]string
	requests []string
}

func (s *server) RoundTrip(req *http.Request) (*http.Response, error) {
	u := *req.URL
	query := u.Query()
	query.Del("timeout") // of discovery clients
	u.RawQuery = query.Encode()
	uri := u.RequestURI()
	s.requests = append(s.requests, uri+" "+req.Header.Get("Accept"))
	resp := &http.Response{StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"application/json"}}}
	body, ok := s.bodies[uri]
	if !ok {
		resp.StatusCode = http.StatusNotFound
		body = `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"NotFound","code":404,"message":"no such document"}`
	}
	resp.Body = io.NopCloser(strings.NewReader(body))
	return resp, nil
}

func (s *server) discovery(t testing.TB, prefix string) *discovery.DiscoveryClient {
	t.Helper()
	c, err := discovery.NewDiscoveryClientForConfig(&rest.Config{Host: "http://server.test" + prefix, Transport: s})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestSchema(t *testing.T) {
	for _, tt := range []struct {
		name   string
		prefix string
		url    string // in the index
		want   string // is requested
	}{
		{"plain", "", "/openapi/v3/apis/apps/v1?hash=AB", "/openapi/v3/apis/apps/v1?hash=AB"},
		{"prefix of the client", "/p", "/openapi/v3/apis/apps/v1?hash=AB", "/p/openapi/v3/apis/apps/v1?hash=AB"},
		{"prefix of both", "/p", "/p/openapi/v3/apis/apps/v1?hash=AB", "/p/openapi/v3/apis/apps/v1?hash=AB"},
		{"elsewhere", "/p", "/other?hash=AB&x=1", "/p/other?hash=AB&x=1"},
		{"another host", "", "http://evil.test/openapi/v3/x", "/openapi/v3/x"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := &server{bodies: map[string]string{
				tt.prefix + "/openapi/v3": `{"paths":{"apis/apps/v1":{"serverRelativeURL":"` + tt.url + `"}}}`,
				tt.want:                   `{"openapi":"3.0.0"}`,
			}}
			paths, err := s.discovery(t, tt.prefix).OpenAPIV3().Paths()
			if err != nil {
				t.Fatal(err)
			}
			body, err := paths["apis/apps/v1"].Schema(openapi.ContentTypeOpenAPIV3PB)
			if err != nil || string(body) != `{"openapi":"3.0.0"}` {
				t.Errorf("got %s, %v", body, err)
			}
			if got, want := s.requests[len(s.requests)-1], tt.want+" "+openapi.ContentTypeOpenAPIV3PB; got != want {
				t.Errorf("requested %s, want %s", got, want)
			}
		})
	}
}

func TestErrors(t *testing.T) {
	s := &server{bodies: map[string]string{}}
	c := s.discovery(t, "").OpenAPIV3WithContext(t.Context())
	if _, err := c.PathsWithContext(t.Context()); !apierrors.IsNotFound(err) || !strings.Contains(err.Error(), "/openapi/v3") {
		t.Errorf("no index: got %v", err)
	}
	s.bodies["/openapi/v3"] = "<html>"
	if _, err := c.PathsWithContext(t.Context()); err == nil || !strings.Contains(err.Error(), "/openapi/v3") {
		t.Errorf("no JSON: got %v", err)
	}
	s.bodies["/openapi/v3"] = `{"paths":{"gone":{"serverRelativeURL":"/openapi/v3/gone"},"up":{"serverRelativeURL":"/openapi/v3/../../secrets"}}}`
	paths, err := c.PathsWithContext(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := paths["gone"].SchemaWithContext(t.Context(), runtime.ContentTypeJSON); !apierrors.IsNotFound(err) || !strings.Contains(err.Error(), "no such document") {
		t.Errorf("no document: got %v", err)
	}
	if _, err := paths["up"].SchemaWithContext(t.Context(), runtime.ContentTypeJSON); err == nil || apierrors.IsNotFound(err) {
		t.Errorf("document above: got %v", err)
	}
}

// plain is a group version without contexts, which counts calls.
type plain struct {
	openapitest.FakeGroupVersion
	calls *int
}

func (p plain) Schema(contentType string) ([]byte, error) {
	*p.calls++
	return p.FakeGroupVersion.Schema(contentType)
}

func TestCached(t *testing.T) {
	calls := 0
	documents := openapitest.NewFakeClient()
	documents.PathsMap["api/v1"] = plain{openapitest.FakeGroupVersion{GVSpec: []byte("{}")}, &calls}
	c := cached.NewClient(documents)
	for range 3 {
		paths, err := c.Paths()
		if err != nil {
			t.Fatal(err)
		}
		if body, err := paths["api/v1"].Schema(runtime.ContentTypeJSON); err != nil || string(body) != "{}" {
			t.Errorf("got %s, %v", body, err)
		}
		if paths["api/v1"].ServerRelativeURL() != "" {
			t.Error("there is a URL")
		}
		delete(paths, "api/v1") // the caller's map
	}
	if calls != 1 {
		t.Errorf("%d calls", calls)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := openapi.ToClientWithContext(c).PathsWithContext(ended); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	documents.ForcedErr = errors.New("broken")
	if _, err := cached.NewClient(documents).Paths(); !errors.Is(err, documents.ForcedErr) {
		t.Errorf("got %v", err)
	}
}

// A failure is not cached.
func TestCachedFailure(t *testing.T) {
	broken := errors.New("broken")
	gv := &openapitest.FakeGroupVersion{ForcedErr: broken}
	c := cached.NewClient(&openapitest.FakeClient{PathsMap: map[string]openapi.GroupVersion{"api/v1": gv}})
	paths, err := c.Paths()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := paths["api/v1"].Schema(runtime.ContentTypeJSON); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
	gv.ForcedErr, gv.GVSpec = nil, []byte("{}")
	if body, err := paths["api/v1"].Schema(runtime.ContentTypeJSON); err != nil || string(body) != "{}" {
		t.Errorf("got %s, %v", body, err)
	}
}

func TestWithContext(t *testing.T) {
	if openapi.ToClientWithContext(nil) != nil || openapi.ToGroupVersionWithContext(nil) != nil {
		t.Error("nil does not stay nil")
	}
	both := cached.NewClient(openapitest.NewFakeClient())
	if openapi.ToClientWithContext(both) != both.(openapi.ClientWithContext) {
		t.Error("what has both forms is wrapped")
	}
}

func TestModels(t *testing.T) {
	s := &server{bodies: map[string]string{
		"/openapi/v3":        `{"paths":{"api/v1":{"serverRelativeURL":"/openapi/v3/api/v1"}}}`,
		"/openapi/v3/api/v1": `{"openapi":"3.0.0"}`,
		"/openapi/v2":        "\x0a\x032.0", // field 1 is the version of OpenAPI
	}}
	d := s.discovery(t, "")
	if _, err := models.NewTypeConverter(d.OpenAPIV3(), false); err != nil {
		t.Error(err)
	}
	var schemas models.OpenAPISchemaInterface = models.For(d)
	document, err := schemas.OpenAPISchema()
	if err != nil || document.GetSwagger() != "2.0" {
		t.Errorf("got %v, %v", document, err)
	}
	s.bodies["/openapi/v2"] = "\xff"
	if _, err := models.Schema(t.Context(), d); err == nil || !strings.Contains(err.Error(), "/openapi/v2") {
		t.Errorf("got %v", err)
	}
	if document, err := models.For(&fake.FakeDiscovery{Fake: &clienttesting.Fake{}}).OpenAPISchema(); err != nil || document == nil || document.GetSwagger() != "" {
		t.Errorf("of a fake: got %v, %v", document, err)
	}
	if models.ToOpenAPISchemaInterfaceWithContext(nil) != nil {
		t.Error("nil does not stay nil")
	}
}
