package migration

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// directives are the lines of Go files for go generate.
var directives = regexp.MustCompile(`(?m)^//go:generate (.*)$`)

// directive returns the command for files of a generator that ours do not replace: go generate in the directory
// with a line that names it.
func (r regeneration) directive(o output) (command, advice string) {
	const again = "run the generator again once the code that it reads has been migrated"
	root, _ := moduleOf(filepath.Dir(o.files[0]))
	if root == "" || o.generator == "an unknown generator" {
		return "", again
	}
	dirs, err := directories(root, path.Base(o.generator))
	if err != nil || len(dirs) == 0 {
		return "", again
	}
	for i, dir := range dirs {
		if templates := templatesBelow(dir); len(templates) > 0 {
			for i := range templates {
				templates[i] = r.relative(templates[i])
			}
			return "", fmt.Sprintf("replace client-go in %s, then run go generate ./%s", strings.Join(templates, " "), r.relative(dir))
		}
		if dirs[i] = r.relative(dir); dirs[i] != "." {
			dirs[i] = "./" + dirs[i]
		}
	}
	return "go generate " + strings.Join(dirs, " "), "the command below generates it again from the migrated code"
}

// directories returns the directories of a module's Go files with a line for go generate that contains a name.
func directories(root, name string) ([]string, error) {
	found := map[string]bool{}
	err := filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && file != root && ignored(entry.Name()):
			return filepath.SkipDir
		case entry.IsDir() || filepath.Ext(file) != ".go":
			return nil
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		for _, line := range directives.FindAllSubmatch(text, -1) {
			if bytes.Contains(bytes.ToLower(line[1]), []byte(strings.ToLower(name))) {
				found[filepath.Dir(file)] = true
			}
		}
		return nil
	})
	var dirs []string
	for dir := range found {
		dirs = append(dirs, dir)
	}
	slices.Sort(dirs)
	return dirs, err
}

// templatesBelow returns the files below a directory that import client-go and are not Go files. What cannot be read is
// none.
func templatesBelow(dir string) []string {
	var found []string
	_ = filepath.WalkDir(dir, func(file string, entry fs.DirEntry, err error) error { // see above
		if err != nil || entry.IsDir() || filepath.Ext(file) == ".go" || !entry.Type().IsRegular() {
			return nil
		}
		if text, err := os.ReadFile(file); err == nil && bytes.Contains(text, []byte(`"`+ClientGo)) {
			found = append(found, file)
		}
		return nil
	})
	return found
}
