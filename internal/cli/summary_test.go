package cli

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/listwatch/listwatch/generators"
)

func TestSummary(t *testing.T) {
	for _, c := range []struct {
		name string
		// give contains pairs of an operation and a path below the current directory.
		give      []string
		unchanged int
		want      string
	}{
		{name: "nothing to do", unchanged: 21, want: "0 files written, 21 unchanged, 0 removed"},
		{name: "one file", give: []string{"create a/a.go"}, want: "1 file written, 0 unchanged, 0 removed"},
		{
			name: "files written", give: []string{"create a/a.go", "update b/b.go"}, unchanged: 3,
			want: "2 files written, 3 unchanged, 0 removed",
		},
		{
			name: "files removed from one directory", give: []string{"remove a/v1/a.go", "remove a/v1/fake/a.go", "remove a/v1/b.go"},
			want: "0 files written, 0 unchanged, 3 removed from a/v1",
		},
		{
			name: "files removed from many directories", unchanged: 1,
			give: []string{"remove e/a.go", "remove d/a.go", "update d/b.go", "remove c/a.go", "remove b/a.go", "remove b2/a.go", "remove b/x/a.go"},
			want: "1 file written, 1 unchanged, 6 removed from b, b2, c and 2 more",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			report := &generators.Report{Unchanged: c.unchanged}
			for _, change := range c.give {
				op, path, _ := strings.Cut(change, " ")
				report.Changes = append(report.Changes, generators.Change{Op: generators.Op(op), Path: filepath.Join(wd(t), path)})
			}
			if got := summary(report); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// TestSummaryOfTool checks that runs that write print a last line, and no others.
func TestSummaryOfTool(t *testing.T) {
	for _, c := range []struct {
		name string
		args []string
		err  error
		want string
	}{
		{name: "write", want: "gen-test: 0 files written, 2 unchanged, 0 removed\n"},
		{name: "dry run", args: []string{"--dry-run"}},
		{name: "verify", args: []string{"--verify"}},
		{name: "fault", err: generators.ErrNoTypes, want: "gen-test: " + generators.ErrNoTypes.Error() + "\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			tool, _ := tool(&generators.Report{Unchanged: 2}, c.err)
			tool.Summary = true
			var stdout, stderr strings.Builder
			tool.Main(t.Context(), c.args, &stdout, &stderr)
			if stdout.String() != "" || stderr.String() != c.want {
				t.Errorf("got %q and %q, want %q", stdout.String(), stderr.String(), c.want)
			}
		})
	}
}
