package disk

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// hostileNames are names of group versions that Kubernetes does not allow.
var hostileNames = []string{
	"", "/", "..", ".", "../v1", "a/..", "a/.", "./v1", "/v1", "/etc/v1", "a/b/c", `a\b/v1`, `..\v1`, "a/v1/", "a//v1",
	"a/v1\x00", "a:b/v1", "C:/v1", "A/v1", "a/V1", "a/v1.json", " a/v1", "~/v1", "a.../v1", ".a/v1", "a/-v1",
	"é/v1", strings.Repeat("a", 300) + "/v1",
}

func TestResourcesName(t *testing.T) {
	for groupVersion, want := range map[string]string{
		"v1":                  "v1/serverresources.json",
		"apps/v1":             "apps/v1/serverresources.json",
		"rbac.example.org/v2": "rbac.example.org/v2/serverresources.json",
	} {
		if got, err := resourcesName(groupVersion); got != want || err != nil {
			t.Errorf("%s: got %q, %v", groupVersion, got, err)
		}
	}
	for _, groupVersion := range hostileNames {
		if got, err := resourcesName(groupVersion); err == nil {
			t.Errorf("%q: got %q", groupVersion, got)
		}
	}
}

func FuzzResourcesName(f *testing.F) {
	f.Add("apps/v1")
	for _, groupVersion := range hostileNames {
		f.Add(groupVersion)
	}
	f.Fuzz(func(t *testing.T, groupVersion string) {
		name, err := resourcesName(groupVersion)
		if err != nil {
			return
		}
		if !filepath.IsLocal(name) || filepath.ToSlash(filepath.Clean(name)) != name || strings.ToLower(name) != name {
			t.Errorf("%q has the file %q", groupVersion, name)
		}
		// No two group versions have the same file.
		if name != groupVersion+"/"+resourcesFile {
			t.Errorf("%q has the file %q", groupVersion, name)
		}
		if strings.ContainsAny(name, "\\:\x00 ") || strings.Contains(name, "..") {
			t.Errorf("%q has the file %q", groupVersion, name)
		}
	})
}

// A server whose groups have hostile names gets no file for them, inside or outside.
func TestHostileServer(t *testing.T) {
	s, base := newServer(), t.TempDir()
	s.bodies["/apis"] = `{"groups":[{"name":"../../evil","versions":[{"groupVersion":"../../evil/v1","version":"v1"}]},
		{"name":"shop.dev","versions":[{"groupVersion":"shop.dev/v1","version":"v1"}]}]}`
	for _, path := range []string{"/apis/../../evil/v1", "/evil/v1"} {
		s.bodies[path] = resourceList("../../evil/v1", "evils")
	}
	c := s.client(t, filepath.Join(base, "a", "b", "cache"), "")
	if _, err := c.ServerGroups(); err != nil {
		t.Fatal(err)
	}
	for _, groupVersion := range append(hostileNames, "../../evil/v1", "shop.dev/v1") {
		// Whatever comes of it, it is not in a file.
		_, _ = c.ServerResourcesForGroupVersion(groupVersion)
	}
	want := []string{".", "a", "a/b", "a/b/cache", "a/b/cache/servergroups.json", "a/b/cache/shop.dev", "a/b/cache/shop.dev/v1", "a/b/cache/shop.dev/v1/serverresources.json"}
	if d := cmp.Diff(want, slices.Sorted(maps.Keys(files(t, base)))); d != "" {
		t.Errorf("files (-want +got):\n%s", d)
	}
}
