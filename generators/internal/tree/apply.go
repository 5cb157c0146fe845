package tree

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
)

// Apply makes the changes. It first writes all new files to temporary names next to their
// destinations and then renames them: each file in one step, and each new directory as a
// whole. An error before the renames leaves everything unchanged, except leftovers. After an error, Changes contains
// only the changes that were made.
func (p *Plan) Apply() (err error) {
	s := stage{beside: map[string]string{}, tops: map[string]string{}}
	removed := map[string]bool{}
	defer func() {
		if err != nil {
			s.undo()
			p.Changes = slices.DeleteFunc(p.Changes, func(c Change) bool { return !s.moved(c.Path) && !removed[c.Path] })
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
	for i, m := range s.moves {
		if err := m.do(); err != nil {
			return err
		}
		s.moves[i].done = true
	}
	for _, c := range p.Changes {
		if c.Op == Remove {
			if err := os.Remove(c.Path); err != nil {
				return err
			}
			removed[c.Path] = true
			removeEmpty(filepath.Dir(c.Path))
		}
	}
	return nil
}

// stage is the set of new files under temporary names.
type stage struct {
	moves []move
	// beside maps each new directory to its temporary path.
	beside map[string]string
	// tops maps each directory to its topmost new parent, or to itself; empty if the
	// directory exists.
	tops map[string]string
}

// move renames a file or a directory to its destination.
type move struct {
	from, to string
	done     bool
}

// do makes the move. If a concurrent run created the destination directory, its content is
// merged into it.
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
		if err := (move{from: filepath.Join(m.from, entry.Name()), to: filepath.Join(m.to, entry.Name())}).do(); err != nil {
			return err
		}
	}
	return os.Remove(m.from)
}

// write writes the text of a change to its temporary name.
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

// place returns the temporary name of a file: in a new directory, or next to the file.
func (s *stage) place(path string) (string, error) {
	dir, base := filepath.Split(path)
	dir = filepath.Clean(dir)
	if s.top(dir) == "" {
		name := temporary(path)
		s.moves = append(s.moves, move{from: name, to: path})
		return name, nil
	}
	made, err := s.make(dir)
	return filepath.Join(made, base), err
}

// top returns the topmost new directory among dir and its parents, or "".
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

// make creates a new directory under a temporary name, or in its parent's temporary
// directory if the parent is new as well. It returns the temporary path.
func (s *stage) make(dir string) (string, error) {
	if made, ok := s.beside[dir]; ok {
		return made, nil
	}
	made := temporary(dir)
	if s.top(dir) == dir {
		s.moves = append(s.moves, move{from: made, to: dir})
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

// moved reports whether a file is at its destination.
func (s *stage) moved(path string) bool {
	return slices.ContainsFunc(s.moves, func(m move) bool {
		return m.done && (path == m.to || strings.HasPrefix(path, m.to+string(filepath.Separator)))
	})
}

// undo removes the files that were not moved. It ignores errors: the error that caused it is
// the one to report.
func (s *stage) undo() {
	for _, m := range s.moves {
		_ = os.RemoveAll(m.from)
	}
}

// removeEmpty removes a directory and its parents while they are empty: removing a directory
// that is not empty fails and ends the loop.
func removeEmpty(dir string) {
	for os.Remove(dir) == nil {
		dir = filepath.Dir(dir)
	}
}

// Diff returns the changes as a unified diff, with rel applied to the paths.
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
