package table

import (
	"bytes"
	"reflect"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/runtime/codec/internal/fields"
	"github.com/listwatch/listwatch/runtime/codec/internal/intern"
	"github.com/listwatch/listwatch/runtime/codec/internal/memory"
	"github.com/listwatch/listwatch/runtime/internal/jsonscan"
)

// bad is the position that stands for a fallback.
const bad = jsonscan.Bad

// Decoder decodes the objects of one stream. It is not safe for concurrent use. The zero value learns nothing of
// contents.
type Decoder struct {
	jsonscan.Scanner
	// FailedAt is the position of the innermost value for which the last decoding fell back, and Invalid whether that
	// value is invalid for its type, unlike values that may be valid for the exact decoder.
	FailedAt int
	Invalid  bool

	// Stream is what is remembered of contents. If it shares parts, values of types that decode themselves, untyped ones,
	// and those that contain them are not shared.
	Stream intern.Stream

	// WithoutManaged has metadata.managedFields of objects be skipped, whatever JSON they are.
	WithoutManaged bool

	// Kept, if set, is what is decoded of untyped objects; see [Table.Keep] for others.
	Kept *Kept

	// View has parts of objects be found by what is decoded of their text, as those of a table of [Table.Keep] are: members that
	// structs do not have differ from object to object.
	View bool

	depth int
	top   bool // whether names at the top may be mistaken for kind and apiVersion

	root *root // of the object that is decoded
	room       // of the object that is decoded, or of a part that others will share

	// Of the stream:
	roots   map[*Table]*root
	amounts intern.Quantities

	untyped  bool // whether the last value is untyped
	expected int  // bytes of the arena that an untyped value takes

	// Memory that is reused:
	left     []byte // see part
	pairs    []intern.Pair
	elements []string
	members  []intern.Member
	untypeds []any
	amount   resource.Quantity

	within within       // which part of an object the untyped value is that begins, for WithoutManaged
	kept   *fields.Node // what is kept of the untyped value that begins, unless it is everything
}

// room is memory for what an object consists of.
type room struct {
	arena memory.Arena
	raws  memory.Arena      // for the texts of FieldsV1, which a transform may drop
	times []metav1.Time     // for those that the object points to
	parts []metav1.FieldsV1 // for those that the object points to
	used  struct{ times, parts int }
	// shared is whether it is a part that others will share.
	shared bool
	sizes  *root // what objects take; nil if nothing is known of that
}

// Forget lets go of the last object and of what was learned of contents. It resets Stream, WithoutManaged, Kept and View.
func (d *Decoder) Forget() {
	d.Drop()
	d.Stream.Reset()
	d.amounts = intern.Quantities{}
	for _, r := range d.roots {
		r.learned.forget()
	}
	d.WithoutManaged, d.Kept, d.View = false, nil, false
}

// mostReused is the number of elements up to which memory is kept for the next object.
const mostReused = 1 << 12

// Drop lets go of the last object.
func (d *Decoder) Drop() {
	d.Text, d.root = nil, nil
	d.amount = resource.Quantity{}
	d.tookUntyped()
	d.room = room{}
	d.pairs, d.elements = reuse(d.pairs), reuse(d.elements)
	d.members, d.untypeds = reuse(d.members), reuse(d.untypeds)
}

// reuse returns s empty, without what was in it.
func reuse[T any](s []T) []T {
	if cap(s) > mostReused {
		return nil
	}
	clear(s[:cap(s)])
	return s[:0]
}

// begin begins an object in text.
func (d *Decoder) begin(text []byte, t *Table) {
	d.Text, d.depth, d.FailedAt, d.Invalid = text, 0, bad, false
	if d.root == nil || d.root.learned.table != t {
		if d.root = d.roots[t]; d.root == nil {
			d.root = &root{learned: newLearned(t, nil)}
			if d.roots == nil {
				d.roots = map[*Table]*root{}
			}
			d.roots[t] = d.root
		}
	}
	d.untyped = false
	d.room = room{sizes: d.root}
	d.arena.Reset(d.root.bytes)
	d.raws.Reset(d.root.texts)
}

// Object decodes the object that is at i in text into what into points to, an empty struct of t. It returns the
// position after it, or a negative one if it falls back; into is to be emptied then.
func (d *Decoder) Object(text []byte, i int, t *Table, into reflect.Value) int {
	d.begin(text, t)
	if i = jsonscan.Space(text, i); i >= len(text) || text[i] != '{' {
		return d.stop(i)
	}
	i = d.structure(t, d.root.learned, memory.Of(into), i)
	if i >= 0 {
		d.root.took(d.arena.Used, d.raws.Used, d.used.times, d.used.parts)
	}
	return i
}

// Whole is Object for a text that is one object of that kind, at the top. Its kind and apiVersion are decoded, too.
func (d *Decoder) Whole(text []byte, t *Table, into reflect.Value, kind, apiVersion string) bool {
	d.top = true
	i := d.Object(text, 0, t, into)
	d.top = false
	if i < 0 || jsonscan.Space(text, i) != len(text) {
		return false
	}
	p := memory.Of(into)
	return *memory.As[string](p.At(t.kind)) == kind && *memory.As[string](p.At(t.apiVersion)) == apiVersion
}

// Member decodes the text of the member of that name into what into points to, a struct of t in which the field is
// empty. It returns false if it falls back; the field is to be emptied then.
func (d *Decoder) Member(text []byte, t *Table, name string, into reflect.Value) bool {
	d.begin(text, t)
	i := jsonscan.Space(text, 0)
	if i == len(text) {
		return false
	}
	f := t.named(name)
	if f == nil {
		i = d.unknown(t, memory.Of(into), []byte(`"`+name+`"`), i)
	} else {
		i = d.value(&f.value, d.root.learned, memory.Of(into).At(f.offset), i)
	}
	if i >= 0 && jsonscan.Space(text, i) == len(text) {
		return true
	}
	if f != nil {
		memory.Of(into).At(f.offset).Pointer(f.typ).Elem().SetZero()
	}
	return false
}

// stop records the position of a fallback, unless one within it is known.
func (d *Decoder) stop(i int) int {
	if d.FailedAt < 0 {
		d.FailedAt = i
	}
	return bad
}

// invalid is stop for a value that is invalid for its type.
func (d *Decoder) invalid(i int) int {
	d.Invalid = true
	return d.stop(i)
}

// structure decodes the object at i, whose brace has been seen, into the struct at p.
func (d *Decoder) structure(t *Table, l *learned, p memory.Place, i int) int {
	b := d.Text
	if d.depth++; d.depth > jsonscan.Depth {
		return d.stop(i)
	}
	if i = jsonscan.Space(b, i+1); i < len(b) && b[i] == '}' {
		d.depth--
		return i + 1
	}
	var seen [mostFields / 64]uint64
	next := &l.first // which field is likely to come
	for {
		start := i
		var f *field
		if g := int(*next); g < len(t.fields) && i+8 <= len(b) {
			f = &t.fields[g]
			n := len(f.literal)
			switch {
			case jsonscan.Word(b, i)&f.mask != f.first:
				f = nil
			case n > 8 && (i+n > len(b) || jsonscan.Word(b, i+n-8) != f.last || n > 16 && string(b[i+8:i+n-8]) != f.literal[8:n-8]):
				f = nil
			default:
				i += n
			}
		}
		var name []byte
		if f == nil {
			if f, name, i = d.lookup(t, next, i); i < 0 {
				return d.stop(start)
			}
		}
		if i < len(b) && b[i] <= ' ' {
			i = jsonscan.Space(b, i)
		}
		if i >= len(b) {
			return d.stop(start)
		}
		at := i
		if f == nil {
			i = d.unknown(t, p, name, i)
		} else {
			word, bit := f.index>>6, uint64(1)<<(f.index&63)
			if seen[word]&bit != 0 {
				return d.stop(at)
			}
			seen[word] |= bit
			next = &l.slots[f.slot].next
			if f.op == opString && b[i] == '"' {
				of := &l.slots[f.slot]
				text, _, after := d.text(&of.guess, of, i)
				if i = after; i >= 0 {
					*memory.As[string](p.At(f.offset)) = text
				}
			} else {
				i = d.value(&f.value, l, p.At(f.offset), i)
			}
		}
		if i < 0 {
			return d.stop(at)
		}
		if i < len(b) && b[i] <= ' ' {
			i = jsonscan.Space(b, i)
		}
		if i >= len(b) {
			return d.stop(at)
		}
		if b[i] == '}' {
			d.depth--
			return i + 1
		}
		if b[i] != ',' {
			return d.stop(i)
		}
		i++
		if i < len(b) && b[i] <= ' ' {
			i = jsonscan.Space(b, i)
		}
	}
}

// lookup returns the field of the name at i, which comes where next had another, and the position after the colon.
// If there is no field, it returns the literal of the name.
func (d *Decoder) lookup(t *Table, next *uint8, i int) (f *field, literal []byte, after int) {
	b := d.Text
	if i >= len(b) || b[i] != '"' {
		return nil, nil, bad
	}
	name, h, end := d.String(i)
	if end < 0 {
		return nil, nil, bad
	}
	if f = t.find(name, h); f != nil {
		*next = f.index
	} else if d.top && d.depth == 1 && isTypeName(name) {
		return nil, nil, bad
	}
	colon := jsonscan.Space(b, end)
	if colon >= len(b) || b[colon] != ':' {
		return nil, nil, bad
	}
	return f, b[i:end], colon + 1
}

// unknown skips the value of a member that is not in the table, or has the exact decoder decode it.
func (d *Decoder) unknown(t *Table, p memory.Place, name []byte, i int) int {
	next := jsonscan.Value(d.Text, i)
	if next < 0 || len(t.unsupported) == 0 {
		return next
	}
	text := bytes.Join([][]byte{[]byte("{"), name, []byte(":"), d.Text[i:next], []byte("}")}, nil)
	if Exact(text, p.Pointer(t.typ)) != nil {
		return d.invalid(i)
	}
	return next
}
