package shards

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/listwatch/listwatch/apitest/embedded"
	"github.com/listwatch/listwatch/conformance/internal/peers"
)

// TestManagers disturbs managers of controller-runtime.
func TestManagers(t *testing.T) { run(t, embedded.Start(t).Config(), setup{program: buildManager(t)}) }

// buildManager builds the program with the requirements of the module controllerruntime, and returns its path.
func buildManager(t *testing.T) string {
	t.Helper()
	root, err := peers.Root()
	if err != nil {
		t.Fatal(err)
	}
	source, err := filepath.Abs(filepath.Join("testdata", "manager", "main.go"))
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(t.TempDir(), "manager")
	cmd := exec.CommandContext(t.Context(), "go", "build", "-buildvcs=false", "-o", program, source)
	cmd.Dir, cmd.Env = filepath.Join(root, "controllerruntime"), append(os.Environ(), "GOWORK=off", "GOFLAGS=")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return program
}
