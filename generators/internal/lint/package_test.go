package lint_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/listwatch/listwatch/generators/internal/diag"
	"github.com/listwatch/listwatch/generators/internal/lint"
	"github.com/listwatch/listwatch/generators/internal/loadtest"
	"github.com/listwatch/listwatch/generators/internal/marker"
	"github.com/listwatch/listwatch/generators/internal/resolve"
)

// lintCases are a package's doc.go and whether its types are serialized.
var lintCases = []struct {
	name     string
	dir      string // v1 if empty
	doc      string
	typeMeta string   // how a type embeds TypeMeta; empty for no such type
	near     []string // without the rule about known markers
	known    []string
	explicit []string
}{
	{name: "no markers", typeMeta: inlined},
	{name: "about other things", doc: "// +k8s:required\n// +clientset\n", typeMeta: inlined},
	{
		name: "misspelt", doc: "// +k8s:deepcoyp-gen=false\n\n// +k8s:deepcopy-gen=package\n// +k8s:lister-generator\n",
		known: []string{"doc.go:1:4: unknown marker +k8s:deepcoyp-gen; did you mean +k8s:deepcopy-gen?", "doc.go:4:4: unknown marker +k8s:lister-generator; "},
	},
	{
		name: "misspelt, of a generator that is here", doc: "// +k8s:clinet-gen=false\n",
		near:  []string{"doc.go:1:4: warning: \"+k8s:clinet-gen=false\" has no effect; did you mean +k8s:client-gen=false?"},
		known: []string{"doc.go:1:4: unknown marker +k8s:clinet-gen; did you mean +k8s:client-gen?"},
	},
	{
		name: "kinds", doc: "// +groupName=shop.example.com\n", typeMeta: inlined,
		explicit: []string{"doc.go:1:1: missing +k8s:deepcopy-gen, "},
	},
	{
		name: "kinds, in a package with another generator", doc: "// +k8s:openapi-gen=true\n", typeMeta: inlined,
		explicit: []string{"doc.go:1:1: missing +k8s:deepcopy-gen, "},
	},
	{name: "kinds, and all that is needed", doc: "// +groupName=shop.example.com\n// +k8s:deepcopy-gen=false\n", typeMeta: inlined},
	{name: "kinds of no version", dir: "shop", doc: "// +groupName=shop.example.com\n", typeMeta: inlined},
	{
		name: "kinds of a version of another stage", dir: "v2beta10", doc: "// +groupName=shop.example.com\n", typeMeta: inlined,
		explicit: []string{"doc.go:1:1: missing +k8s:deepcopy-gen, "},
	},
	{name: "no kinds", doc: "// +groupName=shop.example.com\n"},
	{name: "TypeMeta without a tag", doc: "// +groupName=shop.example.com\n", typeMeta: "metav1.TypeMeta"},
	{name: "TypeMeta with another tag", doc: "// +groupName=shop.example.com\n", typeMeta: "metav1.TypeMeta `yaml:\",inline\"`"},
	{name: "TypeMeta with a name", doc: "// +groupName=shop.example.com\n", typeMeta: "metav1.TypeMeta `json:\"meta,inline\"`"},
	{name: "TypeMeta as a named field", doc: "// +groupName=shop.example.com\n", typeMeta: "TypeMeta metav1.TypeMeta `json:\",inline\"`"},
	{name: "type that is called TypeMeta", doc: "// +groupName=shop.example.com\n", typeMeta: "Meta int `json:\",inline\"` // not TypeMeta"},
	{
		name: "defaults", doc: "// +k8s:defaulter-gen=TypeMeta\n",
		explicit: []string{
			"doc.go:1:1: missing +k8s:conversion-gen, ",
			"doc.go:1:1: missing +k8s:validation-gen, ",
		},
	},
	{
		name: "validation of types elsewhere", doc: "// +k8s:validation-gen-input=example.com/m/shop\n",
		explicit: []string{
			"doc.go:1:1: missing +k8s:conversion-gen, ",
			"doc.go:1:1: missing +k8s:defaulter-gen, ",
			"doc.go:1:1: missing +k8s:validation-gen, ",
		},
	},
	{name: "conversion alone", doc: "// +k8s:conversion-gen=example.com/m/shop\n"},
	{name: "defaults of no version", dir: "shop", doc: "// +k8s:defaulter-gen=TypeMeta\n"},
}

const inlined = "metav1.TypeMeta `json:\",inline\"`"

// TestPackages checks packages with each rule separately, and with both.
func TestPackages(t *testing.T) {
	var archive strings.Builder
	dir := func(i int) string {
		version := lintCases[i].dir
		if version == "" {
			version = "v1"
		}
		return fmt.Sprintf("case%d/%s", i, version)
	}
	for i, c := range lintCases {
		fmt.Fprintf(&archive, "-- %s/doc.go --\n%s\npackage v1\n", dir(i), c.doc)
		// Other files are ignored.
		fmt.Fprintf(&archive, "-- %s/types.go --\n// +k8s:deepcopy-gen=package\n// +k8s:x-gen\npackage v1\n\ntype Other struct{}\n", dir(i))
		if c.typeMeta != "" {
			fmt.Fprintf(&archive, "\ntype Shoe struct {\n\t%s\n}\n", c.typeMeta)
		}
	}
	w := loadtest.New(t, archive.String())
	for i, c := range lintCases {
		for _, rules := range []struct {
			name   string
			rules  []string
			faults []string
		}{
			{"no rule", nil, c.near},
			{lint.KnownTagsOnly, []string{lint.KnownTagsOnly}, c.known},
			{lint.RequireExplicitDisablement, []string{lint.RequireExplicitDisablement}, append(c.near, c.explicit...)},
			{"both", []string{lint.RequireExplicitDisablement, lint.KnownTagsOnly}, append(c.known, c.explicit...)},
		} {
			t.Run(c.name+", "+rules.name, func(t *testing.T) {
				var diags diag.List
				all := w.Below(strings.Split(dir(i), "/")[0])
				marker.CheckMisses(all, false, slices.Contains(rules.rules, lint.KnownTagsOnly), &diags)
				lint.Check(all, resolve.New(), rules.rules, &diags)
				found := w.Lines(t, &diags)
				for n := range found {
					found[n] = strings.TrimPrefix(found[n], dir(i)+"/")
				}
				if !slices.EqualFunc(found, rules.faults, strings.HasPrefix) {
					t.Errorf("faults:\n%s", cmp.Diff(rules.faults, found))
				}
			})
		}
	}
}
