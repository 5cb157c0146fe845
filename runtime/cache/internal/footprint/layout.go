package footprint

import (
	"reflect"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
)

// shortest is the length up to which a string is in one block with others.
const shortest = 128

// layout is what matters of a type.
type layout struct {
	of        reflect.Type
	kind      reflect.Kind
	leaf      bool // it refers to nothing that is counted
	size      int
	alone     int // what the allocator hands out for one value
	key, elem *layout
	fields    []int // of a struct, those that are no leaves
	types     []*layout
}

var (
	compiling sync.Mutex
	compiled  = map[reflect.Type]*layout{} // guarded by compiling
	ready     sync.Map                     // reflect.Type to *layout, which is complete
)

func layoutOf(t reflect.Type) *layout {
	if l, ok := ready.Load(t); ok {
		return l.(*layout)
	}
	compiling.Lock()
	defer compiling.Unlock()
	l := compile(t)
	ready.Store(t, l)
	return l
}

// compile returns the layout of a type. While types that refer to themselves are compiled, it may be incomplete.
// compiling is held.
func compile(t reflect.Type) *layout {
	if l := compiled[t]; l != nil {
		return l
	}
	l := &layout{of: t, kind: t.Kind(), size: int(t.Size()), alone: allocated(int(t.Size()), true)}
	compiled[t] = l
	switch l.kind {
	case reflect.String, reflect.Interface:
	case reflect.Pointer:
		l.elem = compile(t.Elem())
	case reflect.Slice:
		l.elem = compile(t.Elem())
	case reflect.Array:
		l.elem = compile(t.Elem())
		l.leaf = l.elem.leaf
	case reflect.Map:
		l.key, l.elem = compile(t.Key()), compile(t.Elem())
	case reflect.Struct:
		l.compileFields()
	default:
		l.leaf = true
		l.alone = l.size // a number, in one block with others
	}
	return l
}

func (l *layout) compileFields() {
	if l.of != reflect.TypeFor[time.Time]() && l.of != reflect.TypeFor[resource.Quantity]() {
		for i := range l.of.NumField() {
			f := l.of.Field(i)
			if !f.IsExported() && (!f.Anonymous || f.Type.Kind() != reflect.Struct) {
				continue
			}
			if field := compile(f.Type); !field.leaf {
				l.fields, l.types = append(l.fields, i), append(l.types, field)
			}
		}
	}
	l.leaf = len(l.fields) == 0
}

// Of a map with up to eight entries, there is one group of entries; with more, there are tables of groups.
const (
	mapHead   = 48
	tableHead = 40
	perGroup  = 8
)

// table returns the size of a map with n entries.
func (l *layout) table(n int) int {
	slot := (l.key.size + l.elem.size + 7) &^ 7
	group := 8 + perGroup*slot
	switch {
	case n == 0:
		return mapHead
	case n <= perGroup:
		return mapHead + allocated(group, true)
	}
	groups := 2
	for groups*perGroup*7/8 < n {
		groups *= 2
	}
	return mapHead + 8 + tableHead + allocated(groups*group, true)
}

// largest is the size up to which the allocator has classes of sizes; larger ones are whole pages.
const (
	largest = 32 << 10
	page    = 8 << 10
)

// classes are the allocator's sizes: of each multiple of eight up to largest, the next one.
var classes = sync.OnceValue(func() []uint16 {
	sizes := make([]uint16, 0, largest/8+1)
	for len(sizes) <= largest/8 {
		n := len(sizes) * 8
		class := cap(append([]byte(nil), make([]byte, n)...))
		for len(sizes)*8 <= max(class, n) && len(sizes) <= largest/8 {
			sizes = append(sizes, uint16(min(class, 1<<16-1)))
		}
	}
	return sizes
})

// allocated returns how many bytes the allocator takes for n, with pointers in them or without.
func allocated(n int, pointers bool) int {
	if pointers && n > 512 {
		n += 8 // says where the pointers are
	}
	if n > largest {
		return (n + page - 1) &^ (page - 1)
	}
	return int(classes()[(n+7)/8])
}
