package readme

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/listwatch/listwatch/apitest/embedded"
	"github.com/listwatch/listwatch/internal/release"
)

// user is a user with a directory, for whom the tree is released.
type user struct {
	dir     string
	env     []string
	targets map[string]bool // of the Makefile
}

var cut = flag.String("released", "", "`directory` of a module proxy with a release to follow, in place of the tree")

// newUser returns a user of the release that -released names, or else of the tree.
func newUser(t *testing.T) *user {
	t.Helper()
	kubeconfig := filepath.Join(t.TempDir(), "config") // for programs of guides
	if err := embedded.Start(t).WriteKubeconfig(kubeconfig); err != nil {
		t.Fatal(err)
	}
	u := &user{targets: map[string]bool{}, env: append(os.Environ(), "GONOSUMDB="+release.Root+","+release.Root+"/*", "GOWORK=off", "KUBECONFIG="+kubeconfig)}
	for _, rule := range regexp.MustCompile(`(?m)^([a-z-]+):`).FindAllStringSubmatch(read(t, filepath.Join(root, "Makefile")), -1) {
		u.targets[rule[1]] = true
	}
	u.env = append(u.env, "GOPROXY="+publish(t), "GOFLAGS=")
	return u
}

// publish serves a release as the only one of a proxy, and returns the URL. The module cache, which is shared, has no
// other modules with its version: neither before, nor afterwards.
func publish(t *testing.T) string {
	t.Helper()
	proxy, version := *cut, ""
	if proxy == "" {
		proxy, version = releaseTree(t)
	} else {
		version = strings.TrimSpace(read(t, filepath.Join(proxy, release.Root, "@v", "list")))
	}
	server := httptest.NewServer(handler(proxy, output(t, "go", "env", "GOPROXY")))
	t.Cleanup(server.Close)
	cached := output(t, "go", "env", "GOMODCACHE")
	owner := filepath.FromSlash(path.Dir(release.Root))
	forgetAll := func() {
		forget(t, filepath.Join(cached, owner), version)
		forget(t, filepath.Join(cached, "cache", "download", owner), version)
	}
	forgetAll()
	t.Cleanup(forgetAll)
	return server.URL
}

// releaseTree releases a copy of the tree, and returns the directory of a proxy and the version, which is derived from
// the files: other trees have other versions.
func releaseTree(t *testing.T) (proxy, version string) {
	t.Helper()
	tree := filepath.Join(t.TempDir(), "tree")
	version = "v0.1.0-readme." + copyTree(t, tree)
	if err := release.Check(tree, version); err != nil {
		t.Fatal(err)
	}
	if err := release.Require(tree, version); err != nil {
		t.Fatal(err)
	}
	if err := release.Unreplace(tree); err != nil {
		t.Fatal(err)
	}
	proxy = t.TempDir()
	if err := release.Proxy(tree, version, proxy); err != nil {
		t.Fatal(err)
	}
	return proxy, version
}

// handler serves the modules of this repository from a directory, and redirects requests for others
// to the first proxy of a list.
func handler(dir, proxies string) http.Handler {
	elsewhere := regexp.MustCompile(`https?://[^,|]+`).FindString(proxies)
	files := http.FileServer(http.Dir(dir))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		module, _, _ := strings.Cut(r.URL.Path, "/@")
		if elsewhere == "" || strings.HasPrefix(module, "/"+release.Root) || strings.HasPrefix("/"+release.Root, module) {
			files.ServeHTTP(w, r)
			return
		}
		http.Redirect(w, r, strings.TrimSuffix(elsewhere, "/")+r.URL.Path, http.StatusFound)
	})
}

// copyTree copies the files of the tree that git has, or would add, and returns a digest of them.
func copyTree(t *testing.T, to string) string {
	t.Helper()
	digest := sha256.New()
	for name := range strings.SplitSeq(output(t, "git", "-C", root, "ls-files", "-co", "--exclude-standard"), "\n") {
		text, err := os.ReadFile(filepath.Join(root, name))
		if os.IsNotExist(err) {
			continue // removed, and git does not know yet
		}
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(digest, "%s %d\n", name, len(text))
		digest.Write(text)
		name = filepath.Join(to, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return fmt.Sprintf("h%x", digest.Sum(nil)[:6])
}

// forget removes a version from a part of a module cache, where the names of directories end with it, and those of files
// begin with it.
func forget(t *testing.T, dir, version string) {
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(d.Name(), "@"+version) && !strings.HasPrefix(d.Name(), version+".") {
			return nil
		}
		if !d.IsDir() {
			return os.Remove(name)
		}
		if err := filepath.WalkDir(name, func(name string, d fs.DirEntry, err error) error {
			if err == nil && d.IsDir() {
				err = os.Chmod(name, 0o755) // the go command makes them read-only
			}
			return err
		}); err != nil {
			return err
		}
		if err := os.RemoveAll(name); err != nil {
			return err
		}
		return fs.SkipDir
	})
	if err != nil {
		t.Error(err)
	}
}

func output(t *testing.T, name string, args ...string) string {
	t.Helper()
	out, err := exec.Command(name, args...).Output()
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return strings.TrimSpace(string(out))
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
