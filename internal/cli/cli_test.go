package cli

import (
	"context"
	"errors"
	"fmt"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/listwatch/listwatch/generators"
)

// source is the main.go of the tool in these tests.
const source = `// Gen-test emits nothing.
//
//	gen-test [flags]
//
// # Examples
//
// Emit nothing:
//
//	gen-test ./...
package main

func main() {}
`

// ran records the arguments of a tool's run.
type ran struct {
	options  generators.Options
	patterns []string
	times    int
}

// tool returns a tool that records its runs and returns the given results.
func tool(report *generators.Report, err error) (Tool, *ran) {
	var r ran
	return Tool{Name: "gen-test", Source: source, Bind: func(flags *Flags) RunFunc {
		flags.Common(&r.options)
		return func(_ context.Context, patterns []string) (*generators.Report, error) {
			r.patterns = patterns
			r.times++
			return report, err
		}
	}}, &r
}

// wd is the current directory, as in reports.
func wd(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestToolMain(t *testing.T) {
	below, beside := filepath.Join(wd(t), "pkg", "a.go"), filepath.FromSlash("/elsewhere/b.go")
	report := &generators.Report{
		Dirs: []string{filepath.Dir(below), filepath.Dir(beside)},
		Changes: []generators.Change{
			{Op: generators.Create, Path: below},
			{Op: generators.Update, Path: beside},
			{Op: generators.Remove, Path: filepath.Join(wd(t), "c.go")},
		},
		Unchanged: 4,
		Diff:      []byte("--- diff\n"),
		Timings:   []generators.Timing{{Step: "parse", Took: 1500 * time.Microsecond}, {Step: "print", Took: 2 * time.Second}},
	}
	warned := &generators.Report{Warnings: []generators.Diagnostic{{
		Pos: token.Position{Filename: "a.go", Line: 1, Column: 2}, Severity: 1, Message: "doubtful",
	}}}
	faults := generators.Errors{
		{Pos: token.Position{Filename: "a.go", Line: 3, Column: 4}, Message: "one"},
		{Message: "two"},
	}
	for _, c := range []struct {
		name   string
		args   []string
		report *generators.Report // nil for an empty one
		err    error
		code   int
		stdout string
		stderr string
		idle   bool // the tool is not run
	}{
		{name: "done", report: report},
		{name: "done, with a warning", report: warned, stderr: "a.go:1:2: warning: doubtful\n"},
		{
			name: "fault", err: errors.New("no such thing"), code: 1,
			stderr: "gen-test: no such thing\n",
		},
		{
			name: "faults of the input", err: fmt.Errorf("wrapped: %w", faults), code: 1,
			stderr: "a.go:3:4: one\ntwo\n",
		},
		{
			name: "fault, with a warning", report: warned, err: faults, code: 1,
			stderr: "a.go:1:2: warning: doubtful\na.go:3:4: one\ntwo\n",
		},
		{
			name: "no types", err: fmt.Errorf("%w at all", generators.ErrNoTypes), code: 1,
			stderr: "gen-test: no types are marked +genclient at all\n",
		},
		{
			name: "wrong options", err: fmt.Errorf("%w: no packages", generators.ErrUsage), code: 2,
			stderr: "gen-test: invalid usage: no packages\nsee gen-test --help\n",
		},
		{
			name: "unknown flag", args: []string{"--frobnicate"}, idle: true, code: 2,
			stderr: "gen-test: unknown flag: --frobnicate\nsee gen-test --help\n",
		},
		{
			name: "invalid value", args: []string{"--verify=perhaps"}, idle: true, code: 2,
			stderr: "gen-test: invalid argument \"perhaps\" for \"--verify\" flag: strconv.ParseBool: parsing \"perhaps\": invalid syntax\nsee gen-test --help\n",
		},
		{
			name: "flags that exclude each other", args: []string{"--verify", "--dry-run"}, idle: true, code: 2,
			stderr: "gen-test: --verify and --dry-run are mutually exclusive\nsee gen-test --help\n",
		},
		{
			name: "dry run", args: []string{"--dry-run"}, report: report,
			stdout: "create pkg/a.go\nupdate " + beside + "\nremove c.go\n",
		},
		{
			name: "verify", args: []string{"--verify"}, report: report, err: generators.ErrStale, code: 1,
			stdout: "--- diff\n",
			stderr: "missing: pkg/a.go\nstale: " + beside + "\nsuperfluous: c.go\ngen-test: generated files are out of date\n",
		},
		{name: "verify, and all is well", args: []string{"--verify"}},
		{
			name: "timings", args: []string{"--timings"}, report: report,
			stderr: "     1.5 ms  parse\n  2000.0 ms  print\n",
		},
		{
			name: "verbose", args: []string{"-v", "1"}, report: report,
			stderr: "gen-test: 2 files written, 4 unchanged, 1 removed from .\n",
		},
		{name: "not verbose", args: []string{"-v=0"}, report: report},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.report == nil {
				c.report = &generators.Report{}
			}
			tool, ran := tool(c.report, c.err)
			var stdout, stderr strings.Builder
			if code := tool.Main(t.Context(), c.args, &stdout, &stderr); code != c.code {
				t.Errorf("exit code %d, want %d", code, c.code)
			}
			if d := cmp.Diff(c.stdout, stdout.String()); d != "" {
				t.Errorf("stdout: %s", d)
			}
			if d := cmp.Diff(c.stderr, stderr.String()); d != "" {
				t.Errorf("stderr: %s", d)
			}
			if want := map[bool]int{false: 1, true: 0}[c.idle]; ran.times != want {
				t.Errorf("the tool ran %d times, want %d", ran.times, want)
			}
		})
	}
}

func TestHelp(t *testing.T) {
	for _, arg := range []string{"--help", "-h"} {
		t.Run(arg, func(t *testing.T) {
			tool, ran := tool(nil, nil)
			var stdout, stderr strings.Builder
			if code := tool.Main(t.Context(), []string{"--verify", arg, "--dry-run"}, &stdout, &stderr); code != 0 {
				t.Errorf("exit code %d", code)
			}
			if stderr.Len() > 0 || ran.times > 0 {
				t.Errorf("the tool ran %d times, and printed %q", ran.times, stderr.String())
			}
			manual, flags, ok := strings.Cut(stdout.String(), "\nFlags:\n\n")
			if !ok {
				t.Fatalf("no flags in\n%s", stdout.String())
			}
			const want = "Gen-test emits nothing.\n\n\tgen-test [flags]\n\n# Examples\n\nEmit nothing:\n\n\tgen-test ./...\n"
			if d := cmp.Diff(want, manual); d != "" {
				t.Error(d)
			}
			for _, part := range []string{"--output-dir directory ", "--verify ", "-v, --v level", `--runtime string`, `(default "listwatch")`} {
				if !strings.Contains(flags, part) {
					t.Errorf("no %q in\n%s", part, flags)
				}
			}
			if strings.Index(flags, "--output-dir") > strings.Index(flags, "--build-tag") {
				t.Error("the flags are not in the order in which they are bound")
			}
			for _, hidden := range []string{"vmodule", "logtostderr"} {
				if strings.Contains(flags, hidden) {
					t.Errorf("%s is shown", hidden)
				}
			}
			for line := range strings.Lines(stdout.String()) {
				if len(line) > 101 {
					t.Errorf("long line: %s", line)
				}
			}
		})
	}
}

func TestManual(t *testing.T) {
	for name, source := range map[string]string{"no comment": "package main\n", "not Go": "package", "nothing": ""} {
		if got := manual(source); got != "" {
			t.Errorf("%s: got %q", name, got)
		}
	}
}

func TestShown(t *testing.T) {
	for _, c := range []struct{ name, give, want string }{
		{"the current directory", wd(t), "."},
		{"below", filepath.Join(wd(t), "a", "b"), "a/b"},
		{"above", filepath.Dir(wd(t)), filepath.Dir(wd(t))},
		{"one with the same prefix", wd(t) + "2", wd(t) + "2"},
		{"relative", "a", "a"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := shown(c.give); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
