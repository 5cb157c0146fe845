package facts_test

import (
	"testing"

	"github.com/listwatch/listwatch/apitest/internal/builtin/facts"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"
)

// Every recorded resource whose kind is known to clients has a type, and so do its subresources.
func TestKindsHaveTypes(t *testing.T) {
	groups := facts.Groups()
	if len(groups) < 20 || groups[0] != "" {
		t.Fatalf("groups: %q", groups)
	}
	kinds := 0
	for _, name := range groups {
		versions, ok, err := facts.Group(name)
		if err != nil || !ok || len(versions) == 0 {
			t.Errorf("group %q: %d versions, %v, %v", name, len(versions), ok, err)
		}
		for _, v := range versions {
			for _, r := range v.Resources {
				kind := schema.GroupVersionKind{Group: name, Version: v.Version, Kind: r.ResponseKind.Kind}
				if r.ResponseKind.Version != "" {
					kind.Group, kind.Version = r.ResponseKind.Group, r.ResponseKind.Version
				}
				if !scheme.Scheme.Recognizes(kind) {
					continue
				}
				typ, err := facts.TypeOf(kind.Group, kind.Version, kind.Kind)
				if err != nil {
					t.Errorf("type of %s: %v", kind, err)
				}
				if typ == nil {
					if r.Resource != "componentstatuses" {
						t.Errorf("%s of %s has no type", kind, r.Resource)
					}
					continue
				}
				obj, err := scheme.Scheme.New(kind)
				if err != nil {
					t.Fatal(err)
				}
				obj.GetObjectKind().SetGroupVersionKind(kind)
				if _, err := typ.FromStructured(obj); err != nil {
					t.Errorf("an empty %s does not have its type: %v", kind, err)
				}
				kinds++
			}
		}
	}
	if kinds < 80 {
		t.Errorf("saw %d kinds, want more", kinds)
	}
}

func TestUnknown(t *testing.T) {
	if facts.Known("example.com") {
		t.Error("example.com is known")
	}
	if versions, ok, err := facts.Group("example.com"); versions != nil || ok || err != nil {
		t.Errorf("Group(example.com) = %v, %v, %v", versions, ok, err)
	}
	for _, kind := range []schema.GroupVersionKind{
		{Group: "example.com", Version: "v1", Kind: "Pod"}, {Version: "v2", Kind: "Pod"}, {Version: "v1", Kind: "Gadget"},
	} {
		if typ, err := facts.TypeOf(kind.Group, kind.Version, kind.Kind); typ != nil || err != nil {
			t.Errorf("TypeOf(%s) = %v, %v", kind, typ, err)
		}
	}
}

func BenchmarkGroup(b *testing.B) {
	for b.Loop() {
		if _, _, err := facts.Group(""); err != nil {
			b.Fatal(err)
		}
	}
}
