// Package golden_test holds the generators to the expected output of every case
// under testdata/apis.
package golden_test

import (
	"bytes"
	"go/format"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/listwatch/listwatch/internal/golden"
	"github.com/listwatch/listwatch/internal/testcase"

	// The cases are below a folder that "go mod tidy" passes over; this keeps the
	// modules that they need in go.mod.
	_ "github.com/listwatch/listwatch/testdata/apis/one-group/library/v1"
)

// build makes the commands and returns their folder.
func build(t *testing.T) string {
	t.Helper()
	bin := t.TempDir()
	cmd := exec.Command("go", "build", "-o", bin, "./cmd/...")
	cmd.Dir = golden.Root(t)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return bin
}

// TestClientGo generates each case in the client-go flavour and compares the
// result with golden/client-go, whose module is compiled by "make test".
func TestClientGo(t *testing.T) {
	bin, root := build(t), golden.Root(t)
	cases, err := testcase.All(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(root, "golden", "client-go", c.Name)
			for tool, args := range map[testcase.Tool][]string{
				testcase.Clientset: {"--output-dir=" + filepath.Join(dir, "clientset"), "--output-pkg=" + c.Golden() + "/clientset"},
				testcase.Lister:    {"--output-dir=" + filepath.Join(dir, "listers"), "--output-pkg=" + c.Golden() + "/listers"},
				testcase.Informer:  {"--output-dir=" + filepath.Join(dir, "informers"), "--output-pkg=" + c.Golden() + "/informers"},
			} {
				args = append(args, "--runtime=client-go", "--go-header-file="+filepath.Join(root, "golden", "header.txt"))
				args = append(args, c.Flags(tool)...)
				if !*golden.Update {
					args = append(args, "--verify")
				}
				cmd := exec.Command(filepath.Join(bin, "gen-"+string(tool)), append(args, "./...")...)
				cmd.Dir = c.Dir
				var stderr bytes.Buffer
				cmd.Stderr = &stderr
				out, err := cmd.Output()
				if err != nil {
					t.Errorf("gen-%s: %v\n%s%s", tool, err, out, stderr.Bytes())
				}
				warnings := filepath.Join(dir, string(tool)+".stderr")
				if _, err := os.Stat(warnings); err == nil || stderr.Len() > 0 {
					golden.File(t, warnings, stderr.String())
				}
			}
			checkFormat(t, dir)
		})
	}
}

// checkFormat fails for files that gofmt would change: templates print what they
// print as gofmt has it.
func checkFormat(t *testing.T, dir string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(name) != ".go" {
			return err
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		formatted, err := format.Source(text)
		if err != nil {
			return err
		}
		if d := diff.Diff(name, text, "gofmt", formatted); d != nil {
			t.Errorf("%s", d)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}
