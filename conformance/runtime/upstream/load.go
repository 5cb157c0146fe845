package upstream

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/tools/go/packages"

	"github.com/listwatch/listwatch/internal/migration"
)

const (
	clientGo = "k8s.io/client-go"
	module   = "github.com/listwatch/listwatch/"
	// below is the import path that the go command gets for packages. The directory does not exist.
	below = module + "conformance/runtime/upstream/rewritten/"
)

// workspace contains the directories that the go command needs to compile rewritten packages.
type workspace struct {
	module   string // the directory of the module that requires both sides
	dir      string // a temporary directory
	clientGo string // the directory of client-go's source
	standIns string // the directory of files that replace unexported parts of client-go
	compat   bool   // run with client-go's behavior
}

// open finds client-go, and writes a go.mod that also requires what client-go's tests require.
func open(module, standIns, dir string) (*workspace, error) {
	w := &workspace{module: module, dir: dir, standIns: standIns}
	out, err := w.goCommand("list", "-m", "-json", clientGo)
	if err != nil {
		return nil, err
	}
	var found struct{ Dir string }
	if err := json.Unmarshal(out, &found); err != nil {
		return nil, fmt.Errorf("go list -m -json %s: %w", clientGo, err)
	}
	if found.Dir == "" {
		return nil, fmt.Errorf("the source of %s is not there: run go mod download %s", clientGo, clientGo)
	}
	w.clientGo = found.Dir
	if err := w.require(); err != nil {
		return nil, fmt.Errorf("require the modules of client-go's tests: %w", err)
	}
	return w, nil
}

// require writes go.mod and go.sum: the module's, with the additional requirements of client-go.
func (w *workspace) require() error {
	ours, err := parseMod(w.module)
	if err != nil {
		return err
	}
	theirs, err := parseMod(w.clientGo)
	if err != nil {
		return err
	}
	required := map[string]bool{}
	for _, r := range ours.Require {
		required[r.Mod.Path] = true
	}
	for _, r := range theirs.Require {
		if !required[r.Mod.Path] {
			ours.AddNewRequire(r.Mod.Path, r.Mod.Version, r.Indirect)
		}
	}
	text, err := ours.Format()
	if err != nil {
		return err
	}
	var sums []byte
	for _, dir := range []string{w.module, w.clientGo} {
		sum, err := os.ReadFile(filepath.Join(dir, "go.sum"))
		if err != nil {
			return err
		}
		sums = append(sums, sum...)
	}
	return errors.Join(
		os.WriteFile(filepath.Join(w.dir, "go.mod"), text, 0o666),
		os.WriteFile(filepath.Join(w.dir, "go.sum"), sums, 0o666))
}

func parseMod(dir string) (*modfile.File, error) {
	name := filepath.Join(dir, "go.mod")
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return modfile.Parse(name, text, nil)
}

func (w *workspace) modFlag() string { return "-modfile=" + filepath.Join(w.dir, "go.mod") }

// goCommand runs the go command in the module and returns its output.
func (w *workspace) goCommand(args ...string) ([]byte, error) {
	var out, complaint bytes.Buffer
	cmd := exec.Command("go", args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = w.module, &out, &complaint
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, complaint.Bytes())
	}
	return out.Bytes(), nil
}

// rewriteAll rewrites the tests of packages with a counterpart in the runtime, and the whole
// packages, and drops what does not compile.
func (w *workspace) rewriteAll(whole []string, emitted map[string]string) ([]*rewritten, error) {
	stands := map[string]string{}
	for _, pair := range migration.Pairs {
		stands[pair.Theirs] = module + pair.Ours[0]
	}
	replace := func(path string) string {
		theirs, ok := strings.CutPrefix(path, clientGo+"/")
		switch {
		case !ok:
			return path
		case stands[theirs] != "":
			return stands[theirs]
		case emitted[theirs] != "":
			return module + emitted[theirs]
		case slices.Contains(whole, theirs):
			return importPath(theirs)
		}
		return path
	}
	c := &checker{
		fset: token.NewFileSet(), compiled: map[string]*types.Package{"unsafe": types.Unsafe},
		whole: map[string]*rewritten{}, checked: map[string]*types.Package{},
	}
	var all []*rewritten
	add := func(path, ours string) error {
		r, err := rewrite(c.fset, w.clientGo, path, ours, replace)
		if err != nil || len(r.sources) == 0 {
			return err
		}
		all = append(all, r)
		text, err := os.ReadFile(filepath.Join(w.standIns, filepath.Base(importPath(path))+".go"))
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return cmp.Or(err, r.standIn(text))
	}
	for path, ours := range stands {
		if err := add(path, ours); err != nil {
			return nil, err
		}
	}
	for _, path := range whole {
		if err := add(path, ""); err != nil {
			return nil, err
		}
		c.whole[importPath(path)] = all[len(all)-1]
	}
	slices.SortFunc(all, func(a, b *rewritten) int { return strings.Compare(a.path, b.path) })
	if err := w.compile(c, all); err != nil {
		return nil, err
	}
	for _, r := range all {
		r.tests = Tests{Internal: map[string]string{}}
		for name, sources := range r.sources {
			kept, lost, err := prune(c.fset, sources, func(files []*ast.File) []types.Error {
				_, faults := c.check(importPath(r.path)+"."+name, files)
				return faults
			})
			if err != nil {
				return nil, fmt.Errorf("%s: %w", r.path, err)
			}
			r.tests.Same = append(r.tests.Same, kept...)
			for test, lacks := range lost {
				r.tests.Internal[test] = strings.Join(lacks, ", ")
			}
		}
		slices.Sort(r.tests.Same)
	}
	return all, nil
}

// compile loads the imports of packages from the compiler's export data. Missing packages are left
// to be reported later, unless they are ours.
func (w *workspace) compile(c *checker, all []*rewritten) error {
	var paths []string
	for _, r := range all {
		paths = append(paths, r.imports()...)
	}
	slices.Sort(paths)
	paths = slices.DeleteFunc(slices.Compact(paths), func(path string) bool { return c.whole[path] != nil || path == "unsafe" })
	loaded, err := packages.Load(&packages.Config{
		Dir:        w.module,
		BuildFlags: []string{w.modFlag()},
		Mode:       packages.NeedName | packages.NeedTypes | packages.NeedImports | packages.NeedExportFile,
	}, paths...)
	if err != nil {
		return err
	}
	for _, pkg := range loaded {
		switch {
		case len(pkg.Errors) == 0:
			c.compiled[pkg.PkgPath] = pkg.Types
		case strings.HasPrefix(pkg.PkgPath, module):
			err = errors.Join(err, fmt.Errorf("load %s: %w", pkg.PkgPath, pkg.Errors[0]))
		}
	}
	return err
}
