package table

import (
	"bytes"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/runtime/codec/internal/memory"
	"github.com/listwatch/listwatch/runtime/internal/scan"
)

// hashTable is a table in which an entry takes the place of another whose hash has the same upper bits. It grows
// while entries do so, up to a limit.
type hashTable[T any] struct {
	entries  []T // a power of two, or none
	shift    uint
	replaced int // entries since the table grew
}

const firstEntries = 32

// at returns the place for an entry with that hash.
func (t *hashTable[T]) at(hash uint64) *T {
	if t.entries == nil {
		t.resize(firstEntries)
	}
	return &t.entries[hash>>t.shift]
}

func (t *hashTable[T]) resize(n int) {
	t.entries, t.replaced, t.shift = make([]T, n), 0, 64
	for ; n > 1; n /= 2 {
		t.shift--
	}
}

// put is called before an entry is stored. It reports whether the table grew, up to most entries, so that the
// entry has another place.
func (t *hashTable[T]) put(most int, hashOf func(*T) (hash uint64, used bool)) bool {
	if t.replaced++; t.replaced <= len(t.entries) || len(t.entries) >= most {
		return false
	}
	t.grow(hashOf)
	return true
}

func (t *hashTable[T]) grow(hashOf func(*T) (hash uint64, used bool)) {
	old := t.entries
	t.resize(2 * len(old))
	for i := range old {
		if hash, used := hashOf(&old[i]); used {
			t.entries[hash>>t.shift] = old[i]
		}
	}
}

// Limits of what a stream remembers.
const (
	mostStrings = 4096
	mostMaps    = 1024
	mostParts   = 256
	mostAmounts = 256

	longestString = 128

	// Of decoders that learn few strings.
	mostOfFew    = 256
	longestOfFew = 64

	longestPart = 4096
	mostPairs   = 32
)

// texts are strings that came before. A string gets an entry when it comes for the second time, so that those that
// come once replace none.
type texts struct {
	hashTable[string]
	once []uint32 // for each entry, lower bits of the hash of the last string that came without getting it
}

// get returns s as a string if it came before. The table has up to most entries.
func (t *texts) get(s []byte, hash uint64, most int) (text string, came bool) {
	at := t.at(hash)
	if *at == string(s) {
		return *at, true
	}
	if len(t.once) != len(t.entries) {
		t.once = make([]uint32, len(t.entries))
	}
	once := &t.once[hash>>t.shift]
	again := *once == uint32(hash)
	if crowded := again && *at != "" || !again && *once != 0; crowded && t.put(most, hashOfText) {
		t.once = make([]uint32, len(t.entries))
		once = &t.once[hash>>t.shift]
	}
	if !again {
		*once = uint32(hash)
		return "", false
	}
	at = t.at(hash)
	*at = string(s)
	return *at, true
}

func hashOfText(s *string) (hash uint64, used bool) { return scan.Hash([]byte(*s)), *s != "" }

// pair is an entry of a map.
type pair struct{ key, value string }

func (p pair) isLong() bool { return len(p.key) > longestString || len(p.value) > longestString }

// sharedMap is a map that came before.
type sharedMap struct {
	hash  uint64
	pairs []pair // in the order of the text
	made  map[string]string
}

// maps are maps that came before.
type maps struct{ hashTable[sharedMap] }

// get returns a map of these pairs, with that hash, and whether it came before.
func (t *maps) get(pairs []pair, hash uint64) (map[string]string, bool) {
	at := t.at(hash)
	if at.made != nil && at.hash == hash && slices.Equal(at.pairs, pairs) {
		return at.made, true
	}
	if at.made != nil && t.put(mostMaps, func(m *sharedMap) (uint64, bool) { return m.hash, m.made != nil }) {
		at = t.at(hash)
	}
	*at = sharedMap{hash, slices.Clone(pairs), newMap(pairs)}
	return at.made, false
}

func newMap(pairs []pair) map[string]string {
	m := make(map[string]string, len(pairs))
	for _, p := range pairs {
		m[p.key] = p.value
	}
	return m
}

// object is an untyped object of strings that came before.
type object struct {
	once uint64 // hash of the last one that came without getting this entry
	hash uint64
	raw  []byte
	made map[string]any
}

// objects are untyped objects of strings that came before: as with texts, twice.
type objects struct{ hashTable[object] }

// get returns the object with that text and these members.
func (t *objects) get(raw []byte, members []member) map[string]any {
	if len(raw) > longestPart || len(members) > mostPairs {
		return newObject(members)
	}
	hash := scan.Hash(raw)
	at := t.at(hash)
	if at.made != nil && at.hash == hash && bytes.Equal(at.raw, raw) {
		return at.made
	}
	again := at.once == hash
	if crowded := again && at.made != nil || !again && at.once != 0; crowded && t.put(mostMaps, hashOfObject) {
		at = t.at(hash)
	}
	made := newObject(members)
	if at.once = hash; again {
		at.hash, at.raw, at.made = hash, bytes.Clone(raw), made
	}
	return made
}

func hashOfObject(o *object) (hash uint64, used bool) { return o.hash, o.made != nil }

// part is the text of a FieldsV1 that came before.
type part struct {
	hash uint64
	raw  []byte
	next uint64 // hash of the one that came after it last time
	// What objects share, once there is one: the FieldsV1, or the untyped value.
	made    *metav1.FieldsV1
	untyped any
}

// shared returns the FieldsV1 that objects share.
func (p *part) shared() *metav1.FieldsV1 {
	if p.made == nil {
		p.made = new(metav1.FieldsV1)
		SetFields(p.made, p.raw, new(memory.Arena))
	}
	return p.made
}

// parts are texts of FieldsV1 that came before. The last one tells which is likely to follow.
type parts struct {
	hashTable[part]
	last uint64 // hash
}

// find returns the part with that hash, or nil.
func (t *parts) find(hash uint64) *part {
	if at := t.at(hash); at.hash == hash && at.raw != nil {
		return at
	}
	return nil
}

// guess returns the text that follows the last one, which is valid, if b begins with it, or nil.
func (t *parts) guess(b []byte) *part {
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
func (t *parts) note(raw []byte) *part {
	if len(raw) > longestPart || raw[0] != '{' {
		return nil
	}
	hash := scan.Hash(raw)
	if at := t.at(hash); at.hash != hash || !bytes.Equal(at.raw, raw) {
		if at.raw != nil && t.put(mostParts, func(p *part) (uint64, bool) { return p.hash, p.raw != nil }) {
			at = t.at(hash)
		}
		*at = part{hash: hash, raw: bytes.Clone(raw)}
	}
	if last := t.find(t.last); last != nil {
		last.next = hash
	}
	t.last = hash
	return t.find(hash)
}
