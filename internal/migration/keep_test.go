package migration_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/listwatch/listwatch/internal/golden"
	"github.com/listwatch/listwatch/internal/migration"
)

// goMod is the go.mod of programs that have none of their own.
const goMod = `module example.com/p

go 1.25

require (
	example.com/lib v0.0.0
	example.com/link v0.0.0
	k8s.io/client-go v0.0.0
)

replace (
	example.com/lib => ./lib
	example.com/link => ./link
	k8s.io/client-go => ./client-go
)
`

// The archives in testdata/keep contain a program, and in "report" what is found and which imports change.
func TestKeep(t *testing.T) {
	world, err := txtar.ParseFile(filepath.Join("testdata", "world.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	archives, err := filepath.Glob(filepath.Join("testdata", "keep", "*.txtar"))
	if err != nil || len(archives) == 0 {
		t.Fatalf("no archives (%v)", err)
	}
	t.Setenv("GOFLAGS", "-mod=mod")
	t.Setenv("GOWORK", "off")
	t.Setenv("GOPROXY", "off")
	for _, name := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			archive.Files = slices.DeleteFunc(archive.Files, func(f txtar.File) bool { return f.Name == "report" })
			all := slices.Concat([]txtar.File{{Name: "go.mod", Data: []byte(goMod)}}, world.Files, archive.Files)
			dir := unpack(t, string(txtar.Format(&txtar.Archive{Files: all})))
			archive.Files = append(archive.Files, txtar.File{Name: "report", Data: []byte(report(t, dir))})
			golden.File(t, name, string(txtar.Format(archive)))
		})
	}
}

// report returns what the plan of a program in dir finds and changes.
func report(t *testing.T, dir string) string {
	t.Helper()
	plan, err := migration.NewPlan(t.Context(), migration.Options{Dir: dir, Patterns: []string{"./..."}, Version: "latest"})
	if err != nil {
		return "error: " + strings.ReplaceAll(err.Error(), dir, "$WORK") + "\n"
	}
	var b strings.Builder
	for _, f := range plan.Findings {
		fmt.Fprintln(&b, strings.ReplaceAll(f.String(), dir+"/", ""))
	}
	for line := range strings.Lines(string(plan.Diff(func(path string) string { return strings.TrimPrefix(path, dir+"/") }))) {
		if strings.HasPrefix(line, "diff ") || (line[0] == '+' || line[0] == '-') && strings.Contains(line, `"`) {
			b.WriteString(line)
		}
	}
	return b.String()
}
