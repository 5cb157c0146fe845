package generators

import (
	"bytes"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/listwatch/listwatch/generators/internal/load"
	"github.com/listwatch/listwatch/generators/internal/scan"
	"github.com/listwatch/listwatch/generators/model"
)

// elsewhere finds the sources of kinds in packages that a run does not read. What it finds is what the text of files
// looks like: nothing is parsed.
type elsewhere struct {
	run     *run
	sources []*load.Package
	// module contains the directories of the modules of sources, once they are searched.
	module []directory
	walked bool
	// used are the packages that were found for CustomResourceDefinitions.
	used []*load.Package
}

// directory is a directory with the text of its Go files.
type directory struct {
	name, path string // the latter is its import path
	text       []byte
}

func (r *run) elsewhere(sources []scan.Source) *elsewhere {
	return &elsewhere{run: r, sources: packagesOf(sources)}
}

// find returns packages with more versions of a kind: those in directories beside the packages of the run and, if an
// earlier definition has a version that is not among these, in their modules.
func (e *elsewhere) find(group, kind string, versions []string) []*load.Package {
	var list []*load.Package
	known := slices.Clone(versions)
	take := func(dirs []directory) {
		for _, d := range dirs {
			version := path.Base(d.path)
			if !versionDir.MatchString(version) || slices.Contains(known, version) || !d.declares(group, kind) {
				continue
			}
			if p, err := e.sources[0].Import(d.path); err == nil && !e.run.excluded(p) {
				list, known = append(list, p), append(known, version)
			}
		}
	}
	take(e.beside())
	for _, version := range e.earlierVersions(group, kind) {
		if !slices.Contains(known, version) {
			take(e.all())
			break
		}
	}
	e.used = append(e.used, list...)
	e.run.report.Versions = e.run.shownPackages(e.used)
	return list
}

// versionDir matches the names of directories of versions.
var versionDir = regexp.MustCompile(`^v[0-9]+((alpha|beta)[0-9]+)?$`)

// beside returns the directories beside those of the packages of the run.
func (e *elsewhere) beside() []directory {
	seen := map[string]bool{}
	for _, p := range e.sources {
		seen[p.Dir] = true
	}
	var list []directory
	for _, p := range e.sources {
		if !p.Module.Main || p.Dir == p.Module.Dir {
			continue
		}
		above := filepath.Dir(p.Dir)
		entries, err := os.ReadDir(above)
		if err != nil {
			continue
		}
		for _, entry := range entries {
			dir := filepath.Join(above, entry.Name())
			if !entry.IsDir() || seen[dir] || !versionDir.MatchString(entry.Name()) {
				continue
			}
			seen[dir] = true
			list = append(list, directory{dir, path.Join(path.Dir(p.Path), entry.Name()), goText(dir)})
		}
	}
	return list
}

// all returns the directories of the modules of the packages of the run, except those packages and what the go command
// ignores.
func (e *elsewhere) all() []directory {
	if e.walked {
		return e.module
	}
	e.walked = true
	seen := map[string]bool{}
	for _, p := range e.sources {
		seen[p.Dir] = true
	}
	for _, p := range e.sources {
		root := p.Module.Dir
		if !p.Module.Main || root == "" || seen["module "+root] {
			continue
		}
		seen["module "+root] = true
		_ = filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
			if err != nil || !entry.IsDir() {
				return nil // what cannot be read contains nothing to find
			}
			if name != root && ignored(name) {
				return filepath.SkipDir
			}
			if rel, err := filepath.Rel(root, name); err == nil && !seen[name] {
				if text := goText(name); len(text) > 0 {
					e.module = append(e.module, directory{name, path.Join(p.Module.Path, filepath.ToSlash(rel)), text})
				}
			}
			return nil
		})
	}
	return e.module
}

// ignored reports whether the go command ignores a directory for patterns of the module above it.
func ignored(dir string) bool {
	base := filepath.Base(dir)
	return strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_") || base == "vendor" || base == "testdata" || base == "node_modules" ||
		exists(filepath.Join(dir, "go.mod"))
}

// goText returns the text of the Go files in a directory that mention markers.
func goText(dir string) []byte {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	var all []byte
	for _, entry := range entries {
		if name := entry.Name(); entry.Type().IsRegular() && filepath.Ext(name) == ".go" && !strings.HasSuffix(name, "_test.go") {
			if text, err := os.ReadFile(filepath.Join(dir, name)); err == nil && bytes.Contains(text, []byte("// +")) {
				all = append(all, text...)
			}
		}
	}
	return all
}

// declares reports whether the files of a directory declare a kind of a group.
func (d directory) declares(group, kind string) bool {
	if !bytes.Contains(d.text, []byte("+groupName="+group)) || !bytes.Contains(d.text, []byte(kind)) {
		return false
	}
	return regexp.MustCompile(`(?m)^(type )?\s*` + regexp.QuoteMeta(kind) + ` +\S`).Match(d.text)
}

// Lines of a CustomResourceDefinition as generators write them.
var (
	groupLine   = regexp.MustCompile(`(?m)^  group: "?([^"\s]+)"?\r?$`)
	kindLine    = regexp.MustCompile(`(?m)^    kind: (\S+)\r?$`)
	versionLine = regexp.MustCompile(`(?m)^(?:    |  - )name: "?([^"\s]+)"?\r?$`)
)

// crdText is what the text of a CustomResourceDefinition says.
type crdText struct {
	group, kind string
	versions    []string
}

// parseCRD finds the lines of a CustomResourceDefinition; ok is false if it is none.
func parseCRD(text []byte) (d crdText, ok bool) {
	group, kind := groupLine.FindSubmatch(text), kindLine.FindSubmatch(text)
	if group == nil || kind == nil {
		return d, false
	}
	d.group, d.kind = string(group[1]), string(kind[1])
	for _, version := range versionLine.FindAllSubmatch(text, -1) {
		d.versions = append(d.versions, string(version[1]))
	}
	return d, true
}

// earlierVersions returns the versions that an earlier definition of a kind has.
func (e *elsewhere) earlierVersions(group, kind string) []string {
	var versions []string
	for _, dir := range e.crdDirs() {
		names, _ := filepath.Glob(filepath.Join(dir, group+"_*.yaml")) // the pattern is valid
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				continue
			}
			if d, ok := parseCRD(text); ok && d.group == group && d.kind == kind {
				versions = append(versions, d.versions...)
			}
		}
	}
	return versions
}

// crdDirs returns the directories of the definitions of the run.
func (e *elsewhere) crdDirs() []string {
	var dirs []string
	for _, p := range e.sources {
		dir, err := crdDir(e.run.opts.Dir, e.run.opts.crdDir, model.Module{Dir: p.Module.Dir})
		if err == nil && !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

// stays reports whether a definition that the run does not generate stays: whether its kind is declared in a package
// that the run has not read.
func (e *elsewhere) stays(text []byte) bool {
	d, ok := parseCRD(text)
	return ok && slices.ContainsFunc(e.all(), func(dir directory) bool {
		p := &load.Package{Dir: dir.name, Path: dir.path}
		return dir.declares(d.group, d.kind) && !e.run.excluded(p)
	})
}
