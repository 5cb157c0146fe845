package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/token"
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
	fields(reflect.TypeFor[jsonResult](), "", want)
	if d := cmp.Diff(want, documented); d != "" {
		t.Error(d)
	}
	_, example, _ := strings.Cut(string(text), "```json\n")
	example, _, _ = strings.Cut(example, "```")
	decoder := json.NewDecoder(strings.NewReader(example))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(new(jsonResult)); err != nil {
		t.Errorf("the example: %v", err)
	}
}

// fields adds the paths of all fields of a struct.
func fields(typ reflect.Type, prefix string, all map[string]bool) {
	for i := range typ.NumField() {
		f := typ.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		name = prefix + name
		switch inner := f.Type; {
		case inner.Kind() == reflect.Pointer && inner.Elem().Kind() == reflect.Struct:
			all[name] = true
			fields(inner.Elem(), name+".", all)
		case inner.Kind() == reflect.Slice && inner.Elem().Kind() == reflect.Struct:
			all[name] = true
			fields(inner.Elem(), name+"[].", all)
		default:
			all[name] = true
		}
	}
}
