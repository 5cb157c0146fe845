package lint

import (
	"go/ast"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/listwatch/listwatch/generators/internal/load"
	"github.com/listwatch/listwatch/generators/internal/resolve"
)

func jsonTag(tag string) string { return reflect.StructTag(tag).Get("json") }

// unique are the markers of which a field or type has one.
var unique = func() []string {
	names := []string{"default", "kubebuilder:default", "kubebuilder:example", "listType", "structType", "mapType"}
	for _, name := range []string{
		"Enum", "ExclusiveMaximum", "ExclusiveMinimum", "Format", "MaxItems", "MaxLength", "MaxProperties", "Maximum",
		"MinItems", "MinLength", "MinProperties", "Minimum", "MultipleOf", "Pattern", "Type", "UniqueItems",
	} {
		names = append(names, "kubebuilder:validation:"+name, "kubebuilder:validation:items:"+name)
	}
	for _, name := range []string{"format", "maxItems", "maxLength", "maximum", "minItems", "minLength", "minimum", "listType"} {
		names = append(names, "k8s:"+name)
	}
	return names
}()

// ruleArgument finds the rule in the arguments of XValidation.
var ruleArgument = regexp.MustCompile("rule=(\"(?:[^\"\\\\]|\\\\.)*\"|'[^']*'|`[^`]*`)")

// identity returns what there may be once of a marker; empty if it may be repeated.
func identity(m mark) string {
	if strings.HasSuffix(m.name, ":XValidation") {
		return m.name + " " + ruleArgument.FindString(m.value)
	}
	if slices.Contains(unique, m.name) {
		return m.name
	}
	return ""
}

func (c *checker) uniqueMarkers(what string, t *typ, f *field) {
	all, pos := []mark(nil), f.position(t)
	if f != nil {
		all = c.all(f)
	} else {
		all = t.markers
	}
	var done []string
	for i, m := range all {
		id := identity(m)
		again := slices.ContainsFunc(all[:i], func(o mark) bool { return identity(o) == id })
		if id != "" && again && !slices.Contains(done, id) {
			done = append(done, id)
			c.errorf(pos, nil, "%s has several markers +%s; keep one", what, id)
		}
	}
}

func uniqueFieldMarkers(c *checker, f *field) { c.uniqueMarkers("field "+f.name, nil, f) }
func uniqueTypeMarkers(c *checker, t *typ)    { c.uniqueMarkers("type "+t.Name, t, nil) }

func (c *checker) duplicateMarkers(what string, t *typ, f *field) {
	all, pos := []mark(nil), f.position(t)
	if f != nil {
		all = c.all(f)
	} else {
		all = t.markers
	}
	var done []string
	for i, m := range all {
		j := slices.IndexFunc(all[:i], func(o mark) bool { return o.text == m.text })
		if j < 0 || slices.Contains(done, m.text) {
			continue
		}
		done = append(done, m.text)
		again := m
		if f != nil && i >= len(f.markers) {
			again = all[j] // the one of the type stays
		}
		c.errorf(pos, again.cut(), "%s has the marker +%s twice; remove one", what, m.text)
	}
}

func duplicateFieldMarkers(c *checker, f *field) { c.duplicateMarkers("field "+f.name, nil, f) }
func duplicateTypeMarkers(c *checker, t *typ)    { c.duplicateMarkers("type "+t.Name, t, nil) }

// statusSubresource requires a field Status for the subresource, and the other way round.
func statusSubresource(c *checker, t *typ) {
	root := find(t.markers, "kubebuilder:object:root")
	if s, ok := t.Spec.Type.(*ast.StructType); root == nil || root.value == "false" || ok && list(s) {
		return
	}
	status, err := t.Field("Status", true)
	if err != nil {
		return
	}
	marker := find(t.markers, "kubebuilder:subresource:status")
	switch {
	case status == nil && marker != nil:
		c.errorf(t.pos, nil, "type %s has the subresource status, but no field Status; add one, or remove the marker", t.Name)
	case status != nil && marker == nil:
		c.errorf(t.pos, root.below("+kubebuilder:subresource:status"), "type %s has a field Status, but no subresource for it; add +kubebuilder:subresource:status", t.Name)
	}
}

// statusOptional requires that the fields of a status are optional.
func statusOptional(c *checker, f *field) {
	if f.goName != "Status" || f.json != "status" {
		return
	}
	t := c.resolved(f)
	if t.Kind() == resolve.Pointer {
		t = t.Elem()
	}
	c.statusFields(t, f.file, 0)
}

func (c *checker) statusFields(t *resolve.Type, file *load.File, depth int) {
	const deep = 20
	if t.Kind() != resolve.Struct || t.Path() != "" && t.Path() != file.Package.Path || depth > deep {
		return
	}
	for _, f := range t.Fields() {
		tag := jsonTag(f.Tag)
		name, _, _ := strings.Cut(tag, ",")
		switch {
		case tag == "-":
		case f.Embedded && name == "":
			c.statusFields(f.Type, file, depth+1)
		case find(marks(f.Doc()), optional...) == nil:
			c.errorf(f.Pos, nil, "field %s of a status is not optional, so that a partial status cannot be written; add +optional", f.Name)
		}
	}
}
