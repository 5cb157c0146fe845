package replacement

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"slices"
)

// snapshot is the content of files by name; nil is that of a file that does not exist.
type snapshot map[string][]byte

// take reads files.
func take(names ...string) (snapshot, error) {
	s := snapshot{}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		s[name] = text
	}
	return s, nil
}

// again reads the files of the snapshot as they are now.
func (s snapshot) again() (snapshot, error) { return take(s.names()...) }

func (s snapshot) names() []string {
	var names []string
	for name := range s {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// restore writes the files that have changed, and removes those that did not exist.
func (s snapshot) restore() error {
	now, err := s.again()
	if err != nil {
		return err
	}
	var errs []error
	for name, text := range s {
		switch {
		case bytes.Equal(text, now[name]):
		case text == nil:
			errs = append(errs, os.Remove(name))
		default:
			errs = append(errs, os.WriteFile(name, text, 0o666))
		}
	}
	return errors.Join(errs...)
}
