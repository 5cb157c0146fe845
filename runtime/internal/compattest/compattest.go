// Package compattest runs tests with the behavior of client-go, which cannot be switched off again: each in a process of
// its own.
package compattest

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/listwatch/listwatch/runtime/compat"
)

// variable is set in the environment of the process of a test.
const variable = "LISTWATCH_TEST_COMPAT"

// Run runs a test, which is the whole of t, after [compat.ClientGo]. It fails t if the test fails.
func Run(t *testing.T, test func(t *testing.T)) {
	t.Helper()
	if os.Getenv(variable) == t.Name() {
		compat.ClientGo()
		test(t)
		return
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), exe, "-test.v", "-test.run=^"+regexp.QuoteMeta(t.Name())+"$")
	cmd.Env = append(os.Environ(), variable+"="+t.Name())
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "--- PASS: "+t.Name()+" ") {
		t.Errorf("with client-go's behavior: %v\n%s", err, out)
	}
}
