package table

import (
	"reflect"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/listwatch/listwatch/runtime/codec/internal/intern"
	"github.com/listwatch/listwatch/runtime/codec/internal/memory"
	"github.com/listwatch/listwatch/runtime/internal/jsonscan"
)

func (d *Decoder) stringMap(v *value, l *learned, out *map[string]string, i int) int {
	b := d.Text
	i = jsonscan.Space(b, i+1)
	if i < len(b) && b[i] == '}' {
		*out = map[string]string{}
		return i + 1
	}
	pairs, of := d.pairs[:0], &l.slots[v.slot]
	var sum uint64
	for {
		if i >= len(b) || b[i] != '"' {
			return d.stop(i)
		}
		var p intern.Pair
		guess := of.pair(len(pairs))
		key, h, next := d.key(&guess.key, i)
		if next < 0 {
			return d.stop(i)
		}
		p.Key, sum = key, jsonscan.Mix(sum, h)
		if i = jsonscan.Space(b, next); i >= len(b) || b[i] != ':' {
			return d.stop(i)
		}
		i = jsonscan.Space(b, i+1)
		at := i
		if i < len(b) && b[i] == '"' {
			p.Value, h, i = d.text(&guess.value, &l.slots[v.elem.slot], i)
			sum = jsonscan.Mix(sum, h)
		} else {
			i = jsonscan.Null(b, i)
		}
		if i < 0 {
			return d.stop(at)
		}
		pairs = append(pairs, p)
		if i = jsonscan.Space(b, i); i >= len(b) {
			return d.stop(at)
		}
		if b[i] == '}' {
			break
		}
		if b[i] != ',' {
			return d.stop(i)
		}
		i = jsonscan.Space(b, i+1)
	}
	d.pairs = pairs
	*out = d.Stream.Map(pairs, sum, &of.score)
	return i + 1
}

// mapping decodes a map of strings to other values, by reflection unless they are quantities.
func (d *Decoder) mapping(v *value, l *learned, p memory.Place, i int) int {
	if d.depth >= jsonscan.Depth || d.Text[i] != '{' {
		return d.stop(i)
	}
	if v.elem.op == opQuantity {
		return d.quantities(memory.As[map[string]resource.Quantity](p), i)
	}
	d.depth++
	made := reflect.MakeMap(v.typ)
	of := &l.slots[v.slot]
	e := of.entry
	if of.entry = nil; e == nil {
		e = newEntry(v)
	}
	i = d.Members(i, func(name []byte, hash uint64, i int) int {
		e.key.SetString(d.Key(name, hash))
		e.elem.SetZero()
		next := d.value(v.elem, l, e.at, i)
		if next < 0 {
			return d.stop(i)
		}
		made.SetMapIndex(e.key, e.elem)
		return next
	})
	d.depth--
	if i >= 0 {
		p.SetMap(made)
	}
	e.clear()
	of.entry = e
	return i
}

// quantities decodes a map of strings to quantities, such as the resources of a container.
func (d *Decoder) quantities(out *map[string]resource.Quantity, i int) int {
	made := map[string]resource.Quantity{}
	i = d.Members(i, func(name []byte, hash uint64, i int) int {
		key := d.Key(name, hash)
		d.amount = resource.Quantity{}
		next := d.quantity(&d.amount, i)
		if next < 0 {
			return d.stop(i)
		}
		made[key] = d.amount
		return next
	})
	if i >= 0 {
		*out = made
	}
	return i
}

// entry is memory for an entry of a map that is decoded by reflection.
type entry struct {
	key, elem reflect.Value
	at        memory.Place // of elem
}

func newEntry(v *value) *entry {
	elem := reflect.New(v.elem.typ)
	return &entry{key: reflect.New(v.typ.Key()).Elem(), elem: elem.Elem(), at: memory.Of(elem)}
}

func (e *entry) clear() {
	e.key.SetZero()
	e.elem.SetZero()
}

// largestWaste is the number of bytes up to which a slice keeps room for more elements than it has.
const largestWaste = 64

func (d *Decoder) slice(v *value, l *learned, p memory.Place, i int) int {
	b := d.Text
	if d.depth++; d.depth > jsonscan.Depth {
		return d.stop(i)
	}
	i = jsonscan.Space(b, i+1)
	if i < len(b) && b[i] == ']' {
		d.depth--
		p.SetSlice(v.arrays.New(0), 0, 0)
		return i + 1
	}
	of := &l.slots[v.slot]
	size := min(max(1, int(of.len)), 64)
	array, n := v.arrays.New(size), 0
	var element *learned // what was learned of the next element, if they are structs
	if v.elem.op == opStruct {
		element = l.sub(v.elem)
	}
	for {
		if n == size {
			size *= 2
			array = v.arrays.Copy(array, n, size)
		}
		if i >= len(b) {
			return d.stop(i)
		}
		at := i
		if to := array.At(uintptr(n) * v.elem.size); element != nil && b[i] == '{' {
			i = d.structure(v.elem.sub, element, to, i)
			element = element.following()
		} else {
			i = d.value(v.elem, l, to, i)
		}
		if i < 0 {
			return d.stop(at)
		}
		n++
		if i < len(b) && b[i] <= ' ' {
			i = jsonscan.Space(b, i)
		}
		if i >= len(b) {
			return d.stop(at)
		}
		if b[i] == ']' {
			break
		}
		if b[i] != ',' {
			return d.stop(i)
		}
		i = jsonscan.Space(b, i+1)
	}
	d.depth--
	of.len = int32(n)
	if uintptr(size-n)*v.elem.size > largestWaste {
		array, size = v.arrays.Copy(array, n, n), n
	}
	p.SetSlice(array, n, size)
	return i + 1
}

// strings decodes a slice of strings.
func (d *Decoder) strings(v *value, l *learned, out *[]string, i int) int {
	all := d.elements[:0]
	i = d.Elements(i, func(i int) int {
		if d.Text[i] != '"' {
			all = append(all, "")
			return d.orStop(jsonscan.Null(d.Text, i), i)
		}
		of := &l.slots[v.elem.slot]
		text, _, next := d.text(&of.guess, of, i)
		all = append(all, text)
		return d.orStop(next, i)
	})
	d.elements = all
	if i >= 0 {
		*out = append(make([]string, 0, len(all)), all...)
	}
	return i
}

// orStop returns next, and records a fallback for the value at i if next is one.
func (d *Decoder) orStop(next, i int) int {
	if next < 0 {
		return d.stop(i)
	}
	return next
}
