package copytest_test

import (
	"strings"
	"testing"

	"github.com/listwatch/listwatch/internal/copytest"
)

// node has a field of each kind that can share memory.
type node struct {
	Name    string
	Next    *node
	List    []*node
	ByName  map[string][]int
	Any     any
	Array   [2]*int
	Nothing *struct{}
}

func TestCheck(t *testing.T) {
	n := 1
	build := func() *node {
		m := 1
		return &node{Name: "a", Next: &node{}, List: []*node{{Name: "b"}}, ByName: map[string][]int{"a": {1}}, Any: []int{1}, Array: [2]*int{&m}, Nothing: new(struct{})}
	}
	for _, c := range []struct {
		name   string
		change func(original, copied *node)
		want   string
	}{
		{name: "separate", change: func(_, _ *node) {}},
		{name: "different", change: func(_, b *node) { b.Name = "x" }, want: "the copy differs"},
		{name: "pointer", change: func(a, b *node) { b.Next = a.Next }, want: "*copytest_test.node.Next is shared"},
		{name: "slice", change: func(a, b *node) { b.List = a.List }, want: ".List is shared"},
		{name: "empty slice with room", change: func(a, b *node) { a.List = make([]*node, 0, 1); b.List = a.List }, want: ".List is shared"},
		{name: "empty slice", change: func(a, b *node) { a.List = []*node{}; b.List = a.List }},
		{name: "element", change: func(a, b *node) { b.List[0] = a.List[0] }, want: ".List[0] is shared"},
		{name: "map", change: func(a, b *node) { b.ByName = a.ByName }, want: ".ByName is shared"},
		{name: "value of a map", change: func(a, b *node) { b.ByName["a"] = a.ByName["a"] }, want: ".ByName[a] is shared"},
		{name: "interface", change: func(a, b *node) { b.Any = a.Any }, want: ".Any is shared"},
		{name: "array", change: func(a, b *node) { a.Array[1], b.Array[1] = &n, &n }, want: ".Array[1] is shared"},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, b := build(), build()
			c.change(a, b)
			err := copytest.Check(a, b)
			if got := ""; err == nil && c.want != got || err != nil && (c.want == "" || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

func TestFill(t *testing.T) {
	full := 0
	for seed := range uint64(50) {
		var a, b node
		copytest.New(seed, nil).Fill(&a)
		copytest.New(seed, nil).Fill(&b)
		if err := copytest.Check(&a, &b); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if a.Name != "" && a.Next != nil && len(a.List) > 0 && len(a.ByName) > 0 && a.Array[0] != nil {
			full++
		}
	}
	if full < 5 {
		t.Errorf("only %d values were filled", full)
	}
}
