//go:build programs

package appliers_test

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"sync"

	"github.com/listwatch/listwatch/conformance/internal/peers"
	"github.com/listwatch/listwatch/internal/testcase"
)

// programs are the packages of the programs by name.
var programs = map[string]string{
	"helm": "helm.sh/helm/v4/cmd/helm",
	"flux": testcase.Module + "/conformance/server/appliers/testdata/flux",
	"argo": testcase.Module + "/conformance/server/appliers/testdata/argo",
}

// built builds the programs, and returns their directory.
var built = sync.OnceValues(func() (string, error) {
	dir, err := peers.Dir()
	if err != nil {
		return "", err
	}
	out, err := peers.Work("bin", "appliers")
	if err != nil {
		return "", err
	}
	for name, pkg := range programs {
		requirements := filepath.Join("server", "appliers", "testdata", name+".mod")
		build := exec.Command("go", "build", "-modfile="+requirements, "-o", filepath.Join(out, name), pkg)
		build.Dir = dir
		if text, err := build.CombinedOutput(); err != nil {
			return "", fmt.Errorf("build %s: %w\n%s", name, err, text)
		}
	}
	return out, nil
})
