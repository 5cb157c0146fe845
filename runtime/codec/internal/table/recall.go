package table

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/runtime/codec/internal/memory"
	"github.com/listwatch/listwatch/runtime/internal/scan"
)

// Recall remembers strings, values and FieldsV1 of a stream, for decoders of other formats. It is not safe for concurrent
// use. The zero value is empty.
type Recall struct {
	texts  texts
	fields parts
	values values
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
	of.count(came)
	*s = Score(of.score)
}

// Find looks up a value by its text, which is from that place.
func (r *Recall) Find(kind Kind, raw []byte, at *Score) Finding {
	// A sample of the texts of a place whose texts do not come again is chosen by a part of each.
	of := slot{score: int8(*at)}
	if len(raw) > longestValue || !of.worth(scan.Mix(uint64(len(raw)), scan.Word(raw, max(0, len(raw)-8)))) {
		return Finding{}
	}
	f := r.values.find(kind, raw)
	at.count(&of, f.Found || f.Again)
	return f
}

// Keep remembers a value, with the finding and the arguments of Find. Its caller knows the length of a slice from the text.
func (r *Recall) Keep(f Finding, kind Kind, raw []byte, made memory.Place) {
	r.values.keep(f, kind, raw, made, 0)
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
