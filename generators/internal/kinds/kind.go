package kinds

import (
	"go/ast"
	"strings"
	"unicode/utf8"

	"github.com/listwatch/listwatch/generators/internal/diag"
	"github.com/listwatch/listwatch/generators/internal/load"
	"github.com/listwatch/listwatch/generators/internal/marker"
	"github.com/listwatch/listwatch/generators/model"
)

// kind returns the kind for a marked type, without its methods, or nil if the type is
// invalid.
func (r *reader) kind(v *version, f Declaration) *model.Kind {
	pos := f.Type.Pos()
	switch {
	case f.Type.Name[0] >= utf8.RuneSelf:
		r.Diags.Errorf(pos, "type %s starts with a non-ASCII letter, which is not allowed in a kind; rename it", f.Type.Name)
		return nil
	case !ast.IsExported(f.Type.Name):
		r.Diags.Errorf(pos, "type %s is not exported, so generated code cannot use it; start its name with an uppercase letter", f.Type.Name)
		return nil
	case v.src.Package.Name == "main":
		r.Diags.Errorf(pos, "type %s is in package main, which cannot be imported; move it to its own package%s", f.Type.Name, leaveOut(v.src.Package))
		return nil
	case f.Type.Spec.TypeParams != nil:
		r.Diags.Errorf(pos, "type %s is generic; mark an instantiation: type Name struct { %s[...] }", f.Type.Name, f.Type.Name)
		return nil
	}
	if meta, err := f.Type.Field("ObjectMeta", true); meta == nil && err == nil {
		r.Diags.Errorf(pos, "type %s has no ObjectMeta, so it is not an API object; embed metav1.TypeMeta and metav1.ObjectMeta, or remove +genclient", f.Type.Name)
		return nil
	}
	if !isObject(f.Type) {
		r.Diags.Errorf(pos, "type %s has no TypeMeta, so it is not an API object; embed metav1.TypeMeta, or remove +genclient", f.Type.Name)
		return nil
	}
	k := &model.Kind{
		Version:    v.Version,
		Name:       f.Type.Name,
		Doc:        marker.TypeText(f.Type),
		Names:      r.plurals.KindNames(f.Type.Name),
		Namespaced: !f.Markers.NonNamespaced,
		NoVerbs:    f.Markers.NoVerbs,
		Skip:       f.Markers.Skip,
		Markers:    marker.Tags(f.Type.OwnLines()),
		Pos:        pos,
	}
	k.Resource = r.resource(k, f.Markers)
	r.scope(k, f.Markers)
	k.HasStatus = r.hasStatus(f)
	r.checkTypeMeta(f.Type)
	if k.Has("list") && r.Clients {
		r.list(k, f.Type, v.src.Package)
	}
	return k
}

// isObject reports whether a type has the methods of a runtime.Object, except those that
// deepcopy-gen generates. It reports true if that cannot be determined.
func isObject(t *load.Type) bool {
	meta, err := t.Field("TypeMeta", true)
	return meta != nil || err != nil || t.File.Package.HasMethod(t.Name, "GetObjectKind")
}

// checkTypeMeta warns about an embedded TypeMeta without a JSON tag in a type of an external version. Package
// encoding/json inlines it all the same.
func (r *reader) checkTypeMeta(t *load.Type) {
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
	r.Diags.Fix(edits...).Warnf(meta.Pos(), "TypeMeta of type %s has no JSON tag; add `json:\",inline\"`", t.Name)
}

// resource returns the resource name of a kind.
func (r *reader) resource(k *model.Kind, m marker.Type) string {
	byRule := r.plurals.Resource(k.Name)
	if m.Resource != "" {
		if m.KubePath != "" && m.Resource != m.KubePath {
			r.Diags.Warnf(m.KubeAt, "path=%s contradicts +resourceName=%s; keep one", m.KubePath, m.Resource)
		}
		return m.Resource
	}
	switch {
	case m.KubePath != "" && m.KubePath != byRule && r.Extended:
		return m.KubePath
	case m.KubePath != "" && m.KubePath != byRule:
		r.Diags.Warnf(m.KubeAt, "code-generator ignores path=%s and names the resource %q; add +resourceName=%s", m.KubePath, byRule, m.KubePath)
	}
	return byRule
}

// scope sets whether a kind is namespaced, using kubebuilder's marker.
func (r *reader) scope(k *model.Kind, m marker.Type) {
	switch {
	case m.KubeScope == "Namespaced" && m.NonNamespaced:
		r.Diags.Warnf(m.KubeAt, "scope=Namespaced contradicts +genclient:nonNamespaced; keep one")
	case m.KubeScope != "Cluster" || m.NonNamespaced:
	case r.Extended:
		k.Namespaced = false
	default:
		r.Diags.Warnf(m.KubeAt, "code-generator ignores scope=Cluster and generates a namespaced client; add +genclient:nonNamespaced")
	}
}

// hasStatus reports whether a kind has a status.
func (r *reader) hasStatus(f Declaration) bool {
	if f.Markers.NoStatus {
		return false
	}
	if status, _ := f.Type.Field("Status", r.Extended); status != nil {
		return true
	}
	if r.Extended {
		return false
	}
	if status, _ := f.Type.Field("Status", true); status != nil {
		r.Diags.Warnf(f.Type.Pos(), "code-generator ignores the Status of type %s, which is in an embedded struct, and generates no UpdateStatus; declare the field Status in type %s", f.Type.Name, f.Type.Name)
	}
	return false
}

// list checks that a kind has a list type and, for fakes, that it contains objects of the
// kind.
func (r *reader) list(k *model.Kind, kind *load.Type, p *load.Package) {
	decl := p.Lookup(k.Name + "List")
	if decl == nil {
		r.Diags.Errorf(k.Pos, "package %s has no type %sList, which the verb list returns; declare it, or add +genclient:skipVerbs=list%s", p.Path, k.Name, leaveOut(p))
		return
	}
	switch {
	case decl.Spec.TypeParams != nil:
		r.Diags.Errorf(decl.Pos(), "type %s is generic, so the verb list cannot return it; declare an instantiation with this name", decl.Name)
		return
	case !isObject(decl):
		r.Diags.Errorf(decl.Pos(), "type %s has no TypeMeta, so the verb list cannot return it; embed metav1.TypeMeta", decl.Name)
		return
	}
	if !r.Fakes {
		return
	}
	if meta, err := decl.Field("ListMeta", true); meta == nil && err == nil {
		r.Diags.Errorf(decl.Pos(), "type %s has no ListMeta, which the fake client of %s sets; embed metav1.ListMeta", decl.Name, k.Name)
	}
	items, err := decl.Field("Items", true)
	if items == nil {
		if err == nil {
			r.Diags.Errorf(decl.Pos(), "type %s has no field Items, which the fake client of %s fills; add Items []%s, or add +genclient:skipVerbs=list to type %s", decl.Name, k.Name, k.Name, k.Name)
		}
		return
	}
	elem, known := items.Elem()
	if !known {
		return
	}
	if elem.Of == nil || !elem.Of.Same(kind) {
		r.Diags.Errorf(decl.Pos(), "Items of type %s does not contain %s objects, which the fake client of %s stores in it; declare it as []%s", decl.Name, k.Name, k.Name, k.Name)
	}
	k.ItemsArePointers = elem.Pointer
}
