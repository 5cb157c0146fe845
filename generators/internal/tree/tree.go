// Package tree updates a directory to the files that a run generated.
//
// A [Tree] is the desired content of a directory: files by path. Its [Plan] is the list of
// changes to get there: files to create, to update, and to remove because an earlier run of
// the same generator wrote them, or one that it replaces. A plan can be applied, listed, or printed as a diff.
//
// New files are written under temporary names beside their destinations, new directories as a
// whole. Nothing is replaced until all of them are on disk; then they are renamed. Temporary names
// contain the process ID, and the next run removes what processes left that no longer run.
// Carriage returns at the ends of lines are ignored in comparisons.
//
// Hand-written files are never removed or overwritten: files without the line "Code
// generated ... DO NOT EDIT." (see "go help generate") and, in YAML, without the annotation by
// which controller-gen marks its output.
package tree

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// ErrHandWritten is wrapped by the error for a hand-written file that a run would overwrite.
var ErrHandWritten = errors.New("file exists and was not generated")

// Tree is the desired content of a directory.
type Tree struct {
	// Dir is the directory.
	Dir string
	// Mark is the line, without the comment sign, that identifies the generator's own files.
	Mark string
	// Replaced reports whether another generator wrote a text to a file, which is removed from a directory of Files; nil for
	// none.
	Replaced func(name string, text []byte) bool
	// Keep is a directory below Dir that is unchanged except for Files; empty for none.
	Keep string
	// Flat leaves directories below Dir unchanged except for Files.
	Flat bool
	// Stays reports whether a file with this text is not removed although it is not among Files; nil for none.
	Stays func(text []byte) bool
	// Same reports whether the text of a file says the same as a new one, so that the file stays as it is; nil if only equal
	// texts do.
	Same func(old, text []byte) bool
	// Printed reports whether another generator printed a text without saying so; nil for none.
	Printed func(text []byte) bool
	// Advice is what to do about a hand-written file in the way; empty for another output directory.
	Advice string
	// Files contains the text of each file by its slash-separated path below Dir.
	Files map[string][]byte
}

// Add adds the files of another tree of the same directory and generator. A file in both
// trees is an error.
func (t Tree) Add(other Tree) error {
	for path, text := range other.Files {
		if _, twice := t.Files[path]; twice {
			return fmt.Errorf("%s would be written twice", filepath.Join(t.Dir, filepath.FromSlash(path)))
		}
		t.Files[path] = text
	}
	return nil
}

// Disjoint returns an error if two trees contain the same file.
func Disjoint(trees []Tree) error {
	seen := map[string]bool{}
	for _, t := range trees {
		for _, path := range slices.Sorted(maps.Keys(t.Files)) {
			name := filepath.Join(t.Dir, filepath.FromSlash(path))
			if seen[name] {
				return fmt.Errorf("%s would be written twice", name)
			}
			seen[name] = true
		}
	}
	return nil
}

// Op is the operation of a change.
type Op string

// The operations.
const (
	Create Op = "create"
	Update Op = "update"
	Remove Op = "remove"
)

// Change is one file to create, update or remove.
type Change struct {
	Op Op
	// Path is the file's path on disk.
	Path string
	// Old and New are the text before and after the change; nil if there is no file.
	Old, New []byte
}

// Plan is a list of changes, sorted by path.
type Plan struct {
	Changes []Change
	// Unchanged is the number of files that are up to date.
	Unchanged int
	// Leftovers are the temporary files and directories of killed runs.
	Leftovers []string
}

// Plan compares the tree with the disk, without changing anything.
func (t Tree) Plan() (*Plan, error) {
	p := &Plan{}
	wanted := map[string]bool{}
	for _, path := range slices.Sorted(maps.Keys(t.Files)) {
		name := filepath.Join(t.Dir, filepath.FromSlash(path))
		wanted[name] = true
		text := t.Files[path]
		old, err := os.ReadFile(name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			p.Changes = append(p.Changes, Change{Op: Create, Path: name, New: text})
		case err != nil:
			return nil, err
		case bytes.Equal(old, text), bytes.Equal(withoutReturns(old), text), t.Same != nil && t.Same(old, text):
			p.Unchanged++
		case !generated.Match(old) && (t.Printed == nil || !t.Printed(old)):
			return nil, fmt.Errorf("%s: %w; move it, %s", name, ErrHandWritten, cmp.Or(t.Advice, "or choose another output directory"))
		default:
			p.Changes = append(p.Changes, Change{Op: Update, Path: name, Old: old, New: text})
		}
	}
	if err := t.walk(p, wanted); err != nil {
		return nil, err
	}
	p.Leftovers = append(p.Leftovers, leftoversAbove(t.Dir)...)
	slices.SortFunc(p.Changes, func(a, b Change) int { return strings.Compare(a.Path, b.Path) })
	return p, nil
}

// generated matches the line that "go help generate" defines, in Go and in YAML, and controller-gen's
// annotation.
var generated = regexp.MustCompile(`(?m)^(//|#) Code generated .* DO NOT EDIT\.\r?$|^    controller-gen\.kubebuilder\.io/version: `)

// signs are the comment signs of the files that generators write, by extension.
var signs = map[string]string{".go": "// ", ".yaml": "# "}

// withoutReturns returns text without the carriage returns that a checkout on Windows adds.
func withoutReturns(text []byte) []byte {
	return bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
}

// walk adds to the plan the removal of each file below the directory that the tree owns and is not in wanted, and of
// leftovers. It skips nested modules, hidden directories and Keep.
func (t Tree) walk(p *Plan, wanted map[string]bool) error {
	return filepath.WalkDir(t.Dir, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			return err
		}
		if _, left := leftover(name); left {
			p.Leftovers = append(p.Leftovers, name)
			if entry.IsDir() {
				return filepath.SkipDir
			}
			return nil
		}
		switch {
		case entry.IsDir() && name != t.Dir && (t.Flat || t.keeps(name) || foreign(name)):
			return filepath.SkipDir
		case !entry.Type().IsRegular() || signs[filepath.Ext(name)] == "" || wanted[name]:
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		if t.owns(name, text) && (t.Stays == nil || !t.Stays(text)) {
			p.Changes = append(p.Changes, Change{Op: Remove, Path: name, Old: text})
		}
		return nil
	})
}

// owns reports whether the tree's generator wrote a file, or another one that it replaces did in a directory of its files.
func (t Tree) owns(name string, text []byte) bool {
	if Marked(text, signs[filepath.Ext(name)], t.Mark) {
		return true
	}
	if t.Replaced == nil || !t.Replaced(name, text) {
		return false
	}
	for file := range t.Files {
		if filepath.Join(t.Dir, filepath.FromSlash(path.Dir(file))) == filepath.Dir(name) {
			return true
		}
	}
	return false
}

func (t Tree) keeps(dir string) bool {
	return t.Keep != "" && dir == filepath.Join(t.Dir, t.Keep)
}

func foreign(dir string) bool {
	base := filepath.Base(dir)
	if strings.HasPrefix(base, ".") || base == "vendor" || base == "node_modules" {
		return true
	}
	_, err := os.Stat(filepath.Join(dir, "go.mod"))
	return err == nil
}

// Marked reports whether a comment in the first lines of a file, which start with the sign, equals
// mark.
func Marked(text []byte, sign, mark string) bool {
	for line := range strings.Lines(string(text)) {
		line = strings.TrimRight(line, "\r\n")
		if line == sign+mark {
			return true
		}
		if strings.HasPrefix(line, "package ") || strings.HasPrefix(line, "---") {
			return false
		}
	}
	return false
}
