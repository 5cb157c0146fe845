package dense

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"testing"
	"weak"
)

type (
	one struct{ name string }
	two struct{ name string }
)

func (o *one) String() string { return o.name }

// fill returns a list of objects.
func fill(objects ...any) *List {
	l := Make(len(objects) / 2)
	for _, object := range objects {
		l.Append(object)
	}
	return l
}

// contents reads a list or a view in one of the ways.
func contents(l interface {
	Len() int
	At(int) any
}) []any {
	out := make([]any, l.Len())
	for i := range out {
		out[i] = l.At(i)
	}
	return out
}

func TestObjectsOfAnyType(t *testing.T) {
	x, y := &one{"x"}, &one{"y"}
	for name, objects := range map[string][]any{
		"none":                {},
		"pointers":            {x, y, x},
		"nil pointers":        {(*one)(nil), x},
		"two types":           {x, &two{"y"}},
		"values":              {1, "a", nil, 2.5},
		"nil first":           {nil, x},
		"a pointer, then 1":   {x, y, 1},
		"maps":                {map[string]int{"a": 1}},
		"functions":           {nil, fmt.Errorf("e")},
		"structs of pointer":  {struct{ p *one }{x}, struct{ p *one }{y}},
		"arrays of pointer":   {[1]*one{x}},
		"channels":            {make(chan int)},
		"pointers to words":   {new(uintptr), new(uintptr)},
		"pointers to nothing": {&struct{}{}, &struct{}{}},
	} {
		t.Run(name, func(t *testing.T) {
			l := fill(objects...)
			for _, got := range [][]any{contents(l), contents(l.View()), l.AppendTo(nil), l.AppendTo([]any{0})[1:]} {
				if fmt.Sprintf("%#v", got) != fmt.Sprintf("%#v", objects) && len(objects)+len(got) > 0 {
					t.Errorf("got %#v, want %#v", got, objects)
				}
			}
		})
	}
}

func TestAppendSomeAs(t *testing.T) {
	var objects []any
	for i := range 2 * perChunk {
		objects = append(objects, &one{fmt.Sprint(i)})
	}
	at := []uint32{perChunk, 0, perChunk - 1, 2*perChunk - 1}
	want := fmt.Sprint(objects[at[0]], objects[at[1]], objects[at[2]], objects[at[3]])
	typed, _, ok := AppendSomeAs[*one](fill(objects...), at, nil)
	if !ok || fmt.Sprint(typed[0], typed[1], typed[2], typed[3]) != want {
		t.Errorf("got %v, %t, want %v", typed, ok, want)
	}
	if untyped := fill(objects...).AppendSomeTo([]any{1}, at)[1:]; fmt.Sprint(untyped...) != want {
		t.Errorf("got %v, want %v", untyped, want)
	}
	if mixed := fill(1, objects[1], "a").AppendSomeTo(nil, []uint32{2, 0, 1}); fmt.Sprint(mixed...) != fmt.Sprint("a", 1, objects[1]) {
		t.Errorf("got %v", mixed)
	}
	untyped, _, ok := AppendSomeAs[any](fill(objects...), at, nil)
	if !ok || fmt.Sprint(untyped...) != want {
		t.Errorf("got %v, %t, want %v", untyped, ok, want)
	}
	if got, wrong, ok := AppendSomeAs[*two](fill(objects...), at, nil); ok || len(got) > 0 || wrong != objects[perChunk] {
		t.Errorf("got %v, %v, %t", got, wrong, ok)
	}
	if got, wrong, ok := AppendSomeAs[*one](fill(append(objects, 1)...), []uint32{0, 2 * perChunk}, nil); ok || len(got) != 1 || wrong != 1 {
		t.Errorf("got %v, %v, %t", got, wrong, ok)
	}
}

func TestAppendAs(t *testing.T) {
	x, y, other := &one{"x"}, &one{"y"}, &two{"z"}
	t.Run("the type of all", func(t *testing.T) {
		got, _, ok := AppendAs(fill(x, y), []*one{y})
		if !ok || !slices.Equal(got, []*one{y, x, y}) {
			t.Errorf("got %v, %t", got, ok)
		}
	})
	t.Run("an interface", func(t *testing.T) {
		got, _, ok := AppendAs[fmt.Stringer](fill(x, y), nil)
		if !ok || !slices.Equal(got, []fmt.Stringer{x, y}) {
			t.Errorf("got %v, %t", got, ok)
		}
	})
	t.Run("any", func(t *testing.T) {
		got, _, ok := AppendAs[any](fill(x, 1, nil), nil)
		if ok || len(got) != 2 { // nil has no type, also not any
			t.Errorf("got %v, %t", got, ok)
		}
	})
	t.Run("another type of the same structure", func(t *testing.T) {
		if got, wrong, ok := AppendAs[*two](fill(x, y), nil); ok || len(got) > 0 || wrong != x {
			t.Errorf("got %v, %v, %t", got, wrong, ok)
		}
	})
	t.Run("one of another type", func(t *testing.T) {
		if got, wrong, ok := AppendAs[*one](fill(x, y, other), nil); ok || len(got) != 2 || wrong != other {
			t.Errorf("got %v, %v, %t", got, wrong, ok)
		}
	})
	t.Run("no objects", func(t *testing.T) {
		if got, _, ok := AppendAs[*one](&List{}, nil); !ok || len(got) != 0 {
			t.Errorf("got %v, %t", got, ok)
		}
	})
}

// TestModel performs random operations on a list and a slice, and takes views on the way: they stay as
// they were.
func TestModel(t *testing.T) {
	for seed := range uint64(40) {
		random := rand.New(rand.NewPCG(seed, 2))
		l, model := &List{}, []any{}
		if seed%2 == 0 {
			l = Make(int(seed) * 40)
		}
		var views []View
		var want [][]any
		object := func() any {
			if seed%4 == 3 && random.IntN(200) == 0 {
				return random.IntN(10)
			}
			return &one{}
		}
		for range 20 {
			grow := random.IntN(3)
			for range random.IntN(700) {
				switch n := random.IntN(10); {
				case n < 4 && len(model) > 0:
					i, o := random.IntN(len(model)), object()
					l.Set(i, o)
					model[i] = o
				case n < 7-2*grow && len(model) > 0:
					l.RemoveLast()
					model = model[:len(model)-1]
				case n < 9:
					o := object()
					l.Append(o)
					model = append(model, o)
				default:
					if views = append(views, l.View()); len(views) > 5 {
						views, want = views[1:], want[1:]
					}
					want = append(want, slices.Clone(model))
				}
			}
			if !slices.Equal(contents(l), model) || !slices.Equal(l.AppendTo([]any{}), model) || l.Len() != len(model) {
				t.Fatalf("seed %d: the list is not the model", seed)
			}
			for i, v := range views {
				if !slices.Equal(contents(v), want[i]) {
					t.Fatalf("seed %d: a view has changed", seed)
				}
			}
		}
	}
}

// TestViewsBesideWrites reads views while the list changes. A lock orders views and writes only.
func TestViewsBesideWrites(t *testing.T) {
	const n = 3 * perChunk
	var mu sync.RWMutex
	generations := make([]*one, 50)
	for i := range generations {
		generations[i] = &one{fmt.Sprint(i)}
	}
	l := &List{}
	for range n {
		l.Append(generations[0])
	}
	stop := make(chan struct{})
	var readers sync.WaitGroup
	for range 2 {
		readers.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				mu.RLock()
				v := l.View()
				mu.RUnlock()
				if v.Len() != n {
					t.Errorf("%d objects", v.Len())
				}
				for i := range v.Len() {
					if v.At(i) != v.At(0) {
						t.Errorf("object %d is of generation %v, the first of %v", i, v.At(i), v.At(0))
						return
					}
				}
			}
		})
	}
	for _, generation := range generations {
		mu.Lock()
		l.RemoveLast()
		for i := range n - 1 {
			l.Set(i, generation)
		}
		l.Append(generation)
		mu.Unlock()
	}
	close(stop)
	readers.Wait()
}

// TestReferences checks that objects live as long as a list or view has them, and no longer.
func TestReferences(t *testing.T) {
	l := &List{}
	var objects []weak.Pointer[one]
	for i := range 2 * perChunk {
		o := &one{fmt.Sprint(i)}
		objects = append(objects, weak.Make(o))
		l.Append(o)
	}
	alive := func() (n int) {
		runtime.GC()
		for _, o := range objects {
			if o.Value() != nil {
				n++
			}
		}
		return n
	}
	if n := alive(); n != len(objects) {
		t.Errorf("%d of %d objects are alive in a list", n, len(objects))
	}
	v := l.View()
	for l.Len() > 1 {
		l.RemoveLast()
	}
	if n := alive(); n != len(objects) {
		t.Errorf("%d of %d objects are alive in a view", n, len(objects))
	}
	if got := v.At(len(objects) - 1).(*one).name; got != fmt.Sprint(len(objects)-1) {
		t.Errorf("the last object of a view is %s", got)
	}
	v = View{}
	l.Set(0, nil)
	if n := alive(); n != 0 {
		t.Errorf("%d objects are retained", n)
	}
	runtime.KeepAlive(l)
}

func TestMemory(t *testing.T) {
	l := &List{}
	if got := testing.AllocsPerRun(10, func() {
		l.View()
		l.Len()
	}); got != 0 {
		t.Errorf("%v allocations for a view", got)
	}
	x := &one{}
	for range 10 * perChunk {
		l.Append(x)
	}
	l.Set(0, x)
	if got := testing.AllocsPerRun(10, func() { l.Set(1, x) }); got != 0 {
		t.Errorf("%v allocations to replace an object", got)
	}
	if got := testing.AllocsPerRun(10, func() {
		l.View()
		l.Set(1, x)
		l.Set(2, x)
	}); got != 2 {
		t.Errorf("%v allocations to replace objects of a chunk after a view, want 2", got)
	}
	for l.Len() > 0 {
		l.RemoveLast()
	}
	if l.pointers.chunks != nil {
		t.Error("an empty list has chunks")
	}
}

func TestLatest(t *testing.T) {
	x := &one{"x"}
	for name, objects := range map[string][]any{
		"none":         {nil, nil},
		"pointers":     {x, (*one)(nil), &one{"y"}},
		"strings":      {"a", "", "b"},
		"numbers":      {1, 0, 1 << 40},
		"slices":       {[]int{1}, []int(nil)},
		"maps":         {map[string]int{}, map[string]int(nil)},
		"empty values": {struct{}{}, struct{}{}},
		"functions":    {(func())(nil), (func())(nil)},
	} {
		t.Run(name, func(t *testing.T) {
			var l Latest
			l.Init(objects[0])
			for i, object := range objects {
				stored := l.Store(object)
				if got, ok := l.Load(); !stored || !ok || fmt.Sprintf("%#v", got) != fmt.Sprintf("%#v", object) {
					t.Errorf("%d: stored %t, loaded %#v, %t, want %#v", i, stored, got, ok, object)
				}
			}
			if l.Store(two{}) {
				t.Error("it stored an object of another type")
			}
			l.Clear()
			if got, ok := l.Load(); ok || got != nil {
				t.Errorf("got %v after Clear", got)
			}
		})
	}
}

// TestLatestReferences checks that an object lives until it is replaced or cleared.
func TestLatestReferences(t *testing.T) {
	var l Latest
	var objects []weak.Pointer[one]
	alive := func() (n int) {
		runtime.GC()
		for _, o := range objects {
			if o.Value() != nil {
				n++
			}
		}
		return n
	}
	for i := range 3 {
		o := &one{fmt.Sprint("object ", i)}
		objects = append(objects, weak.Make(o))
		if i == 0 {
			l.Init(o)
		} else {
			l.Store(o)
		}
	}
	if n := alive(); n != 1 {
		t.Errorf("%d objects are alive, want 1", n)
	}
	if object, _ := l.Load(); object.(*one).name != "object 2" {
		t.Errorf("it is %v", object)
	}
	l.Clear()
	if n := alive(); n != 0 {
		t.Errorf("%d objects are alive after Clear", n)
	}
	runtime.KeepAlive(&l)
}
