package clientcmd

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/listwatch/listwatch/runtime/clientcmd/api"
)

func TestFilesArePrivate(t *testing.T) {
	dir := t.TempDir()
	mode := func(file string) fs.FileMode {
		t.Helper()
		info, err := os.Stat(file)
		if err != nil {
			t.Fatal(err)
		}
		return info.Mode().Perm()
	}
	created := filepath.Join(dir, "a", "b", "config")
	if err := WriteToFile(*api.NewConfig(), created); err != nil || mode(created) != 0o600 {
		t.Errorf("created with %v, %v", mode(created), err)
	}
	existing := filepath.Join(dir, "existing")
	long := []byte(strings.Repeat("# a comment\n", 1000))
	if err := os.WriteFile(existing, long, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(existing, 0o664); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(dir, "link")
	if err := os.Symlink(existing, link); err != nil {
		t.Fatal(err)
	}
	if err := WriteToFile(*api.NewConfig(), link); err != nil || mode(existing) != 0o600 {
		t.Errorf("written with %v, %v", mode(existing), err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Error("the link was replaced")
	}
	want, err := Write(*api.NewConfig())
	if err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(existing); err != nil || string(got) != string(want) {
		t.Errorf("got %s, %v", got, err)
	}
	migrated := filepath.Join(dir, "migrated")
	rules := &ClientConfigLoadingRules{MigrationRules: map[string]string{migrated: existing}}
	if err := os.Chmod(existing, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := rules.Migrate(); err != nil || mode(migrated) != 0o600 {
		t.Errorf("migrated with %v, %v", mode(migrated), err)
	}
}

func TestWriteErrors(t *testing.T) {
	dir := t.TempDir()
	if err := WriteToFile(*api.NewConfig(), dir); err == nil {
		t.Error("a directory was written")
	}
	file := filepath.Join(dir, "file")
	if err := WriteToFile(api.Config{Contexts: map[string]*api.Context{"a": nil}}, file); err == nil {
		t.Error("a nil entry was written")
	}
	if _, err := os.Stat(file); !errors.Is(err, fs.ErrNotExist) {
		t.Error("there is a file without contents")
	}
	if err := WriteToFile(*api.NewConfig(), filepath.Join(dir, "x")); err != nil {
		t.Fatal(err)
	}
	if err := WriteToFile(*api.NewConfig(), filepath.Join(dir, "x", "y")); err == nil {
		t.Error("a file below a file was written")
	}
}

// TestLock: of concurrent modifications, each is done as a whole or not at all, and says so.
func TestLock(t *testing.T) {
	file := filepath.Join(t.TempDir(), "config")
	access := &ClientConfigLoadingRules{ExplicitPath: file}
	if err := WriteToFile(*api.NewConfig(), file); err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	var mu sync.Mutex
	done := 0
	for i := range 20 {
		wg.Go(func() {
			config, err := access.GetStartingConfig()
			if err != nil {
				return // it is being written
			}
			config.Contexts[string(rune('a'+i))] = api.NewContext()
			err = ModifyConfig(access, *config, false)
			switch {
			case err == nil:
				mu.Lock()
				done++
				mu.Unlock()
			case !errors.Is(err, fs.ErrExist) && !strings.Contains(err.Error(), "loading"):
				t.Errorf("got %v", err)
			case !strings.Contains(err.Error(), file):
				t.Errorf("the file is not in %v", err)
			}
		})
	}
	wg.Wait()
	if done == 0 {
		t.Error("no modification was done")
	}
	if _, err := LoadFromFile(file); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(file + ".lock"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the lock file is left: %v", err)
	}
}

func TestPersister(t *testing.T) {
	file := filepath.Join(t.TempDir(), "config")
	config := api.NewConfig()
	config.AuthInfos["with"] = &api.AuthInfo{AuthProvider: &api.AuthProviderConfig{Name: "oidc", Config: map[string]string{"a": "1"}}}
	config.AuthInfos["without"] = &api.AuthInfo{Token: "t"}
	if err := WriteToFile(*config, file); err != nil {
		t.Fatal(err)
	}
	access := &ClientConfigLoadingRules{ExplicitPath: file}
	for _, user := range []string{"with", "without", "missing"} {
		if err := PersisterForUser(access, user).Persist(map[string]string{"a": "2"}); err != nil {
			t.Errorf("%s: %v", user, err)
		}
	}
	got, err := LoadFromFile(file)
	if err != nil || got.AuthInfos["with"].AuthProvider.Config["a"] != "2" || got.AuthInfos["without"].AuthProvider != nil || len(got.AuthInfos) != 2 {
		t.Errorf("got %v, %v", got, err)
	}
	broken := &ClientConfigLoadingRules{ExplicitPath: filepath.Dir(file)}
	if err := PersisterForUser(broken, "with").Persist(nil); err == nil {
		t.Error("persisted in a directory")
	}
}
