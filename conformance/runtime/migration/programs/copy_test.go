//go:build programs

package programs_test

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/listwatch/listwatch/conformance/internal/modules"
	"github.com/listwatch/listwatch/conformance/internal/peers"
	"github.com/listwatch/listwatch/internal/testcase"
)

// clientGo is the version of client-go, and of the modules that are released with it.
const clientGo = "v0.37.2"

// copy copies the module to dir, unless it is there already.
func (m module) copy(t *testing.T, dir string) {
	t.Helper()
	if err := modules.Copy(t.Context(), m.path, m.version, dir); err != nil {
		t.Fatal(err)
	}
}

// require raises what the module in dir requires to client-go's version, and adds replacements by path.
func require(t *testing.T, dir string, with []module, replace map[string]string) {
	t.Helper()
	versions := map[string]string{}
	for _, m := range with {
		versions[m.path] = m.version
	}
	name := filepath.Join(dir, "go.mod")
	if err := errors.Join(modules.Raise(name, clientGo, versions), modules.Replace(name, replace)); err != nil {
		t.Fatal(err)
	}
}

// ours are the replacements of this module and its nested ones by their directories.
func ours(t *testing.T) map[string]string {
	t.Helper()
	root, err := peers.Root()
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{testcase.Module: root}
	for _, nested := range []string{"clientgo", "kubernetes", "streaming"} {
		all[testcase.Module+"/"+nested] = filepath.Join(root, nested)
	}
	return all
}
