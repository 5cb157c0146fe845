package table

import "github.com/listwatch/listwatch/runtime/codec/internal/intern"

// learned is what a stream has shown of the structs at one place in its objects.
type learned struct {
	table *Table
	up    *learned
	first uint8 // index of the field that came first last time
	slots []slot
	// In slices, what was learned of the elements after this one; nil for one that was not seen yet, and for the last
	// of those that differ.
	next  *learned
	index uint8 // of the element
}

// slot is what a stream has shown of one field, or of what it consists of.
type slot struct {
	sub   *learned     // of structs
	len   int32        // of the last slice
	score intern.Score // of strings, or of the part
	next  uint8        // index of the field that came after this one last time
	entry *entry       // memory that is reused, of maps; nil while a map is decoded by it
	guess guess        // of a string
	pairs []guessedPair
}

// guessedPair is a guess of an entry of a map.
type guessedPair struct{ key, value guess }

// pair returns the guess of the entry of a map at that index.
func (s *slot) pair(index int) *guessedPair {
	if index = min(index, mostGuessed-1); index == len(s.pairs) {
		s.pairs = append(s.pairs, guessedPair{})
	}
	return &s.pairs[index]
}

// newLearned returns the beginning: fields come in the order of their declaration.
func newLearned(t *Table, up *learned) *learned {
	l := &learned{table: t, up: up, slots: make([]slot, t.slots)}
	for i := range t.fields {
		l.slots[t.fields[i].slot].next = uint8(i) + 1
	}
	return l
}

// sub returns what was learned of the structs of v, which is in l.
func (l *learned) sub(v *value) *learned {
	if s := l.slots[v.slot].sub; s != nil {
		return s
	}
	s := l
	for s != nil && s.table != v.sub {
		s = s.up // a struct in one of its own kind is like that: there is no end to them
	}
	if s == nil {
		s = newLearned(v.sub, l)
	}
	l.slots[v.slot].sub = s
	return s
}

// following returns what was learned of the element after the one of l.
func (l *learned) following() *learned {
	if l.index == mostGuessed-1 {
		return l
	}
	if l.next == nil {
		l.next = newLearned(l.table, l.up)
		l.next.index = l.index + 1
	}
	return l.next
}

// forget lets go of contents.
func (l *learned) forget() {
	for ; l != nil; l = l.next {
		for i := range l.slots {
			s := &l.slots[i]
			s.guess, s.pairs = guess{}, nil
			if s.sub != nil && s.sub.up == l {
				s.sub.forget()
			}
		}
	}
}

// root is what a stream has shown of its objects of one type.
type root struct {
	learned *learned
	// What an object takes: bytes of the arena and of the texts of FieldsV1, times and FieldsV1 that it points to.
	bytes, texts, times, parts int
}

// isMetadata reports whether l is what was learned of the metadata of the object.
func (r *root) isMetadata(l *learned) bool {
	at := r.learned.table.metadata
	return at > 0 && r.learned.slots[at-1].sub == l
}

// most is the number of bytes up to which the memory for an object is allocated at once.
const most = 4096

// took remembers what an object took.
func (r *root) took(bytes, texts, times, parts int) {
	r.bytes, r.texts, r.times, r.parts = expect(r.bytes, bytes), expect(r.texts, texts), times, parts
}

// expect returns how many bytes to expect after an object that took n: as many as the largest of late, since a few too
// many cost less than a second block.
func expect(before, n int) int {
	if n > before || n < before*3/4 {
		return min(n, most)
	}
	return before
}
