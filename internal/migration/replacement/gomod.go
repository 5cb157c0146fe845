package replacement

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"
)

const (
	// clientGo is the module that the line replaces.
	clientGo = "k8s.io/client-go"
	// root is the path of our root module, and ours the one of the module in the line.
	root = "github.com/listwatch/listwatch"
	ours = root + "/client-go"
)

// target is what modules are replaced with.
type target struct {
	// line is what client-go is replaced with: its version is empty for a directory.
	line module.Version
	// others are the directories of our other modules, by path, that a checkout needs.
	others map[string]string
}

// String returns the right side of the line.
func (t target) String() string { return strings.TrimSpace(t.line.Path + " " + t.line.Version) }

// checkout returns the target that is a checkout. Its directories are absolute, or relative to from as in the go.mod there.
func checkout(dir, from string, relative bool) (target, error) {
	for _, at := range []string{filepath.Join(dir, "client-go"), dir} {
		name := filepath.Join(at, "go.mod")
		text, err := os.ReadFile(name)
		if os.IsNotExist(err) {
			continue
		}
		if err != nil {
			return target{}, err
		}
		file, err := modfile.Parse(name, text, nil)
		if err != nil {
			return target{}, err
		}
		if file.Module == nil || file.Module.Mod.Path != clientGo || !slices.ContainsFunc(file.Require, func(r *modfile.Require) bool { return r.Mod.Path == root }) {
			continue
		}
		t := target{line: module.Version{Path: written(at, from, relative)}, others: map[string]string{}}
		for _, r := range file.Replace {
			if r.New.Version == "" && isOurs(r.Old.Path) {
				t.others[r.Old.Path] = written(filepath.Join(at, r.New.Path), from, relative)
			}
		}
		return t, nil
	}
	return target{}, fmt.Errorf("%s is not a checkout of %s: it has no directory client-go with the module that replaces %s", dir, root, clientGo)
}

// written returns an absolute directory as go.mod has it.
func written(dir, from string, relative bool) string {
	rel, err := filepath.Rel(from, dir)
	if !relative || err != nil {
		return dir
	}
	if rel = filepath.ToSlash(rel); !strings.HasPrefix(rel, "../") {
		rel = "./" + rel
	}
	return rel
}

func isOurs(path string) bool { return path == root || strings.HasPrefix(path, root+"/") }

// replacements are the replace lines of a go.mod or go.work, which is in dir.
type replacements interface {
	AddReplace(oldPath, oldVersion, newPath, newVersion string) error
	DropReplace(oldPath, oldVersion string) error
}

// put replaces client-go in a file with the lines in all. It returns what client-go was replaced with, or "". It is
// an error if that is a fork.
func (t target) put(file replacements, all []*modfile.Replace, name string) (was string, err error) {
	for _, r := range slices.Clone(all) {
		isDir := r.New.Version == ""
		switch {
		case r.Old.Path == clientGo && r.New.Path != clientGo && !IsOurs(r, filepath.Dir(name)):
			at := fmt.Sprintf("%s:%d", name, r.Syntax.Start.Line)
			return "", fmt.Errorf("%s: %s is replaced with %s already: remove that line, if the program does not need what this fork changes",
				at, clientGo, strings.TrimSpace(r.New.Path+" "+r.New.Version))
		case r.Old.Path == clientGo:
			was = strings.TrimSpace(r.New.Path + " " + r.New.Version)
			if err = file.DropReplace(r.Old.Path, r.Old.Version); err != nil {
				return "", err
			}
		case isDir && isOurs(r.Old.Path):
			// What an earlier line for a checkout needed.
			if err = file.DropReplace(r.Old.Path, r.Old.Version); err != nil {
				return "", err
			}
		}
	}
	if err = file.AddReplace(clientGo, "", t.line.Path, t.line.Version); err != nil {
		return "", err
	}
	for path, dir := range t.others {
		if err = file.AddReplace(path, "", dir, ""); err != nil {
			return "", err
		}
	}
	return was, nil
}

// IsOurs reports whether a line of the go.mod or go.work in a directory replaces a module with one of ours: in a version,
// or in a checkout.
func IsOurs(r *modfile.Replace, dir string) bool {
	if r.New.Version != "" {
		return isOurs(r.New.Path)
	}
	at := r.New.Path
	if !filepath.IsAbs(at) {
		at = filepath.Join(dir, at)
	}
	_, err := checkout(at, dir, false)
	return err == nil
}

// inModule returns the go.mod with the line. It is an error if the module does not require client-go.
func (t target) inModule(name string, text []byte) (changed []byte, was string, err error) {
	file, err := modfile.Parse(name, text, nil)
	if err != nil {
		return nil, "", err
	}
	if !slices.ContainsFunc(file.Require, func(r *modfile.Require) bool { return r.Mod.Path == clientGo }) {
		return nil, "", fmt.Errorf("%s does not require %s: there is nothing to replace", name, clientGo)
	}
	if was, err = t.put(file, file.Replace, name); err != nil {
		return nil, "", err
	}
	for _, r := range slices.Clone(file.Require) {
		// A version that only a checkout has; go mod tidy requires what the target does.
		if isOurs(r.Mod.Path) && semver.MajorMinor(r.Mod.Version) == "v0.0" {
			if err = file.DropRequire(r.Mod.Path); err != nil {
				return nil, "", err
			}
		}
	}
	file.Cleanup()
	changed, err = file.Format()
	return changed, was, err
}

// inWorkspace returns the go.work with the line, if it replaces client-go: its replacements win over those of go.mod.
func (t target) inWorkspace(name string, text []byte) (changed []byte, was string, err error) {
	file, err := modfile.ParseWork(name, text, nil)
	if err != nil {
		return nil, "", err
	}
	if !slices.ContainsFunc(file.Replace, func(r *modfile.Replace) bool { return r.Old.Path == clientGo }) {
		return text, "", nil
	}
	if was, err = t.put(file, file.Replace, name); err != nil {
		return nil, "", err
	}
	file.Cleanup()
	return modfile.Format(file.Syntax), was, nil
}

// raise returns a go.mod in which released modules are required, or pinned, in at least a version, and lists those that
// were not, with their old version.
func raise(name string, text []byte, version string) (changed []byte, raised []string, err error) {
	file, err := modfile.Parse(name, text, nil)
	if err != nil {
		return nil, nil, err
	}
	older := func(m module.Version) bool {
		return IsReleased(m) && semver.Compare(semver.MajorMinor(m.Version), semver.MajorMinor(version)) < 0
	}
	replaced := map[string]bool{}
	for _, r := range slices.Clone(file.Replace) {
		replaced[r.Old.Path] = true
		if r.New.Path != r.Old.Path || !older(r.New) {
			continue
		}
		raised = append(raised, r.Old.Path+" "+r.New.Version)
		if err = file.AddReplace(r.Old.Path, r.Old.Version, r.Old.Path, version); err != nil {
			return nil, nil, err
		}
	}
	for _, r := range slices.Clone(file.Require) {
		if replaced[r.Mod.Path] || !older(r.Mod) {
			continue
		}
		raised = append(raised, r.Mod.Path+" "+r.Mod.Version)
		if err = file.AddRequire(r.Mod.Path, version); err != nil {
			return nil, nil, err
		}
	}
	file.Cleanup()
	changed, err = file.Format()
	return changed, raised, err
}

// IsReleased reports whether a module is released with client-go, under the same versions: for Kubernetes v1.35.1 it is
// v0.35.1. Modules with other versions have none like it.
func IsReleased(m module.Version) bool {
	minor := strings.TrimPrefix(semver.MajorMinor(m.Version), "v0.")
	return strings.HasPrefix(m.Path, "k8s.io/") && len(minor) == 2
}
