// Package load finds Go packages and parses their files on demand. It does not type-check,
// compile or download anything.
//
// A [Loader] finds packages; a [Package] is one of them, with its files read but not yet
// parsed; a [Type] is a type declaration with the comments above it.
//
// Because nothing is type-checked, load can read packages that do not compile yet, and
// modules whose dependencies are not on disk. It resolves names through syntax: the file's
// imports, then the package's declarations.
//
// # What is read
//
// One go list per module, run in that module, finds the names and files of packages, so directories can be given
// from anywhere. All files are read. Parsed are doc.go, files that contain the word genclient or a possible near
// miss of a marker, and files that a later lookup needs. A lookup, of the list type of a kind or the struct behind
// an alias, first checks whether the text could declare the name: so the large generated files of an API package are
// rarely parsed. An import is followed, by another go list, only if a definition, an alias, an instance of a generic
// type or an embedded struct requires it. A package that cannot be read is no error: checks that need it are skipped.
// [Config].Ahead also finds a package of apimachinery and of the standard library; the other packages of their
// modules are found by their directories.
//
// As in gengo, the comments of a type are the comment that ends on the line before it and the comment that ends two
// lines before that one.
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

// ErrNotFound is wrapped by the errors for packages that do not exist.
var ErrNotFound = errors.New("package not found")

// Config configures a Loader.
type Config struct {
	// Dir is the absolute path of the directory in which patterns are resolved.
	Dir string
	// BuildTags select files, as "go build -tags" does.
	BuildTags []string
	// Ahead maps modules to one of their packages each. Load finds it together with the
	// packages that it is asked for, if their go.mod file mentions the module; after that, all
	// packages of the module, and of the standard library, are found without the go command.
	Ahead map[string]string
	// Diags receives the errors in the files.
	Diags *diag.List
	// ReadFile reads a file; nil for [os.ReadFile].
	ReadFile func(name string) ([]byte, error)
	// Find returns the package with an import path, or nil to find it with the go command; nil
	// to find all packages with it.
	Find func(path string) (*Source, error)
}

// Source is a package that is found without the go command.
type Source struct {
	Path, Name string
	Module     Module
	// Files are the absolute names of its files, and Excluded of those that build constraints
	// exclude. There is at least one of the former.
	Files, Excluded []string
}

// Loader finds packages.
type Loader struct {
	ctx context.Context
	cfg Config

	fset *token.FileSet

	mu       sync.Mutex // guards the fields below
	pkgs     map[string]*Package
	failed   map[string]error // the import paths that could not be read
	places   map[place]bool
	modules  map[string]*packages.Module // those in places, by directory
	excluded []string
}

// New returns a Loader. Its methods fail once ctx is done.
func New(ctx context.Context, cfg Config) *Loader {
	if cfg.ReadFile == nil {
		cfg.ReadFile = os.ReadFile
	}
	return &Loader{
		ctx: ctx, cfg: cfg, fset: token.NewFileSet(),
		pkgs: map[string]*Package{}, failed: map[string]error{},
		places: map[place]bool{}, modules: map[string]*packages.Module{},
	}
}

// Load returns the packages that match the patterns, sorted by import path. A
// pattern is an import path or a directory, absolute or starting with a dot, and can
// contain "...". A directory can be in any module; import paths are resolved in the module
// of the configured directory. A pattern without matches is an error.
func (l *Loader) Load(patterns ...string) ([]*Package, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	result := map[string]*Package{}
	for _, q := range queries(l.cfg.Dir, patterns) {
		ahead := l.ahead(q)
		found, err := l.list(q.dir, append(ahead, q.patterns...))
		if err != nil {
			return nil, err
		}
		for _, p := range found {
			l.learn(p, q.dir)
			if slices.Contains(ahead, p.PkgPath) {
				continue // kept when it is imported
			}
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

// Excluded returns the files that build constraints exclude from the packages that match the
// patterns of Load.
func (l *Loader) Excluded() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.excluded)
}

// Package returns the package with an import path, resolved in the configured directory, or an
// error that wraps [ErrNotFound].
func (l *Loader) Package(path string) (*Package, error) { return l.find(l.cfg.Dir, path) }

// find returns the package with an import path, resolved in dir, or an error that wraps
// [ErrNotFound].
func (l *Loader) find(dir, path string) (*Package, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if p := l.pkgs[path]; p != nil {
		return p, nil
	}
	if err := l.failed[path]; err != nil {
		return nil, err
	}
	if p, err := l.known(path); p != nil || err != nil {
		return p, err
	}
	if p := l.nearby(dir, path); p != nil {
		return l.keep(p, dir), nil
	}
	found, err := l.list(dir, []string{path})
	if err != nil {
		return nil, err
	}
	for _, p := range found {
		if p.PkgPath == path && len(p.GoFiles) > 0 {
			l.learn(p, dir)
			return l.keep(p, dir), nil
		}
	}
	l.failed[path] = notFound(path)
	return nil, l.failed[path]
}

func notFound(path string) error { return fmt.Errorf("%s: %w", path, ErrNotFound) }

// known returns the package with an import path that is found without the go command, or nil. The
// caller holds l.mu.
func (l *Loader) known(path string) (*Package, error) {
	if l.cfg.Find == nil {
		return nil, nil
	}
	src, err := l.cfg.Find(path)
	if err != nil {
		l.failed[path] = err
		return nil, err
	}
	if src == nil {
		return nil, nil
	}
	return l.keep(&packages.Package{PkgPath: src.Path, Name: src.Name, GoFiles: src.Files, IgnoredFiles: src.Excluded, Module: &packages.Module{
		Path: src.Module.Path, Dir: src.Module.Dir, Main: src.Module.Main,
	}}, l.cfg.Dir), nil
}

// list runs the go command in dir to get only the names and files of packages.
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

// said returns the output of the failed go command as an error on one line.
func said(err error) error {
	_, text, found := strings.Cut(err.Error(), "stderr: ")
	if !found {
		return err
	}
	return errors.New(oneLine(text))
}

// oneLine returns a message of the go command on one line, without the command name.
func oneLine(text string) string {
	text = strings.ReplaceAll(strings.TrimSpace(text), "\n\t", " ")
	return strings.ReplaceAll(strings.TrimPrefix(text, "go: "), "\n", " ")
}

// missing returns the reason why a requested package has no files, or nil if build
// constraints exclude them all.
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
			hint = "; for the packages below it, use " + p.PkgPath + "/..."
		case strings.Contains(p.PkgPath, "*"):
			hint = "; for all packages below a directory, use ./directory/..."
		case !inModule && strings.Contains(e.Msg, "main module"):
			return fmt.Errorf("%w: no go.mod in %s or its parents; run in the module of the API packages, or create one with go mod init", ErrNotFound, dir)
		case strings.Contains(e.Msg, "is not in std") && err == nil && info.IsDir():
			hint = "; for the directory, use ./" + p.PkgPath
		}
		if p.PkgPath == "command-line-arguments" {
			name = "" // not a name that the user passed
		}
		return fmt.Errorf("%s%w: %s%s", name, ErrNotFound, oneLine(e.Msg), hint)
	}
	return nil
}

// keep caches a package that was found from a directory. The caller holds l.mu.
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
		if filepath.Ext(name) == ".go" && !strings.HasSuffix(name, "_test.go") {
			pkg.excluded = append(pkg.excluded, &file{pkg: pkg, name: name})
		}
	}
	l.pkgs[p.PkgPath] = pkg
	return pkg
}

// Module is the module of a package; the zero Module means none.
type Module struct {
	Path string
	Dir  string
	// Main reports whether it is a main module, as opposed to a dependency.
	Main bool
}
