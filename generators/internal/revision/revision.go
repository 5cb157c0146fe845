// Package revision finds and reads the Go packages of a git commit, without a checkout.
//
// A [Tree] is the tree of a commit of the repository that contains a directory. Its files have the names
// that they would have if they were checked out there. [Tree.Packages] returns the packages that match
// patterns, for [load.Config]; with [Tree.ReadFile] and [Tree.Find], a loader reads the commit's
// packages from git, and all others from disk: the dependencies are those of today.
//
// A Tree is safe for concurrent use.
package revision

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/build"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"golang.org/x/mod/modfile"

	"github.com/listwatch/listwatch/generators/internal/load"
)

// ErrNotFound reports that a revision is not a commit.
var ErrNotFound = errors.New("commit not found")

// Tree is the tree of a commit.
type Tree struct {
	ctx context.Context
	// Ref is the name under which the commit was requested, and Root the directory of the
	// repository.
	Ref, Root string
	tags      []string

	blobs map[string]string // the IDs of go.mod and Go files, by slash-separated path below Root

	mu    sync.Mutex        // guards texts
	texts map[string][]byte // by blob
}

// Open returns the tree of a commit of the repository that contains dir. Tags select files, as "go
// build -tags" does.
func Open(ctx context.Context, dir, ref string, tags []string) (*Tree, error) {
	t := &Tree{ctx: ctx, Ref: ref, tags: tags, blobs: map[string]string{}, texts: map[string][]byte{}}
	root, err := t.git(dir, nil, "rev-parse", "--show-toplevel")
	if err != nil {
		return nil, err
	}
	t.Root = strings.TrimRight(string(root), "\r\n")
	commit, err := t.git(t.Root, nil, "rev-parse", "--verify", "--quiet", "--end-of-options", ref+"^{commit}")
	if err != nil {
		return nil, fmt.Errorf("%s: %w; in CI, fetch it first, as with fetch-depth: 0", ref, ErrNotFound)
	}
	files, err := t.git(t.Root, nil, "ls-tree", "-r", "-z", "--full-tree", strings.TrimSpace(string(commit)))
	if err != nil {
		return nil, err
	}
	for entry := range bytes.SplitSeq(files, []byte{0}) {
		info, name, _ := strings.Cut(string(entry), "\t")
		fields := strings.Fields(info) // mode, type, ID
		if len(fields) == 3 && fields[1] == "blob" && (path.Ext(name) == ".go" && !strings.HasSuffix(name, "_test.go") || path.Base(name) == "go.mod") {
			t.blobs[name] = fields[2]
		}
	}
	return t, nil
}

// git runs a command of git in a directory.
func (t *Tree) git(dir string, stdin io.Reader, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(t.ctx, "git", args...)
	cmd.Dir, cmd.Stdin = dir, stdin
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		if text := strings.TrimSpace(stderr.String()); text != "" {
			err = errors.New(text)
		}
		return nil, fmt.Errorf("git %s: %w", args[0], err)
	}
	return out, nil
}

// name returns the path below the root of a file, and whether it is below it.
func (t *Tree) name(file string) (string, bool) {
	rel, err := filepath.Rel(t.Root, file)
	return filepath.ToSlash(rel), err == nil && filepath.IsLocal(rel)
}

// ReadFile returns the text of a file of the commit, or of one elsewhere on disk.
func (t *Tree) ReadFile(file string) ([]byte, error) {
	name, below := t.name(file)
	if !below {
		return os.ReadFile(file)
	}
	blob, ok := t.blobs[name]
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: file, Err: fs.ErrNotExist}
	}
	if err := t.fetch([]string{name}); err != nil {
		return nil, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.texts[blob], nil
}

// fetch reads files from git in one run.
func (t *Tree) fetch(names []string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	var missing []string
	for _, name := range names {
		if blob := t.blobs[name]; t.texts[blob] == nil && !slices.Contains(missing, blob) {
			missing = append(missing, blob)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	out, err := t.git(t.Root, strings.NewReader(strings.Join(missing, "\n")+"\n"), "cat-file", "--batch")
	if err != nil {
		return err
	}
	r := bufio.NewReader(bytes.NewReader(out))
	for range missing {
		var blob, kind string
		var size int
		if _, err := fmt.Fscanf(r, "%s %s %d\n", &blob, &kind, &size); err != nil {
			return fmt.Errorf("git cat-file: unexpected output: %w", err)
		}
		text := make([]byte, size+1) // with the newline after it
		if _, err := io.ReadFull(r, text); err != nil {
			return fmt.Errorf("git cat-file: %w", err)
		}
		t.texts[blob] = text[:size]
	}
	return nil
}

// Module returns the path of the module of a directory and its root below [Tree.Root].
func (t *Tree) Module(dir string) (modulePath, root string, ok bool) {
	for ; ; dir = path.Dir(dir) {
		name := path.Join(dir, "go.mod")
		if t.blobs[name] != "" {
			text, err := t.ReadFile(filepath.Join(t.Root, filepath.FromSlash(name)))
			return modfile.ModulePath(text), dir, err == nil
		}
		if dir == "." || dir == "/" {
			return "", "", false
		}
	}
}

// Packages returns the import paths of the packages that match the patterns, which are resolved in dir:
// directories as for "go list", or import paths of the module of dir.
func (t *Tree) Packages(dir string, patterns []string) ([]string, error) {
	from, below := t.name(dir)
	if !below {
		return nil, fmt.Errorf("%s is not in the repository %s", dir, t.Root)
	}
	found := map[string]bool{}
	for _, pattern := range patterns {
		start, recursive, err := t.directory(from, pattern)
		if err != nil {
			return nil, err
		}
		_, module, _ := t.Module(start)
		var names []string
		for name := range t.blobs {
			d := path.Dir(name)
			below := recursive && (start == "." || strings.HasPrefix(d, start+"/"))
			if path.Ext(name) != ".go" || d != start && !below || skipped(d, start) {
				continue
			}
			if _, root, ok := t.Module(d); ok && root == module {
				names = append(names, name)
			}
		}
		if err := t.fetch(names); err != nil {
			return nil, err
		}
		for _, name := range names {
			if p, ok := t.importPath(path.Dir(name)); ok {
				found[p] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(found)), nil
}

// directory returns the directory below the root that a pattern means, and whether it includes those
// below it.
func (t *Tree) directory(from, pattern string) (dir string, recursive bool, err error) {
	pattern = filepath.ToSlash(pattern)
	rest, recursive := strings.CutSuffix(pattern, "/...")
	switch {
	case strings.Contains(rest, "..."):
		return "", false, fmt.Errorf("pattern %s: a comparison takes ... at the end only", pattern)
	case rest == "." || rest == ".." || strings.HasPrefix(rest, "./") || strings.HasPrefix(rest, "../"):
		return path.Join(from, rest), recursive, nil
	case filepath.IsAbs(filepath.FromSlash(rest)):
		if name, below := t.name(filepath.FromSlash(rest)); below {
			return name, recursive, nil
		}
	default:
		if module, root, ok := t.Module(from); ok {
			if below, found := strings.CutPrefix(rest+"/", module+"/"); found {
				return path.Join(root, below), recursive, nil
			}
		}
	}
	return "", false, fmt.Errorf("pattern %s: not in the repository %s", pattern, t.Root)
}

// skipped reports whether "..." does not match a directory.
func skipped(dir, start string) bool {
	rest := strings.TrimPrefix(strings.TrimPrefix(dir, start), "/")
	if start == "." {
		rest = dir
	}
	for element := range strings.SplitSeq(rest, "/") {
		if element == "testdata" || element == "vendor" || len(element) > 1 && (element[0] == '.' || element[0] == '_') {
			return true
		}
	}
	return false
}

// importPath returns the import path of the package in a directory.
func (t *Tree) importPath(dir string) (string, bool) {
	module, root, ok := t.Module(dir)
	if root != "." {
		dir = strings.TrimPrefix(dir, root)
	}
	return path.Join(module, dir), ok
}

// Find returns the package with an import path if it is in a module of the commit whose path is a prefix
// of it, and nil otherwise. It is for [load.Config].
func (t *Tree) Find(importPath string) (*load.Source, error) {
	for name := range t.blobs {
		if path.Base(name) != "go.mod" {
			continue
		}
		module, root, _ := t.Module(path.Dir(name))
		if rest, ok := strings.CutPrefix(importPath+"/", module+"/"); ok {
			if src := t.source(importPath, module, root, path.Join(root, rest)); src != nil {
				return src, nil
			}
		}
	}
	return nil, nil
}

// source returns the package in a directory, or nil if it has no files.
func (t *Tree) source(importPath, module, root, dir string) *load.Source {
	if _, of, _ := t.Module(dir); of != root {
		return nil
	}
	src := &load.Source{Path: importPath, Module: load.Module{Path: module, Dir: filepath.Join(t.Root, filepath.FromSlash(root)), Main: true}}
	var names []string
	for name := range t.blobs {
		if path.Dir(name) == dir && path.Ext(name) == ".go" {
			names = append(names, name)
		}
	}
	if t.fetch(names) != nil {
		return nil
	}
	slices.Sort(names)
	ctx := build.Default
	ctx.BuildTags = t.tags
	ctx.OpenFile = func(name string) (io.ReadCloser, error) {
		text, err := t.ReadFile(name)
		return io.NopCloser(bytes.NewReader(text)), err
	}
	for _, name := range names {
		file := filepath.Join(t.Root, filepath.FromSlash(name))
		if match, err := ctx.MatchFile(filepath.Dir(file), filepath.Base(file)); err != nil || !match {
			src.Excluded = append(src.Excluded, file)
			continue
		}
		src.Files = append(src.Files, file)
		if src.Name == "" {
			text, _ := t.ReadFile(file) // fetched above
			if syntax, err := parser.ParseFile(token.NewFileSet(), file, text, parser.PackageClauseOnly); err == nil {
				src.Name = syntax.Name.Name
			}
		}
	}
	if len(src.Files) == 0 {
		return nil
	}
	return src
}
