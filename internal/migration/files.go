package migration

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/listwatch/listwatch/internal/migration/replacement"
)

// files are the Go files that patterns select, and the nested modules among them that are
// left out.
type files struct {
	paths  []string
	nested []string
	seen   map[string]bool
}

// find finds the files of the patterns, which are directories, with /... for all below, or
// import paths of the module around dir. As for the go command, ... leaves out directories
// named vendor and testdata, those that begin with a dot or underscore, and nested modules.
// Unlike there, build constraints exclude no file.
func find(dir string, patterns []string) (*files, error) {
	found := &files{seen: map[string]bool{}}
	for _, pattern := range patterns {
		top, recursive, err := directory(dir, pattern)
		if err != nil {
			return nil, err
		}
		before := len(found.paths)
		if err := found.walk(top, recursive); err != nil {
			return nil, err
		}
		if len(found.paths) == before && !found.has(top) {
			return nil, fmt.Errorf("%s: no Go files", pattern)
		}
	}
	slices.Sort(found.paths)
	return found, nil
}

// has reports whether a file of the directory was found before.
func (f *files) has(dir string) bool {
	return slices.ContainsFunc(f.paths, func(path string) bool { return isBelow(path, dir) })
}

func isBelow(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

// directory returns the directory of a pattern, and whether those below belong to it.
func directory(dir, pattern string) (top string, recursive bool, err error) {
	rest, recursive := strings.CutSuffix(filepath.ToSlash(pattern), "...")
	if recursive && rest != "" && !strings.HasSuffix(rest, "/") || strings.Contains(rest, "...") {
		return "", false, fmt.Errorf("%s: ... must be the last element", pattern)
	}
	rest = filepath.FromSlash(rest)
	switch {
	case filepath.IsAbs(rest):
		return filepath.Clean(rest), recursive, nil
	case rest == "" || rest == "." || rest == ".." || strings.HasPrefix(rest, "."+string(filepath.Separator)) || strings.HasPrefix(rest, ".."+string(filepath.Separator)):
		return filepath.Join(dir, rest), recursive, nil
	}
	root, mod := moduleOf(dir)
	if mod != nil && mod.Module != nil {
		if below, ok := strings.CutPrefix(filepath.ToSlash(rest)+"/", mod.Module.Mod.Path+"/"); ok {
			return filepath.Join(root, filepath.FromSlash(below)), recursive, nil
		}
	}
	return "", false, fmt.Errorf("no packages match %s; start directories with ./ or /", pattern)
}

// walk adds the Go files of a directory.
func (f *files) walk(top string, recursive bool) error {
	return filepath.WalkDir(top, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case !entry.IsDir():
			return f.add(path)
		case path == top:
			return nil
		case !recursive || ignored(entry.Name()):
			return filepath.SkipDir
		}
		if _, err := os.Stat(filepath.Join(path, "go.mod")); err == nil {
			f.nested = append(f.nested, path)
			return filepath.SkipDir
		}
		return nil
	})
}

func ignored(dir string) bool {
	return dir == "vendor" || dir == "testdata" || strings.HasPrefix(dir, ".") || strings.HasPrefix(dir, "_")
}

// add adds a Go file once, under the path that links lead to, so that links stay links.
func (f *files) add(path string) error {
	if filepath.Ext(path) != ".go" {
		return nil
	}
	path, err := filepath.EvalSymlinks(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // a link to nowhere
	}
	if err != nil {
		return err
	}
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() || f.seen[path] {
		return err
	}
	f.seen[path] = true
	f.paths = append(f.paths, path)
	return nil
}

// moduleOf returns the module around a directory, or nil if there is none that can be read.
func moduleOf(dir string) (root string, mod *modfile.File) {
	for {
		name := filepath.Join(dir, "go.mod")
		if text, err := os.ReadFile(name); err == nil {
			// A go.mod of a newer go command may have lines that are unknown here.
			mod, err := modfile.ParseLax(name, text, nil)
			if err != nil {
				return dir, nil
			}
			return dir, mod
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", nil
		}
		dir = parent
	}
}

// requires reports whether a module requires another.
func requires(mod *modfile.File, path string) bool {
	return mod != nil && slices.ContainsFunc(mod.Require, func(r *modfile.Require) bool { return r.Mod.Path == path })
}

// hasLine reports whether the module in a directory replaces client-go with ours.
func hasLine(root string) bool {
	name := filepath.Join(root, "go.mod")
	text, err := os.ReadFile(name)
	if err != nil {
		return false
	}
	mod, err := modfile.Parse(name, text, nil)
	if err != nil {
		return false
	}
	return slices.ContainsFunc(mod.Replace, func(r *modfile.Replace) bool {
		return r.Old.Path == strings.TrimSuffix(ClientGo, "/") && replacement.IsOurs(r, root)
	})
}
