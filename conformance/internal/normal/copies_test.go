package normal_test

import (
	"fmt"
	"testing"

	"github.com/listwatch/listwatch/conformance/internal/normal"
)

func TestFunctions(t *testing.T) {
	const file = `package p

import (
	v1 "a/v1"
	"b/c"
)

// F returns a new v1.T or c.U.
func F(in *v1.T) *c.U { return in.v1.T(c.V, abc.V, %s) }
`
	got, err := normal.Functions(fmt.Appendf(nil, file, "c.x"))
	if err != nil {
		t.Fatal(err)
	}
	want := "// F returns a new a/v1.T or b/c.U.\nfunc F(in *a/v1.T) *b/c.U { return in.v1.T(b/c.V, abc.V, c.x) }\n"
	if got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
