package kinds

import (
	"slices"
	"strings"

	"github.com/listwatch/listwatch/generators/internal/load"
	"github.com/listwatch/listwatch/generators/internal/marker"
	"github.com/listwatch/listwatch/generators/model"
)

// methods adds the methods of a kind, once all groups have names.
func (r *reader) methods(v *version, k *model.Kind) {
	markers := r.declarations[k].Markers
	for _, m := range markers.Methods {
		if slices.ContainsFunc(marker.Verbs, func(verb string) bool { return k.Has(verb) && model.Title(verb) == m.Name }) {
			r.Diags.Errorf(m.Pos, "method %s already exists for the verb of this name; choose another name, or skip the verb with +genclient:skipVerbs", m.Name)
		}
		if slices.Contains(r.needed(k, markers), m.Name) {
			r.Diags.Errorf(m.Pos, "method %s already exists, and other methods of the client use it; choose another name", m.Name)
		}
		method := &model.Method{
			Kind:        k,
			Name:        m.Name,
			Verb:        m.Verb,
			Subresource: m.Subresource,
			Input:       r.typeRef(v, k, m, "input", m.Input, ""),
			Result:      r.typeRef(v, k, m, "result", m.Result, listSuffix(m)),
		}
		method.InputParam = r.param(method.Input.Name)
		k.Methods = append(k.Methods, method)
	}
}

// needed returns the methods of generic clients and fakes that other methods of a client
// call.
func (r *reader) needed(k *model.Kind, m marker.Type) []string {
	names := []string{"GetClient"}
	if k.Namespaced {
		names = append(names, "GetNamespace")
	}
	if r.Fakes {
		names = append(names, "Resource")
	}
	if r.Fakes && k.Namespaced {
		names = append(names, "Namespace")
	}
	if r.Fakes && slices.ContainsFunc(m.Methods, func(m marker.Method) bool { return m.Verb == "list" }) {
		names = append(names, "Kind")
	}
	return names
}

// param returns the name of a parameter for an object of a type, different from import
// names.
func (r *reader) param(typ string) string {
	name := model.ParamName(typ)
	for _, alias := range r.imports {
		if rest, ok := strings.CutPrefix(name, alias); ok && (rest == "" || rest == "ac") {
			return name + "Object"
		}
	}
	return name
}

// listSuffix returns the suffix of the result type of a method.
func listSuffix(m marker.Method) string {
	if m.Verb == "list" {
		return "List"
	}
	return ""
}

// typeRef returns the type that a method refers to, or the kind's type if ref is empty. The
// generated code uses the type with the suffix, so that type must exist.
func (r *reader) typeRef(v *version, k *model.Kind, m marker.Method, setting, ref, suffix string) model.TypeRef {
	if ref == "" {
		return model.TypeRef{Package: v.Types, Name: k.Name}
	}
	name := ref
	p, pkg := v.src.Package, v.Types
	if dot := strings.LastIndexByte(ref, '.'); dot >= 0 {
		name = ref[dot+1:]
		importPath := ref[:dot]
		pkg = r.imports.Package(importPath)
		var err error
		if p, err = p.Import(importPath); err != nil {
			if first, _, _ := strings.Cut(importPath, "/"); !strings.Contains(first, ".") {
				r.Diags.Errorf(m.Pos, "%s=%s of method %s: package %q does not exist; use an import path, as in k8s.io/api/autoscaling/v1.Scale", setting, ref, m.Name, importPath)
			}
			// Its types cannot be checked, for example because its module is not downloaded.
			return model.TypeRef{Package: pkg, Name: name}
		}
	}
	switch decl := p.Lookup(name + suffix); {
	case decl == nil:
		r.Diags.Errorf(m.Pos, "%s=%s of method %s: package %s has no type %s; declare it, or name another type", setting, ref, m.Name, p.Path, name+suffix)
	case decl.Spec.TypeParams != nil:
		r.Diags.Errorf(m.Pos, "%s=%s of method %s: type %s is generic; declare an instantiation, type Name = %s[...], and use that", setting, ref, m.Name, decl.Name, decl.Name)
	case (setting == "result" || r.Fakes && m.Verb != "apply") && !isObject(decl):
		r.Diags.Errorf(m.Pos, "%s=%s of method %s: type %s has no TypeMeta, so it is not an API object; embed metav1.TypeMeta, or name another type", setting, ref, m.Name, decl.Name)
	case setting == "input" && m.Verb == "update" && m.Subresource == "" && !isNamed(decl):
		r.Diags.Errorf(m.Pos, "%s=%s of method %s: type %s has no object name, which an update request needs; add subresource=, or name a type with metav1.ObjectMeta", setting, ref, m.Name, decl.Name)
	}
	return model.TypeRef{Package: pkg, Name: name}
}

// isNamed reports whether a type has the field Name of an API object. It reports true if
// that cannot be determined.
func isNamed(t *load.Type) bool {
	for _, name := range []string{"ObjectMeta", "Name"} {
		if field, err := t.Field(name, true); field != nil || err != nil {
			return true
		}
	}
	return false
}
