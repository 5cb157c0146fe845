package goldentest

import (
	"go/token"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/listwatch/listwatch/internal/testcase"
)

type fleet struct {
	Ships []*ship
	Empty []*ship
}

type ship struct {
	Fleet *fleet // leads up
	Name  string
	Flag  struct{ Land, Side string }
	Sunk  bool
	Holds []string
	Crew  map[string]bool
	Pos   token.Position
}

func TestDescribe(t *testing.T) {
	model := &fleet{}
	first := &ship{Fleet: model, Name: "a", Sunk: true, Holds: []string{"x", "y"}, Crew: map[string]bool{"k": true, "j": false}}
	second := &ship{Fleet: model, Pos: token.Position{Line: 3}}
	second.Flag.Side = "lee"
	model.Ships = []*ship{first, second}
	out := &testcase.Output{
		Emitted: map[string][]byte{
			"b/y.go": []byte("package b\n"), "a.go": []byte("package a\n"), "b/x.go": []byte("// x\npackage b\n"), "c/x.go": []byte("x"),
		},
		Warnings: map[testcase.Tool][]string{
			testcase.Lister: {"one", "two"}, testcase.Informer: {"one", "two"}, testcase.Clientset: {"three"},
		},
	}
	got := describe(out, map[testcase.Tool]any{testcase.Lister: &fleet{}, testcase.Clientset: model, testcase.Informer: &fleet{}})
	want := strings.TrimPrefix(`
model of gen-clientset
	fleet
		ship Name=a Sunk Holds=[x y] Crew=map[j:false k:true]
		ship Flag={ lee}

model of gen-informer, gen-lister
	fleet

warnings of gen-clientset
	three

warnings of gen-informer, gen-lister
	one
	two

files
	. (package a): a.go
	b: x.go y.go
	c (package 1:1: expected 'package', found x): x.go
`, "\n")
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}
