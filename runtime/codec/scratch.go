package codec

import (
	"bytes"
	"hash/maphash"
	"io"
	"sync"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	jsonv1 "github.com/go-json-experiment/json/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// options are encoding/json's rules with the changes of sigs.k8s.io/json. Errors end decoding at once, so that
// the text is read once; the option's effect on malformed types is irrelevant, since those are not decoded here
// (see vet).
var options = json.JoinOptions(
	jsonv1.DefaultOptionsV1(),
	jsonv1.ReportErrorsWithLegacySemantics(false),
	json.MatchCaseInsensitiveNames(false),
)

// scratch is the memory for decoding one text, which is reused for the next.
type scratch struct {
	dec *jsontext.Decoder
	in  bytes.Buffer // the source of dec if the text is held as bytes
	// parts is notified of the parts of a list that is decoded from it, if not nil.
	parts PartReader

	text    []byte // the last string that was unquoted
	pairs   []pair // members of a map until their number is known
	managed []managed

	// Elements of a slice until their number is known.
	owners     []metav1.OwnerReference
	finalizers []string
	conditions []metav1.Condition

	// Members and elements of untyped values until their number is known; of outer values first.
	untyped  []member
	elements []any

	strings [1024]string // strings seen lately, by their hash
	values  [1024]any    // strings that were values of untyped objects lately, by their hash
}

// member is a member of an untyped object.
type member struct {
	name  string
	value any
}

type pair struct{ name, value string }

// Scratches for texts held as bytes, and for readers: a decoder reuses its buffer only for another
// reader.
var (
	bytesPool  = sync.Pool{New: newScratch}
	readerPool = sync.Pool{New: newScratch}
)

func newScratch() any { return &scratch{dec: new(jsontext.Decoder)} }

// largest is the maximum size of buffers that are reused for the next text.
const largest = 1 << 20

// scratchBytes returns a scratch that decodes data.
func scratchBytes(data []byte) *scratch {
	s := bytesPool.Get().(*scratch)
	s.reset(data)
	return s
}

// reset makes a scratch for bytes decode data.
func (s *scratch) reset(data []byte) {
	s.in = *bytes.NewBuffer(data)
	s.dec.Reset(&s.in, options)
}

// scratchReader returns a scratch that decodes r.
func scratchReader(r io.Reader) *scratch {
	s := readerPool.Get().(*scratch)
	s.dec.Reset(r, options)
	return s
}

// nextPart begins a part of a list.
func (s *scratch) nextPart() {
	if s.parts != nil {
		s.parts.NextPart()
	}
}

// putBytes releases the result of scratchBytes.
func (s *scratch) putBytes() {
	s.in = bytes.Buffer{}
	s.dec.Reset(&s.in) // otherwise data would be retained
	s.trim()
	bytesPool.Put(s)
}

// putReader releases the result of scratchReader.
func (s *scratch) putReader() {
	s.parts = nil
	if cap(s.dec.UnreadBuffer()) > largest {
		s.dec = new(jsontext.Decoder)
	} else {
		s.dec.Reset(nothing{})
	}
	s.trim()
	readerPool.Put(s)
}

func (s *scratch) trim() {
	if cap(s.text) > largest {
		s.text = nil
	}
	clear(s.pairs[:cap(s.pairs)])
	clear(s.managed[:cap(s.managed)])
	clear(s.owners[:cap(s.owners)])
	clear(s.finalizers[:cap(s.finalizers)])
	clear(s.conditions[:cap(s.conditions)])
	s.dropUntyped()
}

// largestUntyped is the maximum number of members and elements for which memory is kept for the next text.
const largestUntyped = 1 << 14

// dropUntyped drops what an error has left of untyped values.
func (s *scratch) dropUntyped() {
	clear(s.untyped)
	clear(s.elements)
	s.untyped, s.elements = s.untyped[:0], s.elements[:0]
	if cap(s.untyped) > largestUntyped {
		s.untyped = nil
	}
	if cap(s.elements) > largestUntyped {
		s.elements = nil
	}
}

// nothing is an empty reader.
type nothing struct{}

func (nothing) Read([]byte) (int, error) { return 0, io.EOF }

// unquoted reads a string. The result is valid until the next one is read.
// The next token must be a string.
func (s *scratch) unquoted() ([]byte, error) {
	raw, err := s.dec.ReadValue()
	if err != nil {
		return nil, err
	}
	return s.unquote(raw), nil
}

// unquote returns the string of the literal raw.
func (s *scratch) unquote(raw []byte) []byte {
	inner := raw[1 : len(raw)-1]
	if bytes.IndexByte(inner, '\\') < 0 && utf8.Valid(inner) {
		return inner
	}
	// The error is about invalid UTF-8, which has been replaced.
	s.text, _ = jsontext.AppendUnquote(s.text[:0], raw)
	return s.text
}

var seed = maphash.MakeSeed()

// intern returns b as a string, if possible the same string as for an equal earlier b.
func (s *scratch) intern(b []byte) string {
	switch {
	case len(b) == 0:
		return ""
	case len(b) > longest:
		return string(b)
	}
	return s.internAt(s.slot(b), b)
}

// longest is the maximum length of strings that are shared.
const longest = 128

// slot returns the slot of b in the tables of strings.
func (s *scratch) slot(b []byte) uint64 { return maphash.Bytes(seed, b) % uint64(len(s.strings)) }

func (s *scratch) internAt(slot uint64, b []byte) string {
	if s.strings[slot] != string(b) {
		s.strings[slot] = string(b)
	}
	return s.strings[slot]
}

// internValue is intern for the value of an untyped object: if possible, the interface is shared too, which would
// be an allocation of its own.
func (s *scratch) internValue(b []byte) any {
	switch {
	case len(b) == 0:
		return ""
	case len(b) > longest:
		return string(b)
	}
	slot := s.slot(b)
	if known, ok := s.values[slot].(string); ok && known == string(b) {
		return s.values[slot]
	}
	s.values[slot] = s.internAt(slot, b)
	return s.values[slot]
}
