package scan

import (
	"go/ast"
	"maps"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/listwatch/listwatch/generators/internal/diag"
	"github.com/listwatch/listwatch/generators/internal/load"
	"github.com/listwatch/listwatch/generators/internal/marker"
	"github.com/listwatch/listwatch/generators/model"
)

// kind returns the kind for a marked type, without its methods, or nil if the type is
// invalid.
func (s *scanner) kind(v *version, f found) *model.Kind {
	pos := f.decl.Pos()
	switch {
	case f.decl.Name[0] >= utf8.RuneSelf:
		s.Diags.Errorf(pos, "type %s starts with a non-ASCII letter, which is not allowed in a kind; rename it", f.decl.Name)
		return nil
	case !ast.IsExported(f.decl.Name):
		s.Diags.Errorf(pos, "type %s is not exported, so generated code cannot use it; start its name with an uppercase letter", f.decl.Name)
		return nil
	case v.src.Package.Name == "main":
		s.Diags.Errorf(pos, "type %s is in package main, which cannot be imported; move it to its own package%s", f.decl.Name, leaveOut(v.src.Package))
		return nil
	case f.decl.Spec.TypeParams != nil:
		s.Diags.Errorf(pos, "type %s is generic; mark an instantiation: type Name struct { %s[...] }", f.decl.Name, f.decl.Name)
		return nil
	}
	if meta, err := f.decl.Field("ObjectMeta", true); meta == nil && err == nil {
		s.Diags.Errorf(pos, "type %s has no ObjectMeta, so it is not an API object; embed metav1.TypeMeta and metav1.ObjectMeta, or remove +genclient", f.decl.Name)
		return nil
	}
	if !isObject(f.decl) {
		s.Diags.Errorf(pos, "type %s has no TypeMeta, so it is not an API object; embed metav1.TypeMeta, or remove +genclient", f.decl.Name)
		return nil
	}
	k := &model.Kind{
		Version:    v.Version,
		Name:       f.decl.Name,
		Doc:        description(f.decl),
		Names:      s.plurals.KindNames(f.decl.Name),
		Namespaced: !f.markers.NonNamespaced,
		NoVerbs:    f.markers.NoVerbs,
		Skip:       f.markers.Skip,
		Markers:    marker.Tags(f.decl.OwnLines()),
		Pos:        pos,
	}
	k.Resource = s.resource(k, f.markers)
	s.scope(k, f.markers)
	k.HasStatus = s.hasStatus(f)
	s.checkTypeMeta(f.decl)
	if k.Has("list") && s.Clients {
		s.list(k, f.decl, v.src.Package)
	}
	return k
}

// description returns the doc comment of a type without its markers.
func description(t *load.Type) string {
	if t.Doc == nil || t.Doc == t.Borrowed {
		return ""
	}
	return withoutMarkers(t.Doc)
}

// withoutMarkers returns the text of a comment without its markers.
func withoutMarkers(doc *ast.CommentGroup) string {
	text := strings.Split(doc.Text(), "\n")
	text = slices.DeleteFunc(text, func(line string) bool { return strings.HasPrefix(line, "+") })
	text = slices.CompactFunc(text, func(a, b string) bool { return a == "" && b == "" })
	return strings.TrimSpace(strings.Join(text, "\n"))
}

// isObject reports whether a type has the methods of a runtime.Object, except those that
// deepcopy-gen generates. It reports true if that cannot be determined.
func isObject(t *load.Type) bool {
	meta, err := t.Field("TypeMeta", true)
	return meta != nil || err != nil || t.File.Package.HasMethod(t.Name, "GetObjectKind")
}

// checkTypeMeta warns about an embedded TypeMeta without a JSON tag in a type of an external version. Package
// encoding/json inlines it all the same.
func (s *scanner) checkTypeMeta(t *load.Type) {
	meta, _ := t.Field("TypeMeta", false)
	object, _ := t.Field("ObjectMeta", true)
	if meta == nil || object == nil || !meta.Embedded || strings.Contains(meta.Tag, "json") || !strings.Contains(object.Tag, "json") {
		return
	}
	var edits []diag.Edit
	if meta.Tag == "" {
		end := meta.File.Package.Position(meta.Type.End())
		edits = []diag.Edit{{Line: end.Line, Column: end.Column, New: " `json:\",inline\"`"}}
	}
	s.Diags.Fix(edits...).Warnf(meta.Pos(), "TypeMeta of type %s has no JSON tag; add `json:\",inline\"`", t.Name)
}

// resource returns the resource name of a kind.
func (s *scanner) resource(k *model.Kind, m marker.Type) string {
	byRule := s.plurals.Resource(k.Name)
	if m.Resource != "" {
		if m.KubePath != "" && m.Resource != m.KubePath {
			s.Diags.Warnf(m.KubeAt, "path=%s contradicts +resourceName=%s; keep one", m.KubePath, m.Resource)
		}
		return m.Resource
	}
	switch {
	case m.KubePath != "" && m.KubePath != byRule && s.Extended:
		return m.KubePath
	case m.KubePath != "" && m.KubePath != byRule:
		s.Diags.Warnf(m.KubeAt, "code-generator ignores path=%s and names the resource %q; add +resourceName=%s", m.KubePath, byRule, m.KubePath)
	}
	return byRule
}

// scope sets whether a kind is namespaced, using kubebuilder's marker.
func (s *scanner) scope(k *model.Kind, m marker.Type) {
	switch {
	case m.KubeScope == "Namespaced" && m.NonNamespaced:
		s.Diags.Warnf(m.KubeAt, "scope=Namespaced contradicts +genclient:nonNamespaced; keep one")
	case m.KubeScope != "Cluster" || m.NonNamespaced:
	case s.Extended:
		k.Namespaced = false
	default:
		s.Diags.Warnf(m.KubeAt, "code-generator ignores scope=Cluster and generates a namespaced client; add +genclient:nonNamespaced")
	}
}

// hasStatus reports whether a kind has a status.
func (s *scanner) hasStatus(f found) bool {
	if f.markers.NoStatus {
		return false
	}
	if status, _ := f.decl.Field("Status", s.Extended); status != nil {
		return true
	}
	if s.Extended {
		return false
	}
	if status, _ := f.decl.Field("Status", true); status != nil {
		s.Diags.Warnf(f.decl.Pos(), "code-generator ignores the Status of type %s, which is in an embedded struct, and generates no UpdateStatus; declare the field Status in type %s", f.decl.Name, f.decl.Name)
	}
	return false
}

// list checks that a kind has a list type and, for fakes, that it contains objects of the
// kind.
func (s *scanner) list(k *model.Kind, kind *load.Type, p *load.Package) {
	decl := p.Lookup(k.Name + "List")
	if decl == nil {
		s.Diags.Errorf(k.Pos, "package %s has no type %sList, which the verb list returns; declare it, or add +genclient:skipVerbs=list%s", p.Path, k.Name, leaveOut(p))
		return
	}
	switch {
	case decl.Spec.TypeParams != nil:
		s.Diags.Errorf(decl.Pos(), "type %s is generic, so the verb list cannot return it; declare an instantiation with this name", decl.Name)
		return
	case !isObject(decl):
		s.Diags.Errorf(decl.Pos(), "type %s has no TypeMeta, so the verb list cannot return it; embed metav1.TypeMeta", decl.Name)
		return
	}
	if !s.Fakes {
		return
	}
	if meta, err := decl.Field("ListMeta", true); meta == nil && err == nil {
		s.Diags.Errorf(decl.Pos(), "type %s has no ListMeta, which the fake client of %s sets; embed metav1.ListMeta", decl.Name, k.Name)
	}
	items, err := decl.Field("Items", true)
	if items == nil {
		if err == nil {
			s.Diags.Errorf(decl.Pos(), "type %s has no field Items, which the fake client of %s fills; add Items []%s, or add +genclient:skipVerbs=list to type %s", decl.Name, k.Name, k.Name, k.Name)
		}
		return
	}
	elem, known := items.Elem()
	if !known {
		return
	}
	if elem.Of == nil || !elem.Of.Same(kind) {
		s.Diags.Errorf(decl.Pos(), "Items of type %s does not contain %s objects, which the fake client of %s stores in it; declare it as []%s", decl.Name, k.Name, k.Name, k.Name)
	}
	k.ItemsArePointers = elem.Pointer
}

// methods adds the methods of a kind, once all groups have names.
func (s *scanner) methods(v *version, k *model.Kind, f found) {
	for _, m := range f.markers.Methods {
		if slices.ContainsFunc(marker.Verbs, func(verb string) bool { return k.Has(verb) && model.Title(verb) == m.Name }) {
			s.Diags.Errorf(m.Pos, "method %s already exists for the verb of this name; choose another name, or skip the verb with +genclient:skipVerbs", m.Name)
		}
		if slices.Contains(s.needed(k, f.markers), m.Name) {
			s.Diags.Errorf(m.Pos, "method %s already exists, and other methods of the client use it; choose another name", m.Name)
		}
		method := &model.Method{
			Kind:        k,
			Name:        m.Name,
			Verb:        m.Verb,
			Subresource: m.Subresource,
			Input:       s.typeRef(v, k, m, "input", m.Input, ""),
			Result:      s.typeRef(v, k, m, "result", m.Result, listSuffix(m)),
		}
		method.InputParam = s.param(method.Input.Name)
		k.Methods = append(k.Methods, method)
	}
}

// needed returns the methods of generic clients and fakes that other methods of a client
// call.
func (s *scanner) needed(k *model.Kind, m marker.Type) []string {
	names := []string{"GetClient"}
	if k.Namespaced {
		names = append(names, "GetNamespace")
	}
	if s.Fakes {
		names = append(names, "Resource")
	}
	if s.Fakes && k.Namespaced {
		names = append(names, "Namespace")
	}
	if s.Fakes && slices.ContainsFunc(m.Methods, func(m marker.Method) bool { return m.Verb == "list" }) {
		names = append(names, "Kind")
	}
	return names
}

// param returns the name of a parameter for an object of a type, different from import
// names.
func (s *scanner) param(typ string) string {
	name := model.ParamName(typ)
	for _, alias := range s.aliases {
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
func (s *scanner) typeRef(v *version, k *model.Kind, m marker.Method, setting, ref, suffix string) model.TypeRef {
	if ref == "" {
		return model.TypeRef{Package: v.Types, Name: k.Name}
	}
	name := ref
	p, pkg := v.src.Package, v.Types
	if dot := strings.LastIndexByte(ref, '.'); dot >= 0 {
		name = ref[dot+1:]
		importPath := ref[:dot]
		pkg = s.foreign(importPath)
		var err error
		if p, err = p.Import(importPath); err != nil {
			if first, _, _ := strings.Cut(importPath, "/"); !strings.Contains(first, ".") {
				s.Diags.Errorf(m.Pos, "%s=%s of method %s: package %q does not exist; use an import path, as in k8s.io/api/autoscaling/v1.Scale", setting, ref, m.Name, importPath)
			}
			// Its types cannot be checked, for example because its module is not downloaded.
			return model.TypeRef{Package: pkg, Name: name}
		}
	}
	switch decl := p.Lookup(name + suffix); {
	case decl == nil:
		s.Diags.Errorf(m.Pos, "%s=%s of method %s: package %s has no type %s; declare it, or name another type", setting, ref, m.Name, p.Path, name+suffix)
	case decl.Spec.TypeParams != nil:
		s.Diags.Errorf(m.Pos, "%s=%s of method %s: type %s is generic; declare an instantiation, type Name = %s[...], and use that", setting, ref, m.Name, decl.Name, decl.Name)
	case (setting == "result" || s.Fakes && m.Verb != "apply") && !isObject(decl):
		s.Diags.Errorf(m.Pos, "%s=%s of method %s: type %s has no TypeMeta, so it is not an API object; embed metav1.TypeMeta, or name another type", setting, ref, m.Name, decl.Name)
	case setting == "input" && m.Verb == "update" && m.Subresource == "" && !isNamed(decl):
		s.Diags.Errorf(m.Pos, "%s=%s of method %s: type %s has no object name, which an update request needs; add subresource=, or name a type with metav1.ObjectMeta", setting, ref, m.Name, decl.Name)
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

// foreign returns a package of types that a method refers to.
func (s *scanner) foreign(importPath string) model.Package {
	if known, ok := s.aliases[importPath]; ok {
		return model.Package{Path: importPath, Alias: known}
	}
	alias := model.ForeignAlias(importPath)
	above := model.Identifier(strings.ToLower(path.Base(path.Dir(path.Dir(importPath)))))
	for slices.Contains(slices.Collect(maps.Values(s.aliases)), alias) {
		alias = above + alias
	}
	s.aliases[importPath] = alias
	return model.Package{Path: importPath, Alias: alias}
}
