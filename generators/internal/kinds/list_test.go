package kinds_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/listwatch/listwatch/generators/internal/kinds"
	"github.com/listwatch/listwatch/generators/internal/loadtest"
)

// listCases are list types of a kind Shoe.
var listCases = []struct {
	name     string
	list     string // declarations instead of the list type
	pointers bool
	fault    string // without its position
}{
	{name: "usual", list: "type ShoeList struct { metav1.TypeMeta; metav1.ListMeta; Items []Shoe }"},
	{name: "pointers", list: "type ShoeList struct { metav1.TypeMeta; metav1.ListMeta; Items []*Shoe }", pointers: true},
	{name: "declared slice", list: "type ShoeList struct { metav1.TypeMeta; metav1.ListMeta; Items Shoes }; type Shoes []Shoe"},
	{name: "declared slice of pointers", list: "type ShoeList struct { metav1.TypeMeta; metav1.ListMeta; Items Shoes }; type Shoes []*Shoe", pointers: true},
	{name: "alias of a slice of pointers", list: "type ShoeList struct { metav1.TypeMeta; metav1.ListMeta; Items (Shoes) }; type Shoes = [](*Shoe)", pointers: true},
	{name: "alias of a declared slice", list: "type ShoeList struct { metav1.TypeMeta; metav1.ListMeta; Items Shoes }; type Shoes = Pairs; type Pairs []*Shoe", pointers: true},
	{name: "slice of an alias of a pointer", list: "type ShoeList struct { metav1.TypeMeta; metav1.ListMeta; Items []Ref }; type Ref = *Shoe", pointers: true},
	{name: "slice of an alias", list: "type ShoeList struct { metav1.TypeMeta; metav1.ListMeta; Items []Boot }; type Boot = Shoe"},
	{name: "instance of a generic list", list: "type ShoeList struct { metav1.TypeMeta; metav1.ListMeta; list[Shoe] }; type list[T any] struct { Items []T }"},
	{name: "instance of a generic slice", list: "type ShoeList struct { metav1.TypeMeta; metav1.ListMeta; Items slice[Shoe] }; type slice[T any] []T"},
	{name: "slice of a type that cannot be read", list: "type ShoeList struct { metav1.TypeMeta; metav1.ListMeta; Items []far.Shoe }"},
	{name: "slice that cannot be read", list: "type ShoeList struct { metav1.TypeMeta; metav1.ListMeta; Items far.Shoes }"},
	{name: "slice that is not there", list: "type ShoeList struct { metav1.TypeMeta; metav1.ListMeta; Items Shoes }"},
	{name: "declared in a circle", list: "type ShoeList struct { metav1.TypeMeta; metav1.ListMeta; Items Shoes }; type Shoes Pairs; type Pairs Shoes"},
	{name: "metadata of an embedded struct", list: "type ShoeList struct { meta; Items []Shoe }; type meta struct { metav1.TypeMeta; metav1.ListMeta }"},
	{
		name: "none", list: "",
		fault: "package example.com/m/case%d/shop/v1 has no type ShoeList, which the verb list returns; declare it, or add +genclient:skipVerbs=list; or exclude the package with --exclude=",
	},
	{
		name: "no Items", list: "type ShoeList struct { metav1.TypeMeta; metav1.ListMeta }",
		fault: "type ShoeList has no field Items, which the fake client of Shoe fills; add Items []Shoe, ",
	},
	{
		name: "Items that are not a slice", list: "type ShoeList struct { metav1.TypeMeta; metav1.ListMeta; Items map[string]Shoe }",
		fault: "Items of type ShoeList does not contain Shoe objects, which the fake client of Shoe stores in it; declare it as []Shoe",
	},
	{
		name: "Items that are an array", list: "type ShoeList struct { metav1.TypeMeta; metav1.ListMeta; Items [2]Shoe }",
		fault: "Items of type ShoeList does not contain Shoe objects",
	},
	{
		name: "Items of another type", list: "type ShoeList struct { metav1.TypeMeta; metav1.ListMeta; Items []Boot }; type Boot struct{}",
		fault: "Items of type ShoeList does not contain Shoe objects",
	},
	{
		name: "Items of a predeclared type", list: "type ShoeList struct { metav1.TypeMeta; metav1.ListMeta; Items []string }",
		fault: "Items of type ShoeList does not contain Shoe objects",
	},
	{
		name: "no ListMeta", list: "type ShoeList struct { metav1.TypeMeta; Items []Shoe }",
		fault: "type ShoeList has no ListMeta, which the fake client of Shoe sets; embed metav1.ListMeta",
	},
	{
		name: "no TypeMeta", list: "type ShoeList struct { metav1.ListMeta; Items []Shoe }",
		fault: "type ShoeList has no TypeMeta, so the verb list cannot return it; embed metav1.TypeMeta",
	},
	{
		name: "generic", list: "type ShoeList[T any] struct { metav1.TypeMeta; metav1.ListMeta; Items []T }",
		fault: "type ShoeList is generic, so the verb list cannot return it; declare an instantiation with this name",
	},
}

// TestLists checks the list type of a kind in each of its forms.
func TestLists(t *testing.T) {
	var archive strings.Builder
	for i, c := range listCases {
		fmt.Fprintf(&archive, `-- case%d/shop/v1/types.go --
package v1

import (
	"example.com/far"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// +genclient
type Shoe struct {
	metav1.TypeMeta `+"`json:\",inline\"`"+`
	metav1.ObjectMeta `+"`json:\"metadata\"`"+`
}

%s
`, i, c.list)
	}
	w := loadtest.New(t, archive.String())
	for i, c := range listCases {
		t.Run(c.name, func(t *testing.T) {
			want := "  Shoe, shoes"
			if c.pointers {
				want += ", pointers"
			}
			var faults []string
			if c.fault != "" {
				faults = []string{strings.Replace(c.fault, "%d", fmt.Sprint(i), 1)}
			}
			got, found := read(t, w, sources(w, fmt.Sprintf("case%d", i)), kinds.Options{})
			if len(got) != 2 || got[1] != want {
				t.Errorf("got %q, want %q", got, want)
			}
			for i := range found {
				_, found[i], _ = strings.Cut(found[i], ": ")
			}
			checkLines(t, "faults", found, faults)
		})
	}
}
