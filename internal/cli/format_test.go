package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/token"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/listwatch/listwatch/generators"
)

// TestMain clears what chooses another format than text.
func TestMain(m *testing.M) {
	for _, name := range []string{"GITHUB_ACTIONS", "GITHUB_WORKSPACE"} {
		if err := os.Unsetenv(name); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}

// TestFormats prints the same results in each format.
func TestFormats(t *testing.T) {
	stale := &generators.Report{
		Changes: []generators.Change{
			{Op: generators.Create, Path: filepath.Join(wd(t), "pkg", "a.go")},
			{Op: generators.Remove, Path: filepath.Join(wd(t), "b,c.go")},
		},
		Unchanged: 4,
		Diff:      []byte("--- <diff>\n"),
		Warnings:  []generators.Diagnostic{{Pos: token.Position{Filename: "a.go", Line: 1, Column: 2}, Severity: 1, Message: "100% doubtful"}},
		Timings:   []generators.Timing{{Step: "parse", Took: 1500 * time.Microsecond}},
	}
	faults := generators.Errors{
		{Pos: token.Position{Filename: "dir/a.go", Line: 3}, Message: "one"},
		{Message: "two\nlines"},
	}
	const none = "\"diagnostics\": [],\n  \"changes\": []"
	for _, c := range []struct {
		name   string
		args   []string
		env    map[string]string
		report *generators.Report
		err    error
		code   int
		stdout string
		stderr string
	}{
		{
			name: "annotations", args: []string{"--format=github"}, err: faults, code: 1,
			stderr: "::error file=dir/a.go,line=3::dir/a.go:3: one\n::error::two%0Alines\n",
		},
		{
			name: "annotations in GitHub Actions", env: map[string]string{"GITHUB_ACTIONS": "true"}, err: errors.New("failed"), code: 1,
			stderr: "::error::gen-test: failed\n",
		},
		{
			name: "flag before environment", args: []string{"--format=text"}, env: map[string]string{"GITHUB_ACTIONS": "true"}, err: errors.New("failed"), code: 1,
			stderr: "gen-test: failed\n",
		},
		{
			name: "annotations of stale files, in a directory of the workspace", args: []string{"--verify", "--timings"},
			env: map[string]string{"GITHUB_ACTIONS": "true", "GITHUB_WORKSPACE": filepath.Dir(filepath.Dir(wd(t)))}, report: stale, err: generators.ErrStale, code: 1,
			stdout: "--- <diff>\n",
			stderr: "::warning file=internal/cli/a.go,line=1,col=2::a.go:1:2: warning: 100%25 doubtful\n" +
				"::error file=internal/cli/pkg/a.go::missing: pkg/a.go\n" +
				"::error file=internal/cli/b%2Cc.go::superfluous: b,c.go\n" +
				"     1.5 ms  parse\n::error::gen-test: generated files are out of date\n",
		},
		{
			name: "annotation of invalid flags", args: []string{"--format=github", "--frobnicate"}, code: 2,
			stderr: "::error::gen-test: unknown flag: --frobnicate\nsee gen-test --help\n",
		},
		{
			name: "no such format", args: []string{"--format=xml"}, code: 2,
			stderr: "gen-test: invalid argument \"xml\" for \"--format\" flag: want one of [text github json]\nsee gen-test --help\n",
		},
		{
			name: "object without anything", args: []string{"--format=json"}, report: &generators.Report{Unchanged: 3},
			stdout: "{\n  \"tool\": \"gen-test\",\n  \"mode\": \"write\",\n  \"exitCode\": 0,\n  " + none + ",\n" +
				"  \"summary\": {\n    \"text\": \"0 files written, 3 unchanged, 0 removed\",\n    \"written\": 0,\n    \"unchanged\": 3,\n    \"removed\": 0\n  }\n}\n",
		},
		{
			name: "object of stale files", args: []string{"--format=json", "--verify", "--timings"}, report: stale, err: generators.ErrStale, code: 1,
			stdout: `{
  "tool": "gen-test",
  "mode": "verify",
  "exitCode": 1,
  "diagnostics": [
    {
      "file": "a.go",
      "line": 1,
      "column": 2,
      "severity": "warning",
      "message": "100% doubtful"
    },
    {
      "severity": "error",
      "message": "generated files are out of date"
    }
  ],
  "changes": [
    {
      "op": "create",
      "file": "pkg/a.go"
    },
    {
      "op": "remove",
      "file": "b,c.go"
    }
  ],
  "diff": "--- <diff>\n",
  "timings": [
    {
      "step": "parse",
      "milliseconds": 1.5
    }
  ]
}
`,
		},
		{
			name: "object of errors", args: []string{"--format=json"}, err: fmt.Errorf("wrapped: %w", faults), code: 1,
			stdout: `{
  "tool": "gen-test",
  "mode": "write",
  "exitCode": 1,
  "diagnostics": [
    {
      "file": "dir/a.go",
      "line": 3,
      "severity": "error",
      "message": "one"
    },
    {
      "severity": "error",
      "message": "two\nlines"
    }
  ],
  "changes": []
}
`,
		},
		{
			name: "object of invalid usage", args: []string{"--format=json", "--verify", "--dry-run"}, code: 2,
			stdout: `{
  "tool": "gen-test",
  "exitCode": 2,
  "diagnostics": [
    {
      "severity": "error",
      "message": "--verify and --dry-run are mutually exclusive"
    }
  ],
  "changes": []
}
`,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			for name, value := range c.env {
				t.Setenv(name, value)
			}
			if c.report == nil {
				c.report = &generators.Report{}
			}
			tool, _ := tool(c.report, c.err)
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
		})
	}
}

// TestFileOfAnnotation finds files from the workspace's directory.
func TestFileOfAnnotation(t *testing.T) {
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(wd(t), link); err != nil {
		t.Skip(err)
	}
	above := filepath.Dir(wd(t))
	for _, c := range []struct{ name, workspace, give, want string }{
		{"no workspace", "", "a/b.go", "a/b.go"},
		{"the current directory", wd(t), "a/b.go", "a/b.go"},
		{"a link to it", link, "a/b.go", "a/b.go"},
		{"a directory above", above, "a/b.go", "cli/a/b.go"},
		{"absolute path", above, filepath.Join(wd(t), "b.go"), "cli/b.go"},
		{"outside", wd(t), filepath.Join(above, "b.go"), filepath.Join(above, "b.go")},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := (annotator{c.workspace}).file(c.give); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// TestDocumentedFields checks that docs/output.md has a row for each field of the object, and no others.
func TestDocumentedFields(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "output.md"))
	if err != nil {
		t.Fatal(err)
	}
	documented := map[string]bool{}
	for _, m := range regexp.MustCompile("(?m)^\\| `([a-zA-Z.\\[\\]]+)` \\|").FindAllStringSubmatch(string(text), -1) {
		documented[m[1]] = true
	}
	want := map[string]bool{}
	jsonFields(reflect.TypeFor[jsonResult](), "", want)
	if d := cmp.Diff(want, documented); d != "" {
		t.Error(d)
	}
	examples := strings.Split(string(text), "```json\n")[1:]
	for i, example := range examples {
		example, _, _ = strings.Cut(example, "```")
		decoder := json.NewDecoder(strings.NewReader(example))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(new(jsonResult)); err != nil {
			t.Errorf("example %d: %v", i, err)
		}
	}
	if len(examples) != 2 {
		t.Errorf("%d examples", len(examples))
	}
}

// TestInvalidFlags prints invalid flags in the format that the arguments request, wherever it is, and without a mode.
func TestInvalidFlags(t *testing.T) {
	commands := map[string]func(args []string, stdout, stderr io.Writer) int{
		"gen-all": func(args []string, stdout, stderr io.Writer) int {
			return GenAll("").Main(t.Context(), args, stdout, stderr)
		},
		"gen-all init": func(args []string, stdout, stderr io.Writer) int {
			return GenAll("").Main(t.Context(), append([]string{"init"}, args...), stdout, stderr)
		},
		"listwatch-migrate": func(args []string, stdout, stderr io.Writer) int {
			return MigrateTool{}.Main(t.Context(), args, stdout, stderr)
		},
	}
	for _, c := range []struct{ name, command, args, message string }{
		{"after", "gen-all", "--no-such-flag --format=json", "unknown flag: --no-such-flag"},
		{"before", "gen-all", "--format=json --no-such-flag", "unknown flag: --no-such-flag"},
		{"two arguments", "gen-all", "--no-such-flag --format json", "unknown flag: --no-such-flag"},
		{"the last one counts", "gen-all", "--no-such-flag --format=text --format=json --format=xml", "unknown flag: --no-such-flag"},
		{"value", "gen-all", "--dry-run=x --format=json", `invalid argument "x" for "--dry-run" flag: strconv.ParseBool: parsing "x": invalid syntax`},
		{"found when it runs", "gen-all", "--format=json", "invalid usage: no API packages are given; pass patterns, such as ./apis/... for those of a directory"},
		{"lint rule", "gen-all", "--format=json --crd-header-file=nothing ./x", "invalid usage: --header-file: open nothing: no such file or directory"},
		{"no commit", "gen-all", "--check-breaking= --format=json ./x", "invalid usage: a comparison needs a commit, such as origin/main, and patterns of packages"},
		{"two modes", "gen-all", "--check-breaking=HEAD --verify --format=json ./x", "--check-breaking writes nothing, and compares no output; --fix, --verify and --dry-run exclude it"},
		{"init", "gen-all init", "--no-such-flag --format=json", "unknown flag: --no-such-flag"},
		{"init runs", "gen-all init", "--format=json a b", "invalid usage: want one module path as the only argument, not a b"},
		{"migrate", "listwatch-migrate", "--no-such-flag --format=json", "unknown flag: --no-such-flag"},
		{"migrate runs", "listwatch-migrate", "--format=json", "no packages are given; pass patterns, such as ./... for those of a directory"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var stdout, stderr strings.Builder
			if code := commands[c.command](strings.Fields(c.args), &stdout, &stderr); code != 2 {
				t.Errorf("exit code %d", code)
			}
			want := jsonResult{
				Tool: c.command, ExitCode: 2, Changes: []jsonChange{},
				Diagnostics: []jsonDiagnostic{{Severity: severityError, Message: c.message}},
			}
			var got jsonResult
			if err := json.Unmarshal([]byte(stdout.String()), &got); err != nil {
				t.Fatalf("%v: %s", err, stdout.String())
			}
			if d := cmp.Diff(want, got); d != "" || stderr.Len() > 0 {
				t.Errorf("%s%s", d, stderr.String())
			}
		})
	}
	var stdout, stderr strings.Builder
	GenAll("").Main(t.Context(), []string{"--no-such-flag", "--", "--format=json"}, &stdout, &stderr)
	if stdout.Len() > 0 {
		t.Errorf("the arguments have no format, but got %s", stdout.String())
	}
}

// TestCrash prints a panic as a failure, with its stack on standard error.
func TestCrash(t *testing.T) {
	crashing := Tool{Name: "gen-test", Source: source, Bind: func(flags *Flags) RunFunc {
		flags.Common(new(generators.Options))
		return func(context.Context, []string) (*generators.Report, error) { panic("oh") }
	}}
	const message = "internal error: oh; please report it with the stack that was printed"
	for _, c := range []struct{ name, arg, stdout, last string }{
		{"text", "--strict", "", "gen-test: " + message + "\n"},
		{"github", "--format=github", "", "::error::gen-test: " + message + "\n"},
		{"json", "--format=json", `{
  "tool": "gen-test",
  "mode": "write",
  "exitCode": 1,
  "diagnostics": [
    {
      "severity": "error",
      "message": "` + message + `"
    }
  ],
  "changes": []
}
`, "\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var stdout, stderr strings.Builder
			if code := crashing.Main(t.Context(), []string{c.arg}, &stdout, &stderr); code != 1 {
				t.Errorf("exit code %d", code)
			}
			if d := cmp.Diff(c.stdout, stdout.String()); d != "" {
				t.Error(d)
			}
			if text := stderr.String(); !strings.HasPrefix(text, "panic: oh\n") || !strings.Contains(text, "format_test.go:") || !strings.HasSuffix(text, c.last) {
				t.Errorf("stderr: %s", text)
			}
		})
	}
}

// TestComparison prints what changed since a commit.
func TestComparison(t *testing.T) {
	report := &generators.Report{Comparison: &generators.Comparison{Ref: "main", Changes: []generators.APIChange{
		{
			Effect: generators.BreaksClients | generators.BreaksObjects, Group: "shop.example.com", Version: "v1", Kind: "Shoe",
			Path: []string{"spec", "laces", "[]", "length"}, Text: "gone", Removed: true, Ratcheted: true, Pos: token.Position{Filename: "main:a.go", Line: 1, Column: 2},
		},
		{Effect: generators.BreaksGo, Package: "example.com/v1", Declaration: "Shoe.Size", Text: "gone"},
		{Version: "v2", Kind: "Shoe", Text: "version is new"},
	}}}
	commit := ""
	checking := Tool{Name: "gen-test", Source: source, Bind: func(flags *Flags) RunFunc {
		flags.Common(new(generators.Options))
		given := flags.CheckBreaking()
		return func(context.Context, []string) (*generators.Report, error) {
			commit = *given
			return report, generators.ErrBreaking
		}
	}}
	var stdout, stderr strings.Builder
	if code := checking.Main(t.Context(), []string{"--check-breaking=main", "--format=json"}, &stdout, &stderr); code != 1 || commit != "main" {
		t.Errorf("exit code %d, %s", code, commit)
	}
	want := `{
  "tool": "gen-test",
  "mode": "check",
  "exitCode": 1,
  "diagnostics": [
    {
      "file": "main:a.go",
      "line": 1,
      "column": 2,
      "severity": "error",
      "message": "breaks clients and stored objects: v1 Shoe, spec.laces[].length: gone (from Kubernetes 1.30 on, updates of such objects that leave the value unchanged are accepted)",
      "change": {
        "breaks": [
          "clients",
          "objects"
        ],
        "group": "shop.example.com",
        "version": "v1",
        "kind": "Shoe",
        "path": "spec.laces[].length",
        "removed": true,
        "ratcheted": true
      }
    },
    {
      "severity": "error",
      "message": "breaks Go users: Shoe.Size: gone",
      "change": {
        "breaks": [
          "go"
        ],
        "package": "example.com/v1",
        "declaration": "Shoe.Size"
      }
    },
    {
      "severity": "note",
      "message": "compatible: v2 Shoe: version is new",
      "change": {
        "breaks": [],
        "version": "v2",
        "kind": "Shoe"
      }
    }
  ],
  "changes": [],
  "summary": {
    "text": "3 changes since main, 2 of them breaking"
  }
}
`
	if d := cmp.Diff(want, stdout.String()); d != "" {
		t.Error(d)
	}
	// The mode does not depend on the outcome.
	report.Comparison = nil
	stdout.Reset()
	checking.Main(t.Context(), []string{"--check-breaking=main", "--format=json"}, &stdout, &stderr)
	if !strings.Contains(stdout.String(), `"mode": "check"`) {
		t.Errorf("got %s", stdout.String())
	}
}

// jsonFields adds the paths of all fields of a struct.
func jsonFields(typ reflect.Type, prefix string, all map[string]bool) {
	for i := range typ.NumField() {
		f := typ.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		name = prefix + name
		switch inner := f.Type; {
		case inner.Kind() == reflect.Pointer && inner.Elem().Kind() == reflect.Struct:
			all[name] = true
			jsonFields(inner.Elem(), name+".", all)
		case inner.Kind() == reflect.Slice && inner.Elem().Kind() == reflect.Struct:
			all[name] = true
			jsonFields(inner.Elem(), name+"[].", all)
		default:
			all[name] = true
		}
	}
}
