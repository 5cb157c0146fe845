package memory_test

import (
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"github.com/listwatch/listwatch/runtime/codec/internal/memory"
)

type (
	name   string
	inner  struct{ Text *string }
	holder struct {
		First  int8
		Name   name
		Inner  inner
		To     *inner
		List   []inner
		Labels map[string]string
		Last   uint64
	}
)

// field returns the place of a field.
func field(t *testing.T, h *holder, of string) memory.Place {
	t.Helper()
	f, ok := reflect.TypeFor[holder]().FieldByName(of)
	if !ok {
		t.Fatal(of)
	}
	return memory.Of(reflect.ValueOf(h)).At(f.Offset)
}

// TestPlaces writes fields, collects garbage, and reads them.
func TestPlaces(t *testing.T) {
	text := strings.Repeat("x", 100)
	h := new(holder)
	*memory.As[int8](field(t, h, "First")) = -1
	*memory.As[string](field(t, h, "Name")) = text[:50]
	*memory.As[*string](field(t, h, "Inner")) = &text
	*memory.As[map[string]string](field(t, h, "Labels")) = map[string]string{"a": text}
	*memory.As[uint64](field(t, h, "Last")) = 7
	to := memory.New(reflect.TypeFor[inner]())
	*memory.As[inner](to) = inner{&text}
	field(t, h, "To").Point(to)
	var arrays memory.Arrays
	arrays.Init(reflect.TypeFor[[]inner]())
	array := arrays.New(3)
	for i := range 2 {
		s := fmt.Sprint(i)
		memory.As[inner](array.At(uintptr(i) * unsafe.Sizeof(inner{}))).Text = &s
	}
	field(t, h, "List").SetSlice(array, 2, 3)
	if v := field(t, h, "Name").Pointer(reflect.TypeFor[name]()).Elem(); v.String() != text[:50] {
		t.Errorf("name by reflection is %v", v)
	}
	runtime.GC()
	zero, one := "0", "1"
	want := &holder{-1, name(text[:50]), inner{&text}, &inner{&text}, []inner{{&zero}, {&one}}, map[string]string{"a": text}, 7}
	if !reflect.DeepEqual(h, want) || cap(h.List) != 3 {
		t.Errorf("%+v, want %+v", h, want)
	}
}

// TestArrays makes and copies arrays of all kept lengths, and longer ones.
func TestArrays(t *testing.T) {
	var arrays memory.Arrays
	arrays.Init(reflect.TypeFor[[]inner]())
	for _, n := range []int{0, 1, 2, 15, 16, 17, 100} {
		var list []inner
		at := memory.Of(reflect.ValueOf(&list))
		at.SetSlice(arrays.New(n), n, n)
		if list == nil || len(list) != n || cap(list) != n {
			t.Fatalf("%d elements, room for %d, want %d", len(list), cap(list), n)
		}
		for i := range list {
			if list[i].Text != nil {
				t.Fatal("not empty")
			}
			s := fmt.Sprint(i)
			list[i].Text = &s
		}
		old := arrays.New(n)
		if n > 0 {
			*memory.As[inner](old) = list[0]
		}
		at.SetSlice(arrays.Copy(old, min(n, 1), 2*n), min(n, 1), 2*n)
		runtime.GC()
		if n > 0 && (len(list) != 1 || cap(list) != 2*n || *list[0].Text != "0" || list[:2*n][n].Text != nil) {
			t.Errorf("copy is %v, room for %d", list, cap(list))
		}
	}
}

// TestArraysConcurrently makes arrays at the same time.
func TestArraysConcurrently(t *testing.T) {
	var arrays memory.Arrays
	arrays.Init(reflect.TypeFor[[]string]())
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for n := range 20 {
				var list []string
				memory.Of(reflect.ValueOf(&list)).SetSlice(arrays.New((n+i)%20), (n+i)%20, (n+i)%20)
				for k := range list {
					list[k] = "x"
				}
			}
		})
	}
	wg.Wait()
}

// TestArena fills arenas of all sizes with values of all kinds, which must be aligned, and stay as they were.
func TestArena(t *testing.T) {
	for size := range 70 {
		var a memory.Arena
		a.Reset(size)
		var texts []string
		var numbers []*int64
		var flags []*bool
		for i := range 60 {
			texts = append(texts, a.String([]byte(strings.Repeat("a", i*i%601))))
			n, b := memory.As[int64](a.Place(8)), memory.As[bool](a.Place(1))
			half := memory.As[int32](a.Place(4))
			if *n != 0 || *b || *half != 0 {
				t.Fatal("not empty")
			}
			if uintptr(unsafe.Pointer(n))%8 != 0 || uintptr(unsafe.Pointer(half))%4 != 0 {
				t.Fatalf("%p and %p are not aligned", n, half)
			}
			*n, *b, *half = int64(i)|-1<<32, true, -1
			numbers, flags = append(numbers, n), append(flags, b)
			raw := a.Bytes(3)
			copy(raw, "bbb")
			if _ = append(raw, 'c'); cap(raw) != 3 {
				t.Fatal("bytes can grow into others")
			}
		}
		runtime.GC()
		for i := range texts {
			if texts[i] != strings.Repeat("a", i*i%601) || *numbers[i] != int64(i)|-1<<32 || !*flags[i] {
				t.Fatalf("value %d was changed: %q, %d, %v", i, texts[i], *numbers[i], *flags[i])
			}
		}
	}
}

// TestArenaUsed holds that an arena with room for what was used before needs one block.
func TestArenaUsed(t *testing.T) {
	var a memory.Arena
	fill := func() {
		for range 20 {
			_ = a.String([]byte("some text"))
			*memory.As[bool](a.Place(1)) = true
			*memory.As[int64](a.Place(8)) = 1
		}
	}
	a.Reset(0)
	fill()
	size := a.Used
	if n := testing.AllocsPerRun(10, func() { a.Reset(size); fill() }); n != 1 {
		t.Errorf("%v blocks", n)
	}
}

// TestMapsByNamedStrings sets elements of maps by named strings as of maps by strings.
func TestMapsByNamedStrings(t *testing.T) {
	type (
		name string
		elem struct {
			text string
			to   *int
			_    [5]int // larger than what a map holds in place
		}
	)
	for _, n := range []int{0, 1, 8, 9, 1000} {
		var named map[name]elem
		of := map[string]elem{}
		*memory.As[map[string]elem](memory.Of(reflect.ValueOf(&named))) = of
		for i := range n {
			of[strings.Repeat("a", i)] = elem{text: strings.Repeat("b", i), to: &i}
		}
		runtime.GC()
		for i := range 10 {
			named[name(strings.Repeat("a", n+i))] = elem{text: "new", to: &i}
		}
		delete(named, name(strings.Repeat("a", n)))
		runtime.GC()
		if len(named) != n+9 {
			t.Fatalf("%d elements, want %d", len(named), n+9)
		}
		for k, v := range named {
			if i := len(k); i < n && (v.text != strings.Repeat("b", i) || *v.to != i) || i >= n && (v.text != "new" || *v.to != i-n) {
				t.Fatalf("%d: %+v", i, v)
			}
		}
		if copied := reflect.ValueOf(named); copied.Len() != len(of) || !copied.MapIndex(reflect.ValueOf(name(strings.Repeat("a", n+1)))).IsValid() {
			t.Fatal("not the same by reflection")
		}
	}
}
