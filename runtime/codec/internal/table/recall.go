package table

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/runtime/internal/scan"
)

// Recall remembers strings, maps and FieldsV1 of a stream, for decoders of other formats. It is not safe for concurrent
// use. The zero value is empty.
type Recall struct {
	texts  texts
	maps   maps
	fields parts
	pairs  []pair
	hash   uint64
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

// Add adds an entry to the map that [Recall.Map] returns next.
func (r *Recall) Add(key, value string) {
	r.pairs = append(r.pairs, pair{key, value})
	r.hash = scan.Mix(scan.Mix(r.hash, scan.Hash([]byte(key))), scan.Hash([]byte(value)))
}

// Map returns a map of the entries that were added, which is from that place. Others may have it, too.
func (r *Recall) Map(at *Score) map[string]string {
	pairs, hash := r.pairs, r.hash
	r.pairs, r.hash = r.pairs[:0], 0
	of := slot{score: int8(*at)}
	if len(pairs) > mostPairs || !of.worth(hash) || slices.ContainsFunc(pairs, pair.isLong) {
		return newMap(pairs)
	}
	m, came := r.maps.get(pairs, hash)
	at.count(&of, came)
	return m
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

// Drop lets go of the last object.
func (r *Recall) Drop() { r.pairs, r.hash = reuse(r.pairs), 0 }
