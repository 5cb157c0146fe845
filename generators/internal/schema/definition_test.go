package schema_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/listwatch/listwatch/generators/internal/schema"
)

// version returns the file of a version of kind Shoe with markers.
func version(name string, markers ...string) string {
	var lines strings.Builder
	for _, m := range markers {
		fmt.Fprintf(&lines, "// %s\n", m)
	}
	return fmt.Sprintf("// +groupName=shop.example.com\npackage %s\n\nimport metav1 \"k8s.io/apimachinery/pkg/apis/meta/v1\"\n\n%stype Shoe struct {\nmetav1.TypeMeta `json:\",inline\"`\nmetav1.ObjectMeta `json:\"metadata,omitempty\"`\n}\n", name, &lines)
}

func TestVersions(t *testing.T) {
	for _, c := range []struct {
		name   string
		v1, v2 []string // the markers of the versions
		// want are the versions as name, served, stored; in the package of the one that is stored.
		want, in string
		diag     string
	}{
		{name: "no storage version", want: "v1 served, v2 served", in: "v2", diag: "kind Shoe has no storage version among v1, v2"},
		{name: "the first is stored", v1: []string{"+kubebuilder:storageversion"}, want: "v1 served stored, v2 served", in: "v1"},
		{name: "the second is stored", v1: []string{"+kubebuilder:unservedversion"}, v2: []string{"+kubebuilder:storageversion"}, want: "v1, v2 served stored", in: "v2"},
		{name: "two are stored", v1: []string{"+kubebuilder:storageversion"}, v2: []string{"+kubebuilder:storageversion"}, want: "v1 served stored, v2 served stored", in: "v1",
			diag: "kind Shoe has the storage versions v1 and v2"},
		{name: "one is skipped", v1: []string{"+kubebuilder:skipversion"}, want: "v2 served stored", in: "v2"},
		{name: "all are skipped", v1: []string{"+kubebuilder:skipversion"}, v2: []string{"+kubebuilder:skipversion"}},
		{name: "none is served", v1: []string{"+kubebuilder:unservedversion", "+kubebuilder:storageversion"}, v2: []string{"+kubebuilder:unservedversion"}, want: "v1 stored, v2", in: "v1",
			diag: "kind Shoe has no served version"},
		{name: "two resources", v1: []string{"+kubebuilder:storageversion", "+kubebuilder:resource:scope=Cluster"}, v2: []string{"+kubebuilder:resource:path=boots"}, want: "v1 served stored, v2 served", in: "v1",
			diag: "marker contradicts"},
		{name: "unknown scope", v1: []string{"+kubebuilder:storageversion", "+kubebuilder:resource:scope=cluster"}, want: "v1 served stored, v2 served", in: "v1", diag: `unknown scope "cluster"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, packages := module(t, map[string]string{"p1/types.go": version("v1", c.v1...), "p2/types.go": version("v2", c.v2...)})
			found, diags := read(schema.Options{}, packages...)
			if want := c.diag != ""; len(diags) > 0 != want || want && !strings.Contains(diags[0].Message, c.diag) {
				t.Errorf("got %v, want %q", diags, c.diag)
			}
			in, got := "", ""
			for _, p := range packages {
				for _, crd := range found[p.Path] {
					in = p.Name
					var all []string
					for _, v := range crd.Versions {
						text := v.Name
						if v.Served {
							text += " served"
						}
						if v.Storage {
							text += " stored"
						}
						all = append(all, text)
					}
					got += strings.Join(all, ", ")
				}
			}
			if got != c.want || in != c.in {
				t.Errorf("got %q in %s, want %q in %s", got, in, c.want, c.in)
			}
		})
	}
}

// TestKinds checks which types are kinds, and their plurals.
func TestKinds(t *testing.T) {
	plurals := map[string]string{
		"Shoe": "shoes", "Policy": "policies", "Gateway": "gateways", "Ingress": "ingresses", "DaemonSet": "daemonsets", "Index": "indices",
		"BoxIndex": "boxindices", "Switch": "switches", "MachineDB": "machinedbs", "DNS": "dnses", "HTTPRoute": "httproutes",
		"Woman": "women", "Database": "databases", "Series": "series", "Widgets": "widgets", "Knife": "knives", "Ox": "oxen", "Cox": "coxes",
	}
	var b strings.Builder
	b.WriteString("// +groupName=shop.example.com\npackage p\n\nimport meta \"k8s.io/apimachinery/pkg/apis/meta/v1\"\n")
	for name := range plurals {
		fmt.Fprintf(&b, "\ntype %s struct {\nmeta.TypeMeta `json:\",inline\"`\nmeta.ObjectMeta `json:\"metadata\"`\n}\n", name)
	}
	b.WriteString("\ntype ShoeList struct {\nmeta.TypeMeta `json:\",inline\"`\n}\n") // has no ObjectMeta
	b.WriteString("\ntype Internal struct {\nmeta.TypeMeta\nmeta.ObjectMeta\n}\n")   // has no tags
	b.WriteString("\n// +kubebuilder:resource:shortName=m;mk\ntype Marked struct {\nmeta.TypeMeta `json:\",inline\"`\nmeta.ObjectMeta `json:\"metadata\"`\n}\n")
	dir, packages := module(t, map[string]string{"p/types.go": b.String()})

	found, diags := read(schema.Options{}, packages...)
	if len(diags) > 0 {
		t.Errorf("got %v", diags)
	}
	var names []string
	for _, crd := range found["example.com/m/p"] {
		names = append(names, crd.Kind)
		if want := plurals[crd.Kind]; crd.Plural != want && crd.Kind != "Marked" {
			t.Errorf("%s: got plural %q, want %q", crd.Kind, crd.Plural, want)
		}
		if file := filepath.Join(dir, "p", "types.go"); crd.Pos.Filename != file || crd.Pos.Line == 0 {
			t.Errorf("%s: got position %v, want one in %s", crd.Kind, crd.Pos, file)
		}
	}
	if !slices.IsSorted(names) || len(names) != len(plurals)+1 {
		t.Errorf("got kinds %v", names)
	}

	found, _ = read(schema.Options{MarkedOnly: true}, packages...)
	if crds := found["example.com/m/p"]; len(crds) != 1 || crds[0].Kind != "Marked" || !slices.Equal(crds[0].ShortNames, []string{"m", "mk"}) {
		t.Errorf("of marked kinds: got %+v", crds)
	}
}

// TestNoGroup checks that kinds of packages without an API group have no definition, but a warning.
func TestNoGroup(t *testing.T) {
	text := strings.ReplaceAll(version("v1"), "// +groupName=shop.example.com", "// Package v1 has no group.")
	_, packages := module(t, map[string]string{"p/types.go": text})
	found, diags := read(schema.Options{}, packages...)
	if len(found) > 0 || len(diags) != 1 || !strings.Contains(diags[0].Message, "type Shoe is no CustomResourceDefinition, because package v1 has no API group") {
		t.Errorf("got %v, %v", found, diags)
	}
	text = strings.ReplaceAll(version("v1"), "// +groupName", "// +kubebuilder:skip\n// +groupName")
	_, packages = module(t, map[string]string{"p/types.go": text})
	if found, diags = read(schema.Options{}, packages...); len(found) > 0 || len(diags) > 0 {
		t.Errorf("skipped: got %v, %v", found, diags)
	}
}
