package fields

import (
	"cmp"
	"context"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// Finding is a disagreement between what a program reads and what it declares to keep.
type Finding struct {
	Position token.Position
	Severity Severity
	Message  string
}

// Severity is how serious a finding is.
type Severity int

const (
	// Lacking is an error: a field is read that is not kept.
	Lacking Severity = iota
	// Escaping is a warning: a whole object is used, or what is kept is not known.
	Escaping
	// Superfluous is a note: a field is kept that is not read.
	Superfluous
)

// Check compares the fields that a program reads with those that its calls of cache.Keep keep, and those of its views.
// Findings are sorted by position.
func Check(ctx context.Context, dir string, patterns []string) ([]Finding, error) {
	p, err := load(ctx, dir, patterns)
	if err != nil {
		return nil, err
	}
	return check(p), nil
}

func check(p *program) []Finding {
	f := analyze(p)
	c := checker{flow: f, kinds: map[*types.Named]*Kind{}}
	for _, k := range f.report().Kinds {
		c.kinds[k.named] = k
	}
	for _, call := range f.calls {
		for _, to := range f.callees(call) {
			if isKeep(to.external) {
				c.keep(call)
			}
		}
	}
	for _, pkg := range p.given {
		for _, file := range p.syntax[pkg.Pkg] {
			c.views(pkg.Pkg, file)
		}
	}
	slices.SortFunc(c.found, func(a, b Finding) int {
		return cmp.Or(comparePositions(a.Position, b.Position), cmp.Compare(a.Message, b.Message))
	})
	return slices.Compact(c.found)
}

func isKeep(fn *types.Func) bool {
	return fn != nil && fn.Name() == "Keep" && fn.Pkg() != nil && fn.Pkg().Path() == "github.com/listwatch/listwatch/runtime/cache"
}

// checker collects findings.
type checker struct {
	*flow
	kinds map[*types.Named]*Kind
	found []Finding
}

func (c *checker) add(pos token.Position, s Severity, format string, args ...any) {
	c.found = append(c.found, Finding{pos, s, fmt.Sprintf(format, args...)})
}

// keep compares the reads of the kinds whose informers a call of Keep is for.
func (c *checker) keep(call ssa.CallInstruction) {
	pos := c.position(at(call))
	paths, ok := constants(call.Common().Args)
	if !ok {
		c.add(pos, Escaping, "the paths of Keep are not constant, so they are not checked")
		return
	}
	var hints []ssa.Value
	if v := call.Value(); v != nil {
		hints = consumers(v, 0)
	}
	kinds := c.kindsOf(&root{hints: hints})
	if len(kinds) == 0 {
		c.add(pos, Escaping, "the kinds of this Keep are not known, so it is not checked; set it for an informer or a type")
		return
	}
	for n := range kinds {
		if k := c.kinds[n]; k != nil {
			c.compare(k, kept(paths), pos)
		}
	}
}

// compare compares the reads of a kind with what is kept.
func (c *checker) compare(k *Kind, paths kept, pos token.Position) {
	line := fmt.Sprintf("%s:%d", filepath.Base(pos.Filename), pos.Line)
	for _, f := range k.Reads {
		if paths.keeps(f) {
			continue
		}
		advice := fmt.Sprintf("add %q", f.Path)
		if minus := paths.minus(f.Path); minus != "" {
			advice = fmt.Sprintf("remove %q", minus)
		}
		for _, place := range f.Places {
			why := ""
			if place.Reason != "" {
				why = " (" + place.Reason + ")"
			}
			c.add(place.Position, Lacking, "%s of %s is read%s, but Keep at %s does not keep it; %s there", f.Path, k.Type, why, line, advice)
		}
	}
	for _, e := range k.Escapes {
		c.add(e.Position, Escaping, "a whole %s is used: %s; it lacks what Keep at %s does not keep", k.Type, e.Reason, line)
	}
	if len(k.Escapes) > 0 {
		return // more may be read
	}
	for _, p := range paths {
		if !strings.HasPrefix(p, "-") && !k.readsAround(p) {
			c.add(pos, Superfluous, "%s of %s is kept but never read; remove it", p, k.Type)
		}
	}
}

// readsAround reports whether a field at, above or below a path is read.
func (k *Kind) readsAround(path string) bool {
	return slices.ContainsFunc(k.Reads, func(f Field) bool {
		_, under := below(f.Path, path)
		_, over := below(path, f.Path)
		return under || over
	})
}

// kept are the paths of a Keep.
type kept []string

// keeps reports whether a field is kept: as a whole, or if only its presence matters, in part.
func (p kept) keeps(f Field) bool {
	decided, keeps := -1, isKept(f.Path)
	for _, path := range p {
		bare, minus := strings.CutPrefix(path, "-")
		if _, ok := below(f.Path, bare); ok && len(bare) > decided {
			decided, keeps = len(bare), !minus
		}
	}
	for _, path := range p {
		bare, minus := strings.CutPrefix(path, "-")
		if rest, ok := below(bare, f.Path); !ok || rest == "" {
			continue
		}
		switch {
		case f.Presence && !minus:
			keeps = true // elements and structs stay
		case !f.Presence && minus:
			return false
		}
	}
	return keeps
}

// minus returns the path with a minus that leaves out a field or a part of it; empty if none does.
func (p kept) minus(field string) string {
	for _, path := range p {
		bare, minus := strings.CutPrefix(path, "-")
		_, under := below(field, bare)
		_, over := below(bare, field)
		if minus && (under || over) {
			return path
		}
	}
	return ""
}

const viewMarker = "+listwatch:view="

// views reports the fields of views that are never read.
func (c *checker) views(pkg *types.Package, file *ast.File) {
	for _, decl := range file.Decls {
		d, ok := decl.(*ast.GenDecl)
		if !ok || d.Tok != token.TYPE {
			continue
		}
		for _, spec := range d.Specs {
			s, ok := spec.(*ast.TypeSpec)
			if !ok || !marked(d.Doc) && !marked(s.Doc) {
				continue
			}
			if n := named(pkg.Scope().Lookup(s.Name.Name).Type()); n != nil {
				c.view(n)
			}
		}
	}
}

func marked(doc *ast.CommentGroup) bool {
	if doc == nil {
		return false
	}
	return slices.ContainsFunc(doc.List, func(c *ast.Comment) bool {
		return strings.HasPrefix(strings.TrimSpace(strings.TrimPrefix(c.Text, "//")), viewMarker)
	})
}

func (c *checker) view(n *types.Named) {
	k := c.kinds[n]
	if k == nil || len(k.Escapes) > 0 {
		return // not cached, or read by other code
	}
	var visit func(t types.Type, path string)
	visit = func(t types.Type, path string) {
		s := element(t).Underlying().(*types.Struct)
		for i := range s.NumFields() {
			name, ok := c.jsonName(element(t), i)
			at := join(path, name)
			field := s.Field(i)
			if !ok || name == "" || at == "metadata" {
				continue
			}
			if _, anonymous := element(field.Type()).(*types.Struct); anonymous {
				visit(field.Type(), at)
			} else if !k.readsAround(at) {
				c.add(c.position(field.Pos()), Superfluous, "%s of the view %s is never read; remove it", at, n.Obj().Name())
			}
		}
	}
	visit(n, "")
}
