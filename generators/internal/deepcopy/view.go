package deepcopy

import (
	"go/token"

	"github.com/listwatch/listwatch/generators/internal/load"
	"github.com/listwatch/listwatch/generators/internal/resolve"
)

// view has functions be generated for a view, with DeepCopyObject, and for the structs of its package that it contains.
func (p *planner) view(m *markers, t *load.Type, at token.Position) {
	own := m.types[t]
	own.Root = true
	if !own.At.IsValid() {
		own.At = at
	}
	m.types[t] = own
	p.contained(m, t.File.Package, p.resolver.Decl(t))
}

// contained has functions be generated for the declared structs of a package in a type.
func (p *planner) contained(m *markers, pkg *load.Package, t *resolve.Type) {
	if decl := t.Decl(); decl != nil {
		if decl.File.Package != pkg || m.views[decl] || t.Kind() != resolve.Struct {
			return
		}
		m.views[decl] = true
		if own := m.types[decl]; !own.Off && !own.NoObject {
			own.On = true
			m.types[decl] = own
		}
	}
	switch t.Kind() {
	case resolve.Struct:
		for _, f := range t.Fields() {
			p.contained(m, pkg, f.Type)
		}
	case resolve.Pointer, resolve.Slice, resolve.Map, resolve.Array:
		p.contained(m, pkg, t.Elem())
	}
}
