package intern

import (
	"bytes"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/runtime/codec/internal/memory"
	"github.com/listwatch/listwatch/runtime/internal/jsonscan"
)

const (
	longestFields = 4096
	mostFields    = 256
)

// Fields is the text of a FieldsV1 that came before.
type Fields struct {
	hash uint64
	raw  []byte
	next uint64 // hash of the one that came after it last time
	made *metav1.FieldsV1
	// Untyped is the untyped value that objects share, or nil if there is none yet.
	Untyped any
}

// Raw returns the text, which is valid JSON.
func (f *Fields) Raw() []byte { return f.raw }

// Typed returns the FieldsV1 that objects share.
func (f *Fields) Typed() *metav1.FieldsV1 {
	if f.made == nil {
		f.made = new(metav1.FieldsV1)
		SetFields(f.made, f.raw, new(memory.Arena))
	}
	return f.made
}

// fieldsTable are texts of FieldsV1 that came before. The last one tells which is likely to follow.
type fieldsTable struct {
	hashTable[Fields]
	last uint64 // hash
}

// find returns the text with that hash, or nil.
func (t *fieldsTable) find(hash uint64) *Fields {
	if at := t.at(hash); at.hash == hash && at.raw != nil {
		return at
	}
	return nil
}

// guess returns the text that follows the last one, which is valid, if b begins with it, or nil.
func (t *fieldsTable) guess(b []byte) *Fields {
	last := t.find(t.last)
	if last == nil {
		return nil
	}
	next := t.find(last.next)
	if next == nil || !bytes.HasPrefix(b, next.raw) {
		return nil
	}
	t.last = next.hash
	return next
}

// note remembers a valid text, and returns it. For those that are long, or no objects, it returns nil.
func (t *fieldsTable) note(raw []byte) *Fields {
	if len(raw) > longestFields || raw[0] != '{' {
		return nil
	}
	hash := jsonscan.Hash(raw)
	if at := t.at(hash); at.hash != hash || !bytes.Equal(at.raw, raw) {
		if at.raw != nil && t.put(mostFields, func(f *Fields) (uint64, bool) { return f.hash, f.raw != nil }) {
			at = t.at(hash)
		}
		*at = Fields{hash: hash, raw: bytes.Clone(raw)}
	}
	if last := t.find(t.last); last != nil {
		last.next = hash
	}
	t.last = hash
	return t.find(hash)
}
