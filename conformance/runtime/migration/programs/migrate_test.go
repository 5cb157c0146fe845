//go:build programs

package programs_test

import (
	"cmp"
	"maps"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/listwatch/listwatch/conformance/internal/peers"
	"github.com/listwatch/listwatch/internal/migration"
)

// migrate rewrites the module in dir and generates its clients again.
func (m module) migrate(t *testing.T, dir string) {
	t.Helper()
	plan, err := migration.NewPlan(t.Context(), migration.Options{Dir: dir, Patterns: []string{"./..."}, Version: "latest"})
	if err != nil {
		t.Fatal(err)
	}
	if err = plan.Apply(); err != nil {
		t.Fatal(err)
	}
	t.Logf("%s: %d files rewritten, %d commands to generate clients run", m.path, len(plan.Changes), generate(t, plan.Commands))
	logRemaining(t, plan.Findings)
}

// goRun is how a command runs one of our generators.
var goRun = regexp.MustCompile(`go run \S+/cmd/(gen-\w+)@latest`)

// generate runs the commands that generate clients, as they are printed, and returns their number.
func generate(t *testing.T, commands []migration.Command) (n int) {
	t.Helper()
	for _, command := range commands {
		if !goRun.MatchString(command.Line) {
			continue
		}
		n++
		line := goRun.ReplaceAllStringFunc(command.Line, func(run string) string {
			return generator(t, goRun.FindStringSubmatch(run)[1])
		})
		cmd := exec.Command("sh", "-ec", line)
		cmd.Dir = command.Dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", command.Line, err, out)
		}
	}
	return n
}

// generator returns the path of one of our commands.
func generator(t *testing.T, name string) string {
	t.Helper()
	tools := peers.Ours(t)
	return map[string]string{"gen-clientset": tools.Client, "gen-lister": tools.Lister, "gen-informer": tools.Informer}[name]
}

// logRemaining prints what remains, with the number of places.
func logRemaining(t *testing.T, findings []migration.Finding) {
	t.Helper()
	count := map[string]int{}
	for _, f := range findings {
		if !f.Note && !strings.HasSuffix(f.Message, ": the command below generates it for listwatch") {
			count[f.Message]++
		}
	}
	for _, message := range slices.SortedFunc(maps.Keys(count), func(a, b string) int {
		return cmp.Or(count[b]-count[a], strings.Compare(a, b))
	}) {
		t.Logf("%4d  %s", count[message], message)
	}
}
