package minor_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	_ "github.com/listwatch/listwatch/internal/golden"
	"github.com/listwatch/listwatch/internal/minor"
)

const file = `// Package p is a package.
package p

// A is the first.
func A() {}

// B is the second.
func B() {
	A()
}

// T is a type.
type T struct{}

// C is a method.
func (T) C() {}
`

func TestRemove(t *testing.T) {
	for _, test := range []struct {
		name, function string
		want           string // empty for an error
	}{
		{"first", "A", "// Package p is a package.\npackage p\n\n// B is the second.\nfunc B() {\n\tA()\n}\n\n// T is a type.\ntype T struct{}\n\n// C is a method.\nfunc (T) C() {}\n"},
		{"second", "B", "// Package p is a package.\npackage p\n\n// A is the first.\nfunc A() {}\n\n// T is a type.\ntype T struct{}\n\n// C is a method.\nfunc (T) C() {}\n"},
		{"method", "C", ""},
		{"missing", "D", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := minor.Remove([]byte(file), test.function)
			if (err != nil) != (test.want == "") {
				t.Fatalf("got error %v", err)
			}
			if diff := cmp.Diff(test.want, string(got)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestRemoveInvalid(t *testing.T) {
	if _, err := minor.Remove([]byte("package"), "A"); err == nil {
		t.Error("no error")
	}
}
