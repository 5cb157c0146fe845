package disk_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/listwatch/listwatch/runtime/discovery/cached/disk"
	"github.com/listwatch/listwatch/runtime/internal/compattest"
	"github.com/listwatch/listwatch/runtime/rest"
)

func TestClientGoDirectories(t *testing.T) {
	compattest.Run(t, testClientGoDirectories)
}

// Directories that cannot be used cache nothing.
func testClientGoDirectories(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if r.URL.Path == "/api" {
			_, _ = w.Write([]byte(`{"kind":"APIVersions","versions":["v1"]}`))
			return
		}
		_, _ = w.Write([]byte(`{"kind":"APIGroupList","apiVersion":"v1","groups":[]}`))
	}))
	defer server.Close()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	public := t.TempDir()
	if err := os.Chmod(public, 0o777); err != nil { //nolint:gosec // that is the case
		t.Fatal(err)
	}
	for name, dir := range map[string]string{"a file": file, "public": public} {
		t.Run(name, func(t *testing.T) {
			client, err := disk.NewCachedDiscoveryClientForConfig(&rest.Config{Host: server.URL}, dir, dir, time.Minute)
			if err != nil {
				t.Fatal(err)
			}
			list, err := client.ServerGroups()
			if err != nil || len(list.Groups) != 1 {
				t.Errorf("groups %v, error %v", list, err)
			}
		})
	}
	if files, err := os.ReadDir(public); err != nil || len(files) > 0 {
		t.Errorf("in the public directory: %v, error %v", files, err)
	}
}
