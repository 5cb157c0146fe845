package crds_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/listwatch/listwatch/conformance/generators/crds"
	"github.com/listwatch/listwatch/internal/testcase"
)

// refusal is a field, with the lines above it, and types that it needs.
type refusal struct{ name, field, types string }

// refused are fields that both generators refuse at the same line, and accepted ones that they accept,
// though they look alike.
var refused = []refusal{
	{"maximum_of_string", "// +kubebuilder:validation:Maximum=3\nX string `json:\"x\"`", ""},
	{"length_of_number", "// +kubebuilder:validation:MaxLength=3\nX int32 `json:\"x\"`", ""},
	{"items_of_string", "// +kubebuilder:validation:MaxItems=3\nX string `json:\"x\"`", ""},
	{"properties_of_list", "// +kubebuilder:validation:MinProperties=3\nX []string `json:\"x\"`", ""},
	{"fraction_of_integer", "// +kubebuilder:validation:Minimum=0.5\nX int32 `json:\"x\"`", ""},
	{"multiple_of_integer", "// +kubebuilder:validation:MultipleOf=1.5\nX int32 `json:\"x\"`", ""},
	{"pattern_of_list", "// +kubebuilder:validation:Pattern=`a`\nX []string `json:\"x\"`", ""},
	{"items_without_list", "// +kubebuilder:validation:items:MaxLength=3\nX string `json:\"x\"`", ""},
	{"items_that_do_not_fit", "// +kubebuilder:validation:items:MaxLength=3\nX []int32 `json:\"x\"`", ""},
	{"list_type_of_string", "// +listType=set\nX string `json:\"x\"`", ""},
	{"unknown_list_type", "// +listType=bag\nX []string `json:\"x\"`", ""},
	{"key_without_map", "// +listMapKey=name\nX []string `json:\"x\"`", ""},
	{"map_type_of_list", "// +mapType=atomic\nX []string `json:\"x\"`", ""},
	{"unknown_struct_type", "// +structType=loose\nX T `json:\"x\"`", "type T struct{ A string `json:\"a\"` }"},
	{"not_a_number", "// +kubebuilder:validation:Maximum=many\nX int32 `json:\"x\"`", ""},
	{"not_a_bool", "// +kubebuilder:validation:ExclusiveMaximum=1\n// +kubebuilder:validation:Maximum=1\nX int32 `json:\"x\"`", ""},
	{"no_value", "// +kubebuilder:validation:MaxLength\nX string `json:\"x\"`", ""},
	{"unfinished_text", "// +kubebuilder:validation:Pattern=\"a\nX string `json:\"x\"`", ""},
	{"unknown_argument", "// +kubebuilder:validation:XValidation:rool=\"true\"\nX string `json:\"x\"`", ""},
	{"no_rule", "// +kubebuilder:validation:XValidation:message=\"true\"\nX string `json:\"x\"`", ""},
	{"unknown_reason", "// +kubebuilder:validation:XValidation:rule=\"true\",reason=Because\nX string `json:\"x\"`", ""},
	{"invalid_url", "// +kubebuilder:externalDocs:url=\"docs\"\nX string `json:\"x\"`", ""},
	{"invalid_default", "// +default={a}\nX string `json:\"x\"`", ""},
	{"title_of_number", "// +kubebuilder:title=3\nX string `json:\"x\"`", ""},
	{"no_tag", "X string", ""},
	{"float", "X float64 `json:\"x\"`", ""},
	{"interface", "X interface{ F() } `json:\"x\"`", ""},
	{"any", "X any `json:\"x\"`", ""},
	{"struct", "X struct{ A string `json:\"a\"` } `json:\"x\"`", ""},
	{"function", "X func() `json:\"x\"`", ""},
	{"channel", "X chan int `json:\"x\"`", ""},
	{"complex", "X complex128 `json:\"x\"`", ""},
	{"integer_keys", "X map[int]string `json:\"x\"`", ""},
	{"unknown_type", "X Missing `json:\"x\"`", ""},
	{"enum_without_constants", "X E `json:\"x\"`", "// +k8s:enum\ntype E string"},
}

var accepted = []refusal{
	{"maximum_of_named", "// +kubebuilder:validation:Maximum=3\nX N `json:\"x\"`", "type N int32"},
	{"type_first", "// +kubebuilder:validation:Maximum=3\n// +kubebuilder:validation:Type=integer\nX string `json:\"x\"`", ""},
	{"items_of_named", "// +kubebuilder:validation:MaxItems=3\nX L `json:\"x\"`", "type L []string"},
	{"skipped", "X chan int `json:\"-\"`", ""},
	{"schemaless", "// +kubebuilder:validation:Schemaless\nX chan int `json:\"x\"`", ""},
	{"unknown_marker", "// +kubebuilderx:validation:Maximum=3\nX string `json:\"x\"`", ""},
	{"named_keys", "X map[K]string `json:\"x\"`", "type K string"},
	{"unused", "X string `json:\"x\"`", "type T struct{ F func() }"},
	{"unexported", "x string `json:\"x\"`", ""},
}

// TestRefusals writes a package for each field, in this module, and compares what the generators refuse, and
// the lines that their errors name.
func TestRefusals(t *testing.T) {
	dir := filepath.Join(root(t), "conformance")
	folder, err := os.MkdirTemp(filepath.Join(dir, "generators", "crds", "testdata"), "refusals")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	below := "generators/crds/testdata/" + filepath.Base(folder)
	all := slices.Concat(refused, accepted)
	var jobs []crds.Job
	for _, c := range all {
		text := fmt.Sprintf("// +groupName=%s.example.com\npackage v1\n\nimport metav1 \"k8s.io/apimachinery/pkg/apis/meta/v1\"\n\n%s\n\ntype Kind struct {\nmetav1.TypeMeta `json:\",inline\"`\nmetav1.ObjectMeta `json:\"metadata,omitempty\"`\n%s\n}\n",
			strings.ReplaceAll(c.name, "_", "-"), c.types, c.field)
		name := filepath.Join(folder, c.name, "types.go")
		if err = os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err = os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		jobs = append(jobs, crds.Job{Package: testcase.Module + "/conformance/" + below + "/" + c.name})
	}
	their := crds.Theirs(t, dir, []string{"./" + below + "/..."}, jobs)
	for i, c := range all {
		ours, err := crds.Ours(t.Context(), dir, []string{"./" + below + "/" + c.name}, crds.Options{})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if want := i < len(refused); want != (len(their[i].Errors) > 0) {
			t.Errorf("%s: controller-gen: %q", c.name, their[i].Errors)
		}
		if (len(their[i].Errors) > 0) != (len(ours.Errors) > 0) {
			t.Errorf("%s: errors %q, want %q", c.name, ours.Errors, their[i].Errors)
			continue
		}
		// controller-gen reports markers that do not fit at the field below them.
		a, b := fileLines(lines(their[i].Errors)), fileLines(lines(ours.Errors))
		for _, n := range a {
			if n > 0 && !slices.ContainsFunc(b, func(m int) bool { return m <= n && n-m <= 2 }) {
				t.Errorf("%s: errors %q, want one above line %d: %q", c.name, ours.Errors, n, their[i].Errors)
			}
		}
	}
}

// fileLines returns the lines of positions without their files.
func fileLines(byPosition map[string]string) []int {
	var numbers []int
	for _, at := range slices.Sorted(maps.Keys(byPosition)) {
		_, line, _ := strings.Cut(at, ":")
		n := 0
		_, _ = fmt.Sscan(line, &n)
		numbers = append(numbers, n)
	}
	return numbers
}
