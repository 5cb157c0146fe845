// Package cmd_test runs the commands as users do, by the scripts in
// testdata/script; see package testscript for their language.
package cmd_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/listwatch/listwatch/internal/golden"
)

func TestScripts(t *testing.T) {
	bin := golden.Build(t)
	goEnv := map[string]string{}
	for _, name := range []string{"GOCACHE", "GOMODCACHE", "GOROOT"} {
		out, err := exec.Command("go", "env", name).Output()
		if err != nil {
			t.Fatalf("go env %s: %v", name, err)
		}
		goEnv[name] = string(out[:len(out)-1])
	}
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		UpdateScripts:       *golden.Update,
		RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("PATH", bin+string(os.PathListSeparator)+env.Getenv("PATH"))
			for name, value := range goEnv {
				env.Setenv(name, value)
			}
			// Nothing may be downloaded: what is read is syntax.
			env.Setenv("GOFLAGS", "-mod=readonly")
			env.Setenv("GOPROXY", "off")
			return nil
		},
	})
}
