package marker

import (
	"errors"
	"go/token"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/listwatch/listwatch/generators/internal/diag"
)

// copyCases are comments above a type, with what is wrong with them.
var copyCases = []struct {
	name, give string
	want       string // messages
}{
	{name: "none", give: "T is."},
	{name: "all", give: "+k8s:deepcopy-gen=true\n+k8s:deepcopy-gen:interfaces=a.com/b.C,d.E\n+k8s:deepcopy-gen:nonpointer-interfaces=true\n+kubebuilder:object:generate=true\n+kubebuilder:object:root:=true"},
	{name: "comment at the end", give: "+k8s:deepcopy-gen=false // not yet"},
	{name: "case", give: "+k8s:deepcopy-gen=True", want: `1: unknown value "True" of +k8s:deepcopy-gen; did you mean true?`},
	{name: "after a tab", give: "\t+k8s:deepcopy-gen=True", want: `1: unknown value "True" of +k8s:deepcopy-gen; did you mean true?`},
	{name: "package", give: "+k8s:deepcopy-gen=package", want: "1: +k8s:deepcopy-gen=package is for packages, in doc.go; for a type, use +k8s:deepcopy-gen=true"},
	{name: "no value", give: "+k8s:deepcopy-gen", want: `1: unknown value "" of +k8s:deepcopy-gen; want one of true, false`},
	{name: "parameter", give: "+k8s:deepcopy-gen=true,registr", want: `1: unknown parameter "registr" of +k8s:deepcopy-gen; remove it`},
	{name: "unknown marker", give: "+k8s:deepcopy-gen:objects=a.B", want: "1: unknown marker +k8s:deepcopy-gen:objects; want one of +k8s:deepcopy-gen, +k8s:deepcopy-gen:interfaces, +k8s:deepcopy-gen:nonpointer-interfaces, +kubebuilder:object:generate, +kubebuilder:object:root"},
	{name: "unknown marker of controller-gen", give: "+kubebuilder:object:generating=true", want: "1: unknown marker +kubebuilder:object:generating; did you mean +kubebuilder:object:generate?"},
	{name: "reported by Near", give: "+kubebuilder:object:roots=true"},
	{name: "value of controller-gen's", give: "+kubebuilder:object:root=tru", want: `1: unknown value "tru" of +kubebuilder:object:root; did you mean true?`},
	{name: "interface without a path", give: "+k8s:deepcopy-gen:interfaces=Object", want: "1: interface Object lacks its import path; use k8s.io/apimachinery/pkg/runtime.Object"},
	{name: "interface that is not exported", give: "+k8s:deepcopy-gen:interfaces=a.b", want: `1: invalid interface "a.b"; use the import path and the name, as in k8s.io/apimachinery/pkg/runtime.Object`},
	{name: "receivers", give: "+k8s:deepcopy-gen:nonpointer-interfaces=yes", want: `1: unknown value "yes" of +k8s:deepcopy-gen:nonpointer-interfaces counts as false; want one of true, false`},
	{name: "contradiction", give: "+kubebuilder:object:root=true\n+kubebuilder:object:root=false", want: "2: +kubebuilder:object:root is repeated, also at line 1; keep one"},
	{name: "repetition", give: "+kubebuilder:object:root=true\n+kubebuilder:object:root=true"},
}

func TestParseCopyType(t *testing.T) {
	for _, c := range copyCases {
		t.Run(c.name, func(t *testing.T) {
			diags := diag.List{Strict: true}
			ParseCopyType(comment(c.give), &diags)
			var got []string
			var found diag.Errors
			errors.As(diags.Err(""), &found)
			for _, d := range found {
				got = append(got, strconv.Itoa(d.Pos.Line)+": "+d.Message)
			}
			if d := cmp.Diff(c.want, strings.Join(got, "\n")); d != "" {
				t.Error(d)
			}
		})
	}
}

// FuzzParseCopy parses arbitrary comments of types and packages: nothing panics, every error is on a
// line of the comment, and the interfaces of a result can be printed.
func FuzzParseCopy(f *testing.F) {
	for _, c := range copyCases {
		f.Add(c.give)
	}
	f.Add("+k8s:deepcopy-gen=package,register=true")
	f.Add("+k8s:deepcopy-gen=pakage\n+kubebuilder:object:generate=false")
	f.Fuzz(func(t *testing.T, text string) {
		lines := comment(text)
		var diags diag.List
		got := ParseCopyType(lines, &diags)
		for _, i := range got.Interfaces {
			if !token.IsIdentifier(i.Name) || !token.IsExported(i.Name) || i.Path == "" || strings.ContainsAny(i.Path, " \"`") {
				t.Errorf("interface %q.%q", i.Path, i.Name)
			}
		}
		if got.On && got.Off || got.Object && got.NoObject {
			t.Errorf("both on and off: %+v", got)
		}
		p := ParseCopyPackage(lines, lines, true, &diags)
		if p.All && p.Off && diags.Err("") == nil {
			t.Errorf("both on and off: %+v", p)
		}
		inside(t, lines, &diags)
	})
}
