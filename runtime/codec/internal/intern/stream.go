package intern

import (
	"slices"

	"github.com/listwatch/listwatch/runtime/codec/internal/memory"
)

// Stream is what is remembered of the objects of one stream. The zero value remembers nothing.
type Stream struct {
	// Level is how much is remembered.
	Level Level
	// Share has equal maps, slices, FieldsV1 and what pointers point to be one in memory, if Level is All: for owners that
	// do not change objects.
	Share bool
	// ShareTexts has the texts of equal FieldsV1 be one in memory, if Level is All.
	ShareTexts bool

	texts   texts
	boxes   hashTable[box]
	maps    maps
	objects objects
	values  values
	fields  fieldsTable
}

// Reset forgets everything, and how much is to be remembered.
func (s *Stream) Reset() { *s = Stream{} }

// Shares reports whether maps, slices, FieldsV1 and what pointers point to are to be one in memory.
func (s *Stream) Shares() bool { return s.Share && s.Level == All }

// Remembers reports whether a text of that length may be remembered.
func (s *Stream) Remembers(text []byte) bool {
	return len(text) <= limits[s.Level].longest && len(text) > 0
}

// String returns the text, with that hash, from the place of that score, as a string that other objects may have, too, if
// it came before.
func (s *Stream) String(text []byte, hash uint64, at *Score) (string, bool) {
	if !s.Remembers(text) || !at.Worth(hash) {
		return "", false
	}
	known, came := s.texts.get(text, hash, limits[s.Level].most)
	at.Count(came)
	return known, came
}

// Key is String for texts that are likely to come again at all places, such as keys of maps.
func (s *Stream) Key(text []byte, hash uint64) (string, bool) {
	if !s.Remembers(text) {
		return "", false
	}
	return s.texts.get(text, hash, limits[s.Level].most)
}

// Untyped is Key for a string that becomes an untyped value.
func (s *Stream) Untyped(text []byte, hash uint64) (any, bool) {
	if !s.Remembers(text) {
		return nil, false
	}
	at := s.boxes.at(hash)
	if at.text == string(text) {
		return at.value, true
	}
	most := limits[s.Level].most
	known, came := s.texts.get(text, hash, most)
	if !came {
		return nil, false
	}
	if at.value != nil && s.boxes.put(min(most, mostBoxes), hashOfBox) {
		at = s.boxes.at(hash)
	}
	*at = box{known, known}
	return at.value, true
}

// Map returns a map of the pairs, whose texts have that hash, from the place of that score. Objects may share it, but not
// one with a long key or value: it would take much memory, and annotations of Secrets may repeat their data, also where
// only metadata is decoded.
func (s *Stream) Map(pairs []Pair, hash uint64, at *Score) map[string]string {
	if !s.Shares() || len(pairs) > mostPairs || !at.Worth(hash) || slices.ContainsFunc(pairs, Pair.isLong) {
		return NewMap(pairs)
	}
	made, came := s.maps.get(pairs, hash)
	at.Count(came)
	return made
}

// Object returns an untyped object that has that text and these members, all strings. Objects may share it.
func (s *Stream) Object(raw []byte, members []Member) map[string]any {
	return s.objects.get(raw, members)
}

// Find looks up a slice, a map or what a pointer points to by its text, from the place of that score, which is due.
func (s *Stream) Find(kind *Kind, raw []byte, at *Score) Finding {
	if len(raw) > longestValue {
		at.Count(false) // so that JSON, whose texts are read to find their ends, is soon not read twice
		return Finding{}
	}
	f := s.values.find(kind, raw)
	at.Count(f.Found || f.Again)
	return f
}

// Keep remembers a value, of that length if it is a slice, with the finding and the arguments of Find.
func (s *Stream) Keep(f Finding, kind *Kind, raw []byte, made memory.Place, length int) {
	s.values.keep(f, kind, raw, made, length)
}

// Likely returns the text of the FieldsV1 that is likely to come, if text begins with it, or nil.
func (s *Stream) Likely(text []byte) *Fields {
	if s.Level != All {
		return nil
	}
	return s.fields.guess(text)
}

// Fields remembers the text of a FieldsV1, which is valid JSON. It returns nil if nothing is to be remembered, and for
// texts that are long or no objects.
func (s *Stream) Fields(raw []byte) *Fields {
	if s.Level != All || len(raw) == 0 {
		return nil
	}
	return s.fields.note(raw)
}
