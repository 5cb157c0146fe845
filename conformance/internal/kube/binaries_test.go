package kube_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/listwatch/listwatch/conformance/internal/kube"
)

// tools replaces tools/kubernetes: the same packages, almost empty.
const tools = `
-- go.mod --
module example.com/tools

go 1.26.0

require (
	go.etcd.io/etcd/server/v3 v3.0.0
	k8s.io/component-base v0.1.2
	k8s.io/kubernetes v1.2.3
)

replace (
	go.etcd.io/etcd/server/v3 => ./etcd
	k8s.io/component-base => ./base
	k8s.io/kubernetes => ./kubernetes
)
-- go.sum --
-- etcd/go.mod --
module go.etcd.io/etcd/server/v3
-- etcd/main.go --
package main

func main() { println("etcd") }
-- base/go.mod --
module k8s.io/component-base
-- base/version/version.go --
package version

var gitVersion = "unknown"

func Get() string { return gitVersion }
-- kubernetes/go.mod --
module k8s.io/kubernetes

require k8s.io/component-base v0.1.2
-- kubernetes/cmd/kube-apiserver/main.go --
package main

import "k8s.io/component-base/version"

func main() { println("kube-apiserver", version.Get()) }
`

const apiServerMain = "kubernetes/cmd/kube-apiserver/main.go"

func writeTools(t *testing.T) (module string) {
	t.Helper()
	module = t.TempDir()
	files, err := txtar.FS(txtar.Parse([]byte(tools)))
	if err != nil {
		t.Fatal(err)
	}
	if err = os.CopyFS(module, files); err != nil {
		t.Fatal(err)
	}
	return module
}

func TestBuild(t *testing.T) {
	module, dir := writeTools(t), filepath.Join(t.TempDir(), "bin")
	first := mustBuild(t, module, dir)
	expectOutput(t, first.Etcd, "etcd\n")
	expectOutput(t, first.APIServer, "kube-apiserver v1.2.3\n")

	t.Run("nothing where it is done", func(t *testing.T) {
		replace(t, filepath.Join(module, apiServerMain), "println", "does not compile")
		if again := mustBuild(t, module, dir); again != first {
			t.Errorf("built %v, and then %v", first, again)
		}
		replace(t, filepath.Join(module, apiServerMain), "does not compile", "println")
	})
	t.Run("again for another version", func(t *testing.T) {
		replace(t, filepath.Join(module, "go.mod"), "v1.2.3", "v1.2.4")
		second := mustBuild(t, module, dir)
		expectOutput(t, second.APIServer, "kube-apiserver v1.2.4\n")
		if _, err := os.Stat(filepath.Dir(first.APIServer)); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("the first binaries are still there: %v", err)
		}
		first = second
	})
	t.Run("again for other sums", func(t *testing.T) {
		if err := os.WriteFile(filepath.Join(module, "go.sum"), []byte("example.com/a v1.0.0 h1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		if again := mustBuild(t, module, dir); again == first {
			t.Errorf("built nothing: %v", again)
		}
	})
	expectFolders(t, dir, 1)
}

func TestBuildAtTheSameTime(t *testing.T) {
	module, dir := writeTools(t), t.TempDir()
	var builders sync.WaitGroup
	for range 8 {
		builders.Go(func() {
			built, err := kube.BuildFrom(context.Background(), module, dir)
			if err != nil {
				t.Errorf("build: %v", err)
				return
			}
			for _, binary := range []string{built.APIServer, built.Etcd} {
				if err := exec.Command(binary).Run(); err != nil {
					t.Errorf("%s: %v", binary, err)
				}
			}
		})
	}
	builders.Wait()
	expectFolders(t, dir, 1)
}

func TestBuildFails(t *testing.T) {
	canceled, cancel := context.WithCancelCause(context.Background())
	cancel(errors.New("no time"))
	for _, test := range []struct {
		name string
		ctx  context.Context
		file string
		old  string
		new  string
		want string // in the error
	}{
		{"does not compile", context.Background(), apiServerMain, "println", "printline", "undefined: printline"},
		{"no etcd", context.Background(), "go.mod", "go.etcd.io/etcd/server/v3 v3.0.0", "", "go.etcd.io/etcd/server/v3"},
		{"no version", context.Background(), "go.mod", "k8s.io/kubernetes v1.2.3", "", "requires no k8s.io/kubernetes"},
		{"no go.mod", context.Background(), "go.mod", "module", "modul", "go.mod"},
		{"no time", canceled, "", "", "", "canceled"},
	} {
		t.Run(test.name, func(t *testing.T) {
			module, dir := writeTools(t), t.TempDir()
			if test.file != "" {
				replace(t, filepath.Join(module, test.file), test.old, test.new)
			}
			built, err := kube.BuildFrom(test.ctx, module, dir)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("build returned %v, %v, want %q", built, err, test.want)
			}
			expectFolders(t, dir, 0)
		})
	}
	t.Run("no module", func(t *testing.T) {
		_, err := kube.BuildFrom(context.Background(), t.TempDir(), t.TempDir())
		if !errors.Is(err, os.ErrNotExist) {
			t.Errorf("build returned %v", err)
		}
	})
}

func mustBuild(t *testing.T, module, dir string) kube.Binaries {
	t.Helper()
	built, err := kube.BuildFrom(t.Context(), module, dir)
	if err != nil {
		t.Fatal(err)
	}
	return built
}

func expectOutput(t *testing.T, binary, want string) {
	t.Helper()
	out, err := exec.Command(binary).CombinedOutput()
	if err != nil || string(out) != want {
		t.Errorf("%s printed %q, %v, want %q", filepath.Base(binary), out, err, want)
	}
}

// expectFolders expects a number of directories in dir, complete or not.
func expectFolders(t *testing.T, dir string, want int) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	entries = slices.DeleteFunc(entries, func(e os.DirEntry) bool { return !e.IsDir() })
	if len(entries) != want {
		t.Errorf("there are %v, want %d directories", entries, want)
	}
}

func replace(t *testing.T, path, old, replacement string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	changed := strings.ReplaceAll(string(data), old, replacement)
	if changed == string(data) {
		t.Fatalf("%s holds no %q", path, old)
	}
	if err = os.WriteFile(path, []byte(changed), 0o666); err != nil {
		t.Fatal(err)
	}
}
