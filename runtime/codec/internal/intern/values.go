package intern

import (
	"bytes"
	"reflect"

	"github.com/listwatch/listwatch/runtime/codec/internal/memory"
	"github.com/listwatch/listwatch/runtime/internal/jsonscan"
)

// values are slices, maps and what pointers point to that came before, by their texts. A value is kept when its text
// comes for the second time.
type values struct {
	hashTable[recalled]
	kept int // entries that are used, about
}

const (
	longestValue = 4096 // of its text
	mostValues   = 2048
)

// recalled is a value that came before, as an entry of the table.
type recalled struct {
	once uint64 // hash of the last text that came without its value getting this entry
	hash uint64
	raw  []byte
	kind *Kind
	made memory.Place
	len  int // of a slice
	// hit is the second-chance bit: it is set on a hit, and cleared instead of an eviction.
	hit bool
}

// Finding is the outcome of looking up a value.
type Finding struct {
	// Made is the value, if it is found.
	Made  memory.Place
	Found bool
	// Len is its length if it is a slice.
	Len int
	// Again is set of a text that is not found, and came before: its value is to be kept.
	Again bool
	hash  uint64
}

// Kind is a type whose values are remembered.
type Kind struct {
	typ  reflect.Type
	hash uint64 // that values of other types with the same text get other places
	cut  bool   // see CutKindOf
}

// KindOf returns the kind of values of type t.
func KindOf(t reflect.Type) *Kind { return &Kind{typ: t, hash: jsonscan.Hash([]byte(t.String()))} }

// CutKindOf returns the kind of values of type t at one place, whose texts have only what is decoded there: they say nothing of
// values elsewhere.
func CutKindOf(t reflect.Type, place uint16) *Kind {
	return &Kind{typ: t, hash: jsonscan.Mix(jsonscan.Hash([]byte(t.String())), uint64(place)+1), cut: true}
}

// IsCut reports whether the kind is of [CutKindOf].
func (k *Kind) IsCut() bool { return k.cut }

// sees reports whether equal texts of two kinds are those of equal values.
func (k *Kind) sees(other *Kind) bool {
	return k == other || other != nil && k.typ == other.typ && !k.cut && !other.cut
}

// find looks up a value by its text.
func (t *values) find(kind *Kind, raw []byte) Finding {
	f := Finding{hash: jsonscan.Mix(kind.hash, jsonscan.Hash(raw))}
	e := t.at(f.hash)
	f.Found = e.hash == f.hash && kind.sees(e.kind) && bytes.Equal(e.raw, raw)
	if f.Found {
		f.Made, f.Len, e.hit = e.made, e.len, true
	} else if f.Again = e.once == f.hash; !f.Again {
		if e.once != 0 && t.isCrowded() {
			t.grow(hashOfRecalled)
			e = t.at(f.hash)
		}
		e.once = f.hash
	}
	return f
}

// isCrowded reports whether the table is to grow before the hash of a text takes the place of another's, so that of two
// that come again, neither is always forgotten. It stays small while few values are kept.
func (t *values) isCrowded() bool {
	t.replaced++
	return t.replaced > len(t.entries)/4 && len(t.entries) < min(mostValues, 8*(t.kept+8))
}

func hashOfRecalled(k *recalled) (hash uint64, used bool) { return k.hash, k.kind != nil }

// keep remembers a value, of that length if it is a slice, with the finding and the arguments of find.
func (t *values) keep(f Finding, kind *Kind, raw []byte, made memory.Place, length int) {
	// A part of the entries stays free, so that few values take the place of others.
	if t.kept > len(t.entries)/4 && len(t.entries) < mostValues {
		t.grow(hashOfRecalled)
	}
	e := t.at(f.hash)
	switch {
	case e.kind == nil:
		t.kept++
	case e.hit:
		e.hit = false
		return
	}
	e.hash, e.raw, e.kind, e.made, e.len = f.hash, bytes.Clone(raw), kind, made, length
}
