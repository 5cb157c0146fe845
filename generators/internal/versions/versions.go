// Package versions finds directories with more versions of kinds, by what the text of their files looks like: nothing
// is parsed.
package versions

import (
	"bytes"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
)

// Directory is a directory with the text of its Go files.
type Directory struct {
	// Name is its path, and Path the import path of its package.
	Name, Path string
	// Text is that of the Go files that count, one after the other.
	Text []byte
}

// Read reads the Go files of a directory. Those of which no comment starts with a marker do not count.
func Read(name, importPath string) Directory {
	return Directory{Name: name, Path: importPath, Text: text(name)}
}

// Empty reports whether there are no files that count.
func (d Directory) Empty() bool { return len(d.Text) == 0 }

// Version returns the name of a version, if the directory is named like one; otherwise it is empty.
func (d Directory) Version() string {
	if name := path.Base(d.Path); IsVersion(name) {
		return name
	}
	return ""
}

// IsVersion reports whether a name is that of a version according to the API conventions.
func IsVersion(name string) bool { return versionName.MatchString(name) }

var versionName = regexp.MustCompile(`^v[0-9]+((alpha|beta)[0-9]+)?$`)

// Beside returns the directories of versions beside that of a package.
func Beside(dir, importPath string) []Directory {
	above := filepath.Dir(dir)
	entries, err := os.ReadDir(above)
	if err != nil {
		return nil
	}
	var list []Directory
	for _, entry := range entries {
		name := filepath.Join(above, entry.Name())
		if entry.IsDir() && name != filepath.Clean(dir) && IsVersion(entry.Name()) {
			list = append(list, Read(name, path.Join(path.Dir(importPath), entry.Name())))
		}
	}
	return list
}

// Declares reports whether the files declare a kind of a group.
func (d Directory) Declares(group, kind string) bool {
	if !bytes.Contains(d.Text, []byte("+groupName="+group)) || !bytes.Contains(d.Text, []byte(kind)) {
		return false
	}
	return regexp.MustCompile(`(?m)^(type )?\s*` + regexp.QuoteMeta(kind) + ` +\S`).Match(d.Text)
}

// text returns the text of the Go files in a directory that mention markers.
func text(dir string) []byte {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	var all []byte
	for _, entry := range entries {
		if name := entry.Name(); entry.Type().IsRegular() && filepath.Ext(name) == ".go" && !strings.HasSuffix(name, "_test.go") {
			if text, err := os.ReadFile(filepath.Join(dir, name)); err == nil && (bytes.Contains(text, []byte("// +")) || bytes.Contains(text, []byte("//+"))) {
				all = append(all, text...)
			}
		}
	}
	return all
}
