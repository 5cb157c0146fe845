package structs_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/listwatch/listwatch/generators/internal/diag"
	"github.com/listwatch/listwatch/generators/internal/kinds"
	"github.com/listwatch/listwatch/generators/internal/loadtest"
	"github.com/listwatch/listwatch/generators/internal/structs"
	"github.com/listwatch/listwatch/generators/model"
)

// declarations are types in every form.
var declarations = "-- decls/shop/v1/types.go --\n" + loadtest.Kind("Shoe", "// +audited=full\n//\n// Shoe is worn.\n", "\tSpec Spec `json:\"spec\"`\n") + `
// Spec describes a shoe.
type Spec struct {
	// Size is the size.
	// In centimetres.
	//
	// +metric=gauge
	// +optional
	Size *int32 ` + "`json:\"size,omitempty\" yaml:\"s\"`" + `
	A, B string
	hidden int
	Off bool ` + "`json:\"-\"`" + `
	*common.Named ` + "`json:\",inline\"`" + `
	common.Tagged ` + "`json:\"tagged\"`" + `
	Laces map[string][]common.Lace ` + "`json:\"laces\"`" + `
	Box Box[common.Lace]
	Alias Text
}

func (s *Spec) Larger() bool { return true }
func (s Spec) Area() int { return 0 }

type Text = string

// +k8s:enum
type Color string

type Box[T any] struct{ Of T }

type list []Spec
-- decls/shop/v1/generated.go --
//go:build never

package v1

func (s *Spec) DeepCopy() *Spec { return s }
-- decls/common/common.go --
package common

type Named struct{ Name string }

type Tagged struct{}

type Lace int
-- decls/empty/empty.go --
package empty
`

// TestDeclarations reads the declarations of packages with and without kinds.
func TestDeclarations(t *testing.T) {
	text := strings.Replace(declarations, "import (\n", "import (\n\t\"example.com/m/decls/common\"\n", 1)
	w := loadtest.New(t, text)
	var diags diag.List
	packages := w.Below("decls")
	var sources []kinds.Source
	for _, p := range packages {
		sources = append(sources, kinds.Source{Package: p})
	}
	found := kinds.Read(sources, kinds.Options{Imports: kinds.Imports{"k8s.io/apimachinery/pkg/apis/meta/v1": "metav1"}, Diags: &diags})
	structs.Declarations(found, packages)
	if err := diags.Err(w.Dir); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range found.API.Packages {
		for _, d := range p.TypeDecls {
			if d.Package != p || d.Pos.Line < 1 || d.Pos.Column < 6 || (d.Kind != nil) != (d.Name == "Shoe") {
				t.Errorf("%s: of another package or kind, or at %v", d.Name, d.Pos)
			}
			got = append(got, describeDecl(d))
			for _, f := range d.Fields {
				if f.Pos.Line < 1 || f.Pos.Column < 2 {
					t.Errorf("%s.%s: at %v", d.Name, f.Name, f.Pos)
				}
				got = append(got, "  "+describeField(f))
			}
		}
	}
	want := []string{
		"Lace = int", "Named", "  Name string json=Name", "Tagged",
		"Box generic", "  Of T json=Of",
		"Color = string +k8s:enum",
		"Shoe +genclient +audited \"Shoe is worn.\"",
		"  TypeMeta metav1.TypeMeta embedded inline tag=json:\",inline\"",
		"  ObjectMeta metav1.ObjectMeta embedded json=metadata omitempty tag=json:\"metadata,omitempty\"",
		"  Spec shopv1.Spec json=spec tag=json:\"spec\"",
		"ShoeList", "  TypeMeta metav1.TypeMeta embedded inline", "  ListMeta metav1.ListMeta embedded inline", "  Items []shopv1.Shoe json=Items",
		"Spec methods=Area,Larger \"Spec describes a shoe.\"",
		"  Size *int32 json=size omitempty tag=json:\"size,omitempty\" yaml:\"s\" +metric=gauge +optional \"Size is the size.\\nIn centimetres.\"",
		"  A string json=A", "  B string json=B", "  hidden int", "  Off bool tag=json:\"-\"",
		"  Named *declscommon.Named embedded inline tag=json:\",inline\"",
		"  Tagged declscommon.Tagged embedded json=tagged tag=json:\"tagged\"",
		"  Laces map[string][]declscommon.Lace json=laces tag=json:\"laces\"",
		"  Box shopv1.Box[declscommon.Lace] json=Box", "  Alias string json=Alias",
		"Text = string alias", "list = []shopv1.Spec",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func describeDecl(d *model.TypeDecl) string {
	text := d.Name
	if !d.Struct {
		text += " = " + describeType(d.Type)
	}
	if d.Alias {
		text += " alias"
	}
	if d.Generic {
		text += " generic"
	}
	if len(d.Methods) > 0 {
		text += " methods=" + strings.Join(d.Methods, ",")
	}
	for _, m := range d.Markers {
		text += " +" + m.Name
	}
	return text + describeDoc(d.Doc)
}

func describeField(f *model.FieldDecl) string {
	text := f.Name + " " + describeType(f.Type)
	if f.Embedded {
		text += " embedded"
	}
	if f.Inline {
		text += " inline"
	}
	if f.JSON != "" {
		text += " json=" + f.JSON
	}
	if f.OmitEmpty {
		text += " omitempty"
	}
	if f.Tag != "" {
		text += " tag=" + f.Tag
	}
	for _, m := range f.Markers {
		text += " +" + m.Name
		if m.HasValue {
			text += "=" + m.Value
		}
	}
	return text + describeDoc(f.Doc)
}

func describeDoc(doc string) string {
	if doc == "" {
		return ""
	}
	return fmt.Sprintf(" %q", doc)
}

func describeType(t *model.Type) string {
	switch t.Form {
	case model.Pointer:
		return "*" + describeType(t.Elem)
	case model.Slice:
		return "[]" + describeType(t.Elem)
	case model.Map:
		return "map[" + describeType(t.Key) + "]" + describeType(t.Elem)
	case model.Verbatim:
		text := ""
		for _, p := range t.Parts {
			if p.Type != nil {
				text += describeType(p.Type)
			} else {
				text += p.Text
			}
		}
		return text
	}
	if t.Ref.Package.Alias == "" {
		return t.Ref.Name
	}
	return t.Ref.Package.Alias + "." + t.Ref.Name
}
