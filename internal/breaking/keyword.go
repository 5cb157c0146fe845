package breaking

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// types compares type and int-or-string, which replaces it.
func (c *comparison) types(p Path, before, after map[string]any, _ context) {
	was, is := typeName(before), typeName(after)
	switch {
	case was == is:
	case was == "integer" && is == "number", is == "integer or string" && (was == "integer" || was == "string"), is == "any":
		c.add(p, Clients, false, "type changed from %s to %s; clients of the old type cannot decode every new value; add a new field", was, is)
	default:
		// Not ratcheted: rules and lists need values of the right type to compare old with new.
		c.add(p, Clients|Objects, false, "type changed from %s to %s; stored values, and those that clients send, are rejected; add a new field", was, is)
	}
}

func typeName(schema map[string]any) string {
	if boolean(schema, "x-kubernetes-int-or-string") {
		return "integer or string"
	}
	if t := text(schema, "type"); t != "" {
		return t
	}
	return "any"
}

// validated are the formats of strings that servers validate, without hyphens; they ignore others.
var validated = []string{
	"bsonobjectid", "uri", "email", "hostname", "ipv4", "ipv6", "cidr", "mac", "uuid", "uuid3", "uuid4", "uuid5", "isbn", "isbn10", "isbn13",
	"creditcard", "ssn", "hexcolor", "rgbcolor", "byte", "password", "date", "duration", "datetime", "k8sshortname", "k8slongname",
}

func (c *comparison) format(p Path, before, after map[string]any, _ context) {
	was, is := text(before, "format"), text(after, "format")
	kind := typeName(after)
	switch {
	case kind == "integer" && was == "int32" && is != "int32", kind == "number" && was == "float" && is != "float":
		c.add(p, Clients, false, "format changed from %s to %q; clients of the old type cannot decode larger values; add a new field", was, is)
	case is == "", kind == "string" && !slices.Contains(validated, strings.ReplaceAll(is, "-", "")):
		c.wider(p, "format %q is replaced by %q, which is not validated", was, is)
	case kind == "integer" && is == "int64" && was == "":
		c.add(p, 0, false, "format is int64 now")
	default:
		c.tighter(p, "format changed from %q to %q", was, is)
	}
}

func (c *comparison) nullable(p Path, before, after map[string]any, _ context) {
	switch {
	case boolean(before, "nullable") == boolean(after, "nullable"):
	case boolean(after, "nullable"):
		c.wider(p, "null is valid now")
	default:
		c.tighter(p, "null is not valid any more")
	}
}

// defaults compares the default of a property that exists before and after.
func (c *comparison) defaults(p Path, before, after map[string]any, ctx context) {
	was, had := before["default"]
	is, has := after["default"]
	effect, reason := Clients, ""
	if by := ctx.affected(); by != "" {
		effect |= Objects
		reason = ", and " + by + " can reject the objects"
	}
	switch {
	case !has:
		c.add(p, effect, false, "default %s is removed; the server no longer fills in the field, on which clients can rely%s; keep it in this version", show(was), reason)
	case !had:
		c.add(p, effect, false, "default %s is new; the server also fills it in in stored objects without the field%s, so they mean something else; do it in a new version", show(is), reason)
	default:
		c.add(p, effect, false, "default changed from %s to %s; objects without the field mean something else%s; do it in a new version", show(was), show(is), reason)
	}
}

func (c *comparison) maximum(p Path, before, after map[string]any, _ context) {
	c.bound(p, "maximum", "exclusiveMaximum", before, after, func(a, b float64) bool { return a < b })
}

func (c *comparison) minimum(p Path, before, after map[string]any, _ context) {
	c.bound(p, "minimum", "exclusiveMinimum", before, after, func(a, b float64) bool { return a > b })
}

// bound compares a bound of numbers; inside reports whether the bound a excludes b.
func (c *comparison) bound(p Path, keyword, exclusive string, before, after map[string]any, inside func(a, b float64) bool) {
	was, had := number(before, keyword)
	is, has := number(after, keyword)
	open := boolean(after, exclusive) && !boolean(before, exclusive)
	switch {
	case !has && !had:
	case !has:
		c.wider(p, "%s %v is removed", keyword, was)
	case !had:
		c.tighter(p, "%s %s is new", keyword, bounded(is, after, exclusive))
	case inside(is, was), is == was && open:
		c.tighter(p, "%s changed from %s to %s", keyword, bounded(was, before, exclusive), bounded(is, after, exclusive))
	default:
		c.wider(p, "%s changed from %s to %s", keyword, bounded(was, before, exclusive), bounded(is, after, exclusive))
	}
}

func bounded(n float64, schema map[string]any, exclusive string) string {
	if boolean(schema, exclusive) {
		return fmt.Sprintf("%v (exclusive)", n)
	}
	return fmt.Sprint(n)
}

func (c *comparison) multiple(p Path, before, after map[string]any, _ context) {
	was, had := number(before, "multipleOf")
	is, has := number(after, "multipleOf")
	switch {
	case !has:
		c.wider(p, "multipleOf is removed")
	case had && was/is == float64(int64(was/is)) && is == float64(int64(is)) && was == float64(int64(was)):
		c.wider(p, "multipleOf changed from %v to %v", was, is)
	default:
		c.tighter(p, "multipleOf %v is new", is)
	}
}

// atMost compares an upper bound of a size.
func atMost(keyword string) func(*comparison, Path, map[string]any, map[string]any, context) {
	return func(c *comparison, p Path, before, after map[string]any, _ context) {
		was, had := number(before, keyword)
		is, has := number(after, keyword)
		switch {
		case !has:
			c.wider(p, "%s %v is removed", keyword, was)
		case !had:
			c.tighter(p, "%s %v is new", keyword, is)
		case is < was:
			c.tighter(p, "%s changed from %v to %v", keyword, was, is)
		default:
			c.wider(p, "%s changed from %v to %v", keyword, was, is)
		}
	}
}

// atLeast compares a lower bound of a size, which is 0 if there is none.
func atLeast(keyword string) func(*comparison, Path, map[string]any, map[string]any, context) {
	return func(c *comparison, p Path, before, after map[string]any, _ context) {
		was, _ := number(before, keyword)
		is, _ := number(after, keyword)
		if is > was {
			c.tighter(p, "%s changed from %v to %v", keyword, was, is)
		} else if is < was {
			c.wider(p, "%s changed from %v to %v", keyword, was, is)
		}
	}
}

// unless compares a keyword of which only the removal is known to accept more.
func unless(keyword string) func(*comparison, Path, map[string]any, map[string]any, context) {
	return func(c *comparison, p Path, before, after map[string]any, _ context) {
		switch {
		case after[keyword] == nil:
			c.wider(p, "%s %s is removed", keyword, show(before[keyword]))
		case before[keyword] == nil:
			c.tighter(p, "%s %s is new", keyword, show(after[keyword]))
		default:
			c.tighter(p, "%s changed from %s to %s", keyword, show(before[keyword]), show(after[keyword]))
		}
	}
}

func (c *comparison) unique(p Path, before, after map[string]any, _ context) {
	switch {
	case boolean(after, "uniqueItems") && !boolean(before, "uniqueItems"):
		c.tighter(p, "items must be unique")
	case boolean(before, "uniqueItems") && !boolean(after, "uniqueItems"):
		c.wider(p, "items need not be unique any more")
	}
}

func (c *comparison) enum(p Path, before, after map[string]any, _ context) {
	was, is := list(before, "enum"), list(after, "enum")
	if len(is) == 0 {
		c.wider(p, "enum is removed")
		return
	}
	if len(was) == 0 {
		c.tighter(p, "enum %s is new", show(is))
		return
	}
	if gone := without(was, is); len(gone) > 0 {
		c.tighter(p, "values %s of the enum are removed", show(gone))
	}
	if added := without(is, was); len(added) > 0 {
		c.add(p, 0, false, "values %s of the enum are new; clients must accept values that they do not know", show(added))
	}
}

// without returns the elements of a list that another one does not have.
func without(values, others []any) []any {
	return slices.DeleteFunc(slices.Clone(values), func(v any) bool {
		return slices.ContainsFunc(others, func(o any) bool { return equal(v, o) })
	})
}

func (c *comparison) allOf(p Path, before, after map[string]any, _ context) {
	if added := without(list(after, "allOf"), list(before, "allOf")); len(added) > 0 {
		c.tighter(p, "allOf has the new part %s", show(added))
		return
	}
	c.wider(p, "allOf has fewer parts")
}

func (c *comparison) anyOf(p Path, before, after map[string]any, _ context) {
	was, is := alternatives(before), alternatives(after)
	switch {
	case len(is) == 0 && len(was) == 0: // only those of int-or-string
	case len(is) == 0:
		c.wider(p, "anyOf is removed")
	case len(was) == 0:
		c.tighter(p, "anyOf %s is new", show(is))
	case len(without(was, is)) > 0:
		c.tighter(p, "anyOf has no part %s any more", show(without(was, is)))
	default:
		c.wider(p, "anyOf has more parts")
	}
}

// alternatives returns the parts of anyOf, except those that only repeat int-or-string.
func alternatives(schema map[string]any) []any {
	parts := list(schema, "anyOf")
	intOrString := []any{map[string]any{"type": "integer"}, map[string]any{"type": "string"}}
	if boolean(schema, "x-kubernetes-int-or-string") && equal(parts, intOrString) {
		return nil
	}
	return parts
}

func (c *comparison) preserve(p Path, before, after map[string]any, _ context) {
	switch {
	case boolean(before, "x-kubernetes-preserve-unknown-fields") == boolean(after, "x-kubernetes-preserve-unknown-fields"):
	case boolean(after, "x-kubernetes-preserve-unknown-fields"):
		c.wider(p, "unknown fields are preserved now")
	default:
		c.add(p, Clients|Objects, false, "unknown fields are not preserved any more; the server drops them from stored objects and from requests; keep +kubebuilder:pruning:PreserveUnknownFields in this version")
	}
}

func (c *comparison) embedded(p Path, before, after map[string]any, _ context) {
	switch {
	case boolean(before, "x-kubernetes-embedded-resource") == boolean(after, "x-kubernetes-embedded-resource"):
	case boolean(after, "x-kubernetes-embedded-resource"):
		c.tighter(p, "value must be a Kubernetes object with apiVersion and kind now")
	default:
		c.add(p, Clients|Objects, false, "value is not an embedded object any more; the server drops its metadata from stored objects and from requests; keep +kubebuilder:validation:EmbeddedResource in this version")
	}
}

func (c *comparison) listType(p Path, before, after map[string]any, _ context) {
	was, is := listType(before), listType(after)
	switch {
	case was == is:
	case is == "atomic":
		c.add(p, Clients, false, "list type changed from %s to atomic; server-side apply replaces the whole list, and removes what other appliers added; keep the list type", was)
	default:
		c.add(p, Clients|Objects, false, "list type changed from %s to %s; stored lists with duplicates, or without keys, are rejected, and server-side apply merges them in another way; keep the list type, or add a new field", was, is)
	}
}

// listType returns the list type with its keys.
func listType(schema map[string]any) string {
	t := text(schema, "x-kubernetes-list-type")
	if t == "map" {
		var keys []string
		for _, k := range list(schema, "x-kubernetes-list-map-keys") {
			keys = append(keys, fmt.Sprint(k))
		}
		slices.Sort(keys)
		return "map by " + strings.Join(keys, ", ")
	}
	if t == "" {
		return "atomic"
	}
	return t
}

func (c *comparison) mapType(p Path, before, after map[string]any, _ context) {
	was, is := text(before, "x-kubernetes-map-type") == "atomic", text(after, "x-kubernetes-map-type") == "atomic"
	if was != is {
		names := map[bool]string{true: "atomic", false: "granular"}
		c.add(p, Clients, false, "map type changed from %s to %s; server-side apply merges it in another way; keep the map type", names[was], names[is])
	}
}

// rules compares validation rules in CEL by their text.
func (c *comparison) rules(p Path, before, after map[string]any, _ context) {
	was, is := rulesOf(before), rulesOf(after)
	for _, r := range is {
		switch {
		case slices.Contains(was, r):
		case r.transition:
			c.add(p, Clients, false, "rule %q is new; updates that were accepted can be rejected; add it in a new version", r.text)
		default:
			c.add(p, Clients|Objects, true, "rule %q is new; values that were valid can be rejected; add it in a new version", r.text)
		}
	}
	for _, r := range was {
		if !slices.Contains(is, r) {
			c.wider(p, "rule %q is removed", r.text)
		}
	}
}

// rule is a validation rule in CEL. A transition rule is evaluated in updates only.
type rule struct {
	text       string
	transition bool
}

func rulesOf(schema map[string]any) []rule {
	var rules []rule
	for _, r := range list(schema, "x-kubernetes-validations") {
		if m, ok := r.(map[string]any); ok {
			t := strings.TrimSpace(text(m, "rule"))
			rules = append(rules, rule{t, strings.Contains(t, "oldSelf") && !boolean(m, "optionalOldSelf")})
		}
	}
	return rules
}

// show returns a value as JSON, shortened.
func show(value any) string {
	b, err := json.Marshal(value)
	if err != nil {
		return fmt.Sprint(value)
	}
	const most = 80
	if len(b) > most {
		return string(b[:most]) + "..."
	}
	return string(b)
}
