package kinds_test

import (
	"slices"
	"testing"

	"github.com/listwatch/listwatch/generators/internal/kinds"
	"github.com/listwatch/listwatch/generators/internal/loadtest"
)

// TestGroups checks the names of groups that resemble each other. Each case consists of the
// packages below a directory.
func TestGroups(t *testing.T) {
	w := loadtest.New(t, oneKind(map[string]string{
		"usual/apps/v1":                 "// +groupName=apps.example.com",
		"usual/apps/v1beta1":            "// +groupName=apps.example.com",
		"usual/batch/v1":                "",
		"core/core/v1":                  "// +groupName=",
		"order/zoo/v1":                  "// +groupName=a",
		"order/app/v1":                  "// +groupName=z",
		"label/one/v1":                  "// +groupName=shop.example.com",
		"label/two/v1":                  "// +groupName=shop.example.org",
		"label/three/v1":                "// +groupName=other.example.com",
		"short/one/v1":                  "// +groupName=shop",
		"short/two/v1":                  "// +groupName=shop.example.org",
		"named/one/v1":                  "// +groupName=shop.example.com\n// +groupGoName=store",
		"named/two/v1":                  "// +groupName=shop.example.org",
		"taken/one/v1":                  "// +groupName=shop.example.com\n// +groupGoName=Shop",
		"taken/two/v1":                  "// +groupName=shop.example.org",
		"oneversion/shop/v1":            "// +groupName=shop.example.com",
		"oneversion/shop/v2":            "",
		"contradiction/shop/v1":         "// +groupName=shop.example.com",
		"contradiction/shop/v2":         "// +groupName=store.example.com",
		"hyphen/my-shop.example.com/v1": "",
		"hyphen/my-store/v1":            "// +groupName=my-store.example.com",
		"digit/3scale/v1":               "",
		"same/a/shop/v1":                "",
		"same/b/shop/v1":                "",
		"case/a/Shop/v1":                "",
		"case/b/shop/v1":                "",
		"goname/one/v1":                 "// +groupGoName=Shop",
		"goname/two/v1":                 "// +groupGoName=Shop",
		"fold/one/v1":                   "// +groupName=my-shop.example.com",
		"fold/two/v1":                   "// +groupName=myshop.example.org",
		"foldgoname/one/v1":             "// +groupGoName=Shop",
		"foldgoname/two/v1":             "// +groupGoName=SHOP",
		"samegroup/one/v1":              "// +groupName=shop.example.com",
		"samegroup/two/v1":              "// +groupName=shop.example.com",
		"versions/one/v1":               "// +groupName=shop.example.com",
		"versions/two/v1beta1":          "// +groupName=shop.example.org",
		"reserved/meta/v1":              "",
		"deep/shop/v1":                  "// +groupName=a.b.c.d",
		"deep/store/v1":                 "// +groupName=a.b.c.e",
	}))
	for _, c := range []struct {
		dir    string
		want   []string
		faults []string
	}{
		{dir: "usual", want: []string{
			`apps/v1 of "apps.example.com" is AppsV1, imported as appsv1`, "  Shoe, shoes",
			`apps/v1beta1 of "apps.example.com" is AppsV1beta1, imported as appsv1beta1`, "  Shoe, shoes",
			`batch/v1 of "batch" is BatchV1, imported as batchv1`, "  Shoe, shoes",
		}},
		{dir: "core", want: []string{`core/v1 of "" is CoreV1, imported as corev1`, "  Shoe"}},
		{dir: "order", want: []string{
			`app/v1 of "z" is ZV1, imported as zv1`, "  Shoe",
			`zoo/v1 of "a" is AV1, imported as av1`, "  Shoe",
		}},
		{dir: "label", want: []string{
			`one/v1 of "shop.example.com" is ShopExampleComV1, imported as shopexamplecomv1`, "  Shoe",
			`three/v1 of "other.example.com" is OtherV1, imported as otherv1`, "  Shoe",
			`two/v1 of "shop.example.org" is ShopExampleOrgV1, imported as shopexampleorgv1`, "  Shoe",
		}},
		{dir: "short", want: []string{
			`one/v1 of "shop" is ShopV1, imported as shopv1`, "  Shoe",
			`two/v1 of "shop.example.org" is ShopExampleV1, imported as shopexamplev1`, "  Shoe",
		}},
		{dir: "named", want: []string{
			`one/v1 of "shop.example.com" is StoreV1, imported as storev1`, "  Shoe",
			`two/v1 of "shop.example.org" is ShopV1, imported as shopv1`, "  Shoe",
		}},
		{dir: "taken", want: []string{
			`one/v1 of "shop.example.com" is ShopV1, imported as shopv1`, "  Shoe",
			`two/v1 of "shop.example.org" is ShopExampleV1, imported as shopexamplev1`, "  Shoe",
		}},
		{dir: "oneversion", want: []string{
			`shop/v1 of "shop.example.com" is ShopV1, imported as shopv1`, "  Shoe",
			`shop/v2 of "shop.example.com" is ShopV2, imported as shopv2`, "  Shoe",
		}},
		{
			dir: "contradiction",
			want: []string{
				`shop/v1 of "shop.example.com" is ShopV1`, "  Shoe",
				`shop/v2 of "shop.example.com" is ShopV2`, "  Shoe",
			},
			faults: []string{"contradiction/shop/v2/doc.go:1:4: warning: +groupName=store.example.com contradicts +groupName=shop.example.com in example.com/m/contradiction/shop/v1, another version"},
		},
		{dir: "hyphen", want: []string{
			`my-shop.example.com/v1 of "my-shop.example.com" is MyShopV1, imported as myshopv1`, "  Shoe",
			`my-store/v1 of "my-store.example.com" is MyStoreV1, imported as mystorev1`, "  Shoe",
		}},
		{dir: "digit", want: []string{`3scale/v1 of "3scale" is ScaleV1, imported as scalev1`, "  Shoe"}},
		{
			dir: "same",
			want: []string{
				`shop/v1 of "shop" is ShopV1`, "  Shoe",
				`shop/v1 of "shop" is ShopV1`, "  Shoe",
			},
			faults: []string{"same/b/shop/v1/doc.go:1:1: packages example.com/m/same/a/shop/v1 and example.com/m/same/b/shop/v1 would both be generated into shop/v1; "},
		},
		{
			dir: "case",
			want: []string{
				`Shop/v1 of "Shop" is ShopV1`, "  Shoe",
				`shop/v1 of "shop" is ShopV1`, "  Shoe",
			},
			faults: []string{"case/b/shop/v1/doc.go:1:1: packages example.com/m/case/a/Shop/v1 and example.com/m/case/b/shop/v1 would both be generated into shop/v1; "},
		},
		{
			dir: "goname",
			want: []string{
				`one/v1 of "one" is ShopV1`, "  Shoe",
				`two/v1 of "two" is ShopV1`, "  Shoe",
			},
			faults: []string{"goname/two/v1/doc.go:1:1: packages example.com/m/goname/one/v1 and example.com/m/goname/two/v1 are both named ShopV1 in Go; "},
		},
		{dir: "fold", want: []string{
			`one/v1 of "my-shop.example.com" is MyShopExampleComV1, imported as myshopexamplecomv1`, "  Shoe",
			`two/v1 of "myshop.example.org" is MyshopExampleOrgV1, imported as myshopexampleorgv1`, "  Shoe",
		}},
		{
			dir: "foldgoname",
			want: []string{
				`one/v1 of "one" is ShopV1`, "  Shoe",
				`two/v1 of "two" is SHOPV1`, "  Shoe",
			},
			faults: []string{"foldgoname/two/v1/doc.go:1:1: packages example.com/m/foldgoname/one/v1 and example.com/m/foldgoname/two/v1 are both named SHOPV1 in Go; "},
		},
		{
			dir: "samegroup",
			want: []string{
				`one/v1 of "shop.example.com" is ShopV1`, "  Shoe",
				`two/v1 of "shop.example.com" is ShopV1`, "  Shoe",
			},
			faults: []string{"samegroup/two/v1/doc.go:1:1: packages example.com/m/samegroup/one/v1 and example.com/m/samegroup/two/v1 are both named ShopV1 in Go; "},
		},
		{dir: "versions", want: []string{
			`one/v1 of "shop.example.com" is ShopExampleComV1`, "  Shoe",
			`two/v1beta1 of "shop.example.org" is ShopExampleOrgV1beta1`, "  Shoe",
		}},
		{dir: "reserved", want: []string{`meta/v1 of "meta" is MetaV1, imported as metav1types`, "  Shoe"}},
		{dir: "deep", want: []string{
			`shop/v1 of "a.b.c.d" is ABCDV1, imported as abcdv1`, "  Shoe",
			`store/v1 of "a.b.c.e" is ABCEV1, imported as abcev1`, "  Shoe",
		}},
	} {
		t.Run(c.dir, func(t *testing.T) {
			got, faults := read(t, w, sources(w, c.dir), kinds.Options{})
			checkLines(t, "model", got, c.want)
			checkLines(t, "faults", faults, c.faults)
		})
	}
}

// TestOrder reverses the packages: the names and the order of groups do not change, and the
// versions of a group have the order of the sources.
func TestOrder(t *testing.T) {
	w := loadtest.New(t, oneKind(map[string]string{
		"all/one/v1":      "// +groupName=shop.example.com",
		"all/two/v1":      "// +groupName=shop.example.org",
		"all/short/v1":    "// +groupName=shop",
		"all/my-other/v1": "// +groupName=my-other.example.com",
		"versions/one/v1": "",
		"versions/one/v2": "",
		"versions/two/v1": "",
	}))
	want := []string{
		`my-other/v1 of "my-other.example.com" is MyOtherV1`, "  Shoe",
		`one/v1 of "shop.example.com" is ShopExampleComV1`, "  Shoe",
		`short/v1 of "shop" is ShopV1`, "  Shoe",
		`two/v1 of "shop.example.org" is ShopExampleOrgV1`, "  Shoe",
	}
	all := sources(w, "all")
	for range all {
		all = append(all[1:], all[0])
		got, faults := read(t, w, all, kinds.Options{})
		checkLines(t, "faults", faults, nil)
		checkLines(t, "model", got, want)
	}

	all = sources(w, "versions")
	slices.Reverse(all)
	got, _ := read(t, w, all, kinds.Options{})
	checkLines(t, "model", got, []string{"one/v2", "  Shoe", "one/v1", "  Shoe", "two/v1", "  Shoe"})
}
