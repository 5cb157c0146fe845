package discovery_test

import (
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	theirs "k8s.io/client-go/discovery/cached/disk"
	theirrest "k8s.io/client-go/rest"

	ours "github.com/listwatch/listwatch/runtime/discovery/cached/disk"
	ourrest "github.com/listwatch/listwatch/runtime/rest"
)

// cached is what both sides have in common.
type cached interface {
	ServerGroupsAndResources() ([]*metav1.APIGroup, []*metav1.APIResourceList, error)
	Fresh() bool
}

// cachedClients returns clients with a cache in dir.
func cachedClients(t *testing.T, rt http.RoundTripper, dir string) map[string]cached {
	t.Helper()
	their, err := theirs.NewCachedDiscoveryClientForConfig(&theirrest.Config{Host: "http://server.test", Transport: rt, QPS: -1}, dir, "", time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	our, err := ours.NewCachedDiscoveryClientForConfig(&ourrest.Config{Host: "http://server.test", Transport: rt}, dir, "", time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	return map[string]cached{"client-go": their, "listwatch": our}
}

// Files that one side writes are read by the other.
func TestSharedDirectory(t *testing.T) {
	for _, writer := range []string{"client-go", "listwatch"} {
		for _, reader := range []string{"client-go", "listwatch"} {
			t.Run(writer+" to "+reader, func(t *testing.T) {
				s, dir := &server{answers: modernServer()}, t.TempDir()
				wantGroups, wantLists, err := cachedClients(t, s, dir)[writer].ServerGroupsAndResources()
				if err != nil {
					t.Fatal(err)
				}
				s.seen()
				// Ours ignores files that the group may write to.
				if err = filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
					if err != nil || entry.IsDir() {
						return err
					}
					return os.Chmod(path, 0o600)
				}); err != nil {
					t.Fatal(err)
				}
				c := cachedClients(t, s, dir)[reader]
				groups, lists, err := c.ServerGroupsAndResources()
				if err != nil {
					t.Fatal(err)
				}
				if got := s.seen(); len(got) > 0 || c.Fresh() {
					t.Errorf("requests %q, fresh %v", got, c.Fresh())
				}
				for _, d := range []string{gocmp.Diff(wantGroups, groups), gocmp.Diff(names(wantLists), names(lists))} {
					if d != "" {
						t.Errorf("(-written +read):\n%s", d)
					}
				}
			})
		}
	}
}

// names returns lists without what their types say, which files have and responses may not have.
func names(lists []*metav1.APIResourceList) []*metav1.APIResourceList {
	for _, list := range lists {
		list.TypeMeta = metav1.TypeMeta{}
	}
	return byName(lists)
}
