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

	strings [1024]string // strings seen lately, by their hash
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
	if len(b) == 0 {
		return ""
	}
	if len(b) > 128 {
		return string(b)
	}
	slot := &s.strings[maphash.Bytes(seed, b)%uint64(len(s.strings))]
	if *slot != string(b) {
		*slot = string(b)
	}
	return *slot
}
