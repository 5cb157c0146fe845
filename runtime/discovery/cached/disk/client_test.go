package disk

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestClient(t *testing.T) {
	s, dir := newServer(), filepath.Join(t.TempDir(), "below", "cache")
	first := s.client(t, dir, "")
	groups, lists, err := first.ServerGroupsAndResources()
	if err != nil || len(groups) != 2 || len(lists) != 2 || lists[1].APIResources[0].Name != "books" {
		t.Fatalf("got %v, %v, %v", groups, lists, err)
	}
	if d := cmp.Diff([]string{"/api", "/api/v1", "/apis", "/apis/shop.dev/v1"}, s.seen()); d != "" {
		t.Errorf("requests (-want +got):\n%s", d)
	}
	if !first.Fresh() {
		t.Error("not fresh after requests of its own")
	}

	// Another process.
	second := s.client(t, dir, "")
	again, listsAgain, err := second.ServerGroupsAndResources()
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range []string{cmp.Diff(groups[1].Versions, again[1].Versions), cmp.Diff(lists[1].APIResources, listsAgain[1].APIResources)} {
		if d != "" {
			t.Errorf("from files (-requested +read):\n%s", d)
		}
	}
	if got := s.seen(); len(got) > 0 {
		t.Errorf("requests %q", got)
	}
	if second.Fresh() {
		t.Error("fresh with another's files")
	}

	second.Invalidate()
	if !second.Fresh() {
		t.Error("not fresh after it was invalidated")
	}
	for range 2 {
		if _, err := second.ServerGroups(); err != nil {
			t.Fatal(err)
		}
	}
	if d := cmp.Diff([]string{"/api", "/api/v1", "/apis", "/apis/shop.dev/v1"}, s.seen()); d != "" {
		t.Errorf("requests after it was invalidated (-want +got):\n%s", d)
	}
	if !second.Fresh() {
		t.Error("not fresh after it was invalidated, with files of its own")
	}

	if preferred, err := second.ServerPreferredNamespacedResources(); err != nil || len(preferred) != 2 {
		t.Errorf("preferred: got %v, %v", preferred, err)
	}
	if _, err := second.ServerVersion(); err == nil {
		t.Error("the version comes from nowhere")
	}
	if second.RESTClient() == nil || second.WithLegacy() != second {
		t.Error("REST client or legacy form is missing")
	}
}

func TestExpiry(t *testing.T) {
	s, dir := newServer(), t.TempDir()
	if _, err := s.client(t, dir, "").ServerGroups(); err != nil {
		t.Fatal(err)
	}
	s.seen()
	old := time.Now().Add(-2 * time.Hour)
	if err := os.Chtimes(filepath.Join(dir, groupsFile), old, old); err != nil {
		t.Fatal(err)
	}
	if _, err := s.client(t, dir, "").ServerGroups(); err != nil {
		t.Fatal(err)
	}
	if got := s.seen(); len(got) == 0 {
		t.Error("an expired file was used")
	}
}

func TestUnusableFiles(t *testing.T) {
	for name, content := range map[string]string{
		"empty":      "",
		"no JSON":    "{",
		"other kind": `{"kind":"APIResourceList","apiVersion":"v1"}`,
		"no kind":    `{"groups":[]}`,
	} {
		t.Run(name, func(t *testing.T) {
			s, dir := newServer(), t.TempDir()
			write(t, filepath.Join(dir, groupsFile), content, 0o600)
			groups, err := s.client(t, dir, "").ServerGroups()
			if err != nil || len(groups.Groups) != 2 {
				t.Errorf("got %v, %v", groups, err)
			}
			if got := s.seen(); len(got) == 0 {
				t.Error("no request")
			}
			if got, err := os.ReadFile(filepath.Join(dir, groupsFile)); err != nil || !strings.Contains(string(got), "shop.dev") {
				t.Errorf("the file was not replaced: %s, %v", got, err)
			}
		})
	}
}

func TestDocumentsAreCached(t *testing.T) {
	s := newServer()
	s.header.Set("Etag", `"1"`)
	dir, httpDir := t.TempDir(), t.TempDir()
	for i, want := range [][]string{
		{"/openapi/v3", "/openapi/v3/api/v1"},
		{"/openapi/v3 not modified", "/openapi/v3/api/v1 not modified"},
	} {
		c := s.client(t, dir, httpDir)
		for range 2 {
			paths, err := c.OpenAPIV3().Paths()
			if err != nil {
				t.Fatal(err)
			}
			body, err := paths["api/v1"].Schema("application/json")
			if err != nil || string(body) != `{"openapi":"3.0.0"}` {
				t.Errorf("got %s, %v", body, err)
			}
		}
		if d := cmp.Diff(want, s.seen()); d != "" {
			t.Errorf("client %d: requests (-want +got):\n%s", i, d)
		}
	}
}

// Credentials of requests and responses are in no file.
func TestNoCredentials(t *testing.T) {
	s := newServer()
	s.header.Set("Etag", `"1"`)
	s.header.Set("Set-Cookie", "session=hush")
	s.header.Set("X-Secret", "hush")
	dir := t.TempDir()
	c := s.client(t, filepath.Join(dir, "discovery"), filepath.Join(dir, "http"))
	if _, _, err := c.ServerGroupsAndResources(); err != nil {
		t.Fatal(err)
	}
	count := 0
	for name, mode := range files(t, dir) {
		if !mode.IsRegular() {
			continue
		}
		count++
		content, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(content)+name, "hush") {
			t.Errorf("%s contains a secret: %s", name, content)
		}
	}
	if count != 3+4 {
		t.Errorf("%d files", count)
	}
}

// Several clients read and write the same files.
func TestConcurrently(t *testing.T) {
	s, dir := newServer(), t.TempDir()
	var clients sync.WaitGroup
	for range 8 {
		c := s.client(t, dir, "")
		clients.Go(func() {
			for range 8 {
				groups, lists, err := c.ServerGroupsAndResources()
				if err != nil || len(groups) != 2 || len(lists) != 2 {
					t.Errorf("got %v, %v, %v", groups, lists, err)
				}
				c.Invalidate()
				c.Fresh()
			}
		})
	}
	clients.Wait()
	for name := range files(t, dir) {
		if strings.Contains(name, ".json.") {
			t.Errorf("%s was left", name)
		}
	}
}
