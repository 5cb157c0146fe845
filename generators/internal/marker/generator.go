package marker

import (
	"slices"
	"strings"

	"github.com/listwatch/listwatch/generators/internal/diag"
)

// generators are the package markers that enable, disable or configure code-generator's
// generators.
var generators = []string{
	"k8s:applyconfiguration-gen",
	"k8s:client-gen",
	"k8s:conversion-gen",
	"k8s:conversion-gen-external-types",
	"k8s:deepcopy-gen",
	"k8s:defaulter-gen",
	"k8s:defaulter-gen-input",
	"k8s:informer-gen",
	"k8s:lister-gen",
	"k8s:openapi-gen",
	"k8s:openapi-model-package",
	"k8s:prerelease-lifecycle-gen",
	"k8s:protobuf-gen",
	"k8s:register-gen",
	"k8s:validation-gen",
	"k8s:validation-gen-input",
	"k8s:validation-gen-nolint",
	"k8s:validation-gen-scheme-registry",
	"k8s:validation-gen-test-fixture",
	"k8s:validation-gen-test-targets",
}

// IsGenerator reports whether a marker configures a generator.
func IsGenerator(name string) bool { return slices.Contains(generators, name) }

// IsAboutGenerator reports whether a line of a comment starts with a marker that appears to
// configure a generator.
func IsAboutGenerator(line string) bool {
	name, _, _ := strings.Cut(line, "=")
	return strings.HasPrefix(name, "+k8s:") && strings.Contains(name, "-gen")
}

// CheckGenerator adds an error for a marker that appears to configure a generator but is
// unknown.
func CheckGenerator(t Tag, diags *diag.List) {
	if !IsAboutGenerator("+" + t.Name) {
		return
	}
	rest := strings.TrimPrefix(t.Name, "k8s:")
	base, _, _ := strings.Cut(rest, ":") // as in +k8s:deepcopy-gen:interfaces
	if !IsGenerator("k8s:" + base) {
		hint, meant := suggest("k8s:"+base, generators, "+")
		diags.Fix(edit(t, len("+"), "k8s:"+base, meant)...).Errorf(t.Pos, "unknown marker +%s%s", t.Name, hint)
	}
}
