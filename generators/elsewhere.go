package generators

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/listwatch/listwatch/generators/internal/kinds"
	"github.com/listwatch/listwatch/generators/internal/load"
	"github.com/listwatch/listwatch/generators/internal/versions"
	"github.com/listwatch/listwatch/generators/model"
)

// elsewhere finds the sources of kinds in packages that a run does not read. It searches the text of files and parses
// nothing.
type elsewhere struct {
	run     *run
	sources []*load.Package
	// module contains the directories of the modules of sources, once they are searched.
	module []versions.Directory
	walked bool
	// used are the packages that were found for CustomResourceDefinitions.
	used []*load.Package
}

func (r *run) elsewhere(sources []kinds.Source) *elsewhere {
	return &elsewhere{run: r, sources: kinds.Packages(sources)}
}

// find returns packages with more versions of a kind: those in directories beside the packages of the run and, if an
// earlier definition has a version that is not among these, in their modules.
func (e *elsewhere) find(group, kind string, named []string) []*load.Package {
	var list []*load.Package
	known := slices.Clone(named)
	take := func(dirs []versions.Directory) {
		for _, d := range dirs {
			version := d.Version()
			if version == "" || slices.Contains(known, version) || !d.Declares(group, kind) {
				continue
			}
			if p, err := e.sources[0].Import(d.Path); err == nil && !e.run.excluded(p) {
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

// beside returns the directories beside those of the packages of the run.
func (e *elsewhere) beside() []versions.Directory {
	seen := map[string]bool{}
	for _, p := range e.sources {
		seen[p.Dir] = true
	}
	var list []versions.Directory
	for _, p := range e.sources {
		if !p.Module.Main || p.Dir == p.Module.Dir {
			continue
		}
		for _, d := range versions.Beside(p.Dir, p.Path) {
			if !seen[d.Name] {
				seen[d.Name] = true
				list = append(list, d)
			}
		}
	}
	return list
}

// all returns the directories of the modules of the packages of the run, except those packages and what the go command
// ignores.
func (e *elsewhere) all() []versions.Directory {
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
				if d := versions.Read(name, path.Join(p.Module.Path, filepath.ToSlash(rel))); !d.Empty() {
					e.module = append(e.module, d)
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

// Lines of a CustomResourceDefinition as generators write them.
var (
	groupLine   = regexp.MustCompile(`(?m)^  group: "?([^"\s]+)"?\r?$`)
	kindLine    = regexp.MustCompile(`(?m)^    kind: (\S+)\r?$`)
	versionLine = regexp.MustCompile(`(?m)^(?:    |  - )name: "?([^"\s]+)"?\r?$`)
)

// crdText describes a CustomResourceDefinition by lines of its text.
type crdText struct {
	group, kind string
	versions    []string
}

// parseCRD finds the lines of a CustomResourceDefinition; ok is false if the text is not one.
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
	var list []string
	for _, dir := range e.crdDirs() {
		names, _ := filepath.Glob(filepath.Join(dir, group+"_*.yaml")) // the pattern is valid
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				continue
			}
			if d, ok := parseCRD(text); ok && d.group == group && d.kind == kind {
				list = append(list, d.versions...)
			}
		}
	}
	return list
}

// crdDirs returns the directories of the definitions of the run.
func (e *elsewhere) crdDirs() []string {
	var dirs []string
	for _, p := range e.sources {
		dir, err := manifestDir(e.run.opts.Dir, e.run.opts.crdDir, DefaultCRDDir, model.Module{Dir: p.Module.Dir})
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
	return ok && slices.ContainsFunc(e.all(), func(dir versions.Directory) bool {
		p := &load.Package{Dir: dir.Name, Path: dir.Path}
		return dir.Declares(d.group, d.kind) && !e.run.excluded(p)
	})
}
