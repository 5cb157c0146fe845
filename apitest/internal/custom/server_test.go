package custom_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/listwatch/listwatch/apitest/internal/custom"
	"github.com/listwatch/listwatch/apitest/internal/store"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/apiserver/pkg/endpoints/filters"
	"k8s.io/apiserver/pkg/endpoints/request"
	"sigs.k8s.io/yaml"
)

// server serves its own registry over HTTP.
type server struct {
	t        testing.TB
	backend  *store.Backend
	registry *custom.Registry
	http     *httptest.Server
}

func newServer(t testing.TB) *server {
	t.Helper()
	return newServerOver(t, store.NewBackend(store.Options{}))
}

func newServerOver(t testing.TB, backend *store.Backend) *server {
	t.Helper()
	s := &server{t: t, backend: backend}
	registry, err := custom.New(custom.Options{
		Backend:    backend,
		Authorizer: allowAll{},
		Admission:  admission.NewChainHandler(),
		Delegate:   http.NotFoundHandler(),
	})
	if err != nil {
		t.Fatal(err)
	}
	s.registry = registry
	infos := &request.RequestInfoFactory{APIPrefixes: sets.NewString("api", "apis"), GrouplessAPIPrefixes: sets.NewString("api")}
	s.http = httptest.NewServer(filters.WithAuditInit(filters.WithRequestInfo(filters.WithWarningRecorder(registry), infos)))
	t.Cleanup(func() {
		registry.Close()
		s.http.Client().CloseIdleConnections()
		s.http.Close()
	})
	return s
}

type allowAll struct{}

func (allowAll) Authorize(context.Context, authorizer.Attributes) (authorizer.Decision, string, error) {
	return authorizer.DecisionAllow, "", nil
}

// response is a response of the server.
type response struct {
	code     int
	warnings []string
	body     map[string]any
}

// path returns the value at a path in the body, or nil.
func (r response) path(fields ...string) any {
	var value any = r.body
	for _, field := range fields {
		object, ok := value.(map[string]any)
		if !ok {
			return nil
		}
		value = object[field]
	}
	return value
}

// do sends a request. The body is YAML, or JSON; the content type is JSON unless given.
func (s *server) do(method, path, body string, contentType ...string) response {
	s.t.Helper()
	res := s.send(s.t.Context(), method, path, body, contentType...)
	raw, err := io.ReadAll(res.Body)
	_ = res.Body.Close()
	if err != nil {
		s.t.Fatal(err)
	}
	r := response{code: res.StatusCode, warnings: res.Header["Warning"]}
	if err := json.Unmarshal(raw, &r.body); err != nil {
		r.body = map[string]any{"text": string(raw)}
	}
	return r
}

// must sends a request whose response must have a code.
func (s *server) must(code int, method, path, body string, contentType ...string) response {
	s.t.Helper()
	r := s.do(method, path, body, contentType...)
	if r.code != code {
		s.t.Fatalf("%s %s: %d, want %d: %v", method, path, r.code, code, r.body)
	}
	return r
}

func (s *server) send(ctx context.Context, method, path, body string, contentType ...string) *http.Response {
	s.t.Helper()
	payload := []byte(body)
	media := "application/json"
	if len(contentType) > 0 {
		media = contentType[0]
	} else if body != "" {
		var err error
		if payload, err = yaml.YAMLToJSON(payload); err != nil {
			s.t.Fatal(err)
		}
	}
	req, err := http.NewRequestWithContext(ctx, method, s.http.URL+path, bytes.NewReader(payload))
	if err != nil {
		s.t.Fatal(err)
	}
	if body != "" {
		req.Header.Set("Content-Type", media)
	}
	res, err := s.http.Client().Do(req)
	if err != nil {
		s.t.Fatal(err)
	}
	return res
}

// apply applies CRDs in YAML.
func (s *server) apply(definitions ...string) {
	s.t.Helper()
	for _, text := range definitions {
		if err := s.registry.Apply(s.t.Context(), parse(s.t, text)); err != nil {
			s.t.Fatal(err)
		}
	}
}

func parse(t testing.TB, text string) *v1.CustomResourceDefinition {
	t.Helper()
	crd := &v1.CustomResourceDefinition{}
	if err := yaml.UnmarshalStrict([]byte(text), crd); err != nil {
		t.Fatal(err)
	}
	return crd
}

// event is an event of a watch.
type event struct {
	Type   string
	Object unstructured.Unstructured
}

// patience is the maximum duration of a watch.
const patience = 2 * time.Minute

// watch reads the events of a watch, which it stops when the test ends.
type watch struct {
	t       testing.TB
	decoder *json.Decoder
}

func (s *server) watch(path string) *watch {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), patience)
	res := s.send(ctx, http.MethodGet, path, "")
	s.t.Cleanup(func() {
		cancel()
		_ = res.Body.Close()
	})
	if res.StatusCode != http.StatusOK {
		s.t.Fatalf("watch %s: %s", path, res.Status)
	}
	return &watch{t: s.t, decoder: json.NewDecoder(res.Body)}
}

// next returns the next event, or false at the end of the watch.
func (w *watch) next() (event, bool) {
	w.t.Helper()
	var e struct {
		Type   string          `json:"type"`
		Object json.RawMessage `json:"object"`
	}
	if err := w.decoder.Decode(&e); err == io.EOF {
		return event{}, false
	} else if err != nil {
		w.t.Fatal(err)
	}
	got := event{Type: e.Type}
	if err := json.Unmarshal(e.Object, &got.Object.Object); err != nil {
		w.t.Fatal(err)
	}
	return got, true
}
