package tree

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/rogpeppe/go-internal/diff"
)

// Apply makes the changes. All new text is on disk, beside its place, before any of
// it is put there: each file in one step, and each folder that is new as a whole.
// An error until then leaves everything as it was, except leftovers.
func (p *Plan) Apply() (err error) {
	s := stage{beside: map[string]string{}, tops: map[string]string{}}
	defer func() {
		if err != nil {
			s.undo()
		}
	}()
	for _, name := range p.Leftovers {
		if err := os.RemoveAll(name); err != nil {
			return err
		}
	}
	for _, c := range p.Changes {
		if c.Op != Remove {
			if err := s.write(c); err != nil {
				return err
			}
		}
	}
	for _, m := range s.moves {
		if err := m.do(); err != nil {
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
	moves []move
	// beside holds, for each folder that is new, the one beside it in which it is
	// made, and for the folders below these, where they are made.
	beside map[string]string
	// tops holds, for each folder, the highest above it that is new, itself
	// included; empty if it is there already.
	tops map[string]string
}

// move puts a file or a folder in place.
type move struct{ from, to string }

// do makes the move. A folder that came to be there meanwhile, as another run needed
// it too, takes what is in the one that was to be put there.
func (m move) do() error {
	err := os.Rename(m.from, m.to)
	if !errors.Is(err, fs.ErrExist) {
		return err
	}
	entries, readErr := os.ReadDir(m.from)
	if info, statErr := os.Stat(m.to); readErr != nil || statErr != nil || !info.IsDir() {
		return err
	}
	for _, entry := range entries {
		if err := (move{filepath.Join(m.from, entry.Name()), filepath.Join(m.to, entry.Name())}).do(); err != nil {
			return err
		}
	}
	return os.Remove(m.from)
}

// write puts the text of a change beside its place.
func (s *stage) write(c Change) error {
	name, err := s.place(c.Path)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(c.New)
	if err = errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("write %s: %w", c.Path, err)
	}
	return nil
}

// place returns where a file is to be written: in a folder that is new, or beside the
// file.
func (s *stage) place(path string) (string, error) {
	dir, base := filepath.Split(path)
	dir = filepath.Clean(dir)
	if s.top(dir) == "" {
		name := temporary(path)
		s.moves = append(s.moves, move{name, path})
		return name, nil
	}
	made, err := s.make(dir)
	return filepath.Join(made, base), err
}

// top returns the highest new folder above a folder, itself included, or "".
func (s *stage) top(dir string) string {
	if top, known := s.tops[dir]; known {
		return top
	}
	top := ""
	if _, err := os.Stat(dir); err != nil && filepath.Dir(dir) != dir {
		if top = s.top(filepath.Dir(dir)); top == "" {
			top = dir
		}
	}
	s.tops[dir] = top
	return top
}

// make makes a folder that is new, beside its place or, if a folder above it is new
// too, in what is made of that; it returns where.
func (s *stage) make(dir string) (string, error) {
	if made, ok := s.beside[dir]; ok {
		return made, nil
	}
	made := temporary(dir)
	if s.top(dir) == dir {
		s.moves = append(s.moves, move{made, dir})
	} else {
		parent, err := s.make(filepath.Dir(dir))
		if err != nil {
			return "", err
		}
		made = filepath.Join(parent, filepath.Base(dir))
	}
	s.beside[dir] = made
	return made, os.Mkdir(made, 0o755)
}

// undo removes what has not been put in place. It does what it can: the error
// that led to it is the one to report.
func (s *stage) undo() {
	for _, m := range s.moves {
		_ = os.RemoveAll(m.from)
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
		all = append(all, diff.Diff(oldName, withoutReturns(c.Old), newName, c.New)...)
	}
	return all
}
