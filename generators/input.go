package generators

import (
	"bytes"
	"fmt"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/listwatch/listwatch/generators/internal/diag"
	"github.com/listwatch/listwatch/generators/internal/load"
	"github.com/listwatch/listwatch/generators/internal/resolve"
	"github.com/listwatch/listwatch/generators/internal/scan"
	"github.com/listwatch/listwatch/generators/internal/schema"
	"github.com/listwatch/listwatch/generators/model"
)

// input is what a run has read.
type input struct {
	// packages are those that the options name.
	packages  []*load.Package
	api       *model.API
	elsewhere *elsewhere
}

// sources loads the packages that Groups lists.
func (o RunOptions) sources(l *load.Loader) ([]scan.Source, error) {
	if len(o.Groups) == 0 {
		return nil, nil
	}
	var patterns []string
	for _, g := range o.Groups {
		patterns = append(patterns, g.Package)
	}
	found, err := l.Load(patterns...)
	if err != nil {
		return nil, err
	}
	var sources []scan.Source
	for _, g := range o.Groups {
		dir := filepath.Join(o.Dir, g.Package)
		if filepath.IsAbs(g.Package) {
			dir = g.Package
		}
		i := slices.IndexFunc(found, func(p *load.Package) bool { return p.Path == g.Package || sameDir(p.Dir, dir) })
		if i < 0 {
			return nil, fmt.Errorf("%s: %w", g.Package, load.ErrNotFound)
		}
		sources = append(sources, scan.Source{Package: found[i], GroupDir: g.Group, Version: g.Version, Named: true})
	}
	return sources, nil
}

// sameDir reports whether two paths are the same directory.
func sameDir(a, b string) bool {
	if filepath.Clean(a) == filepath.Clean(b) {
		return true
	}
	first, errFirst := os.Stat(a)
	second, errSecond := os.Stat(b)
	return errFirst == nil && errSecond == nil && os.SameFile(first, second)
}

// read finds and reads the API packages.
func (r *run) read() (*input, error) {
	if err := r.checkPatterns(); err != nil {
		return nil, err
	}
	config := load.Config{Dir: r.opts.Dir, BuildTags: r.opts.BuildTags, Diags: &r.diags}
	if r.opts.Copies || r.opts.CRDs || r.opts.slow {
		config.Ahead = resolve.WellKnown
	}
	loader := load.New(r.ctx, config)
	sources, err := r.opts.sources(loader)
	if err != nil {
		return nil, err
	}
	if len(r.opts.Patterns) > 0 {
		found, err := loader.Load(r.opts.Patterns...)
		if err != nil {
			return nil, err
		}
		if found, err = r.exclude(found); err != nil {
			return nil, err
		}
		for _, p := range found {
			sources = append(sources, scan.Source{Package: p})
		}
	}
	r.step("find packages")
	excluded := loader.Excluded()
	if len(sources) == 0 {
		excluded = append(excluded, r.goFiles()...) // the go command does not return their packages
	}
	r.checkExcluded(excluded)
	if err := r.diags.Err(r.opts.Dir); err != nil {
		return nil, err
	}
	if err := r.checkSources(sources, excluded); err != nil {
		return nil, err
	}

	in := &input{}
	for _, s := range sources {
		in.packages = append(in.packages, s.Package)
	}
	for _, p := range r.earlier(sources) {
		sources = append(sources, scan.Source{Package: p})
		r.report.Clients = append(r.report.Clients, r.shownPackages([]*load.Package{p})...)
	}
	if len(r.report.Clients) > 0 {
		slices.SortFunc(sources, func(a, b scan.Source) int { return strings.Compare(a.Package.Path, b.Package.Path) })
	}
	if r.opts.adapt != nil {
		if place, err := r.place(in.packages); err == nil { // the error is returned when the output is planned
			r.opts.adapt(&r.opts, place, packagesOf(sources))
		}
	}
	in.elsewhere = r.elsewhere(sources)
	options := r.scanOptions(&r.diags)
	options.Programs = r.programs(in.elsewhere)
	if options.CRDs != nil {
		options.CRDs.Elsewhere = in.elsewhere.find
	}
	in.api = scan.Scan(sources, options)
	r.step("parse")
	if err := r.diags.Err(r.opts.Dir); err != nil {
		return nil, err
	}
	if !r.opts.Kindless && !r.opts.PackagesOnly && r.nothing(in) {
		return nil, fmt.Errorf("%w in %s; add // +genclient above each type that needs a client", ErrNoTypes, plural(len(in.packages), "package"))
	}
	return in, nil
}

// scanOptions returns the options with which packages are scanned.
func (r *run) scanOptions(diags *diag.List) scan.Options {
	return scan.Options{
		Extended:         r.opts.Runtime == Listwatch || !r.diags.Lenient,
		Clients:          r.opts.Clients,
		Fakes:            r.opts.Fakes,
		Imports:          r.opts.Runtime.Imports(),
		PluralExceptions: r.opts.PluralExceptions,
		IncludedTypes:    r.opts.IncludedTypes,
		ReadStructs:      r.opts.Structs,
		Structs:          r.opts.MoreStructs,
		TypeDecls:        r.opts.TypeDecls,
		PackagesOnly:     r.opts.PackagesOnly,
		Copies:           r.opts.Copies,
		Registers:        r.opts.Registers,
		Permissions:      r.opts.Permissions,
		Webhooks:         r.opts.Webhooks,
		CRDs:             r.opts.schemas(),
		Slow:             r.opts.slow && r.opts.Runtime != ClientGo,
		LintRules:        r.opts.LintRules,
		Diags:            diags,
	}
}

// hasKinds reports whether the API has a kind.
func hasKinds(api *model.API) bool {
	return slices.ContainsFunc(api.Versions(), func(v *model.Version) bool { return len(v.Kinds) > 0 })
}

// requests reports whether a package requests anything that needs no kinds.
func requests(p *model.APIPackage) bool {
	return p.Copies != nil && len(p.Copies.Types) > 0 || p.Register != nil || len(p.CRDs) > 0
}

// schemas returns the options with which the schemas of CustomResourceDefinitions are read; nil if they
// are not.
func (o RunOptions) schemas() *schema.Options {
	if !o.CRDs {
		return nil
	}
	return &schema.Options{
		AllowDangerousTypes: o.Schemas.AllowDangerousTypes,
		All:                 o.all,
		EmbeddedObjectMeta:  o.Schemas.GenerateEmbeddedObjectMeta,
		IgnoreUnexported:    o.Schemas.IgnoreUnexportedFields,
		MarkedOnly:          o.Schemas.MarkedOnly,
	}
}

// checkSources returns an error if there are no usable sources. Excluded are the files that
// build constraints exclude.
func (r *run) checkSources(sources []scan.Source, excluded []string) error {
	switch {
	case len(sources) == 0 && len(r.opts.Patterns) == 0:
		return fmt.Errorf("%w: no API packages are given; pass patterns, such as ./apis/... for those of a directory", ErrUsage)
	case len(sources) == 0 && len(excluded) > 0:
		return fmt.Errorf("%w: build constraints exclude all files; select files with --build-tag", ErrNoTypes)
	case len(sources) == 0:
		return fmt.Errorf("%w: no packages match %s; start directories with ./ or /", ErrNoTypes, strings.Join(r.opts.Patterns, " "))
	}
	for _, s := range sources {
		if strings.HasPrefix(s.Package.Path, "_/") {
			return fmt.Errorf("%w: the package in %s has no import path because modules are off and it is outside GOPATH; unset GO111MODULE", ErrUsage, r.relative(s.Package.Dir))
		}
	}
	return nil
}

// checkPatterns returns an error for a pattern that is a file.
func (r *run) checkPatterns() error {
	for _, pattern := range r.opts.Patterns {
		file := pattern
		if !filepath.IsAbs(file) {
			file = filepath.Join(r.opts.Dir, file)
		}
		if info, err := os.Stat(file); err == nil && !info.IsDir() {
			return fmt.Errorf("%w: %s is a file; pass its directory, ./%s", ErrUsage, pattern, r.relative(filepath.Dir(file)))
		}
	}
	return nil
}

// goFiles returns the Go files below the directories in the patterns.
func (r *run) goFiles() []string {
	var files []string
	for _, pattern := range r.opts.Patterns {
		dir, _, _ := strings.Cut(pattern, "...")
		if !strings.HasPrefix(pattern, ".") && !filepath.IsAbs(pattern) {
			continue // an import path
		}
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(r.opts.Dir, dir)
		}
		_ = filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
			if err == nil && entry.Type().IsRegular() && filepath.Ext(name) == ".go" && !strings.HasSuffix(name, "_test.go") {
				files = append(files, name)
			}
			return nil
		})
	}
	return files
}

// checkExcluded warns about files with marked types that build constraints exclude.
func (r *run) checkExcluded(files []string) {
	for _, name := range files {
		if strings.HasPrefix(filepath.Base(name), "zz_generated") {
			continue // generated by code-generator's tools, never an input
		}
		text, err := os.ReadFile(name)
		if err != nil || !bytes.Contains(text, []byte("+genclient")) {
			continue // a file that cannot be read is not part of the input
		}
		if at := genclientLine.FindIndex(text); at != nil {
			line := 1 + bytes.Count(text[:at[0]], []byte("\n"))
			r.diags.Warnf(token.Position{Filename: name, Line: line, Column: 1}, "build constraints exclude this file, so +genclient has no effect; pass its tags with --build-tag")
		}
	}
}

// genclientLine matches the line of a +genclient marker.
var genclientLine = regexp.MustCompile(`(?m)^//[ ]*\+genclient\r?$`)

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}
