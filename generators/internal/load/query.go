package load

import (
	"os"
	"path/filepath"
	"strings"
)

// query is one call of the go command: patterns, and the directory in which they are
// resolved.
type query struct {
	dir      string
	patterns []string
}

// queries groups patterns by module: except for dependencies, the go command only finds
// packages in the module of its directory.
func queries(dir string, patterns []string) []query {
	own, _ := ModuleRoot(dir)
	list := []query{{dir: dir}}
	for _, pattern := range patterns {
		folder, rest, isFolder := splitDir(pattern)
		if !filepath.IsAbs(folder) {
			folder = filepath.Join(dir, folder)
		}
		if target, err := filepath.EvalSymlinks(folder); err == nil {
			folder = target // the go command resolves symbolic links
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

// splitDir splits a pattern for directories into their common parent and the rest, which
// starts at the slash before the first "...". It reports whether the pattern is one.
func splitDir(pattern string) (folder, rest string, ok bool) {
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

// ModuleRoot returns the directory of the go.mod file that applies to dir, which need not
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
