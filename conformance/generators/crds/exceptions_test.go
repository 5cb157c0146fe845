package crds_test

import (
	"strings"
	"testing"

	"github.com/listwatch/listwatch/conformance/generators/crds"
)

// exception is a difference that is meant.
type exception struct {
	// input is the name of the input, and path the start of the difference's path.
	input, path string
	// reason is the reason for it.
	reason string
}

// The reasons of several exceptions.
const (
	noGroup  = "a package without +groupName has no kinds; controller-gen writes a definition without a group, which servers refuse"
	generics = "generic types have schemas; controller-gen does not know them"
	untagged = "a foreign struct whose fields have no JSON tags is an error at the field with its type; controller-gen reports the fields"
	quantity = "a quantity is a number or a text, for which a number of properties says nothing; controller-gen takes every reference for an object"
)

const (
	house    = "houses.structure.example.com.spec.versions[v1].schema.openAPIV3Schema.properties."
	pods     = house + "status.properties.pods.properties."
	required = pods + "nodeAllocatableResourceClaimStatuses.items.properties.mapping.items.properties.quantity.minProperties"
)

var exceptions = []exception{
	{"case-alias", "masks.", noGroup},
	{"case-alias-renamed", "masks.", noGroup},
	{"case-defined", "masks.", noGroup},
	{"case-embedded", "heads.", noGroup},
	{"case-no-group-name", "gadgets.", noGroup},
	{"case-apply-fields", "types.go:139", generics},
	{"case-apply-shared", "types.go:21", generics},
	{"case-generic-spec", "", generics},
	{"case-apply-fields", "types.go:68", "an alias of a list has its schema; controller-gen does not know such aliases"},
	{"case-apply-fields", "types.go:121", "a type that contains itself has no schema, which is an error at the field; controller-gen's schema refers to itself"},
	{"case-internal-version", "", "a type whose metadata has no JSON tags, as in internal versions, is not a version of the definition"},
	{"case-copies", "namespacedname.go:", untagged},
	{"case-copies", "types.go:28", untagged},
	{"case-copies", "types.go:124", "a type that contains itself has no schema, which is an error at the field; controller-gen stops before at the fields without JSON tags"},
	{"case-view", "views.go:", "views are no kinds of a server, so nothing is generated for them; controller-gen takes them for kinds"},
	{"structure", required, quantity},
	{"structure-metadata", required, quantity},
}

// exceptionFor returns the index of the exception that a difference belongs to, or -1.
func exceptionFor(exceptions []exception, input string, d crds.Difference) int {
	for i, e := range exceptions {
		if e.input == input && strings.HasPrefix(d.Path, e.path) {
			return i
		}
	}
	return -1
}

func TestExceptionFor(t *testing.T) {
	rows := []exception{{"a", "x.spec", "1"}, {"b", "", "2"}}
	for _, tc := range []struct {
		input, path string
		want        int
	}{
		{"a", "x.spec.names", 0}, {"a", "x.metadata", -1}, {"b", "y", 1}, {"c", "x.spec", -1},
	} {
		if got := exceptionFor(rows, tc.input, crds.Difference{Path: tc.path}); got != tc.want {
			t.Errorf("%s, %s: got %d, want %d", tc.input, tc.path, got, tc.want)
		}
	}
}
