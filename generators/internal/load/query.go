package load

import (
	"os"
	"path/filepath"
	"strings"
)

// query is one question to the go command: patterns, and the folder in which they
// are meant.
type query struct {
	dir      string
	patterns []string
}

// queries shares patterns out among the modules that they are in: the go command
// sees, of what is not a dependency, the module of its folder only.
func queries(dir string, patterns []string) []query {
	own, _ := ModuleRoot(dir)
	list := []query{{dir: dir}}
	for _, pattern := range patterns {
		folder, rest, isFolder := splitFolder(pattern)
		if !filepath.IsAbs(folder) {
			folder = filepath.Join(dir, folder)
		}
		if target, err := filepath.EvalSymlinks(folder); err == nil {
			folder = target // the go command knows modules by where links lead
		}
		root, found := ModuleRoot(folder)
		if !isFolder || !found || root == own {
			list[0].patterns = append(list[0].patterns, pattern)
			continue
		}
		list = append(list, query{dir: root, patterns: []string{folder + rest}})
	}
	if len(list[0].patterns) == 0 {
		list = list[1:]
	}
	return list
}

// splitFolder splits a pattern that names folders into the folder that all are in and
// the rest, from the slash before the first "...". It reports whether it is one.
func splitFolder(pattern string) (folder, rest string, ok bool) {
	slashed := filepath.ToSlash(pattern)
	if slashed != "." && slashed != ".." && !strings.HasPrefix(slashed, "./") && !strings.HasPrefix(slashed, "../") && !filepath.IsAbs(pattern) {
		return "", "", false
	}
	if i := strings.Index(slashed, "..."); i >= 0 {
		i = strings.LastIndexByte(slashed[:i], '/')
		return pattern[:i], pattern[i:], true
	}
	return pattern, "", true
}

// ModuleRoot returns the folder of the go.mod that governs a folder, which need not
// exist. It reports whether there is one.
func ModuleRoot(dir string) (root string, found bool) {
	for ; ; dir = filepath.Dir(dir) {
		if info, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil && info.Mode().IsRegular() {
			return dir, true
		}
		if dir == filepath.Dir(dir) {
			return "", false
		}
	}
}
