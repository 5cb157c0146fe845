package random

import (
	"fmt"
	"slices"
	"strings"
)

// shape is what a type is in JSON, which decides what markers fit.
type shape int

const (
	text shape = iota
	integer
	number
	boolean
	list     // a list of texts
	lists    // a list of anything else
	objects  // a list of structs
	object   // a struct
	mapping  // a map
	anything // raw JSON
	quantity // a text or a number
	special  // a text with a format, or a struct of another module
)

const validation = "kubebuilder:validation:"

// rules are arguments of XValidation for values of a shape.
var rules = map[shape][]string{
	text:    {"self.size() > 0", "self == oldSelf", "self.startsWith('a')", `self != \"x\"`},
	integer: {"self > 0", "self >= oldSelf", "self % 2 == 0"},
	boolean: {"self || !self", "self == oldSelf"},
	list:    {"self.size() < 9", "self.all(x, true)"},
	objects: {"self.size() < 9"},
	object:  {"true", "self == oldSelf"},
	mapping: {"self.size() < 9", "'a' in self"},
}

func (w *writer) rule(s shape) string {
	choices := rules[s]
	if len(choices) == 0 {
		choices = rules[object]
	}
	marker := validation + "XValidation:rule=" + w.pick(`"%s"`, `"%s"`, "`%s`")
	marker = fmt.Sprintf(marker, w.pick(choices...))
	if w.one(2) {
		marker += w.pick(",message=no", `,message="must be, so"`, ",message=`a \"b\"`", `,messageExpression="'a' + 'b'"`, `, message="spaced"`)
	}
	if w.one(4) {
		marker += w.pick(",reason=FieldValueInvalid", ",reason=FieldValueForbidden", ",optionalOldSelf=true", ",optionalOldSelf=false", `,fieldPath=".a"`)
	}
	return marker
}

// bounds returns markers about values of a shape.
func (w *writer) bounds(s shape) []string {
	if w.odd(6) {
		s = shape(w.IntN(int(special) + 1)) // which may not fit
	}
	var choices []string
	switch s {
	case text:
		choices = []string{"MinLength=1", "MaxLength=63", "Pattern=`^[a-z]+$`", `Pattern="^\\S+$"`, "Pattern=^a$", "Enum=a;b;c", `Enum={"a","b c"}`, `Enum="a";b`, "Format=date-time", "Format=byte", "Type=string", `MaxLength=0`, "MinLength=0"}
	case integer:
		choices = []string{"Minimum=0", "Maximum=100", "Minimum=-5", "ExclusiveMinimum=true", "ExclusiveMaximum=false", "MultipleOf=5", "Enum=1;2;3", "Format=int32", "Minimum=1e1", "Type=integer", "Maximum=7", "Enum={5}"}
	case number:
		choices = []string{"Minimum=0", "Maximum=100", "Minimum=0.5", "MultipleOf=0.1"}
	case boolean:
		choices = []string{"Enum=true;false", "Type=boolean"}
	case list:
		choices = []string{"MinItems=1", "MaxItems=10", "UniqueItems=false", "items:MinLength=1", "items:Enum=a;b", "items:Pattern=`^a`", "items:Format=byte", "items:Type=string", "items:XValidation:rule=\"true\""}
	case lists:
		choices = []string{"MinItems=1", "MaxItems=10", "UniqueItems=false", "items:XValidation:rule=\"true\""}
	case objects:
		choices = []string{"MinItems=1", "MaxItems=10", "items:MinProperties=1", "items:XPreserveUnknownFields", "items:XValidation:rule=\"true\",message=\"m\""}
	case object:
		choices = []string{"MinProperties=1", "MaxProperties=5", "XPreserveUnknownFields", "Type=object", "XEmbeddedResource"}
	case mapping:
		choices = []string{"MinProperties=1", "MaxProperties=5", "XPreserveUnknownFields"}
	case anything:
		choices = []string{"XPreserveUnknownFields", "Type=object", "XEmbeddedResource"}
	case quantity:
		choices = []string{"XIntOrString", "Pattern=`^[0-9]+$`", "MaxLength=10", `Type=""`}
	case special:
		choices = []string{"Type=string", "Format=date", "Type=object", `Type=""`, "Pattern=`^1`"}
	}
	n := 2
	if s == special || s == anything || s == quantity {
		if n = 0; w.odd(4) {
			n = 1
		}
	}
	var markers []string
	for _, c := range w.some(n, choices...) {
		if strings.HasPrefix(c, "Type") || strings.HasPrefix(c, "items:Type") {
			if !w.one(4) {
				continue
			}
		}
		markers = append(markers, validation+c)
	}
	if w.one(8) {
		markers = append(markers, w.rule(s))
	}
	switch s {
	case list, lists, objects:
		markers = append(markers, w.some(1, "listType=atomic", "listType=set", "k8s:listType=set", "k8s:maxItems=5", `listType="atomic"`)...)
	case mapping, object:
		if w.one(4) {
			markers = append(markers, w.pick("mapType=atomic", "mapType=granular"))
		}
	case integer:
		if w.one(6) {
			markers = append(markers, w.pick("k8s:minimum=1", "k8s:maximum=7"))
		}
	}
	return w.once(markers)
}

// once drops markers that set what an earlier one sets: which one wins is random in controller-gen.
func (w *writer) once(markers []string) []string {
	seen := map[string]bool{}
	return slices.DeleteFunc(markers, func(m string) bool {
		name, _, _ := strings.Cut(m, "=")
		if name == "k8s:immutable" { // a rule
			name = validation + "XValidation"
		}
		name = strings.ToLower(strings.TrimPrefix(strings.TrimPrefix(strings.TrimSuffix(name, ":"), validation), "k8s:"))
		name, _, _ = strings.Cut(name, ":rule")
		known := seen[name]
		seen[name] = true
		return known
	})
}

// defaults are values of a shape.
var defaults = map[shape][]string{
	text: {"a", `"a b"`, "`c`", `""`}, integer: {"1", "-3", "0"}, number: {"1", "0.5"}, boolean: {"true", "false"}, list: {"{}", "{a}", `{"a","b"}`, "a;b"}, lists: {"{}"}, objects: {"{}"}, object: {"{}"},
	mapping: {`{a: "b"}`, "{}"}, anything: {"{}", "1", "{a: {b: 1}}"}, quantity: {"1", `"5Gi"`}, special: {"{}"},
}

// ofField returns the markers of a field.
func (w *writer) ofField(s shape) []string {
	var markers []string
	if w.one(3) {
		markers = append(markers, w.pick("optional", "optional", "required", "k8s:optional", "k8s:required", validation+"Optional", validation+"Required"))
	}
	if w.odd(12) {
		markers = append(markers, w.pick("optional", "required", "k8s:optional", "k8s:required"))
	}
	if w.one(8) {
		markers = append(markers, "nullable")
	}
	markers = append(markers, w.bounds(s)...)
	if w.one(8) && (w.wild || s != special && s != anything) {
		value := s
		if w.odd(4) {
			value = shape(w.IntN(int(special) + 1))
		}
		if w.one(3) && (value == text || value == integer || value == boolean || value == object) {
			markers = append(markers, "default="+map[shape]string{text: `"a"`, integer: "2", boolean: "true", object: "{}"}[value])
		} else {
			markers = append(markers, w.pick("kubebuilder:default=", "kubebuilder:default=", "kubebuilder:default:=", "kubebuilder:example=")+w.pick(defaults[value]...))
		}
	}
	if w.one(12) {
		markers = append(markers, w.pick("kubebuilder:title=Short", `kubebuilder:title="Two words"`, `kubebuilder:externalDocs:url="https://example.com"`, `kubebuilder:externalDocs:url="https://example.com",description="more"`, "k8s:immutable"))
	}
	if w.odd(12) {
		markers = append(markers, w.pick(validation+"Schemaless", "kubebuilder:pruning:PreserveUnknownFields", validation+"EmbeddedResource", "structType=atomic"))
	}
	if w.odd(10) {
		markers = append(markers, w.pick("kubebuilder:validation:Minimun=1", "kubebuilder:validaton:Minimum=1", "kubebuilder:default", "optional=true", "kubebuilder:validation:Minimum=x", "kubebuilder:validation:Enum", "listMapKey=name", "listType=map", "listType=bag", "kubebuilder:validation:Pattern=`[`",
			"kubebuilder:validation:Required=false", "kubebuilder:printcolumn:name=A,type=string,JSONPath=.a", "kubebuilder:validation:MaxLength=-1", "k8s:enum", "kubebuilder:validation:XValidation:rule=\"self.\"", "kubebuilder:validation:Maximum=1.5", "kubebuilder:validation:Maximum=0x10", "unknown:marker=1", "kubebuilder:default={", "default=x",
			"kubebuilder:validation:items:Required", "kubebuilder:validation:UniqueItems=true", "kubebuilder:validation:Type=number", "kubebuilder:validation:Format=", "kubebuilder:validation:Enum=", "k8s:minimum=1.5", "kubebuilder:validation:XValidation", "kubebuilder:title=", "kubebuilder:example={a: 1}", "genclient"))
	}
	markers = w.once(markers)
	w.Shuffle(len(markers), func(i, j int) { markers[i], markers[j] = markers[j], markers[i] })
	return markers
}

// ofType returns the markers of a named type.
func (w *writer) ofType(s shape, fields []string) []string {
	var markers []string
	if w.one(2) {
		markers = w.bounds(s)
	}
	if s == object && len(fields) > 1 && w.odd(6) {
		markers = append(markers, validation+w.pick("AtMostOneOf=", "ExactlyOneOf=", "AtLeastOneOf=")+strings.Join(fields[:2], ";"))
	}
	if s == text && w.odd(6) {
		markers = append(markers, "k8s:enum")
	}
	if w.one(12) {
		markers = append(markers, w.pick("kubebuilder:title=Short", `kubebuilder:externalDocs:url="https://example.com"`, "kubebuilder:pruning:PreserveUnknownFields"))
	}
	if s == object && w.one(12) {
		markers = append(markers, map[bool]string{false: "k8s:deepcopy-gen=true", true: w.pick("kubebuilder:object:generate=true", "kubebuilder:object:generate:=true")}[w.kubebuilder])
	}
	if w.odd(20) {
		markers = append(markers, map[bool]string{false: "k8s:deepcopy-gen=false", true: "kubebuilder:object:generate=false"}[w.kubebuilder])
	}
	if w.one(12) {
		markers = append(markers, w.pick("k8s:openapi-gen=true", "k8s:defaulter-gen=true", "k8s:conversion-gen=false", "k8s:openapi-gen=x-kubernetes-a:b", "protobuf=true"))
	}
	if w.odd(16) {
		markers = append(markers, w.pick("optional", "kubebuilder:default=1", "nullable", "kubebuilder:subresource:status", "listType=map", "kubebuilder:validation:MinProperties=a", "genclient:noVerbs", "k8s:deepcopy-gen=maybe", "kubebuilder:object:generate", "k8s:enum=1", "groupName=other.example.com"))
	}
	w.Shuffle(len(markers), func(i, j int) { markers[i], markers[j] = markers[j], markers[i] })
	return markers
}
