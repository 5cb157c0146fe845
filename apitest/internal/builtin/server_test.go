package builtin_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/listwatch/listwatch/apitest/internal/builtin"
	"github.com/listwatch/listwatch/apitest/internal/store"
	"github.com/listwatch/listwatch/apitest/internal/token"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizerfactory"
	"k8s.io/apiserver/pkg/endpoints/filters"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/yaml"
)

// server serves resources to one test, without authentication.
type server struct {
	t   *testing.T
	url string
}

func serve(t *testing.T, options builtin.Options) *server {
	t.Helper()
	if options.Scheme == nil {
		options.Scheme = scheme.Scheme
	}
	if options.Backend == nil {
		options.Backend = store.NewBackend(store.Options{})
	}
	options.Authorizer = authorizerfactory.NewAlwaysAllowAuthorizer()
	options.Token = func(t token.Token) (string, error) { return "token of " + t.Account, nil }
	resources, err := builtin.New(options)
	if err != nil {
		t.Fatal(err)
	}
	if err := resources.Prepare(t.Context()); err != nil {
		t.Fatal(err)
	}
	var handler http.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		resources.ServeHTTP(w, r.WithContext(request.WithUser(r.Context(), &user.DefaultInfo{Name: "tester"})))
	})
	handler = filters.WithRequestInfo(filters.WithAuditInit(filters.WithWarningRecorder(handler)), &request.RequestInfoFactory{
		APIPrefixes: sets.NewString("api", "apis"), GrouplessAPIPrefixes: sets.NewString("api"),
	})
	http := httptest.NewServer(handler)
	t.Cleanup(http.Close)
	return &server{t, http.URL}
}

// answer is a response of the server.
type answer struct {
	code   int
	header http.Header
	raw    []byte
	object map[string]any
}

// do sends a request with a body in YAML, which is sent as JSON. The content type is the method's
// default, or the given one.
func (s *server) do(method, path, body string, contentType ...string) answer {
	s.t.Helper()
	data, err := yaml.YAMLToJSON([]byte(strings.ReplaceAll(body, "\t", "  ")))
	if err != nil {
		s.t.Fatal(err)
	}
	if body == "" {
		data = nil
	}
	req, err := http.NewRequestWithContext(s.t.Context(), method, s.url+path, bytes.NewReader(data))
	if err != nil {
		s.t.Fatal(err)
	}
	if data != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if len(contentType) > 0 {
		req.Header.Set("Content-Type", contentType[0])
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	a := answer{code: res.StatusCode, header: res.Header, raw: raw}
	if len(raw) > 0 && strings.HasPrefix(res.Header.Get("Content-Type"), "application/json") {
		if err := json.Unmarshal(raw, &a.object); err != nil {
			s.t.Fatalf("%s %s: %v in %s", method, path, err, raw)
		}
	}
	return a
}

// must sends a request that must succeed.
func (s *server) must(method, path, body string, contentType ...string) answer {
	s.t.Helper()
	a := s.do(method, path, body, contentType...)
	if a.code >= 300 {
		s.t.Fatalf("%s %s: %d %s", method, path, a.code, a.raw)
	}
	return a
}

// at returns a value in the response by its path, or nil.
func (a answer) at(path ...string) any {
	var v any = a.object
	for _, name := range path {
		m, ok := v.(map[string]any)
		if !ok {
			return nil
		}
		v = m[name]
	}
	return v
}

func (a answer) message() string {
	message, _ := a.at("message").(string)
	return message
}

const (
	strategicMerge = "application/strategic-merge-patch+json"
	mergePatch     = "application/merge-patch+json"
	jsonPatch      = "application/json-patch+json"
	applyPatch     = "application/apply-patch+yaml"
)
