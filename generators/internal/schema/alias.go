package schema

import (
	"bytes"

	"github.com/listwatch/listwatch/generators/internal/kubemarker"
	"github.com/listwatch/listwatch/generators/internal/load"
)

// An alias of a declared type is that type, and so the markers of the alias have no effect. An alias of another type,
// such as string, is described by its own markers.

// aliases checks the markers of the aliases of declared types in a package.
func (r *reader) aliases(p *load.Package) {
	p.FilesWhere(func(f *load.File) bool {
		for _, t := range f.Types() {
			if !t.Spec.Assign.IsValid() || r.Resolver.Decl(t).Decl() == nil {
				continue
			}
			groups, _ := typeComments(t)
			for _, m := range r.parse(f, kubemarker.OnType, kubemarker.Lines(f, groups...)) {
				r.warnf(m.Pos, "+%s has no effect, because %s is an alias of another type; move it to the declaration of that type, or declare %s without =", m.Written(), t.Name, t.Name)
			}
		}
		return true
	}, func(src []byte) bool {
		return bytes.Contains(src, []byte("// +")) && bytes.Contains(src, []byte(" = "))
	})
}
