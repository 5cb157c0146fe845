package table

import (
	"bytes"
	"reflect"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/runtime/codec/internal/memory"
	"github.com/listwatch/listwatch/runtime/internal/scan"
)

// Recall remembers strings, values and FieldsV1 of a stream, for decoders of other formats. It is not safe for concurrent
// use. The zero value is empty.
type Recall struct {
	texts  texts
	fields parts
	values hashTable[recalled]
	kept   int // entries of values that are used, about
}

// Score tells whether what a stream shows at one place comes again. The zero value is that of a place not seen yet.
type Score int8

// String returns s, which is from that place, as a string that others may have, too. It returns false if it is not
// worth to remember s.
func (r *Recall) String(s []byte, at *Score) (string, bool) {
	if len(s) > longestString || len(s) == 0 {
		return "", false
	}
	hash := scan.Hash(s)
	of := slot{score: int8(*at)}
	if !of.worth(hash) {
		return "", false
	}
	text, came := r.texts.get(s, hash, mostStrings)
	at.count(&of, came)
	return text, text != ""
}

func (s *Score) count(of *slot, came bool) {
	if came {
		of.hit()
	} else {
		of.missed()
	}
	*s = Score(of.score)
}

// longestValue is the length of the longest text of a value that is remembered, mostValues the number of values.
const (
	longestValue = 4096
	mostValues   = 2048
)

// recalled is a value that came before, by its text.
type recalled struct {
	once uint64 // hash of the last text that came without its value getting this entry
	hash uint64
	raw  []byte
	typ  reflect.Type
	made memory.Place
	// found is set if it was found since another value last had to give way to it.
	found bool
}

// Finding is the outcome of looking up a value.
type Finding struct {
	// Made is the value, if it is found.
	Made  memory.Place
	Found bool
	// Again is set of a text that is not found, and came before: its value is to be kept.
	Again bool
	hash  uint64
}

// Find looks up a value of a type by its text, which is from that place.
func (r *Recall) Find(typ reflect.Type, raw []byte, at *Score) Finding {
	// A sample of the texts of a place whose texts do not come again is chosen by a part of each.
	of := slot{score: int8(*at)}
	if len(raw) > longestValue || !of.worth(scan.Mix(uint64(len(raw)), scan.Word(raw, max(0, len(raw)-8)))) {
		return Finding{}
	}
	f := Finding{hash: scan.Hash(raw)}
	e := r.values.at(f.hash)
	f.Found = e.hash == f.hash && e.typ == typ && bytes.Equal(e.raw, raw)
	if f.Found {
		f.Made, e.found = e.made, true
	} else if f.Again = e.once == f.hash; !f.Again {
		e.once = f.hash
	}
	at.count(&of, f.Found || f.Again)
	return f
}

func hashOfRecalled(k *recalled) (hash uint64, used bool) { return k.hash, k.typ != nil }

// Keep remembers a value, with the finding and the arguments of Find.
func (r *Recall) Keep(f Finding, typ reflect.Type, raw []byte, made memory.Place) {
	// A part of the entries stays free, so that few values take the place of others.
	if r.kept > len(r.values.entries)/4 && len(r.values.entries) < mostValues {
		r.values.grow(hashOfRecalled)
	}
	e := r.values.at(f.hash)
	switch {
	case e.typ == nil:
		r.kept++
	case e.found:
		e.found = false
		return
	}
	e.hash, e.raw, e.typ, e.made = f.hash, bytes.Clone(raw), typ, made
}

// FieldsV1 returns a FieldsV1 with that text, which others may have, too, or nil if it is long or not an object.
func (r *Recall) FieldsV1(raw []byte) *metav1.FieldsV1 {
	if len(raw) == 0 {
		return nil
	}
	if known := r.fields.note(raw); known != nil {
		return known.shared()
	}
	return nil
}
