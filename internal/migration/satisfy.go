package migration

import (
	"fmt"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"
)

// candidate is a named type that the program uses, or declares.
type candidate struct {
	kind kind
	path string // below k8s.io/client-go, if it is theirs
	at   token.Pos
}

// candidates are named types by their names with import paths.
type candidates map[*types.TypeName]candidate

// addType adds a type if it is named.
func (c candidates) addType(t types.Type, kind kind, path string, at token.Pos) {
	if named, ok := types.Unalias(t).(*types.Named); ok {
		c.add(named, kind, path, at)
	}
}

func (c candidates) add(named *types.Named, kind kind, path string, at token.Pos) {
	name := named.Origin().Obj()
	if old, ok := c[name]; !ok || at < old.at {
		c[name] = candidate{kind, path, at}
	}
}

// methods are the methods of a type, or of the pointer to it, with the packages of theirs that they mention.
type methods struct {
	candidate
	named    *types.Named
	mentions map[string]bool
}

// compareMethods considers that a value is assigned to an interface without naming a declaration that mentions its
// methods' types: if these are of client-go, the value and the interface have to be of one side.
func (k *keeper) compareMethods() {
	all := maps.Clone(k.candidates)
	var concrete, interfaces []methods
	for name, c := range all {
		named, ok := name.Type().(*types.Named)
		if !ok || named.TypeParams().Len() > 0 {
			continue
		}
		m := methods{c, named, map[string]bool{}}
		set := types.NewMethodSet(named)
		if !types.IsInterface(named) {
			set = types.NewMethodSet(types.NewPointer(named))
		}
		for method := range set.Methods() {
			if method.Obj().Exported() {
				k.mention(method.Obj().Type(), c.at, m.mentions, map[types.Type]bool{})
			}
		}
		if len(m.mentions) == 0 {
			continue // methods without types of client-go are the same on both sides
		}
		if types.IsInterface(named) {
			interfaces = append(interfaces, m)
		}
		concrete = append(concrete, m)
	}
	for _, i := range interfaces {
		wanted, ok := i.named.Underlying().(*types.Interface)
		if !ok || wanted.NumMethods() == 0 {
			continue
		}
		for _, c := range concrete {
			if c.kind == i.kind && (c.kind != theirs || c.path == i.path) {
				continue
			}
			if types.Implements(c.named, wanted) || types.Implements(types.NewPointer(c.named), wanted) {
				k.satisfied(c, i)
			}
		}
	}
}

// satisfied adds that a type has the methods of an interface.
func (k *keeper) satisfied(c, i methods) {
	all := slices.Sorted(maps.Keys(i.mentions))
	for _, m := range []methods{c, i} {
		if m.kind == theirs {
			all = append(all, m.path)
		}
	}
	switch {
	case c.kind == foreign || i.kind == foreign:
		text := fmt.Sprintf("%s has the methods of %s, with its types", typeName(c.named), typeName(i.named))
		for _, path := range all {
			k.seed(path, text, max(c.at, i.at))
		}
	case c.kind == theirs || i.kind == theirs:
		// Own types have the types of client-go that the program has.
		if c.kind == theirs && i.kind == theirs {
			for _, path := range all {
				k.connect(all[0], path, typeName(i.named))
			}
		}
	}
}

// typeName is the name of a type after that of its package.
func typeName(named *types.Named) string {
	pkg := named.Obj().Pkg()
	if pkg == nil {
		return named.Obj().Name()
	}
	path := pkg.Path()
	return path[strings.LastIndex(path, "/")+1:] + "." + named.Obj().Name()
}
