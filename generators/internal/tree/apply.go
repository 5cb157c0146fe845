package tree

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/rogpeppe/go-internal/diff"
)

// Apply makes the changes. All new text is on disk, in files beside those that it
// replaces, before the first of them is replaced, each in one step: an error while
// it is written leaves everything as it was.
func (p *Plan) Apply() (err error) {
	s := stage{there: map[string]bool{}}
	defer func() {
		if err != nil {
			s.undo()
		}
	}()
	for _, c := range p.Changes {
		if c.Op != Remove {
			if err := s.write(c); err != nil {
				return err
			}
		}
	}
	for _, f := range s.files {
		if err := os.Rename(f.temporary, f.path); err != nil {
			return err
		}
	}
	for _, c := range p.Changes {
		if c.Op == Remove {
			if err := os.Remove(c.Path); err != nil {
				return err
			}
			removeEmpty(filepath.Dir(c.Path))
		}
	}
	return nil
}

// stage is the new text while it waits to be put in place.
type stage struct {
	files []staged
	dirs  []string        // the folders that were made for it, outermost first
	there map[string]bool // folders that are known to be there
}

type staged struct{ temporary, path string }

// write puts the text of a change into a file beside its place.
func (s *stage) write(c Change) error {
	dir := filepath.Dir(c.Path)
	if err := s.mkdir(dir); err != nil {
		return err
	}
	temporary := filepath.Join(dir, fmt.Sprintf(".%s.%d", filepath.Base(c.Path), os.Getpid()))
	f, err := os.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	s.files = append(s.files, staged{temporary, c.Path})
	_, err = f.Write(c.New)
	if err = errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("write %s: %w", c.Path, err)
	}
	return nil
}

// mkdir makes a folder and those above it, and remembers which it made.
func (s *stage) mkdir(dir string) error {
	if s.there[dir] {
		return nil
	}
	if _, err := os.Stat(dir); err == nil {
		s.there[dir] = true
		return nil
	}
	if parent := filepath.Dir(dir); parent != dir {
		if err := s.mkdir(parent); err != nil {
			return err
		}
	}
	if err := os.Mkdir(dir, 0o755); err != nil {
		return err
	}
	s.there[dir] = true
	s.dirs = append(s.dirs, dir)
	return nil
}

// undo removes what has not been put in place. It does what it can: the error
// that led to it is the one to report.
func (s *stage) undo() {
	for _, f := range s.files {
		_ = os.Remove(f.temporary)
	}
	for i := len(s.dirs) - 1; i >= 0; i-- {
		_ = os.Remove(s.dirs[i])
	}
}

// removeEmpty removes a folder and those above it as far as they are empty: the
// removal of one that is not fails, and that ends it.
func removeEmpty(dir string) {
	for os.Remove(dir) == nil {
		dir = filepath.Dir(dir)
	}
}

// Diff returns the changes as a unified diff, with paths shown through rel.
func (p *Plan) Diff(rel func(path string) string) []byte {
	var all []byte
	for _, c := range p.Changes {
		oldName, newName := "a/"+rel(c.Path), "b/"+rel(c.Path)
		switch c.Op {
		case Create:
			oldName = os.DevNull
		case Remove:
			newName = os.DevNull
		}
		all = append(all, diff.Diff(oldName, c.Old, newName, c.New)...)
	}
	return all
}
