package breaking

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// Schemas returns the differences between two schemas, each as JSON is decoded: maps, slices, strings,
// booleans, and numbers of any type. Both are structural schemas of an object, as a
// CustomResourceDefinition has for a version.
func Schemas(before, after map[string]any) []Change {
	c := comparison{}
	c.schema(nil, before, after, context{implicit: true})
	return c.changes
}

// comparison collects the changes between two schemas.
type comparison struct {
	changes []Change
	// opaque reports whether the schema that is compared preserves unknown fields somewhere. Servers
	// never find values with such fields unchanged, so they do not ratchet them.
	opaque bool
}

// context is what a comparison knows of the schemas above.
type context struct {
	// implicit reports whether objects have properties that the schema does not mention:
	// apiVersion, kind and metadata of the object itself, and of embedded ones.
	implicit bool
	// kept reports whether the old schema preserves unknown fields here, so that stored objects
	// can have any.
	kept bool
	// above are the new schemas of the values that contain this one, with the element of the path
	// that leads from each to it.
	above []ancestor
}

type ancestor struct {
	schema map[string]any
	step   string
}

// below returns the context of a part.
func (ctx context) below(after map[string]any, step string) context {
	return context{above: append(slices.Clone(ctx.above), ancestor{after, step})}
}

func (c *comparison) add(p Path, effect Effect, ratcheted bool, format string, args ...any) {
	c.changes = append(c.changes, Change{Path: p, Effect: effect, Ratcheted: ratcheted && !c.opaque, Text: fmt.Sprintf(format, args...)})
}

// tighter adds the change of a validation that rejects more values than before.
func (c *comparison) tighter(p Path, format string, args ...any) {
	c.add(p, Clients|Objects, true, format+"; values that were valid are rejected; keep the old validation in this version, or add the new one to a new version", args...)
}

func (c *comparison) wider(p Path, format string, args ...any) {
	c.add(p, 0, false, format+"; more values are valid", args...)
}

// documentation are the keywords without an effect on objects.
var documentation = []string{"description", "title", "externalDocs", "example", "$schema", "id"}

// schema compares two schemas of one value.
func (c *comparison) schema(p Path, before, after map[string]any, ctx context) {
	defer func(opaque bool) { c.opaque = opaque }(c.opaque)
	c.opaque = isOpaque(after)
	ctx.kept = boolean(before, "x-kubernetes-preserve-unknown-fields")
	ctx.implicit = ctx.implicit || boolean(before, "x-kubernetes-embedded-resource")
	seen := map[string]bool{}
	for _, keyword := range documentation {
		seen[keyword] = true
	}
	for _, step := range comparisons {
		for _, keyword := range step.keywords {
			seen[keyword] = true
		}
		if slices.ContainsFunc(step.keywords, func(k string) bool { return !equal(before[k], after[k]) }) {
			step.compare(c, p, before, after, ctx)
		}
	}
	c.properties(p, before, after, ctx)
	c.required(p, before, after)
	c.parts(p, before, after, ctx)
	for _, keyword := range []string{"properties", "required", "items", "additionalProperties"} {
		seen[keyword] = true
	}
	for _, keyword := range union(before, after) {
		if !seen[keyword] && !equal(before[keyword], after[keyword]) {
			c.add(p, Clients|Objects, false, "%s changed, whose effect is not known; compare both schemas", keyword)
		}
	}
}

// comparisons compare keywords, each if one of its keywords differs.
var comparisons = []struct {
	keywords []string
	compare  func(c *comparison, p Path, before, after map[string]any, ctx context)
}{
	{[]string{"type", "x-kubernetes-int-or-string"}, (*comparison).types},
	{[]string{"format"}, (*comparison).format},
	{[]string{"nullable"}, (*comparison).nullable},
	{[]string{"default"}, (*comparison).defaults},
	{[]string{"maximum", "exclusiveMaximum"}, (*comparison).maximum},
	{[]string{"minimum", "exclusiveMinimum"}, (*comparison).minimum},
	{[]string{"multipleOf"}, (*comparison).multiple},
	{[]string{"maxLength"}, atMost("maxLength")},
	{[]string{"maxItems"}, atMost("maxItems")},
	{[]string{"maxProperties"}, atMost("maxProperties")},
	{[]string{"minLength"}, atLeast("minLength")},
	{[]string{"minItems"}, atLeast("minItems")},
	{[]string{"minProperties"}, atLeast("minProperties")},
	{[]string{"pattern"}, unless("pattern")},
	{[]string{"uniqueItems"}, (*comparison).unique},
	{[]string{"enum"}, (*comparison).enum},
	{[]string{"allOf"}, (*comparison).allOf},
	{[]string{"anyOf"}, (*comparison).anyOf},
	{[]string{"oneOf"}, unless("oneOf")},
	{[]string{"not"}, unless("not")},
	{[]string{"x-kubernetes-preserve-unknown-fields"}, (*comparison).preserve},
	{[]string{"x-kubernetes-embedded-resource"}, (*comparison).embedded},
	{[]string{"x-kubernetes-list-type", "x-kubernetes-list-map-keys"}, (*comparison).listType},
	{[]string{"x-kubernetes-map-type"}, (*comparison).mapType},
	{[]string{"x-kubernetes-validations"}, (*comparison).rules},
}

// properties compares the properties of objects.
func (c *comparison) properties(p Path, before, after map[string]any, ctx context) {
	was, is := object(before, "properties"), object(after, "properties")
	for _, name := range union(was, is) {
		at := p.to(name)
		if !equal(was[name], is[name]) {
			c.property(at, name, before, after, ctx)
		}
	}
}

func (c *comparison) property(p Path, name string, before, after map[string]any, ctx context) {
	was, had := object(before, "properties")[name].(map[string]any)
	is, has := object(after, "properties")[name].(map[string]any)
	implicit := ctx.implicit && (name == "apiVersion" || name == "kind" || name == "metadata")
	below := ctx.below(after, name)
	if implicit && has {
		// It exists without a schema, and its fields are never dropped.
		if !had {
			was = map[string]any{"type": is["type"]}
		}
		c.schema(p, with(was, "x-kubernetes-preserve-unknown-fields", true), with(is, "x-kubernetes-preserve-unknown-fields", true), below)
		return
	}
	switch {
	case had && has:
		c.schema(p, was, is, below)
	case !had && (ctx.kept || before["additionalProperties"] != nil):
		c.add(p, Clients|Objects, false, "property is new where any property was preserved before; stored values that do not fit it become invalid; choose another name")
	case !had:
		c.newProperty(p, is, below)
	case implicit:
		c.wider(p, "property is no longer validated")
	case boolean(after, "x-kubernetes-preserve-unknown-fields"):
		c.wider(p, "property is no longer validated")
	default:
		c.changes = append(c.changes, Change{
			Path: p, Removed: true, Effect: Clients | Objects,
			Text: "property is removed; the server drops its value from stored objects and from requests; keep the property in this version, and stop to use it",
		})
	}
}

// newProperty adds the change of a property that no stored object has.
func (c *comparison) newProperty(p Path, schema map[string]any, ctx context) {
	if value, ok := schema["default"]; ok {
		if reason := ctx.affected(); reason != "" {
			c.add(p, Clients|Objects, false, "property is new, and its default %s is added to stored objects, which %s can then reject; remove the default", show(value), reason)
			return
		}
	}
	c.add(p, 0, false, "property is new")
}

// affected returns what can reject an object because a default adds a value to it, or "".
func (ctx context) affected() string {
	for i, a := range ctx.above {
		for _, keyword := range []string{"oneOf", "anyOf", "allOf", "not", "enum"} {
			if a.schema[keyword] != nil {
				return keyword
			}
		}
		last := i == len(ctx.above)-1
		for _, keyword := range []string{"maxProperties", "minProperties"} {
			if last && a.schema[keyword] != nil {
				return keyword
			}
		}
		if a.step == Items {
			switch a.schema["x-kubernetes-list-type"] {
			case "set":
				return "the list type set"
			case "map":
				key := ""
				if i+1 < len(ctx.above) {
					key = ctx.above[i+1].step
				}
				if slices.ContainsFunc(list(a.schema, "x-kubernetes-list-map-keys"), func(k any) bool { return k == key }) {
					return "the list type map"
				}
			}
		}
		for _, rule := range list(a.schema, "x-kubernetes-validations") {
			if r, ok := rule.(map[string]any); ok && mentions(fmt.Sprint(r["rule"]), a.step) {
				return "a rule in CEL"
			}
		}
	}
	return ""
}

// required compares the lists of required properties.
func (c *comparison) required(p Path, before, after map[string]any) {
	was, is := list(before, "required"), list(after, "required")
	for _, name := range is {
		property, _ := object(after, "properties")[fmt.Sprint(name)].(map[string]any)
		_, filled := property["default"]
		if slices.Contains(was, name) {
			continue
		}
		at := p.to(fmt.Sprint(name))
		if filled && property["default"] != nil {
			c.add(at, 0, false, "property is required now, and has a default")
			continue
		}
		c.add(at, Clients|Objects, true, "property is required now; objects without it are rejected; add a default, or make it optional")
	}
	for _, name := range was {
		property, _ := object(before, "properties")[fmt.Sprint(name)].(map[string]any)
		_, filled := property["default"]
		now, exists := object(after, "properties")[fmt.Sprint(name)].(map[string]any)
		_, fills := now["default"]
		switch {
		case !slices.Contains(is, name) && exists:
			c.wider(p.to(fmt.Sprint(name)), "property is optional now")
		case slices.Contains(is, name) && filled && !fills:
			c.add(p.to(fmt.Sprint(name)), Clients|Objects, true, "required property has no default any more; requests without it, and objects stored before the default was added, are rejected; keep the default")
		}
	}
}

// parts compares the schemas of items and of the values of maps.
func (c *comparison) parts(p Path, before, after map[string]any, ctx context) {
	for _, part := range []struct{ keyword, step string }{{"items", Items}, {"additionalProperties", Values}} {
		was, had := subschema(before, part.keyword)
		is, has := subschema(after, part.keyword)
		at := p.to(part.step)
		below := ctx.below(after, part.step)
		switch {
		case equal(was, is) && had == has:
		case had && has:
			c.schema(at, was, is, below)
		case had && boolean(after, "x-kubernetes-preserve-unknown-fields"):
			c.wider(at, "%s is removed, and any values are preserved", part.keyword)
		case had:
			c.changes = append(c.changes, Change{
				Path: at, Removed: true, Effect: Clients | Objects,
				Text: part.keyword + " is removed; the server drops the values from stored objects and from requests; keep it in this version",
			})
		case ctx.kept || part.step == Items || len(object(before, "properties")) > 0:
			c.add(at, Clients|Objects, false, "%s is new; stored values that do not fit it become invalid; add it to a new version", part.keyword)
		default:
			c.wider(at, "%s is new", part.keyword)
		}
	}
}

// isOpaque reports whether a schema or a part of it preserves unknown fields.
func isOpaque(schema map[string]any) bool {
	if boolean(schema, "x-kubernetes-preserve-unknown-fields") {
		return true
	}
	for _, property := range object(schema, "properties") {
		if p, ok := property.(map[string]any); ok && isOpaque(p) {
			return true
		}
	}
	for _, keyword := range []string{"items", "additionalProperties"} {
		if part, ok := subschema(schema, keyword); ok && isOpaque(part) {
			return true
		}
	}
	return false
}

// subschema returns the schema of a keyword; true stands for any value, and false for none.
func subschema(schema map[string]any, keyword string) (map[string]any, bool) {
	switch s := schema[keyword].(type) {
	case map[string]any:
		return s, true
	case bool:
		return map[string]any{"x-kubernetes-preserve-unknown-fields": true}, s
	}
	return nil, false
}

// mentions reports whether a rule can depend on the part of self to which a step leads: it mentions the
// name, or uses self as a whole.
func mentions(rule, step string) bool {
	if step == Items || step == Values {
		return true
	}
	for _, variable := range []string{"self", "oldSelf"} {
		for rest := rule; ; {
			i := strings.Index(rest, variable)
			if i < 0 {
				break
			}
			rest = rest[i+len(variable):]
			if !strings.HasPrefix(rest, ".") {
				return true
			}
		}
	}
	return strings.Contains(rule, step) || strings.Contains(rule, "__")
}

// union returns the keys of two maps, sorted.
func union(a, b map[string]any) []string {
	all := maps.Clone(a)
	if all == nil {
		all = map[string]any{}
	}
	maps.Copy(all, b)
	return slices.Sorted(maps.Keys(all))
}

func with(schema map[string]any, keyword string, value any) map[string]any {
	s := maps.Clone(schema)
	s[keyword] = value
	return s
}

func object(schema map[string]any, keyword string) map[string]any {
	m, _ := schema[keyword].(map[string]any)
	return m
}

func list(schema map[string]any, keyword string) []any {
	l, _ := schema[keyword].([]any)
	return l
}

func boolean(schema map[string]any, keyword string) bool {
	b, _ := schema[keyword].(bool)
	return b
}

func text(schema map[string]any, keyword string) string {
	s, _ := schema[keyword].(string)
	return s
}

// number returns a number of any type.
func number(schema map[string]any, keyword string) (float64, bool) {
	v := reflect.ValueOf(schema[keyword])
	switch {
	case v.CanInt():
		return float64(v.Int()), true
	case v.CanUint():
		return float64(v.Uint()), true
	case v.CanFloat():
		return v.Float(), true
	}
	return 0, false
}

// equal reports whether two JSON values are equal, comparing numbers by their values.
func equal(a, b any) bool {
	switch x := a.(type) {
	case map[string]any:
		y, ok := b.(map[string]any)
		return ok && maps.EqualFunc(x, y, equal)
	case []any:
		y, ok := b.([]any)
		return ok && slices.EqualFunc(x, y, equal)
	}
	x, isNumber := number(map[string]any{"": a}, "")
	if y, ok := number(map[string]any{"": b}, ""); ok && isNumber {
		return x == y
	}
	return reflect.DeepEqual(a, b)
}
