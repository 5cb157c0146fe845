package kinds_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/listwatch/listwatch/generators/internal/diag"
	"github.com/listwatch/listwatch/generators/internal/kinds"
	"github.com/listwatch/listwatch/generators/internal/loadtest"
	"github.com/listwatch/listwatch/generators/model"
)

// versions is an archive with packages whose versions are determined differently.
var versions = "-- order/shop/v1/z.go --\n" + loadtest.Kind("Apron", "", "") +
	"-- order/shop/v1/a.go --\n" + loadtest.Kind("Shoe", "", "") +
	"-- order/shop/v1/b.go --\n" + loadtest.Kind("ABoot", "", "") +
	"-- order/shop/v1/c.go --\npackage v1\n\ntype Unmarked struct{}\n" +

	"-- unmarked/shop/v1/types.go --\npackage v1\n\ntype Shoe struct{}\n" +

	`-- internal/shop/types.go --
package shop

// +genclient
type Shoe struct {
	metav1.TypeMeta
	metav1.ObjectMeta
}

type ShoeList struct {
	TypeMeta, ListMeta int
	Items []*Shoe
}
-- internal/shop/install/install.go --
package install
-- internal/shop/v1/types.go --
` + loadtest.Kind("Shoe", "", "") +

	`-- looksinternal/shop/v1/install/install.go --
package install
-- looksinternal/shop/v1/types.go --
package v1

// +genclient
type Shoe struct {
	metav1.TypeMeta
	metav1.ObjectMeta
}

type ShoeList struct{ TypeMeta, ListMeta int; Items []Shoe }
-- embedded/shop/v1/types.go --
package v1

// +genclient
type Shoe struct {
	Base
}

type Base struct {
	metav1.TypeMeta
	metav1.ObjectMeta ` + "`json:\"metadata\"`" + `
}

type ShoeList struct{ TypeMeta, ListMeta int; Items []Shoe }
-- marked/shop/v1/doc.go --
// +groupName=shop.example.com
// +k8s:informer-gen=false
// +k8s:lister-gen=true

// +groupGoName=Store

package v1
-- marked/shop/v1/types.go --
` + loadtest.Kind("Shoe", "", "") +

	`-- elsewhere/shop/v1/group.go --
// Package v1 is laid out as kubebuilder does.
// +groupName=shop.example.com
package v1
-- elsewhere/shop/v1/types.go --
` + loadtest.Kind("Shoe", "", "") +

	"-- goname/shop/v1/group.go --\n// +groupGoName=Store\npackage v1\n" +
	"-- goname/shop/v1/types.go --\n" + loadtest.Kind("Shoe", "", "")

func TestVersions(t *testing.T) {
	w := loadtest.New(t, versions)
	for _, c := range []struct {
		name   string
		dir    string
		opts   kinds.Options
		named  bool // the packages are requested by name
		want   []string
		faults []string
	}{
		{
			name: "kinds in the order of their names in Go", dir: "order",
			want: []string{`shop/v1 of "shop" is ShopV1`, "  ABoot", "  Apron", "  Shoe"},
		},
		{name: "no kinds", dir: "unmarked"},
		{
			name: "no kinds, but requested", dir: "unmarked", named: true,
			want: []string{`shop/v1 of "shop" is ShopV1`},
		},
		{
			name: "requested types, marked or not", dir: "order",
			opts: kinds.Options{IncludedTypes: map[string][]string{"shop/v1": {"Shoe", "Apron"}}},
			want: []string{`shop/v1 of "shop" is ShopV1`, "  Apron", "  Shoe"},
		},
		{
			name: "requested type that is not a kind", dir: "unmarked",
			opts:   kinds.Options{IncludedTypes: map[string][]string{"shop/v1": {"Shoe"}}},
			want:   []string{`shop/v1 of "shop" is ShopV1`},
			faults: []string{"unmarked/shop/v1/types.go:3:6: type Shoe has no ObjectMeta"},
		},
		{
			name: "requested type that is missing", dir: "order",
			opts:   kinds.Options{IncludedTypes: map[string][]string{"shop/v1": {"Sock"}}},
			faults: []string{"order/shop/v1/a.go:1:1: type Sock, named by --included-types-overrides, is not declared in package example.com/m/order/shop/v1"},
		},
		{
			name: "requested types of a missing version", dir: "order",
			opts: kinds.Options{IncludedTypes: map[string][]string{"shop/v2": {"Cap"}, "store/": nil}},
			want: []string{`shop/v1 of "shop" is ShopV1`, "  ABoot", "  Apron", "  Shoe"},
			faults: []string{
				"--included-types-overrides=shop/v2/...: no input package has this group and version; did you mean shop/v1?",
				"--included-types-overrides=store/...: no input package has this group and version",
			},
		},
		{
			name: "plurals of kinds that are not there", dir: "order",
			opts: kinds.Options{PluralExceptions: map[string]string{"Shoe": "Shoes", "shoe": "Shoes", "Nope": "Nopes"}},
			want: []string{`shop/v1 of "shop" is ShopV1`, "  ABoot", "  Apron", "  Shoe"},
			faults: []string{
				"--plural-exceptions=Nope:Nopes: unknown kind Nope",
				"--plural-exceptions=shoe:Shoes: unknown kind shoe; did you mean Shoe?",
			},
		},
		{
			name: "requested types, by the group's directory", dir: "marked",
			opts: kinds.Options{IncludedTypes: map[string][]string{"shop/v1": {}}},
		},
		{
			name: "requested types, by the group's name", dir: "marked",
			opts: kinds.Options{IncludedTypes: map[string][]string{"shop.example.com/v1": {}}},
		},
		{
			name: "internal version", dir: "internal",
			want: []string{`shop/internalVersion of "shop" is Shop, imported as shopinternalversion`, "  Shoe, shoes, pointers", `shop/v1 of "shop" is ShopV1`, "  Shoe, shoes"},
		},
		{
			name: "version that looks internal", dir: "looksinternal",
			want:   []string{`v1/internalVersion of "v1" is V1`, "  Shoe"},
			faults: []string{"looksinternal/shop/v1/types.go:4:6: warning: ObjectMeta of type Shoe has no JSON name, so package example.com/m/looksinternal/shop/v1 is read as the internal version of group \"v1\""},
		},
		{
			name: "metadata that an embedded struct brings", dir: "embedded",
			want: []string{`shop/v1 of "shop" is ShopV1`, "  Shoe"},
		},
		{
			name: "markers in any comment of doc.go", dir: "marked",
			want: []string{`shop/v1 of "shop.example.com" is StoreV1, imported as storev1`, "  Shoe"},
		},
		{
			name: "markers of another file", dir: "elsewhere",
			want:   []string{`shop/v1 of "shop" is ShopV1`, "  Shoe"},
			faults: []string{"elsewhere/shop/v1/group.go:2:4: warning: marker is ignored because code-generator reads +groupName and +groupGoName only in doc.go"},
		},
		{
			name: "markers of another file, without a group", dir: "goname",
			want:   []string{`shop/v1 of "shop" is ShopV1`, "  Shoe"},
			faults: []string{"goname/shop/v1/group.go:1:4: warning: marker is ignored because code-generator reads +groupName and +groupGoName only in doc.go"},
		},
		{
			name: "markers of another file, extended", dir: "elsewhere", opts: kinds.Options{Extended: true},
			want: []string{`shop/v1 of "shop.example.com" is ShopV1`, "  Shoe"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			all := sources(w, c.dir)
			for i := range all {
				all[i].Named = c.named
			}
			got, faults := read(t, w, all, c.opts)
			checkLines(t, "model", got, c.want)
			checkLines(t, "faults", faults, c.faults)
		})
	}
}

// TestPlace takes group and version from the source if it contains them.
func TestPlace(t *testing.T) {
	w := loadtest.New(t, versions)
	all := sources(w, "order")
	all[0].GroupDir, all[0].Version = "store", "v2"
	got, faults := read(t, w, all, kinds.Options{
		IncludedTypes: map[string][]string{"store/v2": {"Apron"}},
	})
	checkLines(t, "model", got, []string{`store/v2 of "store" is StoreV2, imported as storev2`, "  Apron"})
	checkLines(t, "faults", faults, nil)

	all[0].GroupDir, all[0].Version = "store", ""
	got, _ = read(t, w, all, kinds.Options{IncludedTypes: map[string][]string{"store/": {"Shoe"}}})
	checkLines(t, "model", got, []string{`store/internalVersion of "store" is Store`, "  Shoe"})
}

// TestModelLinks checks that every part of the model refers to its parent.
func TestModelLinks(t *testing.T) {
	w := loadtest.New(t, versions+"-- marked/shop/v1/more.go --\n"+loadtest.Kind("Sock", "// +genclient:method=Darn,verb=update\n", ""))
	var diags diag.List
	api := kinds.Read(append(sources(w, "marked"), sources(w, "internal")...), kinds.Options{Clients: true, Diags: &diags}).API
	aliases := map[string]string{}
	methods := 0
	for _, g := range api.Groups {
		for _, v := range g.Versions {
			if v.Group != g {
				t.Errorf("%s: of another group", v.Types.Path)
			}
			if other, ok := aliases[v.Types.Alias]; ok {
				t.Errorf("%s and %s are imported alike", other, v.Types.Path)
			}
			aliases[v.Types.Alias] = v.Types.Path
			if v.Pos.Line != 1 || v.Pos.Column != 1 || v.Pos.Filename == "" {
				t.Errorf("%s is at %v", v.Types.Path, v.Pos)
			}
			for _, k := range v.Kinds {
				if k.Version != v || k.Pos.Line < 2 {
					t.Errorf("%s: of another version, or at %v", k.Name, k.Pos)
				}
				for _, m := range k.Methods {
					methods++
					if m.Kind != k || m.Input != (model.TypeRef{Package: v.Types, Name: k.Name}) || m.Result != m.Input {
						t.Errorf("%s: %+v", m.Name, m)
					}
				}
			}
		}
	}
	if methods != 1 {
		t.Errorf("%d methods", methods)
	}
}

// TestOff finds the generators that a package disables.
func TestOff(t *testing.T) {
	w := loadtest.New(t, versions)
	var diags diag.List
	api := kinds.Read(sources(w, "marked"), kinds.Options{Diags: &diags}).API
	want := map[string]bool{"informer-gen": true}
	if d := cmp.Diff(want, api.Groups[0].Versions[0].Off); d != "" {
		t.Error(d)
	}
}
