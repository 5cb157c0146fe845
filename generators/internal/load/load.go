// Package load finds Go packages and reads their syntax, and no more than is asked
// for: nothing is type-checked, compiled or downloaded, and a file is parsed
// only when something in it is looked up.
//
// A [Loader] finds packages; a [Package] is one of them, its files read but not
// yet parsed; a [Type] is a type declaration with the comments above it.
//
// Because nothing is type-checked, packages that do not compile yet and modules
// whose dependencies are not on disk can be read. What a name means is resolved
// through syntax: the file's imports, then the package's declarations.
//
// A Loader and its packages are safe for concurrent use.
package load

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/packages"

	"github.com/listwatch/listwatch/generators/internal/diag"
)

// ErrNotFound is wrapped by the errors for packages that are not there.
var ErrNotFound = errors.New("package not found")

// Config says from where and how packages are read.
type Config struct {
	// Dir is the folder in which patterns are resolved, absolute.
	Dir string
	// BuildTags are set while files are chosen, as by "go build -tags".
	BuildTags []string
	// Diags takes the faults in what is read.
	Diags *diag.List
}

// Loader finds packages.
type Loader struct {
	ctx context.Context
	cfg Config

	fset *token.FileSet

	mu       sync.Mutex // guards what follows
	pkgs     map[string]*Package
	failed   map[string]error // the import paths that could not be read
	excluded []string
}

// New returns a Loader. Once ctx is done its methods fail.
func New(ctx context.Context, cfg Config) *Loader {
	return &Loader{ctx: ctx, cfg: cfg, fset: token.NewFileSet(), pkgs: map[string]*Package{}, failed: map[string]error{}}
}

// Load returns the packages that match the patterns, sorted by import path. A
// pattern is an import path or a folder, absolute or starting with a dot, and
// may hold "...". A folder may be in any module; an import path is meant in the
// module of the configured folder. A pattern that names nothing is an error.
func (l *Loader) Load(patterns ...string) ([]*Package, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	result := map[string]*Package{}
	for _, q := range queries(l.cfg.Dir, patterns) {
		found, err := l.list(q.dir, q.patterns)
		if err != nil {
			return nil, err
		}
		for _, p := range found {
			l.excluded = append(l.excluded, p.IgnoredFiles...)
			if len(p.GoFiles) == 0 {
				if err := missing(q.dir, p); err != nil {
					return nil, err
				}
				continue
			}
			result[p.PkgPath] = l.keep(p, q.dir)
		}
	}
	return slices.SortedFunc(maps.Values(result), func(a, b *Package) int {
		return strings.Compare(a.Path, b.Path)
	}), nil
}

// Excluded returns the files in the folders of the packages that Load returned or left
// out, which build constraints exclude.
func (l *Loader) Excluded() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.excluded)
}

// find returns the package with an import path as seen from a folder, or an error that
// wraps [ErrNotFound].
func (l *Loader) find(dir, path string) (*Package, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if p := l.pkgs[path]; p != nil {
		return p, nil
	}
	if err := l.failed[path]; err != nil {
		return nil, err
	}
	found, err := l.list(dir, []string{path})
	if err != nil {
		return nil, err
	}
	for _, p := range found {
		if p.PkgPath == path && len(p.GoFiles) > 0 {
			return l.keep(p, dir), nil
		}
	}
	l.failed[path] = fmt.Errorf("%s: %w", path, ErrNotFound)
	return nil, l.failed[path]
}

// list asks the go command, in a folder, for names and files and nothing else.
func (l *Loader) list(dir string, patterns []string) ([]*packages.Package, error) {
	cfg := &packages.Config{
		Context: l.ctx,
		Dir:     dir,
		Mode:    packages.NeedName | packages.NeedFiles | packages.NeedModule,
	}
	if len(l.cfg.BuildTags) > 0 {
		cfg.BuildFlags = []string{"-tags=" + strings.Join(l.cfg.BuildTags, ",")}
	}
	found, err := packages.Load(cfg, patterns...)
	if err != nil {
		return nil, fmt.Errorf("find packages: %w", cmp.Or(l.ctx.Err(), said(err)))
	}
	return found, nil
}

// said returns what the go command printed before it failed, on one line.
func said(err error) error {
	_, text, found := strings.Cut(err.Error(), "stderr: ")
	if !found {
		return err
	}
	return errors.New(oneLine(text))
}

// oneLine returns a message of the go command on one line, without the command's name.
func oneLine(text string) string {
	text = strings.ReplaceAll(strings.TrimSpace(text), "\n\t", " ")
	return strings.ReplaceAll(strings.TrimPrefix(text, "go: "), "\n", " ")
}

// missing says why a package that was asked for in a folder has no files, or nil if
// that is nobody's fault: build constraints left none.
func missing(dir string, p *packages.Package) error {
	for _, e := range p.Errors {
		if strings.Contains(e.Msg, "build constraints exclude all Go files") {
			continue
		}
		name, hint := p.PkgPath+": ", ""
		_, inModule := ModuleRoot(dir)
		info, err := os.Stat(filepath.Join(dir, p.PkgPath))
		switch {
		case strings.Contains(e.Msg, "no Go files in"):
			hint = "; for the packages below it, give " + p.PkgPath + "/..."
		case strings.Contains(p.PkgPath, "*"):
			hint = "; for all packages below a folder, write ./folder/..."
		case !inModule && strings.Contains(e.Msg, "main module"):
			return fmt.Errorf("%w: no go.mod in %s or its parents; run in the module of the API packages, or create one with go mod init", ErrNotFound, dir)
		case strings.Contains(e.Msg, "is not in std") && err == nil && info.IsDir():
			hint = "; for the folder, give ./" + p.PkgPath
		}
		if p.PkgPath == "command-line-arguments" {
			name = "" // the go command's name for nothing that was asked for
		}
		return fmt.Errorf("%s%w: %s%s", name, ErrNotFound, oneLine(e.Msg), hint)
	}
	return nil
}

// keep remembers a package that was found from a folder. The caller holds l.mu.
func (l *Loader) keep(p *packages.Package, from string) *Package {
	if known := l.pkgs[p.PkgPath]; known != nil {
		return known
	}
	pkg := &Package{Path: p.PkgPath, Name: p.Name, Dir: filepath.Dir(p.GoFiles[0]), loader: l, from: from}
	if m := p.Module; m != nil {
		pkg.Module = Module{Path: m.Path, Dir: m.Dir, Main: m.Main}
	}
	for _, e := range p.Errors {
		if i := strings.Index(e.Msg, "found packages "); i >= 0 {
			pkg.Mixed, _, _ = strings.Cut(e.Msg[i+len("found packages "):], " in ")
		}
	}
	for _, name := range p.GoFiles {
		pkg.files = append(pkg.files, &file{pkg: pkg, name: name})
	}
	for _, name := range p.IgnoredFiles {
		if filepath.Ext(name) == ".go" {
			pkg.excluded = append(pkg.excluded, &file{pkg: pkg, name: name})
		}
	}
	l.pkgs[p.PkgPath] = pkg
	return pkg
}

// Module is the module that a package belongs to; the zero Module is none.
type Module struct {
	Path string
	Dir  string
	// Main says that it is one of the modules being worked on, not a dependency.
	Main bool
}
