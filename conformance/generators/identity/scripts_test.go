package identity_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/listwatch/listwatch/conformance/internal/modules"
	"github.com/listwatch/listwatch/conformance/internal/normal"
	"github.com/listwatch/listwatch/conformance/internal/peers"
	"github.com/listwatch/listwatch/generators/model"
)

// script is a script of a project that calls the functions of kube_codegen.sh.
type script struct {
	// path is the script's path in the project, and args are its arguments.
	path string
	args []string
	// trees are the directories of the project with generated packages.
	trees []string
}

// TestScript runs the script of a small project with code-generator's kube_codegen.sh and with ours.
func TestScript(t *testing.T) {
	var projects []string
	for _, maker := range []string{upstream, ours} {
		dir := workDir(t, "script", maker)
		if err := os.CopyFS(dir, os.DirFS(filepath.Join("testdata", "script"))); err != nil {
			t.Fatal(err)
		}
		if err := modules.Write(dir, "example.test/project"); err != nil {
			t.Fatal(err)
		}
		projects = append(projects, dir)
	}
	s := script{path: "hack/update-codegen.sh", trees: []string{"pkg/generated"}}
	s.compare(t, "example.test/project", projects[0], projects[1], projects[0])
}

// compare runs the script in two copies of a project, in one as it is for code-generator, in the other
// with the line that sources kube_codegen.sh changed to ours, and compares the results: the names of
// all files, the API of trees, and the text of what is generated into other packages. The trees are
// checked in a module that requires their imports. It returns the size of the trees.
func (s script) compare(t *testing.T, module, theirDir, ourDir, checkDir string) size {
	t.Helper()
	root, err := peers.Root()
	if err != nil {
		t.Fatal(err)
	}
	s.run(t, upstream, theirDir, codeGenerator(t))
	s.run(t, ours, ourDir, root)

	theirs, our := projectFiles(t, theirDir), projectFiles(t, ourDir)
	same := 0
	for _, name := range theirs {
		if !slices.Contains(our, name) {
			t.Errorf("%s: only code-generator's script leaves this file", name)
			continue
		}
		if equal, why := s.equal(name, theirDir, ourDir); !equal {
			t.Errorf("%s: the results differ%s", name, why)
		}
		same++
	}
	for _, name := range our {
		if !slices.Contains(theirs, name) {
			t.Errorf("%s: only our script leaves this file", name)
		}
	}
	var all size
	for _, dir := range s.trees {
		pkg := path.Join(module, dir)
		their := mustParse(t, upstream, filepath.Join(theirDir, dir), pkg)
		our := mustParse(t, ours, filepath.Join(ourDir, dir), pkg)
		check(t, checkDir, their, our)
		report(t, "scripts/"+s.path, their, our)
		for _, api := range our.api.Packages {
			all.packages++
			all.symbols += len(api)
		}
	}
	t.Logf("%d files", same)
	return all
}

// size is the size of generated trees.
type size struct{ packages, symbols int }

// equal reports whether a file is equal in two directories, as far as its text counts, and how it
// differs.
func (s script) equal(name, theirDir, ourDir string) (bool, string) {
	their, theirErr := os.ReadFile(filepath.Join(theirDir, name))
	our, ourErr := os.ReadFile(filepath.Join(ourDir, name))
	if err := errors.Join(theirErr, ourErr); err != nil {
		return false, ": " + err.Error()
	}
	if bytes.Equal(their, our) || name == s.path {
		return true, ""
	}
	if slices.ContainsFunc(s.trees, func(tree string) bool { return strings.HasPrefix(name, tree+"/") }) {
		return true, "" // the API is compared
	}
	if path.Ext(name) != ".go" {
		return false, ""
	}
	code := normal.File
	if path.Base(name) == model.RegisterFile {
		code = normal.Registration
	}
	a, theirErr := code(their)
	b, ourErr := code(our)
	if err := errors.Join(theirErr, ourErr); err != nil {
		return false, ": " + err.Error()
	}
	return bytes.Equal(a, b), " in more than names of imports"
}

// sourceLine matches the line that reads kube_codegen.sh.
var sourceLine = regexp.MustCompile(`(?m)^\s*(source|\.)\s+.*(kube_codegen\.sh|TARGET_SCRIPT).*$`)

// run runs the script with the kube_codegen.sh of a directory.
func (s script) run(t *testing.T, maker, dir, codegen string) {
	t.Helper()
	file := filepath.Join(dir, filepath.FromSlash(s.path))
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(sourceLine.FindAll(text, -1)); n != 1 {
		t.Fatalf("%s has %d lines that source kube_codegen.sh", s.path, n)
	}
	text = sourceLine.ReplaceAllLiteral(text, fmt.Appendf(nil, "source %q", filepath.Join(codegen, "kube_codegen.sh")))
	if err = os.WriteFile(file, text, 0o777); err != nil {
		t.Fatal(err)
	}
	bin, err := peers.Work("bin", "scripts")
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	cmd := exec.Command("bash", append([]string{s.path}, s.args...)...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, &out
	gopath := strings.TrimSpace(goTool(t, ".", "env", "GOPATH"))
	// code-generator's script installs its tools.
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOPATH="+gopath, "GOBIN="+bin, "PATH="+bin+string(filepath.ListSeparator)+os.Getenv("PATH"),
		// Kubernetes' own scripts fail for violations of API rules unless they update this list.
		"API_KNOWN_VIOLATIONS_DIR="+t.TempDir(), "UPDATE_API_KNOWN_VIOLATIONS=true")
	start := time.Now()
	err = cmd.Run()
	if err != nil {
		t.Fatalf("%s: %v\n%s", maker, err, out.String())
	}
	state := cmd.ProcessState
	t.Logf("%s: %.1f s, CPU %.1f s", maker, time.Since(start).Seconds(), (state.UserTime() + state.SystemTime()).Seconds())
}

// codeGenerator returns the directory of code-generator.
func codeGenerator(t *testing.T) string {
	t.Helper()
	return strings.TrimSpace(goTool(t, ".", "list", "-m", "-f", "{{.Dir}}", "k8s.io/code-generator"))
}

// projectFiles returns the names of the files in a directory, except those of git.
func projectFiles(t *testing.T, dir string) []string {
	t.Helper()
	var names []string
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && entry.Name() == ".git":
			return fs.SkipDir
		case entry.Type().IsRegular():
			names = append(names, name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}
