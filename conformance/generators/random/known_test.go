package random_test

import (
	"regexp"
	"strings"
	"testing"
)

// known are the differences that are meant.
var known = []struct {
	// kind is the kind of difference; lines of its text match lines.
	kind, lines string
	reason      string
}{
	{"refused by controller-gen alone", `: must apply \S+ to an object|: must apply structType to an object|, found type ""$|: must apply \S+ to a numeric value, found $`,
		"a marker at a field fits the type that the field refers to; controller-gen takes a reference for a value without a type"},
	{"refused by controller-gen alone", `k8s:enum must be set on a type, not a field`, "gen-crd warns that +k8s:enum has no effect on a field"},
	{"refused by controller-gen alone", `map keys must be strings or implement encoding.TextMarshaler`, "controller-gen does not look behind aliases of strings at keys of maps"},
	{"refused by controller-gen alone", `^panic: runtime error: invalid memory address or nil pointer dereference|: must apply `,
		"controller-gen panics at aliases of types without a name"},
	{"refused by controller-gen alone", `unsupported AST kind \*ast.IndexExpr|unknown type|unable to locate schema`, "generic types and aliases have schemas; controller-gen does not know them"},
	{"refused by controller-gen alone", `printer columns applied to version|selectable fields applied to version|applied to version "\S+" not in CRD`, "a version that is left out may have printer columns"},
	{"different minProperties", `\.(minProperties|minLength|minItems|allOf): `, "+k8s:required at a reference: what it requires depends on the type; controller-gen takes every reference for an object"},
	{"refused by code-generator alone", `applyconfiguration-gen .*: error calling public: runtime error: invalid memory address|^template: |^exit status|^W|^  `, "applyconfiguration-gen panics at structs without a name"},
	{"other clients", `applyconfiguration/.*\bbyte\b.*\bu?int8\b`, "applyconfiguration-gen takes int8 for byte, which holds no negative numbers, and whose lists are texts in JSON"},
	{"other clients", `applyconfiguration/.*struct\{[^` + "`" + `]*\}.* / ours .*struct\{.*` + "`json:" + `.*\}`, "applyconfiguration-gen leaves out the tags of structs without a name"},
	{"refused by servers, not by gen-all", `x-kubernetes-validations\[\d+\]|default\S*: Invalid value: (exactly one|at most one|at least one) of the fields|default\S*: Invalid value: .*rule compile error|estimated rule cost|default\S*: Invalid value: (.*: )?(no|spaced|must be, so|a "b")$`, "rules in CEL are checked by apitest check, not by gen-all"},
	{"refused by gen-all alone", `unsupported verb "watch" of method`, "code-generator generates nothing for it"},
	{"refused by gen-crd alone", `encoding/json leaves out both`, "two fields of one name in JSON are an error: encoding/json leaves out both"},
}

// isKnown reports whether each line of a difference is meant.
func isKnown(d difference) bool {
	for line := range strings.SplitSeq(strings.TrimSpace(d.text), "\n") {
		matches := false
		for _, k := range known {
			matches = matches || k.kind == d.kind && regexp.MustCompile(k.lines).MatchString(line)
		}
		if !matches {
			return false
		}
	}
	return true
}

func TestIsKnown(t *testing.T) {
	for _, tc := range []struct {
		d    difference
		want bool
	}{
		{difference{"refused by controller-gen alone", "a.go:1:1: must apply maxproperties to an object\nb.go:1:1: must apply mapType to an object"}, true},
		{difference{"refused by controller-gen alone", "a.go:1:1: must apply maxproperties to an object\nb.go:1:1: unknown"}, false},
		{difference{"other clients", "m/applyconfiguration/e1/v1.A.B: upstream field []byte `json:\"size,omitempty\"` / ours field []int8 `json:\"size,omitempty\"`"}, true},
		{difference{"other clients", "m/applyconfiguration/e1/v1.A.B: upstream field *struct{T string} `json:\"ref,omitempty\"` / ours field *struct{T string `json:\"-,\"`} `json:\"ref,omitempty\"`"}, true},
		{difference{"other clients", "m/applyconfiguration/e1/v1.A.B: upstream field *string `json:\"b\"` / ours field *string `json:\"c\"`"}, false},
		{difference{"different minProperties", "a.go:1:1: must apply maxproperties to an object"}, false},
	} {
		if got := isKnown(tc.d); got != tc.want {
			t.Errorf("%v: got %v", tc.d, got)
		}
	}
}
