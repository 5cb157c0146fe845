//go:build programs

package foreign_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "write docs/operators.md")

// operators are projects whose suites use controller-runtime's envtest, and the packages with these suites.
var operators = []struct {
	module, version string
	packages        []string
	failures        string // why some fail
}{
	{"sigs.k8s.io/jobset", "v0.8.2", []string{"./test/integration/controller", "./test/integration/webhook"}, ""},
}

// specs is Ginkgo's summary of a suite.
var specs = regexp.MustCompile(`-- (\d+) Passed \| (\d+) Failed`)

// TestOperators runs the suites of operators with KUBEBUILDER_ASSETS at copies of cmd/apitest.
func TestOperators(t *testing.T) {
	assets := programs(t)
	table := &strings.Builder{}
	for _, operator := range operators {
		t.Run(operator.module, func(t *testing.T) {
			dir := download(t, operator.module+"@"+operator.version)
			compile := exec.CommandContext(t.Context(), "go", append([]string{"test", "-vet=off", "-run=^$"}, operator.packages...)...)
			compile.Dir = dir
			_ = compile.Run() // so that the time is that of the tests; they report the error
			cmd := exec.CommandContext(t.Context(), "go", append([]string{"test", "-vet=off", "-count=1", "-v", "-p=1", "-timeout=20m"}, operator.packages...)...)
			cmd.Dir = dir
			cmd.Env = append(os.Environ(), "KUBEBUILDER_ASSETS="+assets)
			start := time.Now()
			out, err := cmd.CombinedOutput()
			seconds := time.Since(start).Seconds()
			passed, failed := count(string(out))
			t.Logf("%d passed, %d failed, %.0f seconds: %v", passed, failed, seconds, err)
			if passed == 0 || failed > 0 && operator.failures == "" {
				t.Errorf("%s", out)
			}
			fmt.Fprintf(table, "| %s %s | %d | %d | %.0f | %s |\n", operator.module, operator.version, passed, failed, seconds, operator.failures)
		})
	}
	if !*update || t.Failed() {
		return
	}
	page := "# Suites of operators on apitest\n\n" +
		"Suites that use controller-runtime's envtest, unchanged, with `KUBEBUILDER_ASSETS` at `apitest/cmd/apitest`.\n" +
		"`make operators` downloads them, runs them and writes this page.\n\n" +
		"| operator | passed | failed | seconds | why |\n|---|--:|--:|--:|---|\n" + table.String()
	if err := os.WriteFile("../../docs/operators.md", []byte(page), 0o644); err != nil {
		t.Fatal(err)
	}
}

// count returns the numbers of specs that passed and failed.
func count(out string) (passed, failed int) {
	for _, match := range specs.FindAllStringSubmatch(out, -1) {
		p, _ := strconv.Atoi(match[1]) // digits
		f, _ := strconv.Atoi(match[2])
		passed, failed = passed+p, failed+f
	}
	return passed, failed
}

// download returns a directory with a copy of a module, in which its tests can run.
func download(t *testing.T, version string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "mod", "download", "-json", version)
	cmd.Dir = t.TempDir() // outside of any module
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %v", cmd, err)
	}
	var module struct{ Dir string }
	if err = json.Unmarshal(out, &module); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "module")
	if err = os.CopyFS(dir, os.DirFS(module.Dir)); err != nil {
		t.Fatal(err)
	}
	return dir
}
