package lint

import (
	"regexp"
	"slices"
	"strings"

	"github.com/listwatch/listwatch/generators/internal/diag"
	"github.com/listwatch/listwatch/generators/internal/load"
	"github.com/listwatch/listwatch/generators/internal/resolve"
)

// The markers for optional and required fields, the preferred one first.
var (
	optional = []string{"optional", "kubebuilder:validation:Optional", "k8s:optional"}
	required = []string{"required", "kubebuilder:validation:Required", "k8s:required"}
)

// commentStart requires that comments start with the name of the field in JSON.
func commentStart(c *checker, f *field) {
	if f.json == "" || f.options == "inline" {
		return
	}
	var text []load.Line
	if f.syntax.Doc != nil {
		text = slices.DeleteFunc(f.file.Lines(f.syntax.Doc), func(l load.Line) bool {
			return strings.TrimSpace(l.Text) == "" || strings.HasPrefix(strings.TrimSpace(l.Text), "+")
		})
	}
	if len(text) == 0 {
		if f.syntax.Doc == nil {
			c.errorf(f.pos, nil, "field %s has no comment, which is its description in the API; add one that starts with %s", f.name, f.json)
		}
		return
	}
	first, _, _ := strings.Cut(text[0].Text, " ")
	if first == f.json {
		return
	}
	var edits []diag.Edit
	if strings.EqualFold(first, f.json) {
		edits = []diag.Edit{{Line: text[0].Pos.Line, Column: text[0].Pos.Column, Old: first, New: f.json}}
	}
	c.errorf(text[0].Pos, edits, "comment of field %s starts with %q; start it with its name in JSON, %s", f.name, first, f.json)
}

// conditions requires the form of conditions that clients expect.
func conditions(c *checker, f *field) {
	if f.goName != "Conditions" {
		return
	}
	t := c.resolved(f)
	if t.Kind() == resolve.Unknown {
		return
	}
	if t.Kind() != resolve.Slice || t.Elem().Kind() != resolve.Unknown && !t.Elem().Is("k8s.io/apimachinery/pkg/apis/meta/v1", "Condition") {
		c.errorf(f.pos, nil, "field %s must be a list of metav1.Condition, which kubectl wait and other clients read", f.name)
		return
	}
	var missing []string
	for _, want := range []string{"listType=map", "listMapKey=type", "optional"} {
		if !slices.ContainsFunc(f.markers, func(m mark) bool {
			return strings.ReplaceAll(m.text, ":=", "=") == want || want == "optional" && slices.Contains(optional, m.name)
		}) {
			missing = append(missing, "+"+want)
		}
	}
	if len(missing) > 0 {
		c.errorf(f.pos, nil, "field %s has no %s, without which appliers overwrite each other's conditions; add them", f.name, strings.Join(missing, ", "))
	}
	if f.json != "conditions" || !strings.Contains(f.options, "omitempty") {
		c.errorf(f.pos, nil, "field %s must have the tag `json:\"conditions,omitempty\"`", f.name)
	}
}

// defaultOrRequired rejects required fields with a default.
func defaultOrRequired(c *checker, f *field) {
	if f.has("default", "kubebuilder:default", "k8s:default") && f.has(required...) {
		c.errorf(f.pos, nil, "field %s is required and has a default, so that the default never applies to clients in Go; remove one of both", f.name)
	}
}

var camelCase = regexp.MustCompile("^[a-z][a-z0-9]*(?:[A-Z][a-z0-9]*)*$")

// jsonTags requires names in JSON.
func jsonTags(c *checker, f *field) {
	switch {
	case !f.tagged && f.embedded:
		c.errorf(f.pos, nil, "embedded field %s has no JSON tag; add `json:\",inline\"` or a name", f.name)
	case !f.tagged:
		c.errorf(f.pos, nil, "field %s has no JSON tag, and would be written with its name in Go; add one such as `json:\"%s\"`", f.name, lowerFirst(f.goName))
	case f.embedded && f.json == "":
	case strings.Contains(f.options, "inline"):
		c.errorf(f.pos, nil, "field %s is not embedded, so inline has no effect; give it a name in JSON", f.name)
	case f.json == "":
		c.errorf(f.pos, nil, "JSON tag of field %s has no name; add one such as `json:\"%s\"`", f.name, lowerFirst(f.goName))
	case !camelCase.MatchString(f.json):
		c.errorf(f.pos, nil, "name %q of field %s in JSON is not in camel case; use letters and digits, and start with a lowercase letter", f.json, f.name)
	}
}

func lowerFirst(name string) string { return strings.ToLower(name[:1]) + name[1:] }

func noPhase(c *checker, f *field) {
	if strings.Contains(strings.ToLower(f.goName), "phase") || strings.Contains(strings.ToLower(f.json), "phase") {
		c.errorf(f.pos, nil, "field %s: clients cannot know all phases, and new ones break them; use conditions", f.name)
	}
}

func noTimestamp(c *checker, f *field) {
	if strings.Contains(strings.ToLower(f.goName), "timestamp") || strings.Contains(strings.ToLower(f.json), "timestamp") {
		c.errorf(f.pos, nil, "field %s: names of times end with Time in APIs; rename it", f.name)
	}
}

func noNullable(c *checker, f *field) {
	if m := find(c.all(f), "nullable", "kubebuilder:validation:Nullable"); m != nil {
		c.errorf(f.pos, nil, "field %s is nullable, which clients in Go cannot tell from absent; make it optional", f.name)
	}
}

func noNullableType(c *checker, t *typ) {
	if find(t.markers, "nullable", "kubebuilder:validation:Nullable") != nil {
		c.errorf(t.pos, nil, "type %s is nullable, which clients in Go cannot tell from absent; make the fields optional", t.Name)
	}
}

// optionalOrRequired requires one of both markers.
func optionalOrRequired(c *checker, f *field) {
	if f.inline() || f.embedded && f.json == "metadata" {
		return
	}
	opt, req := find(f.markers, optional...), find(f.markers, required...)
	plainOpt, plainReq := find(f.markers, optional[:2]...), find(f.markers, required[:2]...)
	switch {
	case opt != nil && req != nil:
		c.errorf(f.pos, nil, "field %s is marked both optional and required; remove one marker", f.name)
	case plainOpt == nil && plainReq == nil:
		c.errorf(f.pos, nil, "field %s is not marked optional or required; add +optional or +required", f.name)
	default:
		c.preferred(f, optional)
		c.preferred(f, required)
	}
}

// preferred reports a marker with the older one of two names.
func (c *checker) preferred(f *field, names []string) {
	older := find(f.markers, names[1])
	if older == nil {
		return
	}
	if f.has(names[0]) {
		c.errorf(f.pos, older.cut(), "field %s has both +%s and +%s; remove the latter", f.name, names[0], names[1])
		return
	}
	c.errorf(f.pos, older.rename(names[0]), "field %s is marked with +%s; use +%s", f.name, names[1], names[0])
}

func optionalOrRequiredType(c *checker, t *typ) {
	if m := find(t.markers, append(slices.Clone(optional), required...)...); m != nil {
		c.errorf(t.pos, m.cut(), "type %s is marked with +%s, which belongs to fields; remove it", t.Name, m.name)
	}
}

// optionalFields requires that optional fields can be absent.
func optionalFields(c *checker, f *field) {
	if !f.has(optional...) || f.inline() || f.json == "" {
		return
	}
	t := c.resolved(f)
	omitted := strings.Contains(f.options, "omitempty") || strings.Contains(f.options, "omitzero")
	switch t.Kind() {
	case resolve.Pointer:
		if k := t.Elem().Kind(); k == resolve.Slice || k == resolve.Map || k == resolve.Pointer {
			c.errorf(f.pos, nil, "field %s is a pointer to a %s, which can be absent itself; remove the pointer", f.name, k)
		}
	case resolve.Basic:
		c.errorf(f.pos, nil, "field %s is optional, but its zero value cannot be told from absent; make it a pointer", f.name)
	case resolve.Struct:
		if !strings.Contains(f.options, "omitzero") {
			c.errorf(f.pos, nil, "field %s is optional, but a struct is written even if it is empty; make it a pointer, or add omitzero to its tag", f.name)
		}
	}
	if !omitted {
		c.errorf(f.pos, nil, "field %s is optional, but is always written; add omitempty to its tag", f.name)
	}
}

// ssaTags requires the list types of server-side apply.
func ssaTags(c *checker, f *field) {
	t := c.resolved(f)
	if t.Kind() == resolve.Pointer {
		t = t.Elem()
	}
	if t.Kind() != resolve.Slice && t.Kind() != resolve.Array {
		return
	}
	if isString(t) {
		if m := find(f.markers, "listType"); m != nil {
			c.errorf(f.pos, m.cut(), "field %s is a string in JSON, which has no list type; remove +listType", f.name)
		}
		return
	}
	elem := t.Elem()
	if elem.Kind() == resolve.Pointer {
		elem = elem.Elem()
	}
	all := c.all(f)
	listType := find(all, "listType")
	objects := elem.Kind() == resolve.Struct
	compound := objects || elem.Kind() == resolve.Slice || elem.Kind() == resolve.Map
	switch {
	case listType == nil:
		c.errorf(f.pos, nil, "list %s has no +listType, so server-side apply replaces it as a whole; add +listType=atomic, set or map", f.name)
	case !slices.Contains([]string{"atomic", "set", "map"}, listType.value):
		c.errorf(f.pos, nil, "unknown list type %q of %s; want atomic, set or map", listType.value, f.name)
	case listType.value == "set" && compound:
		c.errorf(f.pos, nil, "list %s of objects or lists has the list type set, in which an element that changes becomes another one; use map with +listMapKey, or atomic", f.name)
	case listType.value == "map" && !objects && elem.Kind() != resolve.Unknown:
		c.errorf(f.pos, nil, "list %s has the list type map, but its elements have no keys; use set or atomic", f.name)
	case listType.value == "map" && find(all, "listMapKey") == nil:
		c.errorf(f.pos, nil, "list %s has the list type map without keys; add +listMapKey with the name of a field", f.name)
	case listType.value == "map":
		for _, m := range all {
			if m.name == "listMapKey" && objects && !hasProperty(elem, m.value, 0) {
				c.errorf(f.pos, nil, "elements of list %s have no field %q, its +listMapKey; name one of their fields", f.name, m.value)
			}
		}
	}
}

// hasProperty reports whether a struct has a field with a name in JSON.
func hasProperty(t *resolve.Type, name string, depth int) bool {
	const deep = 20
	if t.Kind() == resolve.Pointer {
		t = t.Elem()
	}
	if t.Kind() == resolve.Unknown || depth > deep {
		return true
	}
	return slices.ContainsFunc(t.Fields(), func(f *resolve.Field) bool {
		tag, _, _ := strings.Cut(jsonTag(f.Tag), ",")
		return tag == name || f.Embedded && tag == "" && hasProperty(f.Type, name, depth+1)
	})
}
