package footprint

import "reflect"

// Size returns about how many bytes an object takes, with all that it refers to. Nobody may write the object meanwhile.
func Size(object any) int {
	w := walker{}
	w.object(object)
	return w.total
}

// maxDepth bounds the depth of values, so that cycles end. API servers accept less.
const maxDepth = 10_000

// walker adds up what values refer to.
type walker struct {
	total int
	boxes int // of total, what only interfaces refer to
	// part, if not nil, is called for each piece of memory that others may refer to, too. If it returns false, what
	// the piece refers to is skipped.
	part func(at uintptr, size int) bool
}

// object adds an object.
func (w *walker) object(object any) {
	if v := reflect.ValueOf(object); v.IsValid() {
		w.boxed(v, 0)
	}
}

// add adds a piece of memory. It returns whether what it refers to is to be added.
func (w *walker) add(at uintptr, size int) bool {
	w.total += size
	return w.part == nil || w.part(at, size)
}

// boxed adds what an interface with the value v refers to.
func (w *walker) boxed(v reflect.Value, depth int) {
	l := layoutOf(v.Type())
	switch v.Kind() {
	case reflect.Pointer, reflect.Map, reflect.Chan, reflect.Func, reflect.UnsafePointer:
	case reflect.Bool, reflect.Int8, reflect.Uint8: // the runtime has all of them
	default:
		w.total += l.alone
		w.boxes += l.alone
	}
	w.value(v, l, depth)
}

// value adds what v, whose own memory is counted already, refers to.
func (w *walker) value(v reflect.Value, l *layout, depth int) {
	if depth++; l.leaf || depth > maxDepth {
		return
	}
	switch l.kind {
	case reflect.String:
		if n := v.Len(); n > shortest {
			w.add(uintptr(v.UnsafePointer()), allocated(n, false))
		} else if n > 0 {
			w.add(uintptr(v.UnsafePointer()), n+n/4)
		}
	case reflect.Pointer:
		if !v.IsNil() && w.add(v.Pointer(), l.elem.alone) {
			w.value(v.Elem(), l.elem, depth)
		}
	case reflect.Slice:
		w.slice(v, l, depth)
	case reflect.Map:
		w.entries(v, l, depth)
	case reflect.Interface:
		if !v.IsNil() {
			w.boxed(v.Elem(), depth)
		}
	case reflect.Array:
		for i := range v.Len() {
			w.value(v.Index(i), l.elem, depth)
		}
	case reflect.Struct:
		for i, field := range l.fields {
			w.value(v.Field(field), l.types[i], depth)
		}
	}
}

func (w *walker) slice(v reflect.Value, l *layout, depth int) {
	if v.Cap() == 0 || !w.add(v.Pointer(), allocated(v.Cap()*l.elem.size, !l.elem.leaf)) || l.elem.leaf {
		return
	}
	for i := range v.Len() {
		w.value(v.Index(i), l.elem, depth)
	}
}

// entries adds a map and its entries.
func (w *walker) entries(v reflect.Value, l *layout, depth int) {
	if v.IsNil() || !w.add(v.Pointer(), l.table(v.Len())) || l.key.leaf && l.elem.leaf {
		return
	}
	key, elem := reflect.New(l.of.Key()).Elem(), reflect.New(l.of.Elem()).Elem()
	for entries := v.MapRange(); entries.Next(); {
		key.SetIterKey(entries)
		elem.SetIterValue(entries)
		w.value(key, l.key, depth)
		w.value(elem, l.elem, depth)
	}
}
