package foreign_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	_ "github.com/listwatch/listwatch/controllerruntime" // what is tested
)

// cached are the packages whose tests create caches: the longest one first.
var cached = []string{
	"pkg/cache",
	"pkg/manager",
	"pkg/builder",
	"pkg/client",
	"pkg/cluster",
	"pkg/controller",
	"pkg/handler",
	"pkg/internal/controller",
	"pkg/internal/recorder",
	"pkg/manager/internal/integration",
	"pkg/source",
	"pkg/webhook",
}

// controller-runtime does on our cache what it does on its own: its suites pass if cache.New returns ours.
func TestNewCache(t *testing.T) {
	left := readSkipped(t)
	for name, more := range readSkippedIn(t, "testdata/newcache.txt") {
		left[name] = append(left[name], more...)
	}
	copied, goMod := copyControllerRuntime(t)
	replace(t, filepath.Join(copied, "pkg", "cache", "cache.go"),
		"\nfunc New(cfg *rest.Config, opts Options) (Cache, error) {",
		"\nfunc New(cfg *rest.Config, opts Options) (Cache, error) {\n\tif NewForTests != nil {\n\t\treturn NewForTests(cfg, opts)\n\t}",
		"\n// NewCacheFunc", "\n// NewForTests replaces New.\nvar NewForTests NewCacheFunc\n\n// NewCacheFunc")
	for _, name := range cached {
		useNewCache(t, copied, name)
	}
	for _, name := range cached {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			suite(t, name, left[name], "-modfile="+goMod)
		})
	}
}

// useNewCache adds a file to the tests of a package that makes cache.New return our cache. If cache.Options has
// a NewInformer, cache.New is called again for it.
func useNewCache(t *testing.T, dir, name string) {
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
