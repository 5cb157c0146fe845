package table

import (
	"encoding/base64"
	"encoding/json"
	"math"
	"reflect"

	"k8s.io/apimachinery/pkg/api/resource"
	kjson "sigs.k8s.io/json"

	"github.com/listwatch/listwatch/runtime/codec/internal/fields"
	"github.com/listwatch/listwatch/runtime/codec/internal/memory"
	"github.com/listwatch/listwatch/runtime/internal/jsonscan"
)

// Exact decodes text into what into points to by the exact decoder.
func Exact(text []byte, into reflect.Value) error {
	return kjson.UnmarshalCaseSensitivePreserveInts(text, into.Interface())
}

// value decodes the value that begins at i into the empty one at p. What is learned of it is in l.
func (d *Decoder) value(v *value, l *learned, p memory.Place, i int) int {
	b := d.Text
	c := b[i]
	switch v.op {
	case opString:
		if c != '"' {
			return jsonscan.Null(b, i)
		}
		of := &l.slots[v.slot]
		text, _, next := d.text(&of.guess, of, i)
		if next >= 0 {
			*memory.As[string](p) = text
		}
		return next
	case opUnique:
		if c != '"' {
			return jsonscan.Null(b, i)
		}
		s, _, next := d.String(i)
		if next >= 0 {
			*memory.As[string](p) = d.arena.String(s)
		}
		return next
	case opStruct:
		if c != '{' {
			return jsonscan.Null(b, i)
		}
		return d.structure(v.sub, l.sub(v), p, i)
	case opStringMap:
		if c != '{' {
			return jsonscan.Null(b, i)
		}
		return d.stringMap(v, l, memory.As[map[string]string](p), i)
	case opSlice:
		if c != '[' {
			return jsonscan.Null(b, i)
		}
		return d.part(v, l, p, i)
	case opManaged:
		if d.WithoutManaged && d.root.isMetadata(l) {
			return jsonscan.Value(b, i)
		}
		if c != '[' {
			return jsonscan.Null(b, i)
		}
		return d.slice(v, l, p, i)
	case opStrings:
		if c != '[' {
			return jsonscan.Null(b, i)
		}
		return d.part(v, l, p, i)
	case opTime, opTimePtr, opMicroTime, opDuration:
		if c == 'n' && v.op != opDuration {
			return jsonscan.Null(b, i)
		}
		return d.timeOf(v, p, i)
	case opFieldsPtr:
		if c == 'n' {
			return jsonscan.Null(b, i)
		}
		return d.fieldsV1(p, i)
	case opAny:
		out, next := d.Any(i)
		if next >= 0 {
			*memory.As[any](p) = out
		}
		return next
	case opQuantity:
		return d.quantity(memory.As[resource.Quantity](p), i)
	case opSkip:
		return jsonscan.Value(b, i)
	case opInitialEvents:
		next := jsonscan.Value(b, i)
		if c == '{' && next >= 0 && fields.HasInitialEvents(b[i:next]) {
			return d.stringMap(v, l, memory.As[map[string]string](p), i)
		}
		return next
	case opRaw, opRawMessage:
		return d.raw(v, p, i)
	case opItself:
		return d.itself(v, p, i)
	}
	if c == 'n' {
		return jsonscan.Null(b, i)
	}
	switch v.op {
	case opBool:
		set, next := jsonscan.Bool(b, i)
		*memory.As[bool](p) = set
		return next
	case opFloat64:
		f, next := jsonscan.Float(b, i, 64)
		*memory.As[float64](p) = f
		return next
	case opFloat32:
		f, next := jsonscan.Float(b, i, 32)
		*memory.As[float32](p) = float32(f)
		return next
	case opNumberPtr:
		to := d.arena.Place(int(v.elem.size))
		p.Point(to)
		return d.value(v.elem, l, to, i)
	case opPointer, opMap:
		return d.part(v, l, p, i)
	case opBytes:
		return d.bytes(memory.As[[]byte](p), i)
	case opIntOrString:
		return d.intOrString(&l.slots[v.slot], p, i)
	default:
		n, next := jsonscan.Integer(b, i)
		if next >= 0 && !setInteger(v.op, p, n) {
			return bad
		}
		return next
	}
}

// itself decodes a value by the method of its type.
func (d *Decoder) itself(v *value, p memory.Place, i int) int {
	next := jsonscan.Value(d.Text, i)
	if next < 0 {
		return bad
	}
	if p.Pointer(v.typ).Interface().(json.Unmarshaler).UnmarshalJSON(d.Text[i:next:next]) != nil {
		return d.invalid(i)
	}
	return next
}

// setInteger sets the number at p to n. It returns false if n is out of range.
func setInteger(o op, p memory.Place, n int64) bool {
	switch o {
	case opInt8:
		*memory.As[int8](p) = int8(n)
		return n == int64(int8(n))
	case opInt16:
		*memory.As[int16](p) = int16(n)
		return n == int64(int16(n))
	case opInt32:
		*memory.As[int32](p) = int32(n)
		return n == int64(int32(n))
	case opInt64:
		*memory.As[int64](p) = n
		return true
	case opUint8:
		*memory.As[uint8](p) = uint8(n)
		return n >= 0 && n <= math.MaxUint8
	case opUint16:
		*memory.As[uint16](p) = uint16(n)
		return n >= 0 && n <= math.MaxUint16
	case opUint32:
		*memory.As[uint32](p) = uint32(n)
		return n >= 0 && n <= math.MaxUint32
	case opUint64:
		*memory.As[uint64](p) = uint64(n)
		return n >= 0
	}
	return false
}

// likely returns s as a string that other objects may have, too, as long as strings of that field do come again, and
// whether it came before.
func (d *Decoder) likely(s []byte, hash uint64, of *slot) (text string, came bool) {
	if text, came = d.Stream.String(s, hash, &of.score); came {
		return text, true
	}
	return d.arena.String(s), false
}

// known is likely for strings that are likely at all places, such as keys of maps.
func (d *Decoder) known(s []byte, hash uint64) (text string, came bool) {
	if text, came = d.Stream.Key(s, hash); came {
		return text, true
	}
	return d.arena.String(s), false
}

// Key returns s, the key of a map, as a string.
func (d *Decoder) Key(s []byte, hash uint64) string {
	text, _ := d.known(s, hash)
	return text
}

func (d *Decoder) bytes(out *[]byte, i int) int {
	if d.Text[i] != '"' {
		return bad
	}
	s, _, next := d.String(i)
	if next < 0 {
		return bad
	}
	decoded := make([]byte, base64.StdEncoding.DecodedLen(len(s)))
	n, err := base64.StdEncoding.Decode(decoded, s)
	if err != nil {
		return d.invalid(i)
	}
	*out = decoded[:n]
	return next
}
