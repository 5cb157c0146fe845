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
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/listwatch/listwatch/internal/golden"
	"github.com/listwatch/listwatch/internal/testcase"

	// The cases are below a folder that "go mod tidy" passes over; this keeps the
	// modules that they need in go.mod.
	_ "github.com/listwatch/listwatch/testdata/apis/one-group/library/v1"
)

// TestClientGo generates each case in the client-go flavour and compares the
// result with golden/client-go, whose module is compiled by "make test".
func TestClientGo(t *testing.T) {
	bin, root := golden.Build(t), golden.Root(t)
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

// TestListwatch generates each case in the flavour of our own runtime: the same
// files, as gofmt has them, and nothing of client-go in them.
func TestListwatch(t *testing.T) {
	bin, root := golden.Build(t), golden.Root(t)
	cases, err := testcase.All(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			args := slices.DeleteFunc(append(c.Flags(testcase.Clientset), c.Flags(testcase.Informer)...), func(flag string) bool {
				return strings.HasPrefix(flag, "--apply-configuration-package=") // it builds on client-go
			})
			cmd := exec.Command(filepath.Join(bin, "gen-all"), append(args, "--output-dir="+dir, "--output-pkg=example.com/client", "./...")...)
			cmd.Dir = c.Dir
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("gen-all: %v\n%s", err, out)
			} else if len(out) > 0 {
				t.Errorf("gen-all says:\n%s", out)
			}
			checkFormat(t, dir)
			for _, name := range goFiles(t, dir) {
				text, err := os.ReadFile(name)
				if err != nil {
					t.Fatal(err)
				}
				if bytes.Contains(text, []byte(`"k8s.io/client-go`)) {
					t.Errorf("%s imports client-go", name)
				}
			}
		})
	}
}

// checkFormat fails for files that gofmt would change: templates print what they
// print as gofmt has it.
func checkFormat(t *testing.T, dir string) {
	t.Helper()
	for _, name := range goFiles(t, dir) {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		formatted, err := format.Source(text)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if d := diff.Diff(name, text, "gofmt", formatted); d != nil {
			t.Errorf("%s", d)
		}
	}
}

// goFiles returns the Go files below a folder, of which there must be some.
func goFiles(t *testing.T, dir string) []string {
	t.Helper()
	var names []string
	err := filepath.WalkDir(dir, func(name string, _ fs.DirEntry, err error) error {
		if filepath.Ext(name) == ".go" {
			names = append(names, name)
		}
		return err
	})
	if err != nil || len(names) == 0 {
		t.Fatalf("%d Go files in %s: %v", len(names), dir, err)
	}
	return names
}
