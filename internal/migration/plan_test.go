package migration_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/listwatch/listwatch/internal/golden"
	"github.com/listwatch/listwatch/internal/migration"
)

const before = "package p\n\nimport \"k8s.io/client-go/util/retry\"\n\nvar _ = retry.OnError\n"

// put writes files below a new directory.
func put(t *testing.T, names ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range names {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(before), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// If one file cannot be written, no file is, and nothing is left behind.
func TestApplyFails(t *testing.T) {
	dir := put(t, "a/a.go", "b/b.go")
	plan, err := migration.NewPlan(t.Context(), migration.Options{Dir: dir, Patterns: []string{"./..."}, Version: "latest"})
	if err != nil || len(plan.Changes) != 2 {
		t.Fatalf("%v, %d changes", err, len(plan.Changes))
	}
	if err = os.RemoveAll(filepath.Join(dir, "b")); err != nil {
		t.Fatal(err)
	}
	if err = plan.Apply(); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got error %v, want that the file does not exist", err)
	}
	if len(plan.Changes) > 0 {
		t.Errorf("%d changes", len(plan.Changes))
	}
	text, err := os.ReadFile(filepath.Join(dir, "a", "a.go"))
	if err != nil || string(text) != before {
		t.Errorf("a.go: %v\n%s", err, text)
	}
	if entries, err := os.ReadDir(filepath.Join(dir, "a")); err != nil || len(entries) != 1 {
		t.Errorf("%v, left behind: %v", err, entries)
	}
}

// If one file cannot be replaced after another one was, the plan has the changes that were made.
func TestApplyHalf(t *testing.T) {
	dir := put(t, "a/a.go", "b/b.go")
	plan, err := migration.NewPlan(t.Context(), migration.Options{Dir: dir, Patterns: []string{"./..."}, Version: "latest"})
	if err != nil {
		t.Fatal(err)
	}
	taken := filepath.Join(dir, "b", "b.go")
	if err = errors.Join(os.Remove(taken), os.MkdirAll(filepath.Join(taken, "x"), 0o777)); err != nil {
		t.Fatal(err)
	}
	if err = plan.Apply(); err == nil || len(plan.Changes) != 1 || filepath.Base(plan.Changes[0].Path) != "a.go" {
		t.Errorf("got %v, %d changes", err, len(plan.Changes))
	}
}

func TestCanceled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := migration.NewPlan(ctx, migration.Options{Dir: put(t, "a.go"), Patterns: []string{"."}, Version: "latest"}); !errors.Is(err, context.Canceled) {
		t.Errorf("got error %v", err)
	}
}

// The commands have the directories, packages and names that the generator had.
func TestGenerated(t *testing.T) {
	archives, err := filepath.Glob(filepath.Join("testdata", "generated", "*.txtar"))
	if err != nil || len(archives) == 0 {
		t.Fatalf("no archives (%v)", err)
	}
	for _, name := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			archive.Files = slices.DeleteFunc(archive.Files, func(f txtar.File) bool { return f.Name == "report" })
			dir := unpack(t, string(txtar.Format(archive)))
			t.Setenv("GOPROXY", "off")
			plan, err := migration.NewPlan(t.Context(), migration.Options{Dir: dir, Patterns: []string{"./..."}, Version: "v0.1.0"})
			if err != nil {
				t.Fatal(err)
			}
			var b strings.Builder
			for _, f := range plan.Findings {
				fmt.Fprintln(&b, strings.ReplaceAll(f.String(), dir+"/", ""))
			}
			for _, command := range plan.Commands {
				if command.Dir != dir {
					t.Errorf("%q is to run in %s", command.Line, command.Dir)
				}
				fmt.Fprintln(&b, command.Line)
			}
			archive.Files = append(archive.Files, txtar.File{Name: "report", Data: []byte(b.String())})
			golden.File(t, name, string(txtar.Format(archive)))
		})
	}
}
