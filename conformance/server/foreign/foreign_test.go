package foreign_test

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/listwatch/listwatch/apitest/embedded"
	"github.com/listwatch/listwatch/internal/retries"
	_ "sigs.k8s.io/controller-runtime" // the tested module
)

const module = "sigs.k8s.io/controller-runtime/"

// packages are the packages whose tests need a server.
var packages = []string{
	"pkg/cache", // the longest one first
	"pkg/manager",
	"pkg/builder",
	"pkg/client",
	"pkg/client/apiutil",
	"pkg/cluster",
	"pkg/controller",
	"pkg/controller/controllerutil",
	"pkg/handler",
	"pkg/internal/controller",
	"pkg/internal/recorder",
	"pkg/manager/internal/integration",
	"pkg/metrics/filters",
	"pkg/reconcile",
	"pkg/source",
	"pkg/webhook",
}

// attempts is the maximum number of runs of a package: some of its tests measure time, and some of
// those end the program when they fail.
const attempts = 3

// result is the summary that tests print at their end.
var result = regexp.MustCompile(`Ran [1-9][0-9]* of [0-9]+ Specs|--- PASS: [^\n]*/`)

// flaked is what Ginkgo prints about specs that failed before they passed.
var flaked = regexp.MustCompile(`([0-9]+) Flaked`)

func TestControllerRuntime(t *testing.T) {
	left := readSkipped(t)
	for _, name := range packages {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			suite(t, onApitest, name, left[name])
		})
	}
}

// starter starts a server that runs until the end of the test, and returns its kubeconfig.
type starter func(*testing.T) (kubeconfig string)

func onApitest(t *testing.T) (kubeconfig string) {
	t.Helper()
	kubeconfig = filepath.Join(t.TempDir(), "kubeconfig")
	if err := embedded.Start(t).WriteKubeconfig(kubeconfig); err != nil {
		t.Fatal(err)
	}
	return kubeconfig
}

// suite runs the tests of a package, again if they fail.
func suite(t *testing.T, start starter, name string, left []skipped, flags ...string) {
	t.Helper()
	out, err := run(t, start, name, left, flags...)
	again := 0
	for ; err != nil && again < attempts-1; again++ {
		t.Logf("failed, running again: %v\n%s", err, out)
		out, err = run(t, start, name, left, flags...)
	}
	if flaked := flaked.FindSubmatch(out); flaked != nil {
		n, _ := strconv.Atoi(string(flaked[1])) // digits
		again += n
	}
	retries.Record(t, "controller-runtime", t.Name(), again)
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	ran := result.Find(out)
	if ran == nil {
		t.Fatalf("no test ran\n%s", out)
	}
	t.Logf("%s", ran)
}

// run runs the tests of a package, except some, on their own server. It returns their output.
func run(t *testing.T, start starter, name string, left []skipped, flags ...string) ([]byte, error) {
	t.Helper()
	kubeconfig := start(t)
	// Without symbols, tests are linked in half the time.
	args := append([]string{"test", "-count=1", "-vet=off", "-v", "-timeout=10m", "-ldflags=-s -w"}, flags...)
	args = append(args, module+name, "-ginkgo.no-color", "-ginkgo.flake-attempts=3")
	for _, s := range left {
		args = append(args, s.flag+"="+s.pattern)
	}
	cmd := exec.CommandContext(t.Context(), "go", args...)
	cmd.Env = append(os.Environ(),
		"USE_EXISTING_CLUSTER=true", "KUBECONFIG="+kubeconfig,
		// What takes less than a second on a fast machine may take longer on others.
		"GOMEGA_DEFAULT_EVENTUALLY_TIMEOUT=1m")
	out, err := cmd.CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%v: %w", cmd, err)
	}
	return out, err
}

// skipped is a line of testdata/skipped.txt.
type skipped struct{ flag, pattern string }

// readSkipped returns the omitted tests, by package.
func readSkipped(t *testing.T) map[string][]skipped {
	t.Helper()
	return readSkippedIn(t, "testdata/skipped.txt")
}

func readSkippedIn(t *testing.T, name string) map[string][]skipped {
	t.Helper()
	content, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]skipped{}
	for lines := bufio.NewScanner(bytes.NewReader(content)); lines.Scan(); {
		line := lines.Text()
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		columns := strings.Split(line, "\t")
		if len(columns) != 4 {
			t.Fatalf("%s: not package, flag, pattern and reason: %q", name, line)
		}
		out[columns[0]] = append(out[columns[0]], skipped{columns[1], columns[2]})
	}
	return out
}
