package breaking_test

import (
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/google/go-cmp/cmp"

	"github.com/listwatch/listwatch/internal/breaking"
)

// parse decodes YAML, in which an empty text is no schema.
func parse(t *testing.T, text string) map[string]any {
	t.Helper()
	var value map[string]any
	if err := yaml.Unmarshal([]byte(text), &value); err != nil {
		t.Fatal(err)
	}
	return value
}

// printed returns changes as text, each up to the first semicolon.
func printed(changes []breaking.Change) []string {
	lines := []string{}
	for _, c := range changes {
		text, _, _ := strings.Cut(c.Effect.String()+": "+c.Subject()+": "+c.Text, ";")
		if c.Removed {
			text += " (old)"
		}
		if c.Ratcheted {
			text += " (ratcheted)"
		}
		lines = append(lines, text)
	}
	return lines
}

const both = "breaks clients and stored objects: "

func TestSchemas(t *testing.T) {
	for _, c := range []struct {
		name          string
		before, after string
		want          []string
	}{
		{name: "equal", before: "{type: object, properties: {a: {type: integer, maximum: 1}}}", after: "{type: object, properties: {a: {type: integer, maximum: 1.0}}}"},
		{name: "documentation", before: "{type: string, description: a}", after: "{type: string, description: b, title: c, example: d}"},
		{name: "type", before: "{type: string}", after: "{type: integer}", want: []string{both + "object: type changed from string to integer"}},
		{name: "type widened", before: "{type: integer}", after: "{type: number}", want: []string{"breaks clients: object: type changed from integer to number"}},
		{name: "integer or string", before: "{type: integer}", after: "{x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}]}", want: []string{"breaks clients: object: type changed from integer to integer or string"}},
		{name: "not integer or string any more", before: "{x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}]}", after: "{type: integer}", want: []string{both + "object: type changed from integer or string to integer"}},
		{name: "anything", before: "{type: object, properties: {a: {type: string}}}", after: "{x-kubernetes-preserve-unknown-fields: true}", want: []string{
			"breaks clients: object: type changed from object to any", "compatible: object: unknown fields are preserved now", "compatible: a: property is no longer validated",
		}},
		{name: "integer to 64 bits", before: "{type: integer, format: int32}", after: "{type: integer, format: int64}", want: []string{`breaks clients: object: format changed from int32 to "int64"`}},
		{name: "integer to 32 bits", before: "{type: integer, format: int64}", after: "{type: integer, format: int32}", want: []string{both + `object: format changed from "int64" to "int32" (ratcheted)`}},
		{name: "format", before: "{type: string}", after: "{type: string, format: date-time}", want: []string{both + `object: format changed from "" to "date-time" (ratcheted)`}},
		{name: "format that is not validated", before: "{type: string, format: uri}", after: "{type: string, format: colour}", want: []string{`compatible: object: format "uri" is replaced by "colour", which is not validated`}},
		{name: "nullable", before: "{type: string}", after: "{type: string, nullable: true}", want: []string{"compatible: object: null is valid now"}},
		{name: "not nullable", before: "{type: string, nullable: true}", after: "{type: string}", want: []string{both + "object: null is not valid any more (ratcheted)"}},
		{name: "maximum", before: "{type: integer}", after: "{type: integer, maximum: 3}", want: []string{both + "object: maximum 3 is new (ratcheted)"}},
		{name: "maximum lower", before: "{type: integer, maximum: 4}", after: "{type: integer, maximum: 3}", want: []string{both + "object: maximum changed from 4 to 3 (ratcheted)"}},
		{name: "maximum exclusive", before: "{type: integer, maximum: 4}", after: "{type: integer, maximum: 4, exclusiveMaximum: true}", want: []string{both + "object: maximum changed from 4 to 4 (exclusive) (ratcheted)"}},
		{name: "maximum higher", before: "{type: integer, maximum: 4, exclusiveMaximum: true}", after: "{type: integer, maximum: 4}", want: []string{"compatible: object: maximum changed from 4 (exclusive) to 4"}},
		{name: "minimum", before: "{type: integer, minimum: 1}", after: "{type: integer, minimum: 2}", want: []string{both + "object: minimum changed from 1 to 2 (ratcheted)"}},
		{name: "minimum removed", before: "{type: integer, minimum: 1}", after: "{type: integer}", want: []string{"compatible: object: minimum 1 is removed"}},
		{name: "multiple", before: "{type: integer, multipleOf: 6}", after: "{type: integer, multipleOf: 3}", want: []string{"compatible: object: multipleOf changed from 6 to 3"}},
		{name: "other multiple", before: "{type: integer, multipleOf: 3}", after: "{type: integer, multipleOf: 6}", want: []string{both + "object: multipleOf 6 is new (ratcheted)"}},
		{name: "lengths", before: "{type: string, maxLength: 9, minLength: 1}", after: "{type: string, maxLength: 8, minLength: 0}", want: []string{
			both + "object: maxLength changed from 9 to 8 (ratcheted)", "compatible: object: minLength changed from 1 to 0",
		}},
		{name: "least of nothing", before: "{type: array, items: {type: string}}", after: "{type: array, items: {type: string}, minItems: 0}"},
		{name: "pattern", before: "{type: string, pattern: a}", after: "{type: string, pattern: b}", want: []string{both + `object: pattern changed from "a" to "b" (ratcheted)`}},
		{name: "pattern removed", before: "{type: string, pattern: a}", after: "{type: string}", want: []string{`compatible: object: pattern "a" is removed`}},
		{name: "enum", before: "{type: string, enum: [a, b]}", after: "{type: string, enum: [b, c]}", want: []string{
			both + `object: values ["a"] of the enum are removed (ratcheted)`, `compatible: object: values ["c"] of the enum are new`,
		}},
		{name: "enum in another order", before: "{type: string, enum: [a, b]}", after: "{type: string, enum: [b, a]}"},
		{name: "enum added", before: "{type: string}", after: "{type: string, enum: [a]}", want: []string{both + `object: enum ["a"] is new (ratcheted)`}},
		{name: "enum removed", before: "{type: string, enum: [a]}", after: "{type: string}", want: []string{"compatible: object: enum is removed"}},
		{name: "alternatives", before: "{type: string, oneOf: [{pattern: a}]}", after: "{type: string, anyOf: [{pattern: a}]}", want: []string{
			both + `object: anyOf [{"pattern":"a"}] is new (ratcheted)`, `compatible: object: oneOf [{"pattern":"a"}] is removed`,
		}},
		{name: "more alternatives", before: "{type: string, anyOf: [{pattern: a}]}", after: "{type: string, anyOf: [{pattern: b}, {pattern: a}]}", want: []string{"compatible: object: anyOf has more parts"}},
		{name: "more conditions", before: "{type: string, allOf: [{pattern: a}]}", after: "{type: string, allOf: [{pattern: b}, {pattern: a}]}", want: []string{both + `object: allOf has the new part [{"pattern":"b"}] (ratcheted)`}},
		{name: "negation", before: "{type: string, not: {pattern: a}}", after: "{type: string}", want: []string{`compatible: object: not {"pattern":"a"} is removed`}},
		{name: "unknown keyword", before: "{type: string}", after: "{type: string, x-other: 1}", want: []string{both + "object: x-other changed, whose effect is not known"}},

		{name: "property", before: "{type: object, properties: {a: {type: string}}}", after: "{type: object, properties: {b: {type: string}}}", want: []string{
			both + "a: property is removed (old)", "compatible: b: property is new",
		}},
		{name: "property with a default", before: "{type: object}", after: "{type: object, properties: {b: {type: string, default: x}}, required: [b]}", want: []string{
			"compatible: b: property is new", "compatible: b: property is required now, and has a default",
		}},
		{name: "required property", before: "{type: object}", after: "{type: object, properties: {b: {type: string}}, required: [b]}", want: []string{
			"compatible: b: property is new", both + "b: property is required now (ratcheted)",
		}},
		{name: "required no more", before: "{type: object, properties: {b: {type: string}}, required: [b]}", after: "{type: object, properties: {b: {type: string}}}", want: []string{"compatible: b: property is optional now"}},
		{name: "required, and no default any more", before: "{type: object, properties: {b: {type: string, default: x}}, required: [b]}", after: "{type: object, properties: {b: {type: string}}, required: [b]}", want: []string{
			`breaks clients: b: default "x" is removed`, both + "b: required property has no default any more (ratcheted)",
		}},
		{name: "default", before: "{type: object, properties: {b: {type: string, default: x}}}", after: "{type: object, properties: {b: {type: string, default: z}}}", want: []string{`breaks clients: b: default changed from "x" to "z"`}},
		{name: "new default", before: "{type: object, properties: {b: {type: string}}}", after: "{type: object, properties: {b: {type: string, default: z}}}", want: []string{`breaks clients: b: default "z" is new`}},
		{name: "new default under a rule about it", before: "{type: object, properties: {b: {type: string}}, x-kubernetes-validations: [{rule: '!has(self.b)'}]}", after: "{type: object, properties: {b: {type: string, default: z}}, x-kubernetes-validations: [{rule: '!has(self.b)'}]}", want: []string{
			both + `b: default "z" is new`,
		}},
		{name: "new property under a rule about another", before: "{type: object, properties: {a: {type: string}}, x-kubernetes-validations: [{rule: 'has(self.a)'}]}", after: "{type: object, properties: {a: {type: string}, b: {type: string, default: z}}, x-kubernetes-validations: [{rule: 'has(self.a)'}]}", want: []string{
			"compatible: b: property is new",
		}},
		{name: "new property under a limit", before: "{type: object, maxProperties: 1, properties: {a: {type: string}}}", after: "{type: object, maxProperties: 1, properties: {a: {type: string}, b: {type: string, default: z}}}", want: []string{
			both + `b: property is new, and its default "z" is added to stored objects, which maxProperties can then reject`,
		}},
		{name: "new key of a list map", before: "{type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [a, b], items: {type: object, properties: {a: {type: string}}}}",
			after: "{type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [a, b], items: {type: object, properties: {a: {type: string}, b: {type: string, default: z}}}}", want: []string{
				both + `[].b: property is new, and its default "z" is added to stored objects, which the list type map can then reject`,
			}},
		{name: "nested", before: "{type: object, properties: {a: {type: array, items: {type: object, additionalProperties: {type: string}}}}}", after: "{type: object, properties: {a: {type: array, items: {type: object, additionalProperties: {type: string, maxLength: 1}}}}}", want: []string{
			both + "a[][*]: maxLength 1 is new (ratcheted)",
		}},
		{name: "map to object", before: "{type: object, additionalProperties: {type: string}}", after: "{type: object, properties: {a: {type: string}}}", want: []string{
			both + "a: property is new where any property was preserved before", both + "[*]: additionalProperties is removed (old)",
		}},
		{name: "unknown fields", before: "{type: object, x-kubernetes-preserve-unknown-fields: true}", after: "{type: object, properties: {a: {type: string}}}", want: []string{
			both + "object: unknown fields are not preserved any more", both + "a: property is new where any property was preserved before",
		}},
		{name: "metadata", before: "{type: object, properties: {metadata: {type: object}}}", after: "{type: object, properties: {kind: {type: string}, metadata: {type: object, properties: {name: {type: string, maxLength: 10}}}}}", want: []string{
			both + "metadata.name: property is new where any property was preserved before",
		}},
		{name: "metadata without a schema", before: "{type: object, properties: {metadata: {type: object}}}", after: "{type: object}", want: []string{"compatible: metadata: property is no longer validated"}},
		{name: "embedded object", before: "{type: object, x-kubernetes-preserve-unknown-fields: true}", after: "{type: object, x-kubernetes-preserve-unknown-fields: true, x-kubernetes-embedded-resource: true}", want: []string{
			both + "object: value must be a Kubernetes object with apiVersion and kind now",
		}},

		{name: "list type", before: "{type: array, items: {type: string}}", after: "{type: array, items: {type: string}, x-kubernetes-list-type: set}", want: []string{both + "object: list type changed from atomic to set"}},
		{name: "list type atomic", before: "{type: array, items: {type: string}, x-kubernetes-list-type: set}", after: "{type: array, items: {type: string}, x-kubernetes-list-type: atomic}", want: []string{"breaks clients: object: list type changed from set to atomic"}},
		{name: "list type by default", before: "{type: array, items: {type: string}}", after: "{type: array, items: {type: string}, x-kubernetes-list-type: atomic}"},
		{name: "keys of a list map", before: "{type: array, items: {type: object}, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [a]}", after: "{type: array, items: {type: object}, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [b]}", want: []string{both + "object: list type changed from map by a to map by b"}},
		{name: "map type", before: "{type: object}", after: "{type: object, x-kubernetes-map-type: atomic}", want: []string{"breaks clients: object: map type changed from granular to atomic"}},
		{name: "map type by default", before: "{type: object}", after: "{type: object, x-kubernetes-map-type: granular}"},
		{name: "rule", before: "{type: object}", after: "{type: object, x-kubernetes-validations: [{rule: self.a > 1}]}", want: []string{both + `object: rule "self.a > 1" is new (ratcheted)`}},
		{name: "rule about changes", before: "{type: object}", after: "{type: object, x-kubernetes-validations: [{rule: self.a >= oldSelf.a}]}", want: []string{`breaks clients: object: rule "self.a >= oldSelf.a" is new`}},
		{name: "rule about changes and new objects", before: "{type: object, x-kubernetes-validations: [{rule: self.a >= oldSelf.a}]}", after: "{type: object, x-kubernetes-validations: [{rule: self.a >= oldSelf.a, optionalOldSelf: true}]}", want: []string{
			both + `object: rule "self.a >= oldSelf.a" is new (ratcheted)`, `compatible: object: rule "self.a >= oldSelf.a" is removed`,
		}},
		{name: "message of a rule", before: "{type: object, x-kubernetes-validations: [{rule: self.a > 1, message: a}]}", after: "{type: object, x-kubernetes-validations: [{rule: self.a > 1, message: b}]}"},
	} {
		t.Run(c.name, func(t *testing.T) {
			want := c.want
			if want == nil {
				want = []string{}
			}
			if d := cmp.Diff(want, printed(breaking.Schemas(parse(t, c.before), parse(t, c.after)))); d != "" {
				t.Error(d)
			}
			if same := breaking.Schemas(parse(t, c.after), parse(t, c.after)); len(same) > 0 {
				t.Errorf("a schema differs from itself: %v", same)
			}
		})
	}
}
