package disk

import (
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/listwatch/listwatch/runtime/rest"
)

// server answers requests from a table of paths.
type server struct {
	header http.Header // of all responses

	mu       sync.Mutex // guards what follows
	bodies   map[string]string
	requests []string
}

func newServer() *server {
	return &server{
		header: http.Header{"Content-Type": {"application/json"}},
		bodies: map[string]string{
			"/api":               `{"kind":"APIVersions","versions":["v1"]}`,
			"/apis":              `{"kind":"APIGroupList","apiVersion":"v1","groups":[{"name":"shop.dev","versions":[{"groupVersion":"shop.dev/v1","version":"v1"}],"preferredVersion":{"groupVersion":"shop.dev/v1","version":"v1"}}]}`,
			"/api/v1":            resourceList("v1", "pods"),
			"/apis/shop.dev/v1":  resourceList("shop.dev/v1", "books"),
			"/openapi/v3":        `{"paths":{"api/v1":{"serverRelativeURL":"/openapi/v3/api/v1?hash=0"}}}`,
			"/openapi/v3/api/v1": `{"openapi":"3.0.0"}`,
		},
	}
}

func resourceList(groupVersion string, names ...string) string {
	var items []string
	for _, name := range names {
		items = append(items, `{"name":"`+name+`","kind":"K","namespaced":true,"verbs":["get"]}`)
	}
	return `{"kind":"APIResourceList","apiVersion":"v1","groupVersion":"` + groupVersion + `","resources":[` + strings.Join(items, ",") + `]}`
}

func (s *server) RoundTrip(req *http.Request) (*http.Response, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, req.URL.Path)
	resp := &http.Response{StatusCode: http.StatusOK, Header: s.header.Clone(), Request: req, ProtoMajor: 1, ProtoMinor: 1}
	body, ok := s.bodies[req.URL.Path]
	switch {
	case !ok:
		resp.StatusCode = http.StatusNotFound
	case req.Header.Get("If-None-Match") != "" && req.Header.Get("If-None-Match") == s.header.Get("Etag"):
		resp.StatusCode, body = http.StatusNotModified, ""
		s.requests[len(s.requests)-1] += " not modified"
	}
	resp.Body = io.NopCloser(strings.NewReader(body))
	return resp, nil
}

// seen returns the requests since the last call.
func (s *server) seen() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	requests := s.requests
	s.requests = nil
	slices.Sort(requests)
	return requests
}

// client returns a client of s. Directories that are empty strings are not used.
func (s *server) client(t testing.TB, dir, httpDir string) *CachedDiscoveryClient {
	t.Helper()
	c, err := NewCachedDiscoveryClientForConfig(&rest.Config{Host: "http://server.test", Transport: s, BearerToken: "hush"}, dir, httpDir, time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// files returns the names of all files and directories below dir, with their modes.
func files(t testing.TB, dir string) map[string]fs.FileMode {
	t.Helper()
	found := map[string]fs.FileMode{}
	if err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		found[filepath.ToSlash(name)] = info.Mode()
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return found
}

func write(t testing.TB, name, content string, mode fs.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(content), mode); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(name, mode); err != nil { // whatever the umask is
		t.Fatal(err)
	}
}
