package testing_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	utiltesting "k8s.io/client-go/util/testing"
)

// recorder records the errors and logs of a handler.
type recorder struct{ errors, logs []string }

func (r *recorder) Errorf(format string, args ...any) {
	r.errors = append(r.errors, fmt.Sprintf(format, args...))
}

func (r *recorder) Logf(format string, args ...any) {
	r.logs = append(r.logs, fmt.Sprintf(format, args...))
}

// send sends a request to a handler.
func send(h http.Handler, method, target, body string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(method, target, strings.NewReader(body)))
	return w
}

func TestFakeHandler(t *testing.T) {
	body, other := "sent", "other"
	for _, tt := range []struct {
		name         string
		path, method string
		body         *string
		want         []string // parts of errors
	}{
		{"as expected", "/a?x=1", "POST", &body, nil},
		{"any body", "/a?x=1", "POST", nil, nil},
		{"another path", "/b?x=1", "POST", nil, []string{"path"}},
		{"another query", "/a?x=2", "POST", nil, []string{"query"}},
		{"another method", "/a?x=1", "PUT", nil, []string{"method"}},
		{"another body", "/a?x=1", "POST", &other, []string{"body"}},
		{"everything", "/b", "PUT", &other, []string{"path", "query", "method", "body"}},
		{"no path", ":", "POST", nil, []string{"parse"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := &recorder{}
			h := &utiltesting.FakeHandler{StatusCode: http.StatusTeapot, ResponseBody: "first", T: r}
			h.SetResponseBody("response")
			got := send(h, "POST", "/a?x=1", "sent")
			if got.Code != http.StatusTeapot || got.Body.String() != "response" || got.Header().Get("Content-Type") != "application/json" {
				t.Errorf("response %+v", got)
			}
			if len(r.logs) != 1 || !strings.Contains(r.logs[0], "sent") {
				t.Errorf("logs %q", r.logs)
			}
			h.ValidateRequest(r, tt.path, tt.method, tt.body)
			if len(r.errors) != len(tt.want) {
				t.Fatalf("errors %q", r.errors)
			}
			for i, want := range tt.want {
				if !strings.Contains(r.errors[i], want) {
					t.Errorf("error %q, want one of the %s", r.errors[i], want)
				}
			}
		})
	}
}

func TestFakeHandlerCount(t *testing.T) {
	h := &utiltesting.FakeHandler{StatusCode: 200, SkipRequestFn: func(verb string, u url.URL) bool { return verb == "GET" && u.Path == "/skipped" }}
	r := &recorder{}
	send(h, "GET", "/a", "")
	send(h, "GET", "/skipped", "")
	if h.ValidateRequestCount(r, 2) || len(r.errors) != 1 {
		t.Errorf("errors %q", r.errors)
	}
	if !h.ValidateRequestCount(r, 1) || len(r.errors) != 1 {
		t.Errorf("errors %q", r.errors)
	}
	send(h, "GET", "/skipped", "")
	defer func() {
		if recover() == nil {
			t.Error("a request after the validation is no panic")
		}
	}()
	send(h, "GET", "/a", "")
}

func TestValidateNoRequest(t *testing.T) {
	r := &recorder{}
	(&utiltesting.FakeHandler{}).ValidateRequest(r, "/a", "GET", nil)
	if len(r.errors) != 1 {
		t.Errorf("errors %q", r.errors)
	}
}

func TestFiles(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	dir := utiltesting.MkTmpdirOrDie("prefix")
	if !strings.HasPrefix(filepath.Base(dir), "prefix") {
		t.Errorf("directory %s", dir)
	}
	f, err := os.Create(filepath.Join(dir, "file"))
	if err != nil {
		t.Fatal(err)
	}
	utiltesting.CloseAndRemove(t, nil, f)
	if _, err := os.Stat(f.Name()); !os.IsNotExist(err) {
		t.Errorf("the file is left: %v", err)
	}
	t.Setenv("TMPDIR", filepath.Join(dir, "missing"))
	if _, err := utiltesting.MkTmpdir("prefix"); err == nil {
		t.Error("a missing directory is no error")
	}
}

func TestFakeOpenAPIServer(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "apis", "apps"), 0o700); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "apis", "apps", "v1.json")
	if err := os.WriteFile(path, []byte(`{"openapi":"3.0.0","info":{"title":"apps","version":"v1"}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	server, err := utiltesting.NewFakeOpenAPIV3Server(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer server.HttpServer.Close()
	if got := server.ServedDocuments["apis/apps/v1"]; got == nil || got.Info.Title != "apps" || len(server.ServedDocuments) != 1 {
		t.Errorf("documents %v", server.ServedDocuments)
	}
	for _, part := range []string{"", "/apis/apps/v1"} {
		resp, err := http.Get(server.HttpServer.URL + "/openapi/v3" + part)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(resp.Body)
		if err != nil || resp.Body.Close() != nil || !strings.Contains(string(text), "apps") {
			t.Errorf("%s: %s, %v", part, text, err)
		}
		if n := server.RequestCounters["/openapi/v3"+part]; n != 1 {
			t.Errorf("%s: %d requests", part, n)
		}
	}
	if err := os.WriteFile(path, []byte("no JSON"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := utiltesting.NewFakeOpenAPIV3Server(dir); err == nil {
		t.Error("an invalid document is no error")
	}
}
