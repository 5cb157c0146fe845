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

// TestClientGo generates each case in the client-go flavour and compares the
// result with golden/client-go, whose module is compiled by "make test".
func TestClientGo(t *testing.T) {
	testGolden(t, testcase.ClientGo, testcase.Clientset, testcase.Lister, testcase.Informer)
}

// TestListwatch generates each case in the flavour of our own runtime and compares
// the result with this folder, which is compiled with the rest of the module and
// imports nothing of client-go.
func TestListwatch(t *testing.T) {
	testGolden(t, testcase.Listwatch, testcase.Clientset, testcase.Lister, testcase.Informer)
}

// testGolden runs tools on each case and compares what they make with the files in
// the case's folder.
func testGolden(t *testing.T, flavour testcase.Flavour, tools ...testcase.Tool) {
	bin, root := golden.Build(t), golden.Root(t)
	cases, err := testcase.All(root)
	if err != nil {
		t.Fatal(err)
	}
	folders := map[testcase.Tool]string{testcase.Clientset: "clientset", testcase.Lister: "listers", testcase.Informer: "informers"}
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(root, filepath.FromSlash(c.Folder(flavour)))
			for _, tool := range tools {
				args := []string{
					"--output-dir=" + filepath.Join(dir, folders[tool]),
					"--output-pkg=" + c.Golden(flavour) + "/" + folders[tool],
					"--runtime=" + string(flavour),
					"--go-header-file=" + filepath.Join(root, "golden", "header.txt"),
				}
				args = append(args, c.Flags(tool, flavour)...)
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
			checkFiles(t, dir, flavour)
		})
	}
}

// checkFiles fails for files that gofmt would change, as templates print what they
// print as gofmt has it, and for those of our own flavour that import client-go.
func checkFiles(t *testing.T, dir string, flavour testcase.Flavour) {
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
		if flavour == testcase.Listwatch && bytes.Contains(text, []byte(`"k8s.io/client-go`)) {
			t.Errorf("%s imports client-go", name)
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
