package kube

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// serveEtcd responds in dir, where a client expects etcd.
func serveEtcd(t *testing.T, dir string, handler http.HandlerFunc) {
	t.Helper()
	socket, err := net.Listen("unix", etcdSocket(dir))
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewUnstartedServer(handler)
	_ = server.Listener.Close() // the loopback listener, which httptest always creates
	server.Listener = socket
	server.Start()
	t.Cleanup(server.Close)
}

// socketDir returns a directory whose path is short enough for sockets, whatever the test's name
// is.
func socketDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "kube-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	return dir
}

func TestCompact(t *testing.T) {
	dir := socketDir(t)
	var got []string
	revision := 41
	serveEtcd(t, dir, func(w http.ResponseWriter, req *http.Request) {
		body, err := io.ReadAll(req.Body)
		if err != nil {
			t.Error(err)
		}
		got = append(got, req.Method+" "+req.URL.Path+" "+string(body))
		revision++
		fmt.Fprintf(w, `{"header":{"cluster_id":"1","revision":"%d"},"other":[]}`, revision)
	})
	if err := newEtcdClient(dir).compact(t.Context()); err != nil {
		t.Fatal(err)
	}
	want := []string{
		`POST /v3/kv/range {"key":"Y29tcGFjdF9yZXZfa2V5"}`,
		`POST /v3/kv/put {"key":"Y29tcGFjdF9yZXZfa2V5","value":"NDI="}`,
		`POST /v3/kv/compaction {"revision":"43","physical":true}`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
}

func TestEtcdFails(t *testing.T) {
	for _, test := range []struct {
		name    string
		failing string
		code    int
		body    string
		want    string // in the error
	}{
		{"range", "/v3/kv/range", http.StatusServiceUnavailable, `{"message":"no leader"}`, `etcd kv/range: 503 Service Unavailable: {"message":"no leader"}`},
		{"put", "/v3/kv/put", http.StatusInternalServerError, "", "etcd kv/put: 500 Internal Server Error"},
		{"compaction", "/v3/kv/compaction", http.StatusBadRequest, "compacted", "etcd kv/compaction: 400 Bad Request: compacted"},
		{"no JSON", "/v3/kv/range", http.StatusOK, "hello", "etcd kv/range: invalid character"},
		{"no number", "/v3/kv/put", http.StatusOK, `{"header":{"revision":"many"}}`, "etcd kv/put: json:"},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := socketDir(t)
			serveEtcd(t, dir, func(w http.ResponseWriter, req *http.Request) {
				if req.URL.Path == test.failing {
					w.WriteHeader(test.code)
					_, _ = io.WriteString(w, test.body)
					return
				}
				_ = json.NewEncoder(w).Encode(map[string]any{"header": map[string]any{"revision": "1"}})
			})
			err := newEtcdClient(dir).compact(t.Context())
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("compact returned %v, want %q", err, test.want)
			}
		})
	}
}

func TestEtcdIsAway(t *testing.T) {
	client := newEtcdClient(socketDir(t))
	if err := client.healthy(t.Context()); err == nil {
		t.Error("an etcd that is away is healthy")
	}
	if err := client.compact(t.Context()); err == nil {
		t.Error("an etcd that is away is compacted")
	}
}
