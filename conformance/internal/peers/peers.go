// Package peers builds the compared generators, and runs them on the same input.
//
// # Terms
//
// A peer is one set of the four generators: [Upstream] is code-generator's client-gen, lister-gen,
// informer-gen and applyconfiguration-gen in the version that this module requires, [Ours] is
// gen-clientset, gen-lister, gen-informer and gen-applyconfiguration of the root module. A [Job]
// describes what to generate; it becomes three or four [Command] lines, which both peers accept unchanged: one can replace the other.
//
// # Limits
//
// Binaries are built once per test process, below conformance/.work/bin. Several test processes may
// build concurrently: a lock file prevents one from replacing what another runs.
package peers

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/listwatch/listwatch/internal/testcase"
)

// Root returns the repository's root: the closest directory, from the working directory upwards,
// with the root module's go.mod.
var Root = sync.OnceValues(func() (string, error) {
	start, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for dir := start; ; dir = filepath.Dir(dir) {
		data, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		if err == nil && isRootModule(string(data)) {
			return dir, nil
		}
		if dir == filepath.Dir(dir) {
			return "", fmt.Errorf("no module %s at or above %s", testcase.Module, start)
		}
	}
})

func isRootModule(gomod string) bool {
	for line := range strings.Lines(gomod) {
		if strings.TrimSpace(line) == "module "+testcase.Module {
			return true
		}
	}
	return false
}

// Dir returns the directory of the conformance module.
func Dir() (string, error) {
	root, err := Root()
	if err != nil {
		return "", err
	}
	return filepath.Join(root, "conformance"), nil
}

// Work returns the directory elem below conformance/.work, which git ignores. It creates nothing.
func Work(elem ...string) (string, error) {
	dir, err := Dir()
	if err != nil {
		return "", err
	}
	return filepath.Join(append([]string{dir, ".work"}, elem...)...), nil
}
