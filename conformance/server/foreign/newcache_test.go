package foreign_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	_ "github.com/listwatch/listwatch/controllerruntime" // what is tested
)

var all = flag.Bool("newcache.all", false, "run all suites of controller-runtime with our cache that create caches, not only the main ones")

// cached are the packages whose tests create caches: the longest one first.
var cached = []string{
	"pkg/cache",
	"pkg/manager",
	"pkg/builder",
	"pkg/client",
	"pkg/controller",
	"pkg/handler",
	"pkg/source",
}

// alsoCached are other packages whose tests create caches, of which they show less.
var alsoCached = []string{
	"pkg/cluster",
	"pkg/internal/controller",
	"pkg/internal/recorder",
	"pkg/manager/internal/integration",
	"pkg/webhook",
}

// controller-runtime does on our cache what it does on its own: its suites pass if cache.New returns ours, and its
// specs of reads that see the client's own writes pass with our client, too.
func TestNewCache(t *testing.T) {
	names := cached
	if *all {
		names = slices.Concat(cached, alsoCached)
	}
	copied := useNewCache(t)
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			copied.suite(t, onApitest, name)
		})
	}
}

// newCacheCopy is a copy of controller-runtime whose tests use our cache.
type newCacheCopy struct {
	goMod string
	left  map[string][]skipped
}

func (c newCacheCopy) suite(t *testing.T, start starter, name string) {
	t.Helper()
	suite(t, start, name, c.left[name], "-modfile="+c.goMod)
}

// useNewCache returns a copy of controller-runtime whose cache.New returns our cache in tests.
func useNewCache(t *testing.T) newCacheCopy {
	t.Helper()
	c := newCacheCopy{left: readSkipped(t)}
	for name, more := range readSkippedIn(t, "testdata/newcache.txt") {
		c.left[name] = append(c.left[name], more...)
	}
	copied, goMod := copyControllerRuntime(t)
	c.goMod = goMod
	replace(t, filepath.Join(copied, "pkg", "cache", "cache.go"),
		"\nfunc New(cfg *rest.Config, opts Options) (Cache, error) {",
		"\nfunc New(cfg *rest.Config, opts Options) (Cache, error) {\n\tif NewForTests != nil {\n\t\treturn NewForTests(cfg, opts)\n\t}",
		"\n// NewCacheFunc", "\n// NewForTests replaces New.\nvar NewForTests NewCacheFunc\n\n// NewCacheFunc")
	for _, name := range slices.Concat(cached, alsoCached) {
		addNewCache(t, copied, name)
	}
	useNewClient(t, filepath.Join(copied, "pkg", "client", "consistency_envtest_test.go"))
	return c
}

// useNewClient makes the specs of reads that see the client's own writes test our client.
func useNewClient(t *testing.T, name string) {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	const theirs = "= client.New(cfg, client.Options{"
	if !bytes.Contains(text, []byte(theirs)) {
		t.Fatalf("%s creates no client", name)
	}
	text = bytes.ReplaceAll(text, []byte(theirs), []byte("= controllerruntime.NewClient(cfg, client.Options{"))
	text = bytes.Replace(text, []byte("import ("), []byte("import (\n\t\"github.com/listwatch/listwatch/controllerruntime\""), 1)
	if err := os.WriteFile(name, text, 0o666); err != nil {
		t.Fatal(err)
	}
}

// addNewCache adds a file to the tests of a package that makes cache.New return our cache. If cache.Options has
// a NewInformer, cache.New is called again for it.
func addNewCache(t *testing.T, dir, name string) {
	t.Helper()
	text := fmt.Sprintf(`package %s_test

import (
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/cache"

	"github.com/listwatch/listwatch/controllerruntime"
)

func init() {
	var ours cache.NewCacheFunc
	ours = func(config *rest.Config, opts cache.Options) (cache.Cache, error) {
		if opts.NewInformer != nil {
			cache.NewForTests = nil
			defer func() { cache.NewForTests = ours }()
		}
		return controllerruntime.NewCache(config, opts)
	}
	cache.NewForTests = ours
}
`, filepath.Base(name))
	if err := os.WriteFile(filepath.Join(dir, name, "newcache_for_test.go"), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}
