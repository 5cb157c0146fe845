package replace_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/listwatch/listwatch/conformance/internal/modules"
)

// TestNested runs the tests of the modules that convert between our types and client-go's in a program that has the
// line, where both are the same types.
func TestNested(t *testing.T) {
	// The package envtest of controllerruntime converts nothing, and takes minutes to compile.
	for module, packages := range map[string]string{"clientgo": "./...", "controllerruntime": "."} {
		t.Run(module, func(t *testing.T) {
			dir, err := filepath.Abs(filepath.Join("..", "..", "..", module))
			if err != nil {
				t.Fatal(err)
			}
			line := filepath.Join(t.TempDir(), "line.mod")
			for from, to := range map[string]string{"go.mod": line, "go.sum": line[:len(line)-len("mod")] + "sum"} {
				var text []byte
				if text, err = os.ReadFile(filepath.Join(dir, from)); err != nil {
					t.Fatal(err)
				}
				if err = os.WriteFile(to, text, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			// Paths are relative to the module, not to its file of requirements.
			err = modules.Replace(line, map[string]string{
				clientGo: "../client-go",
				"github.com/listwatch/listwatch/kubernetes": "../kubernetes",
				"github.com/listwatch/listwatch/streaming":  "../streaming",
			})
			if err != nil {
				t.Fatal(err)
			}
			cmd := exec.CommandContext(t.Context(), "go", "test", "-vet=off", "-mod=mod", "-modfile="+line, "-overlay="+overlay(t, module, dir), packages)
			cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOWORK=off")
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

// overlay returns an overlay that adds the module's test of testdata to it.
func overlay(t *testing.T, module, dir string) string {
	t.Helper()
	files := map[string]string{}
	test, err := filepath.Abs(filepath.Join("testdata", "nested", module+"_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err = os.Stat(test); err == nil {
		files[filepath.Join(dir, "line_test.go")] = test
	}
	text, err := json.Marshal(map[string]any{"Replace": files})
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "overlay.json")
	if err := os.WriteFile(name, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}
