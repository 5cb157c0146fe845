package fields

import (
	"fmt"
	"go/types"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// View returns the declaration of a view with the fields that are read, and the imports that it needs, sorted. It is
// formatted as gofmt does, except for the alignment of fields. Its name is that of the kind with the suffix View, and the version if
// that is taken; it is added to taken. Objects without Go types have no view: it is empty.
func (k *Kind) View(taken map[string]bool) (declaration string, imports []string) {
	if isUntyped(k.named) {
		return "", nil
	}
	v := viewer{kind: k, paths: k.Paths(), imports: map[string]bool{metaPath: true}}
	name := k.named.Obj().Name() + "View"
	if taken[name] {
		name = k.named.Obj().Name() + strings.ToUpper(k.named.Obj().Pkg().Name()[:1]) + k.named.Obj().Pkg().Name()[1:] + "View"
	}
	taken[name] = true
	fmt.Fprintf(&v.text, "// %s has the fields of a %s that are read.\n//\n// %s%s\ntype %s struct {\n", name, k.named.Obj().Name(), viewMarker, k.Type, name)
	v.text.WriteString("\tmetav1.TypeMeta `json:\",inline\"`\n")
	v.fields(k.named, "", 1)
	v.text.WriteString("}\n")
	return v.text.String(), slices.Sorted(maps.Keys(v.imports))
}

// viewer prints the fields of a view.
type viewer struct {
	kind    *Kind
	schema  *schema
	paths   []string
	imports map[string]bool
	text    strings.Builder
}

// fields prints the fields of a struct that are read or lead to such.
func (v *viewer) fields(t types.Type, path string, depth int) {
	if v.schema == nil {
		v.schema = newSchema()
	}
	s := element(t).Underlying().(*types.Struct)
	indent := strings.Repeat("\t", depth)
	for i := range s.NumFields() {
		f := s.Field(i)
		name, ok := v.schema.jsonName(element(t), i)
		if !ok {
			continue
		}
		if name == "" {
			if f.Name() != "TypeMeta" {
				v.fields(f.Type(), path, depth) // inlined
			}
			continue
		}
		at := join(path, name)
		tag := fmt.Sprintf("`json:%q`", reflect.StructTag(s.Tag(i)).Get("json"))
		switch {
		case at == "metadata":
			fmt.Fprintf(&v.text, "%smetav1.ObjectMeta %s\n", indent, tag)
		case v.whole(at):
			fmt.Fprintf(&v.text, "%s%s %s %s\n", indent, f.Name(), v.typeName(f.Type()), tag)
		case v.part(at):
			fmt.Fprintf(&v.text, "%s%s %sstruct {\n", indent, f.Name(), v.prefix(f.Type()))
			v.fields(f.Type(), at, depth+1)
			fmt.Fprintf(&v.text, "%s} %s\n", indent, tag)
		}
	}
}

// whole reports whether all of a field is read.
func (v *viewer) whole(path string) bool {
	return slices.ContainsFunc(v.paths, func(p string) bool { _, ok := below(path, p); return ok })
}

// part reports whether something below a field is read.
func (v *viewer) part(path string) bool {
	return slices.ContainsFunc(v.paths, func(p string) bool { _, ok := below(p, path); return ok })
}

// prefix returns what stands before the struct in a type, such as the brackets of a list.
func (v *viewer) prefix(t types.Type) string {
	switch u := types.Unalias(t).(type) {
	case *types.Pointer:
		return "*" + v.prefix(u.Elem())
	case *types.Slice:
		return "[]" + v.prefix(u.Elem())
	case *types.Map:
		return "map[" + v.typeName(u.Key()) + "]" + v.prefix(u.Elem())
	case *types.Named:
		if _, ok := u.Underlying().(*types.Struct); !ok {
			return v.prefix(u.Underlying())
		}
	}
	return ""
}

// typeName returns a type with the names of the packages that the view imports.
func (v *viewer) typeName(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string {
		v.imports[p.Path()] = true
		return importName(p.Path())
	})
}

// importName returns the name under which views import a package: for one of a version, group and version.
func importName(path string) string {
	if path == metaPath {
		return "metav1"
	}
	parts := strings.Split(path, "/")
	last := parts[len(parts)-1]
	if len(parts) > 1 && len(last) > 1 && last[0] == 'v' && last[1] >= '0' && last[1] <= '9' {
		last = parts[len(parts)-2] + last
	}
	return strings.NewReplacer("-", "", ".", "").Replace(last)
}

// ImportLine returns the line of an import declaration for a package that views import.
func ImportLine(path string) string { return fmt.Sprintf("%s %q", importName(path), path) }
