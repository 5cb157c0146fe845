package embedded_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/listwatch/listwatch/apitest/embedded"
	"github.com/listwatch/listwatch/runtime/rest"
)

// get requests a path with the permissions of config.
func get(t *testing.T, config *rest.Config, path string) (int, string) {
	t.Helper()
	client, err := rest.HTTPClientFor(config)
	if err != nil {
		t.Fatal(err)
	}
	defer client.CloseIdleConnections()
	req, err := http.NewRequestWithContext(context.Background(), http.MethodGet, config.Host+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(resp.Body)
	if err = errors.Join(err, resp.Body.Close()); err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(body)
}

func TestPaths(t *testing.T) {
	srv := embedded.Start(t)
	for _, c := range []struct {
		path string
		code int
		body string
	}{
		{"/healthz", 200, "ok"},
		{"/readyz?verbose", 200, "[+]ping ok\n[+]log ok\n[+]etcd ok\n[+]shutdown ok\nreadyz check passed\n"},
		{"/livez/ping", 200, "ok"},
		{"/version", 200, `"gitVersion": "v1.37.1"`},
		{"/", 200, `"/api/v1",`},
		{"/index.html", 200, `"/apis/apps/v1",`},
		{"/nowhere", 404, "404 page not found\n"},
	} {
		code, body := get(t, srv.Config(), c.path)
		if code != c.code || !strings.Contains(body, c.body) {
			t.Errorf("%s: got %d %q, want %d %q", c.path, code, body, c.code, c.body)
		}
	}
}

func TestRestart(t *testing.T) {
	srv := embedded.Start(t)
	config := srv.Config()
	for range 3 {
		if err := srv.Restart(); err != nil {
			t.Fatal(err)
		}
		if code, body := get(t, config, "/healthz"); code != 200 {
			t.Errorf("GET /healthz after a restart: %d %q, want 200", code, body)
		}
	}
}
