package tree

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
)

// temporary returns an unused name next to path. The name contains the process ID, to tell
// the leftovers of a killed process from the files of a running one.
func temporary(path string) string {
	name := filepath.Join(filepath.Dir(path), fmt.Sprintf(".%s.listwatch-%d-%d", filepath.Base(path), os.Getpid(), temporaries.Add(1)))
	ours.Store(name, true)
	return name
}

var (
	// temporaries counts the names returned by temporary.
	temporaries atomic.Int64
	// ours contains these names.
	ours sync.Map
)

// temporaryName matches the names of temporary files and directories: the final name, and
// the process ID.
var temporaryName = regexp.MustCompile(`^\.(.+)\.listwatch-([0-9]+)-[0-9]+$`)

// leftover reports whether a process that no longer runs left path, and returns the final
// name.
func leftover(path string) (base string, ok bool) {
	m := temporaryName.FindStringSubmatch(filepath.Base(path))
	if m == nil {
		return "", false
	}
	if _, used := ours.Load(path); used {
		return "", false
	}
	pid, err := strconv.Atoi(m[2])
	return m[1], err == nil && (pid == os.Getpid() || !runs(pid))
}

// runs reports whether a process with this ID is running.
func runs(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	if runtime.GOOS == "windows" {
		return true // it was found
	}
	err = p.Signal(syscall.Signal(0))
	return err == nil || errors.Is(err, os.ErrPermission)
}

// leftoversAbove returns the leftovers next to dir and its parents in the module, because a
// new directory is created next to its destination.
func leftoversAbove(dir string) []string {
	var found []string
	for _, parent := range above(dir) {
		entries, err := os.ReadDir(parent)
		if err != nil {
			continue // it does not exist yet
		}
		for _, entry := range entries {
			path := filepath.Join(parent, entry.Name())
			if base, ok := leftover(path); ok && entry.IsDir() && within(dir, filepath.Join(parent, base)) {
				found = append(found, path)
			}
		}
	}
	return found
}

// above returns the parent directories of dir, up to the root of its module, or only the first one
// if that is unknown.
func above(dir string) []string {
	var parents []string
	for parent := filepath.Dir(dir); parent != dir; dir, parent = parent, filepath.Dir(parent) {
		parents = append(parents, parent)
		if _, err := os.Stat(filepath.Join(parent, "go.mod")); err == nil {
			return parents
		}
	}
	return parents[:min(1, len(parents))]
}

// within reports whether a path is a directory or below it.
func within(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}
