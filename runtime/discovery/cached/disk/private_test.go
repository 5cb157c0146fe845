//go:build unix

package disk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/listwatch/listwatch/runtime/rest"
)

func TestHostileDirectories(t *testing.T) {
	for _, tt := range []struct {
		name    string
		mode    fs.FileMode
		refused bool
	}{
		{"private", 0o700, false},
		{"readable by others", 0o755, false},
		{"as client-go makes it", 0o750, false},
		{"writable by its group", 0o770, true},
		{"writable by others", 0o702, true},
		{"writable by all", 0o777, true},
		{"sticky", 0o777 | fs.ModeSticky, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "cache")
			if err := os.Mkdir(dir, 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.Chmod(dir, tt.mode); err != nil {
				t.Fatal(err)
			}
			for name, dirs := range map[string][2]string{"discovery": {dir, ""}, "HTTP": {t.TempDir(), dir}} {
				_, err := NewCachedDiscoveryClientForConfig(&rest.Config{}, dirs[0], dirs[1], time.Hour)
				if errors.Is(err, ErrNotPrivate) != tt.refused || err == nil == tt.refused {
					t.Errorf("%s: got %v", name, err)
				}
				if tt.refused && (!strings.Contains(err.Error(), dir) || !strings.Contains(err.Error(), "chmod go-w")) {
					t.Errorf("%s: error does not say what to do: %v", name, err)
				}
			}
		})
	}
}

func TestDirectoryOfAnother(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give a directory to another user")
	}
	dir := t.TempDir()
	if err := os.Chown(dir, 12345, 12345); err != nil {
		t.Fatal(err)
	}
	_, err := NewCachedDiscoveryClientForConfig(&rest.Config{}, dir, "", time.Hour)
	if !errors.Is(err, ErrNotPrivate) || !strings.Contains(err.Error(), "user 12345") {
		t.Errorf("got %v", err)
	}
}

// A directory that others may write to later is not used from then on.
func TestDirectoryOpenedLater(t *testing.T) {
	s, dir := newServer(), t.TempDir()
	c := s.client(t, dir, "")
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, groupsFile), `{"kind":"APIGroupList","apiVersion":"v1","groups":[{"name":"evil"}]}`, 0o600)
	groups, err := c.ServerGroups()
	if err != nil || len(groups.Groups) != 2 {
		t.Errorf("got %v, %v", groups, err)
	}
	if content, err := os.ReadFile(filepath.Join(dir, groupsFile)); err != nil || !strings.Contains(string(content), "evil") {
		t.Errorf("the file was written: %s, %v", content, err)
	}
}

func TestHostileFiles(t *testing.T) {
	const evil = `{"kind":"APIGroupList","apiVersion":"v1","groups":[{"name":"evil"}]}`
	for _, tt := range []struct {
		name string
		make func(t *testing.T, name, outside string)
	}{
		{"writable by its group", func(t *testing.T, name, _ string) { write(t, name, evil, 0o660) }},
		{"writable by others", func(t *testing.T, name, _ string) { write(t, name, evil, 0o602) }},
		{"link that leads outside", func(t *testing.T, name, outside string) {
			write(t, outside, evil, 0o600)
			if err := os.Symlink(outside, name); err != nil {
				t.Fatal(err)
			}
		}},
		{"relative link that leads outside", func(t *testing.T, name, outside string) {
			write(t, outside, evil, 0o600)
			if err := os.Symlink("../"+filepath.Base(outside), name); err != nil {
				t.Fatal(err)
			}
		}},
		{"named pipe", func(t *testing.T, name, _ string) {
			if err := syscall.Mkfifo(name, 0o600); err != nil {
				t.Fatal(err)
			}
		}},
		{"directory", func(t *testing.T, name, _ string) {
			if err := os.Mkdir(name, 0o700); err != nil {
				t.Fatal(err)
			}
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, base := newServer(), t.TempDir()
			dir, outside := filepath.Join(base, "cache"), filepath.Join(base, "outside")
			if err := os.Mkdir(dir, 0o700); err != nil {
				t.Fatal(err)
			}
			tt.make(t, filepath.Join(dir, groupsFile), outside)
			groups, err := s.client(t, dir, "").ServerGroups()
			if err != nil || len(groups.Groups) != 2 {
				t.Errorf("got %v, %v", groups, err)
			}
			if content, err := os.ReadFile(outside); err == nil && string(content) != evil {
				t.Errorf("a file outside was written: %s", content)
			}
		})
	}
}

// A directory inside that leads outside is not written to.
func TestHostileLink(t *testing.T) {
	s, dir, outside := newServer(), t.TempDir(), t.TempDir()
	if err := os.Symlink(outside, filepath.Join(dir, "shop.dev")); err != nil {
		t.Fatal(err)
	}
	if list, err := s.client(t, dir, "").ServerResourcesForGroupVersion("shop.dev/v1"); err != nil || len(list.APIResources) != 1 {
		t.Errorf("got %v, %v", list, err)
	}
	if found := files(t, outside); len(found) != 1 {
		t.Errorf("outside are %v", found)
	}
}

func TestModes(t *testing.T) {
	defer syscall.Umask(syscall.Umask(0))
	s := newServer()
	s.header.Set("Etag", `"1"`)
	base := t.TempDir()
	if _, _, err := s.client(t, filepath.Join(base, "a", "b"), filepath.Join(base, "http")).ServerGroupsAndResources(); err != nil {
		t.Fatal(err)
	}
	for name, mode := range files(t, base) {
		want := fs.FileMode(fileMode)
		if mode.IsDir() {
			want = directoryMode
		}
		if name != "." && mode.Perm() != want {
			t.Errorf("%s has mode %v, want %v", name, mode.Perm(), want)
		}
	}
}
