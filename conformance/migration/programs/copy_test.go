//go:build programs

package programs_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/semver"

	"github.com/listwatch/listwatch/conformance/internal/peers"
	"github.com/listwatch/listwatch/internal/testcase"
)

// clientGo is the version of client-go, and of the modules that are released with it.
const clientGo = "v0.37.2"

// goCommand runs the go command in dir and returns what it prints.
func goCommand(dir string, args ...string) ([]byte, error) {
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	out, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		err = fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, exit.Stderr)
	}
	return out, err
}

// copy copies the module to dir, without what it vendors, unless it is there already.
func (m module) copy(t *testing.T, dir string) {
	t.Helper()
	if _, err := os.Stat(dir); err == nil {
		return
	}
	text, err := goCommand(t.TempDir(), "mod", "download", "-json", m.path+"@"+m.version)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	var downloaded struct{ Dir string }
	if err = json.Unmarshal(text, &downloaded); err != nil {
		t.Fatal(err)
	}
	err = filepath.WalkDir(downloaded.Dir, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(downloaded.Dir, name)
		if err != nil {
			return err
		}
		to := filepath.Join(dir, rel)
		switch {
		case entry.IsDir() && rel == "vendor":
			return fs.SkipDir
		case entry.IsDir():
			return os.MkdirAll(to, 0o755)
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		return os.WriteFile(to, text, 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// released reports whether a module is released with client-go, under the same versions.
func released(path, version string) bool {
	return strings.HasPrefix(path, "k8s.io/") && path != "k8s.io/klog" && semver.Major(version) == "v0" && semver.MajorMinor(version) != "v0.0"
}

// require raises what the module in dir requires to client-go's version, removes replacements by
// directories, which the module proxy lacks, and adds replacements by path.
func require(t *testing.T, dir string, with []module, replace map[string]string) {
	t.Helper()
	name := filepath.Join(dir, "go.mod")
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	file, err := modfile.Parse(name, text, nil)
	if err != nil {
		t.Fatal(err)
	}
	var errs []error
	for _, r := range slices.Clone(file.Replace) {
		if r.New.Version == "" || released(r.New.Path, r.New.Version) {
			errs = append(errs, file.DropReplace(r.Old.Path, r.Old.Version))
		}
	}
	for _, r := range slices.Clone(file.Require) {
		if released(r.Mod.Path, r.Mod.Version) {
			errs = append(errs, file.AddRequire(r.Mod.Path, clientGo))
		}
	}
	for _, m := range with {
		if slices.ContainsFunc(file.Require, func(r *modfile.Require) bool { return r.Mod.Path == m.path }) {
			errs = append(errs, file.AddRequire(m.path, m.version))
		}
	}
	for path, to := range replace {
		errs = append(errs, file.AddReplace(path, "", to, ""))
	}
	file.Cleanup()
	text, err = file.Format()
	if err = errors.Join(append(errs, err)...); err != nil {
		t.Fatal(err)
	}
	if err = os.WriteFile(name, text, 0o644); err != nil {
		t.Fatal(err)
	}
}

// ours are the replacements of this module and its nested ones by their directories.
func ours(t *testing.T) map[string]string {
	t.Helper()
	root, err := peers.Root()
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{testcase.Module: root}
	for _, nested := range []string{"clientgo", "kubernetes", "streaming"} {
		all[testcase.Module+"/"+nested] = filepath.Join(root, nested)
	}
	return all
}
