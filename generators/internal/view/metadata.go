package view

import (
	"slices"
	"strings"

	"github.com/listwatch/listwatch/generators/internal/resolve"
)

// needed are the fields of metadata that caches use, by their JSON names: the key of an object, whether it is the same
// one as before, its version, and what listers select by.
var needed = []string{"name", "namespace", "uid", "resourceVersion", "labels"}

// metadata checks the metadata of a view, and sets where its fields are.
func (c *checker) metadata(view, of *resolve.Type) {
	all := members(view, "", "", 0)
	isMetadata := func(m member) bool { return m.name == "metadata" }
	i := slices.IndexFunc(all, isMetadata)
	if i < 0 {
		c.diags.Errorf(c.kind.Pos, "view %s has no metadata; embed metav1.ObjectMeta with the tag `json:\"metadata\"`, or a struct with these fields of it: %s", c.kind.Name, strings.Join(c.needed(), ", "))
		return
	}
	meta := all[i]
	var ofKind *resolve.Type
	if i := slices.IndexFunc(members(of, "", "", 0), isMetadata); i >= 0 {
		ofKind = members(of, "", "", 0)[i].Type
	}
	if ofKind != nil && resolve.Identical(meta.Type, ofKind) && meta.Embedded && !strings.Contains(meta.path, ".") {
		return // it has the methods of ObjectMeta
	}
	if meta.Type.Kind() != resolve.Struct {
		c.diags.Errorf(meta.Pos, "metadata of view %s is not a struct; embed metav1.ObjectMeta, or a struct with some of its fields", c.kind.Name)
		return
	}
	known := map[string]*resolve.Type{}
	if ofKind != nil {
		for _, m := range members(ofKind, "", "", 0) {
			known[m.name] = m.Type
		}
	}
	c.kind.View.Metadata = map[string]string{}
	var names []string
	for _, m := range members(meta.Type, "", "", 0) {
		c.kind.View.Metadata[m.name] = meta.path + "." + m.path
		names = append(names, m.name)
		if want := known[m.name]; want != nil && !resolve.Identical(m.Type, want) {
			c.diags.Errorf(m.Pos, "field %s of view %s has type %s, but methods of metav1.Object return %s; use that type", m.Name, c.kind.Name, m.Type, want)
		}
	}
	var missing []string
	for _, name := range c.needed() {
		if !slices.Contains(names, name) {
			missing = append(missing, name)
		}
	}
	if len(missing) > 0 {
		c.diags.Errorf(meta.Pos, "metadata of view %s lacks %s, which informers and listers need; add the fields of metav1.ObjectMeta with these JSON names", c.kind.Name, strings.Join(missing, ", "))
	}
}

// needed returns the fields of metadata that the view needs.
func (c *checker) needed() []string {
	return slices.DeleteFunc(slices.Clone(needed), func(name string) bool { return name == "namespace" && !c.kind.Namespaced })
}
