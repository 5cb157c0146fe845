package generators

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/listwatch/listwatch/generators/internal/load"
	"github.com/listwatch/listwatch/generators/internal/model"
	"github.com/listwatch/listwatch/generators/internal/scan"
)

// input is what a run reads.
type input struct {
	packages []*load.Package
	api      api
}

// api is the model of the input.
type api struct{ *model.API }

// without returns the model without the versions whose packages turn a tool off.
func (a api) without(tool string) *model.API {
	result := &model.API{}
	for _, g := range a.Groups {
		rest := *g
		rest.Versions = slices.DeleteFunc(slices.Clone(g.Versions), func(v *model.Version) bool { return v.Off[tool] })
		if len(rest.Versions) > 0 {
			result.Groups = append(result.Groups, &rest)
		}
	}
	return result
}

// sourcesFunc returns the packages that are named one by one.
type sourcesFunc func(l *load.Loader) ([]scan.Source, error)

func noSources(*load.Loader) ([]scan.Source, error) { return nil, nil }

// sources finds the packages of Groups.
func (o ClientsetOptions) sources(l *load.Loader) ([]scan.Source, error) {
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

// sameDir reports whether two paths lead to the same folder.
func sameDir(a, b string) bool {
	if filepath.Clean(a) == filepath.Clean(b) {
		return true
	}
	first, errFirst := os.Stat(a)
	second, errSecond := os.Stat(b)
	return errFirst == nil && errSecond == nil && os.SameFile(first, second)
}

// read finds and reads the API packages.
func (r *run) read(named sourcesFunc, included map[string][]string) (*input, error) {
	loader := load.New(r.ctx, load.Config{Dir: r.opts.Dir, BuildTags: r.opts.BuildTags, Diags: &r.diags})
	sources, err := named(loader)
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
	if len(sources) == 0 && len(r.opts.Patterns) > 0 {
		return nil, fmt.Errorf("%w: no package matches %s; a folder is written with ./ or / before it", ErrNoTypes, strings.Join(r.opts.Patterns, " "))
	}
	if len(sources) == 0 {
		return nil, fmt.Errorf("%w: no package of API types is named: give patterns such as ./apis/v1", ErrUsage)
	}
	r.step("find packages")

	in := &input{api: api{scan.Scan(sources, scan.Options{
		Extended:         r.opts.Runtime == Listwatch || !r.diags.Lenient,
		Clients:          r.clients,
		Fakes:            r.fakes,
		Imports:          r.opts.Runtime.Imports(),
		PluralExceptions: r.opts.PluralExceptions,
		IncludedTypes:    included,
		LintRules:        r.opts.LintRules,
		Diags:            &r.diags,
	})}}
	for _, s := range sources {
		in.packages = append(in.packages, s.Package)
	}
	r.step("parse")
	if err := r.diags.Err(r.opts.Dir); err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(in.api.Versions(), func(v *model.Version) bool { return len(v.Kinds) > 0 }) {
		return nil, fmt.Errorf("%w in %s; put the comment // +genclient above each type that wants a client", ErrNoTypes, plural(len(sources), "package"))
	}
	return in, nil
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

// header returns the comments that emitted files begin with.
func (r *run) header() (string, error) {
	if r.opts.HeaderFile == "" {
		return "", nil
	}
	name := r.opts.HeaderFile
	if !filepath.IsAbs(name) {
		name = filepath.Join(r.opts.Dir, name)
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return "", fmt.Errorf("read header: %w", err)
	}
	header := strings.TrimSpace(strings.ReplaceAll(string(text), "YEAR", strconv.Itoa(time.Now().Year())))
	if header != "" && !strings.HasPrefix(header, "//") && !strings.HasPrefix(header, "/*") {
		return "", errors.New(r.opts.HeaderFile + ": not a Go comment; begin each line with //, or put all between /* and */")
	}
	return header, nil
}
