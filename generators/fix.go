package generators

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/listwatch/listwatch/generators/internal/diag"
)

// Fix corrects the files below dir, the directory of a run, where the diagnostics of the run know how, and returns
// those that it corrected. It skips a diagnostic if the file has changed since, or if its correction overlaps an
// earlier one; the next run reports it again. Each file is replaced as a whole.
func Fix(dir string, diagnostics []Diagnostic) (fixed []Diagnostic, err error) {
	byFile := map[string][]Diagnostic{}
	var names []string
	for _, d := range diagnostics {
		if len(d.Edits) == 0 || !filepath.IsLocal(filepath.FromSlash(d.Pos.Filename)) {
			continue
		}
		if byFile[d.Pos.Filename] == nil {
			names = append(names, d.Pos.Filename)
		}
		byFile[d.Pos.Filename] = append(byFile[d.Pos.Filename], d)
	}
	for _, name := range names {
		done, problem := fixFile(filepath.Join(dir, filepath.FromSlash(name)), byFile[name])
		fixed, err = append(fixed, done...), errors.Join(err, problem)
	}
	return fixed, err
}

// fixFile corrects one file.
func fixFile(name string, diagnostics []Diagnostic) ([]Diagnostic, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	src, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var edits []diag.Edit
	var fixed []Diagnostic
	text := src
	for _, d := range diagnostics {
		more := slices.Concat(edits, d.Edits)
		if changed, err := diag.Apply(src, more); err == nil {
			edits, text, fixed = more, changed, append(fixed, d)
		}
	}
	if len(fixed) == 0 {
		return nil, nil
	}
	if err := replace(name, text, info.Mode()); err != nil {
		return nil, fmt.Errorf("correct %s: %w", name, err)
	}
	return fixed, nil
}

// replace replaces a file.
func replace(name string, text []byte, mode fs.FileMode) error {
	file, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(file.Name()) }() // gone after a success
	_, err = file.Write(text)
	if err = cmp.Or(err, file.Chmod(mode.Perm())); err != nil {
		return errors.Join(err, file.Close())
	}
	return cmp.Or(file.Close(), os.Rename(file.Name(), name))
}
