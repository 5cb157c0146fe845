package intern

import (
	"bytes"
	"slices"

	"github.com/listwatch/listwatch/runtime/internal/jsonscan"
)

const (
	mostMaps      = 1024
	mostPairs     = 32
	longestObject = 4096
)

// Pair is an entry of a map of strings.
type Pair struct{ Key, Value string }

func (p Pair) isLong() bool { return len(p.Key) > longestString || len(p.Value) > longestString }

// NewMap returns a map of the pairs.
func NewMap(pairs []Pair) map[string]string {
	m := make(map[string]string, len(pairs))
	for _, p := range pairs {
		m[p.Key] = p.Value
	}
	return m
}

// sharedMap is a map that came before.
type sharedMap struct {
	hash  uint64
	pairs []Pair // in the order of the text
	made  map[string]string
}

// maps are maps that came before.
type maps struct{ hashTable[sharedMap] }

// get returns a map of these pairs, with that hash, and whether it came before.
func (t *maps) get(pairs []Pair, hash uint64) (map[string]string, bool) {
	at := t.at(hash)
	if at.made != nil && at.hash == hash && slices.Equal(at.pairs, pairs) {
		return at.made, true
	}
	if at.made != nil && t.put(mostMaps, func(m *sharedMap) (uint64, bool) { return m.hash, m.made != nil }) {
		at = t.at(hash)
	}
	*at = sharedMap{hash, slices.Clone(pairs), NewMap(pairs)}
	return at.made, false
}

// Member is a member of an untyped object.
type Member struct {
	Name  string
	Value any
}

// NewObject returns an untyped object of the members.
func NewObject(members []Member) map[string]any {
	made := make(map[string]any, len(members))
	for _, m := range members {
		made[m.Name] = m.Value
	}
	return made
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
func (t *objects) get(raw []byte, members []Member) map[string]any {
	if len(raw) > longestObject || len(members) > mostPairs {
		return NewObject(members)
	}
	hash := jsonscan.Hash(raw)
	at := t.at(hash)
	if at.made != nil && at.hash == hash && bytes.Equal(at.raw, raw) {
		return at.made
	}
	again := at.once == hash
	if crowded := again && at.made != nil || !again && at.once != 0; crowded && t.put(mostMaps, hashOfObject) {
		at = t.at(hash)
	}
	made := NewObject(members)
	if at.once = hash; again {
		at.hash, at.raw, at.made = hash, bytes.Clone(raw), made
	}
	return made
}

func hashOfObject(o *object) (hash uint64, used bool) { return o.hash, o.made != nil }
