package cli

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/listwatch/listwatch/generators"
	"github.com/listwatch/listwatch/internal/project"
)

// moduleFiles are the files that go commands change.
var moduleFiles = []string{"go.mod", "go.sum"}

// directory is the directory of a new project. It can be restored as it was before.
type directory struct {
	path    string
	modules map[string][]byte // the contents of moduleFiles; those that did not exist are missing
	folders map[string]bool   // those that existed where files are written, slash-separated
	created []string          // files, slash-separated
}

// scratch returns a temporary directory with the module of the current one.
func scratch() (dir string, err error) {
	if dir, err = os.MkdirTemp("", "gen-all-init-*"); err != nil {
		return "", err
	}
	for _, name := range moduleFiles {
		text, err := os.ReadFile(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil && name == "go.mod" {
			text, err = absolute(text)
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), text, 0o644)
		}
		if err != nil {
			return "", errors.Join(err, os.RemoveAll(dir))
		}
	}
	return dir, nil
}

// absolute returns the text of a go.mod with absolute directories of replacements.
func absolute(text []byte) ([]byte, error) {
	file, err := modfile.Parse("go.mod", text, nil)
	if err != nil {
		return nil, err
	}
	for _, r := range file.Replace {
		if r.New.Version != "" || filepath.IsAbs(r.New.Path) {
			continue
		}
		dir, err := filepath.Abs(r.New.Path)
		if err == nil {
			err = file.AddReplace(r.Old.Path, r.Old.Version, dir, "")
		}
		if err != nil {
			return nil, err
		}
	}
	return file.Format()
}

// remember notes what has to be restored if a project with files fails.
func (d *directory) remember(files []project.File) error {
	d.modules, d.folders = map[string][]byte{}, map[string]bool{}
	for _, name := range moduleFiles {
		text, err := os.ReadFile(filepath.Join(d.path, name))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		d.modules[name] = text
	}
	tops := map[string]bool{"pkg": true, "config": true} // of generated files
	for _, f := range files {
		top, _, _ := strings.Cut(f.Path, "/")
		tops[top] = true
	}
	for top := range tops {
		err := filepath.WalkDir(filepath.Join(d.path, top), func(name string, entry fs.DirEntry, err error) error {
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			if err == nil && entry.IsDir() {
				name, err = filepath.Rel(d.path, name)
				d.folders[filepath.ToSlash(name)] = true
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// write writes new files.
func (d *directory) write(files []project.File) error {
	for _, f := range files {
		name := filepath.Join(d.path, filepath.FromSlash(f.Path))
		d.created = append(d.created, f.Path) // also if only its directory can be created
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
		if err := create(name, f.Text); err != nil {
			if errors.Is(err, fs.ErrExist) {
				d.created = d.created[:len(d.created)-1] // it was written meanwhile, by others
			}
			return err
		}
	}
	return nil
}

// create writes a file that must not exist.
func create(name string, text []byte) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	return errors.Join(err, f.Close())
}

// wrote notes the files that a generator has created.
func (d *directory) wrote(report *generators.Report) {
	for _, c := range report.Changes {
		if c.Op == generators.Create {
			d.created = append(d.created, d.shown(c.Path))
		}
	}
}

// shown returns the path of a file in the directory, relative to it and slash-separated.
func (d *directory) shown(file string) string {
	whole, err := filepath.Abs(d.path)
	if err == nil {
		whole, err = filepath.EvalSymlinks(whole)
	}
	if err != nil {
		return file
	}
	rel, err := filepath.Rel(whole, file)
	if err != nil || !filepath.IsLocal(rel) {
		return file
	}
	return filepath.ToSlash(rel)
}

// restore removes the files that were created, with the directories of their own, and restores those of the module.
func (d *directory) restore() error {
	var errs []error
	for _, name := range d.created {
		for remove := name; remove != "." && !d.folders[remove]; remove = path.Dir(remove) {
			err := os.Remove(filepath.Join(d.path, filepath.FromSlash(remove)))
			if err != nil && remove == name && !errors.Is(err, fs.ErrNotExist) {
				errs = append(errs, err)
			}
		}
	}
	for _, name := range moduleFiles {
		file := filepath.Join(d.path, name)
		var err error
		if text, existed := d.modules[name]; existed {
			err = os.WriteFile(file, text, 0o644)
		} else if err = os.Remove(file); errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}
