package crds

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
)

// Objects are random objects of one version of a kind. Most objects that it returns are spoilt in one
// place, so that one rule of the schema answers. It is not safe for concurrent use.
type Objects struct {
	apiVersion, kind string
	structural       *schema.Structural
	random           *rand.Rand
	// room is the number of fields that the current object may still get.
	room int
}

// NewObjects returns objects that a judge's schema describes. Equal seeds give equal objects.
func NewObjects(m Manifest, version string, j *Judge, seed uint64) *Objects {
	names, _ := m.object("spec")["names"].(map[string]any)
	return &Objects{
		apiVersion: fmt.Sprintf("%s/%s", m.object("spec")["group"], version),
		kind:       fmt.Sprint(names["kind"]),
		structural: j.structural,
		random:     rand.New(rand.NewPCG(seed, 1)),
	}
}

// Next returns the next object and how it was spoilt; the second result is empty if it was not.
func (o *Objects) Next() (map[string]any, string) {
	o.room = 60
	object, _ := o.value(o.structural).(map[string]any)
	if object == nil {
		object = map[string]any{}
	}
	object["apiVersion"], object["kind"] = o.apiVersion, o.kind
	object["metadata"] = map[string]any{"name": "random"}
	how := ""
	if o.random.IntN(5) > 0 {
		how = o.spoil(object)
	}
	return object, how
}

// value returns a value that fits the schema as far as a look at it alone can tell: rules in CEL
// and patterns of some forms may refuse it.
func (o *Objects) value(s *schema.Structural) any {
	v := s.ValueValidation
	if v == nil {
		v = &schema.ValueValidation{}
	}
	switch {
	case s.Nullable && o.random.IntN(10) == 0:
		return nil
	case len(v.Enum) > 0:
		return v.Enum[o.random.IntN(len(v.Enum))].Object
	case s.XIntOrString:
		if v.Pattern != "" {
			return matching(o.random, v.Pattern)
		}
		if o.random.IntN(2) == 0 {
			return int64(o.random.IntN(100))
		}
		return fmt.Sprintf("%d%%", o.random.IntN(100))
	}
	switch s.Type {
	case "object":
		return o.object(s, v)
	case "array":
		return o.array(s, v)
	case "string":
		return o.text(v)
	case "integer":
		return int64(o.number(v))
	case "number":
		return o.number(v)
	case "boolean":
		return o.random.IntN(2) == 0
	}
	return o.anything()
}

func (o *Objects) object(s *schema.Structural, v *schema.ValueValidation) any {
	object := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		required := slices.Contains(v.Required, name)
		if !required && (o.room <= 0 || o.random.IntN(2) == 0) {
			continue
		}
		o.room--
		property := s.Properties[name]
		object[name] = o.value(&property)
	}
	if s.XEmbeddedResource {
		object["apiVersion"], object["kind"] = "v1", "Pod"
	}
	if s.XPreserveUnknownFields && o.random.IntN(2) == 0 {
		object["extra"] = o.anything()
	}
	if s.AdditionalProperties != nil && s.AdditionalProperties.Structural != nil {
		for range o.length(v.MinProperties, v.MaxProperties) {
			object[o.word(1+o.random.IntN(5))] = o.value(s.AdditionalProperties.Structural)
		}
	}
	return object
}

func (o *Objects) array(s *schema.Structural, v *schema.ValueValidation) any {
	list := []any{}
	if s.Items == nil {
		return list
	}
	for range o.length(v.MinItems, v.MaxItems) {
		o.room--
		list = append(list, o.value(s.Items))
	}
	return list
}

func (o *Objects) text(v *schema.ValueValidation) any {
	if v.Pattern != "" {
		return matching(o.random, v.Pattern)
	}
	switch v.Format {
	case "date-time":
		return "2026-01-02T03:04:05Z"
	case "date":
		return "2026-01-02"
	case "byte":
		return "aGVsbG8="
	case "ipv4":
		return "10.0.0.1"
	case "ipv6":
		return "::1"
	case "duration":
		return "1h"
	case "uri":
		return "https://example.com"
	case "uuid":
		return "123e4567-e89b-12d3-a456-426614174000"
	}
	return o.word(int(o.length(v.MinLength, v.MaxLength)))
}

// number returns a number between the bounds.
func (o *Objects) number(v *schema.ValueValidation) float64 {
	low, high := 0.0, 1000.0
	if v.Minimum != nil {
		low = *v.Minimum
		high = max(high, low+1000)
	}
	if v.Maximum != nil {
		high = *v.Maximum
		low = min(low, high)
	}
	n := low
	if high > low {
		n = low + float64(o.random.Int64N(int64(high-low)+1))
	}
	if v.MultipleOf != nil {
		n = float64(int64(n / *v.MultipleOf)) * *v.MultipleOf
	}
	return n
}

// length returns a length between the bounds, and mostly a small one.
func (o *Objects) length(low, high *int64) int64 {
	from, to := int64(0), int64(3)
	if low != nil {
		from = min(*low, 100)
		to = from + 3
	}
	if high != nil {
		to = min(to, *high)
	}
	if o.room <= 0 || to <= from {
		return from
	}
	return from + o.random.Int64N(to-from+1)
}

func (o *Objects) word(length int) string {
	var b strings.Builder
	for range length {
		b.WriteByte(byte('a' + o.random.IntN(26)))
	}
	return b.String()
}

func (o *Objects) anything() any {
	return []any{"text", int64(7), true, []any{"x"}, map[string]any{"x": "y"}}[o.random.IntN(5)]
}

// place is a value in an object, with its schema, and the functions that replace and remove it;
// remove is nil for items of lists.
type place struct {
	path   string
	schema *schema.Structural
	value  any
	set    func(any)
	remove func()
}

// places lists the values in a value, and the value itself unless it is the object.
func places(path string, s *schema.Structural, value any, found *[]place) {
	switch v := value.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if path == "" && (name == "apiVersion" || name == "kind" || name == "metadata") {
				continue
			}
			property, known := s.Properties[name]
			switch {
			case known:
			case s.AdditionalProperties != nil && s.AdditionalProperties.Structural != nil:
				property = *s.AdditionalProperties.Structural
			default:
				continue
			}
			below := path + "." + name
			*found = append(*found, place{below, &property, v[name],
				func(x any) { v[name] = x }, func() { delete(v, name) }})
			places(below, &property, v[name], found)
		}
	case []any:
		if s.Items == nil {
			return
		}
		for i := range v {
			below := fmt.Sprintf("%s[%d]", path, i)
			*found = append(*found, place{below, s.Items, v[i], func(x any) { v[i] = x }, nil})
			places(below, s.Items, v[i], found)
		}
	}
}

// spoil changes one place of an object, and returns how.
func (o *Objects) spoil(object map[string]any) string {
	var found []place
	places("", o.structural, object, &found)
	if len(found) == 0 || o.random.IntN(20) == 0 {
		object["unknown"] = "field"
		return "unknown field"
	}
	p := found[o.random.IntN(len(found))]
	ways := o.ways(p)
	way := ways[o.random.IntN(len(ways))]
	way.change()
	return way.name + " at " + p.path
}

type way struct {
	name   string
	change func()
}

// ways returns the ways to spoil a place.
func (o *Objects) ways(p place) []way {
	v := p.schema.ValueValidation
	if v == nil {
		v = &schema.ValueValidation{}
	}
	set := func(name string, x any) way { return way{name, func() { p.set(x) }} }
	ways := []way{set("null", nil), set("wrong type", o.other(p.value))}
	if p.remove != nil {
		ways = append(ways, way{"missing", p.remove}, way{"missing", p.remove})
	}
	if len(v.Enum) > 0 {
		ways = append(ways, set("not in enum", "none of these"))
	}
	switch x := p.value.(type) {
	case string:
		ways = append(ways, set("empty", ""), set("another text", "X_"+x), set("changed", x+"a"))
		if v.MaxLength != nil && *v.MaxLength < 1000 {
			ways = append(ways, set("too long", o.word(int(*v.MaxLength)+1)), set("just not too long", o.word(int(*v.MaxLength))))
		}
		if v.MinLength != nil && *v.MinLength > 0 {
			ways = append(ways, set("too short", o.word(int(*v.MinLength)-1)))
		}
	case int64, float64:
		ways = append(ways, set("fraction", 0.5), set("negative", int64(-1000)), set("large", int64(1)<<40))
		if v.Minimum != nil {
			ways = append(ways, set("minimum", *v.Minimum), set("too small", *v.Minimum-1))
		}
		if v.Maximum != nil {
			ways = append(ways, set("maximum", *v.Maximum), set("too large", *v.Maximum+1))
		}
		if v.MultipleOf != nil {
			ways = append(ways, set("no multiple", *v.MultipleOf*1.5))
		}
	case []any:
		ways = append(ways, set("empty list", []any{}))
		if len(x) > 0 {
			ways = append(ways, set("duplicate", append(slices.Clone(x), x[o.random.IntN(len(x))])))
			if v.MaxItems != nil && *v.MaxItems < 100 {
				many := slices.Repeat([]any{x[0]}, int(*v.MaxItems)+1)
				ways = append(ways, set("too many", many))
			}
		}
	case map[string]any:
		ways = append(ways, set("empty object", map[string]any{}),
			way{"unknown field", func() { x["unknown"] = o.anything() }},
			way{"one more", func() { x[o.word(6)] = "z" }})
	}
	return ways
}

// other returns a value of another type.
func (o *Objects) other(value any) any {
	for {
		x := o.anything()
		if fmt.Sprintf("%T", x) != fmt.Sprintf("%T", value) {
			return x
		}
	}
}
