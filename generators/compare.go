package generators

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/token"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/listwatch/listwatch/generators/internal/diag"
	"github.com/listwatch/listwatch/generators/internal/goapi"
	"github.com/listwatch/listwatch/generators/internal/kinds"
	"github.com/listwatch/listwatch/generators/internal/load"
	"github.com/listwatch/listwatch/generators/internal/manifest"
	"github.com/listwatch/listwatch/generators/internal/resolve"
	"github.com/listwatch/listwatch/generators/internal/revision"
	"github.com/listwatch/listwatch/generators/model"
	"github.com/listwatch/listwatch/internal/breaking"
)

// ErrBreaking reports that a change since the commit of [Compare] breaks clients, stored objects or Go code.
var ErrBreaking = errors.New("changes break users")

// APIChange is a change of API packages since a commit.
type APIChange = breaking.Change

// Effect is what an [APIChange] breaks. A change without an effect is compatible.
type Effect = breaking.Effect

// The elements of effects; Each of an [Effect] returns its elements.
const (
	BreaksClients = breaking.Clients
	BreaksObjects = breaking.Objects
	BreaksGo      = breaking.Go
)

// Compare reads the API packages as they are and as they were in a commit of their git repository, and reports in
// [Report].Comparison what changed in their Go API, in the clients that are generated for them, and in their
// CustomResourceDefinitions. It returns [ErrBreaking] if one of the changes breaks something. It writes nothing.
//
// Dependencies are read as they are now. Errors in the packages of the commit are ignored, as far as they can be
// read at all.
func Compare(ctx context.Context, opts RunOptions, ref string) (*Report, error) {
	if ref == "" || strings.HasPrefix(ref, "-") || len(opts.Patterns) == 0 {
		return &Report{}, fmt.Errorf("%w: a comparison needs a commit, such as origin/main, and patterns of packages", ErrUsage)
	}
	opts.Clients, opts.CRDs, opts.Kindless = true, true, true
	opts.Schemas.MarkedOnly, opts.Schemas.AllowDangerousTypes = true, true
	r := newRun(ctx, opts)
	err := r.compare(ref)
	r.report.Warnings = r.diags.Warnings(r.opts.Dir)
	return &r.report, err
}

// Comparison is the result of [Compare].
type Comparison struct {
	// Ref is the commit.
	Ref string
	// Changes are sorted by position. The position of what exists only in the commit has a file name such as
	// "main:apis/v1/types.go", as "git show" takes it.
	Changes []APIChange
}

// compare compares the packages with those of a commit.
func (r *run) compare(ref string) error {
	in, err := r.open()
	if err != nil {
		return err
	}
	t, err := revision.Open(r.ctx, r.opts.Dir, ref, r.opts.BuildTags)
	if err != nil {
		return err
	}
	old, err := r.readRevision(t)
	if err != nil {
		return err
	}
	r.step("read " + ref)
	c := comparison{run: r, tree: t, before: old, after: in}
	changes, err := c.all()
	if err != nil {
		return err
	}
	c.report.Comparison = &Comparison{Ref: ref, Changes: changes}
	r.step("compare")
	if slices.ContainsFunc(changes, func(c APIChange) bool { return c.Effect != 0 }) {
		return ErrBreaking
	}
	return nil
}

// readRevision reads the packages of a commit. Errors in them are dropped.
func (r *run) readRevision(t *revision.Tree) (*input, error) {
	paths, err := t.Packages(r.opts.Dir, r.opts.Patterns)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUsage, err)
	}
	dropped := &diag.List{Lenient: true}
	loader := load.New(r.ctx, load.Config{
		Dir: r.opts.Dir, BuildTags: r.opts.BuildTags, Diags: dropped, ReadFile: t.ReadFile, Find: t.Find,
	})
	in := &input{}
	var sources []kinds.Source
	for _, path := range paths {
		p, err := loader.Package(path)
		if errors.Is(err, load.ErrNotFound) {
			continue // without files for the build tags
		}
		if err != nil {
			return nil, err
		}
		if r.excluded(p) {
			continue
		}
		in.packages = append(in.packages, p)
		sources = append(sources, kinds.Source{Package: p})
	}
	in.api = r.opts.model(sources, nil, nil, dropped)
	return in, nil
}

// comparison is the state of one comparison.
type comparison struct {
	*run
	tree          *revision.Tree
	before, after *input
}

// all returns all changes, sorted.
func (c *comparison) all() ([]APIChange, error) {
	now := resolve.New()
	then := resolve.New()
	api := goapi.Comparison{Before: then, After: now}
	renamed := map[string]string{}
	for _, p := range c.before.packages {
		twin := c.twin(p)
		if twin != nil {
			renamed[p.Path] = twin.Path
		}
		if twin != nil || isAPI(c.before.api, p.Path) {
			api.Package(p, twin)
		}
	}
	rename := func(path string) string { return cmp.Or(renamed[path], path) }
	changes, err := c.definitions(then, now)
	if err != nil {
		return nil, err
	}
	known := map[string]bool{} // the lines of fields about whose schemas there are changes
	for _, change := range changes {
		known[line(change.Pos)] = true
	}
	for _, change := range api.Changes {
		if known[line(change.Pos)] {
			change.Effect &= breaking.Go // the schema says more exactly what else it breaks
			if change.Effect == 0 {
				continue
			}
		}
		changes = append(changes, change)
	}
	changes = append(changes, breaking.Models(c.before.api, c.after.api, rename)...)
	for i := range changes {
		c.place(&changes[i])
	}
	slices.SortStableFunc(changes, func(a, b APIChange) int {
		return cmp.Or(cmp.Compare(a.Pos.Filename, b.Pos.Filename), cmp.Compare(a.Pos.Line, b.Pos.Line), cmp.Compare(a.Pos.Column, b.Pos.Column), cmp.Compare(a.Subject(), b.Subject()))
	})
	return slices.CompactFunc(changes, func(a, b APIChange) bool { return a.Pos == b.Pos && a.String() == b.String() }), nil
}

func line(pos token.Position) string { return fmt.Sprintf("%s:%d", pos.Filename, pos.Line) }

// isAPI reports whether a package contains kinds or definitions, so that its removal matters.
func isAPI(api *model.API, path string) bool {
	return slices.ContainsFunc(api.Packages, func(p *model.APIPackage) bool {
		return p.Types.Path == path && (p.Version != nil || len(p.CRDs) > 0)
	})
}

// twin returns the package as it is now: the one in the same directory.
func (c *comparison) twin(p *load.Package) *load.Package {
	i := slices.IndexFunc(c.after.packages, func(now *load.Package) bool { return now.Dir == p.Dir })
	if i < 0 {
		return nil
	}
	return c.after.packages[i]
}

// place makes the position of a change relative.
func (c *comparison) place(change *APIChange) {
	if change.Removed {
		if rel, err := filepath.Rel(c.tree.Root, change.Pos.Filename); err == nil {
			change.Pos.Filename = c.tree.Ref + ":" + filepath.ToSlash(rel)
		}
		return
	}
	change.Pos.Filename = c.relative(change.Pos.Filename)
}

// definition is a CustomResourceDefinition with the packages of its versions.
type definition struct {
	crd    *model.CRD
	object map[string]any
}

// definitions compares the CustomResourceDefinitions.
func (c *comparison) definitions(then, now *resolve.Resolver) ([]APIChange, error) {
	before, err := decoded(c.before.api)
	if err != nil {
		return nil, err
	}
	after, err := decoded(c.after.api)
	if err != nil {
		return nil, err
	}
	var changes []APIChange
	for _, name := range slices.Sorted(maps.Keys(merged(before, after))) {
		was, is := before[name], after[name]
		for _, change := range breaking.CRDs(was.object, is.object) {
			if change.Removed {
				change.Pos = c.position(c.before, then, was.crd, change)
			} else {
				change.Pos = c.position(c.after, now, is.crd, change)
			}
			changes = append(changes, change)
		}
	}
	return changes, nil
}

func merged(a, b map[string]definition) map[string]definition {
	all := maps.Clone(a)
	maps.Copy(all, b)
	return all
}

// decoded returns the definitions of a model by group and kind.
func decoded(api *model.API) (map[string]definition, error) {
	all := map[string]definition{}
	none := 0
	for _, p := range api.Packages {
		for _, d := range p.CRDs {
			text, err := manifest.CRD(d, &none)
			if err != nil {
				return nil, err
			}
			var object map[string]any
			if err := yaml.Unmarshal(text, &object); err != nil {
				return nil, err
			}
			all[d.Group+"/"+d.Kind] = definition{d, object}
		}
	}
	return all, nil
}

// position returns the position of the Go field that a change of a definition concerns, or of its type.
func (c *comparison) position(in *input, r *resolve.Resolver, d *model.CRD, change APIChange) token.Position {
	pos := d.Pos
	for _, v := range d.Versions {
		if v.Name == change.Version {
			pos = v.Pos
		}
	}
	i := slices.IndexFunc(in.packages, func(p *load.Package) bool { return p.Dir == filepath.Dir(pos.Filename) })
	if i < 0 {
		return pos
	}
	decl := in.packages[i].Lookup(d.Kind)
	if decl == nil {
		return pos
	}
	t := r.Decl(decl)
	for _, element := range change.Path {
		for t != nil && t.Kind() == resolve.Pointer {
			t = t.Elem()
		}
		switch {
		case t == nil:
			return pos
		case element == breaking.Items || element == breaking.Values:
			t = t.Elem()
			continue
		}
		f := property(t, element, 0)
		if f == nil {
			return pos
		}
		if slices.ContainsFunc(in.packages, func(p *load.Package) bool { return p.Path == f.File.Package.Path }) {
			pos = f.Pos
		}
		t = f.Type
	}
	return pos
}

// property returns the field of a struct, or of one that it embeds, with a name in JSON.
func property(t *resolve.Type, name string, depth int) *resolve.Field {
	const deep = 20
	if t.Kind() == resolve.Pointer {
		t = t.Elem()
	}
	for _, f := range t.Fields() {
		tag, _, _ := strings.Cut(reflect.StructTag(f.Tag).Get("json"), ",")
		if tag == name || tag == "" && !f.Embedded && f.Name == name {
			return f
		}
		if f.Embedded && tag == "" && depth < deep {
			if found := property(f.Type, name, depth+1); found != nil {
				return found
			}
		}
	}
	return nil
}
