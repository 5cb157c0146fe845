package foreign_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	_ "github.com/listwatch/listwatch/apitest/embedded" // with cmd/apitest, which is tested
)

// TestProgram runs the tests of controller-runtime's envtest, which start and stop the programs that
// KUBEBUILDER_ASSETS has: copies of cmd/apitest.
func TestProgram(t *testing.T) {
	assets := programs(t)
	left := readSkipped(t)
	for _, name := range []string{"pkg/envtest", "pkg/internal/testing/controlplane"} {
		args := []string{"test", "-count=1", "-vet=off", "-v", "-timeout=10m", module + name, "-ginkgo.no-color"}
		for _, s := range left[name] {
			args = append(args, s.flag+"="+s.pattern)
		}
		cmd := exec.CommandContext(t.Context(), "go", args...)
		cmd.Env = append(os.Environ(), "KUBEBUILDER_ASSETS="+assets)
		out, err := cmd.CombinedOutput()
		ran := result.Find(out)
		if err != nil || ran == nil {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
		t.Logf("%s: %s", name, ran)
	}
}

// programs returns a folder with copies of cmd/apitest in the place of kube-apiserver and etcd.
func programs(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	program := filepath.Join(dir, "apitest")
	build := exec.CommandContext(t.Context(), "go", "build", "-o", program, "github.com/listwatch/listwatch/apitest/cmd/apitest")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	out, err := exec.CommandContext(t.Context(), program, "assets", filepath.Join(dir, "assets")).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}
