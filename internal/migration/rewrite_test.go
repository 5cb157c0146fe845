package migration_test

import (
	"errors"
	"go/scanner"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/listwatch/listwatch/internal/golden"
	"github.com/listwatch/listwatch/internal/migration"
)

// The archives in testdata/rewrite contain a file before (in.go) and after (out.go) it is
// rewritten, and what is reported about it: the position before, the position after if it is
// another, and the message.
func TestRewrite(t *testing.T) {
	archives, err := filepath.Glob(filepath.Join("testdata", "rewrite", "*.txtar"))
	if err != nil || len(archives) == 0 {
		t.Fatalf("no archives (%v)", err)
	}
	for _, name := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			in := archive.Files[0]
			if in.Name != "in.go" {
				t.Fatalf("the first file is %s, want in.go", in.Name)
			}
			result, err := migration.Rewrite("in.go", in.Data)
			if err != nil {
				t.Fatal(err)
			}
			var report strings.Builder
			if result.Generator != "" {
				report.WriteString("generator: " + result.Generator + "\n")
			}
			for _, f := range result.Findings {
				report.WriteString(f.String())
				if f.After != f.Position {
					report.WriteString("\n\tthen at " + f.After.String())
				}
				report.WriteString("\n")
			}
			archive.Files = append(archive.Files[:1:1],
				txtar.File{Name: "out.go", Data: result.Text}, txtar.File{Name: "report", Data: []byte(report.String())})
			golden.File(t, name, string(txtar.Format(archive)))
			again, err := migration.Rewrite("in.go", result.Text)
			if err != nil || string(again.Text) != string(result.Text) {
				t.Errorf("rewriting a second time changes it: %v\n%s", err, again.Text)
			}
		})
	}
}

func TestRewriteSyntax(t *testing.T) {
	_, err := migration.Rewrite("in.go", []byte("package p\n\nimport \"k8s.io/client-go/rest\"\n\nfunc {\n"))
	var list scanner.ErrorList
	if !errors.As(err, &list) || list[0].Pos.String() != "in.go:5:6" {
		t.Errorf("got %v, want a syntax error at in.go:5:6", err)
	}
}

// Line ends and files that gofmt would change keep their form.
func TestRewriteUnformatted(t *testing.T) {
	const in = "package p\r\n\r\nimport (\r\n\t\"k8s.io/client-go/tools/cache\"\r\n\t\"fmt\"\r\n)\r\n\r\nvar  x =cache.NewStore(  fmt.Sprint)\r\n"
	const want = "package p\r\n\r\nimport (\r\n\t\"fmt\"\r\n\t\"github.com/listwatch/listwatch/runtime/cache\"\r\n)\r\n\r\nvar  x =cache.NewStore(  fmt.Sprint)\r\n"
	result, err := migration.Rewrite("in.go", []byte(in))
	if err != nil || string(result.Text) != want {
		t.Errorf("%v, got %q, want %q", err, result.Text, want)
	}
}
