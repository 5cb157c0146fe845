package generators_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/listwatch/listwatch/generators"
	"github.com/listwatch/listwatch/internal/golden"
)

// repository returns a git repository whose commit, with the tag old, has the files of an archive below old,
// and whose directory has those below new. The module has apimachinery.
func repository(t *testing.T, archive *txtar.Archive) string {
	t.Helper()
	t.Setenv("GOFLAGS", "-mod=mod")
	t.Setenv("GOPROXY", "off")
	t.Setenv("GOWORK", "off")
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	git := func(args ...string) {
		cmd := exec.Command("git", append([]string{"-c", "user.name=test", "-c", "user.email=test@example.com", "-c", "commit.gpgsign=false"}, args...)...)
		cmd.Dir = dir
		if out, failure := cmd.CombinedOutput(); failure != nil {
			t.Fatalf("git %v: %v: %s", args, failure, out)
		}
	}
	// The versions of the root, which are on disk.
	sums, errSums := os.ReadFile(filepath.Join(golden.Root(t), "go.sum"))
	requirements, errMod := os.ReadFile(filepath.Join(golden.Root(t), "go.mod"))
	if err := errors.Join(errSums, errMod); err != nil {
		t.Fatal(err)
	}
	_, requirements, _ = bytes.Cut(requirements, []byte("\n"))
	write := func(side, module string) {
		files := []txtar.File{
			{Name: side + "/go.mod", Data: append([]byte("module "+module+"\n"), requirements...)},
			{Name: side + "/go.sum", Data: sums},
		}
		for _, f := range append(files, archive.Files...) {
			name, ok := strings.CutPrefix(f.Name, side+"/")
			if !ok {
				continue
			}
			name = filepath.Join(dir, filepath.FromSlash(name))
			if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, f.Data, 0o644)); err != nil {
				t.Fatal(err)
			}
		}
	}
	module := "example.com/p"
	git("init", "--quiet")
	write("old", module)
	git("add", "--all")
	git("commit", "--quiet", "--message=old")
	git("tag", "old")
	git("rm", "--quiet", "-r", ".")
	if bytes.Contains(archive.Comment, []byte("another module")) {
		module = "example.com/q"
	}
	write("new", module)
	return dir
}

// TestCompare compares the changes between both sides of each archive with its file "want".
func TestCompare(t *testing.T) {
	names, err := filepath.Glob(filepath.Join("testdata", "compare", "*.txtar"))
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			archive.Files = archive.Files[:len(archive.Files)-1] // without "want"
			opts := generators.RunOptions{Options: generators.Options{Dir: repository(t, archive), Patterns: []string{"./..."}}}
			report, err := generators.Compare(context.Background(), opts, "old")
			var text bytes.Buffer
			if report.Comparison == nil {
				t.Fatal(err)
			}
			breaks := false
			for _, c := range report.Comparison.Changes {
				fmt.Fprintf(&text, "%s: %s\n", c.Pos, c)
				breaks = breaks || c.Effect != 0
			}
			if breaks != errors.Is(err, generators.ErrBreaking) {
				t.Errorf("error %v", err)
			}
			archive.Files = append(archive.Files, txtar.File{Name: "want", Data: text.Bytes()})
			golden.File(t, name, string(txtar.Format(archive)))

			// The new state does not differ from itself.
			cmd := exec.Command("sh", "-c", "git add --all && git -c user.name=t -c user.email=t@example.com commit --quiet --message=new")
			cmd.Dir = opts.Dir
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			if report, err := generators.Compare(context.Background(), opts, "HEAD"); err != nil || len(report.Comparison.Changes) > 0 {
				t.Errorf("compared with itself: %v, %v", err, report.Comparison)
			}
		})
	}
}

func TestCompareErrors(t *testing.T) {
	archive := txtar.Parse([]byte("-- old/v1/doc.go --\npackage v1\n-- new/v1/doc.go --\npackage v1\n"))
	dir := repository(t, archive)
	elsewhere := t.TempDir()
	if err := os.WriteFile(filepath.Join(elsewhere, "go.mod"), []byte("module m\n\ngo 1.25.0\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(elsewhere, "a.go"), []byte("package m\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, dir, ref, pattern string
		want                    string
		usage                   bool
	}{
		{name: "no commit", dir: dir, ref: "nothing", pattern: "./...", want: "nothing: commit not found"},
		{name: "an option of git", dir: dir, ref: "--all", pattern: "./...", want: "needs a commit", usage: true},
		{name: "no pattern", dir: dir, ref: "old", want: "patterns of packages", usage: true},
		{name: "no repository", dir: elsewhere, ref: "old", pattern: "./...", want: "not a git repository"},
		{name: "dots in a pattern", dir: dir, ref: "old", pattern: "./v...1", want: "takes ... at the end only", usage: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			opts := generators.RunOptions{Options: generators.Options{Dir: c.dir}}
			if c.pattern != "" {
				opts.Patterns = []string{c.pattern}
			}
			report, err := generators.Compare(context.Background(), opts, c.ref)
			if err == nil || !strings.Contains(err.Error(), c.want) || errors.Is(err, generators.ErrUsage) != c.usage {
				t.Errorf("got %v, want %s", err, c.want)
			}
			if report == nil {
				t.Error("no report")
			}
		})
	}
}
