package protobuf

import (
	"strings"
	"sync"

	"github.com/listwatch/listwatch/runtime/codec/internal/memory"
	"github.com/listwatch/listwatch/runtime/codec/internal/table"
)

// score returns the score of the place of v.
func (s *session) score(v *value) *table.Score {
	if n := int(v.place); n >= len(s.scores) {
		s.scores = append(s.scores, make([]table.Score, n+1-len(s.scores))...)
	}
	return &s.scores[v.place]
}

// text returns b, a value of v, as a string, which other objects may have, too.
func (s *session) text(v *value, b []byte) string {
	if s.recall != nil {
		if text, ok := s.recall.String(b, s.score(v)); ok {
			return text
		}
	}
	return s.arena.String(b)
}

// key returns b, a key of a map, as a string.
func (s *session) key(b []byte) string {
	if s.recall != nil {
		var always table.Score
		if text, ok := s.recall.String(b, &always); ok {
			return text
		}
	}
	return s.arena.String(b)
}

// find looks up a slice, a map or what a pointer points to by its text, if objects share it.
func (s *session) find(v *value, raw []byte) table.Finding {
	if !v.shared || !s.share || s.recall == nil {
		return table.Finding{}
	}
	return s.recall.Find(v.kind, raw, s.score(v))
}

// keep decodes the value at p, which objects will share, into memory of its own.
func (s *session) keep(found table.Finding, v *value, p memory.Place, raw []byte, decode func() bool) bool {
	before := s.room
	s.room = room{}
	ok := decode()
	s.room = before
	if ok {
		s.recall.Keep(found, v.kind, raw, p.Target())
	}
	return ok
}

// learn has contents be remembered, except of a Secret or a list of them.
func (d *Decoder) learn(s *session, kind string) {
	if d.Secrets || strings.TrimSuffix(kind, "List") == "Secret" {
		s.recall = nil
	} else if s.recall == nil {
		s.recall = new(table.Recall)
	}
}

// Shared is the memory that the requests of one owner have in common: strings and texts of FieldsV1 and, if Parts is set,
// slices, maps and structs. Then the owner must not change objects.
type Shared struct {
	Parts bool

	mu   sync.Mutex // guards the field below
	free *session   // nil while a request has it
}

// take returns a session for a stream. If s is nil, it is for one that shares only strings.
func (s *Shared) take() *session {
	if s == nil {
		return new(session)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	free := s.free
	s.free = nil
	if free == nil {
		free = &session{share: s.Parts, shareTexts: true}
	}
	return free
}

// put returns a session for the next stream.
func (s *Shared) put(free *session) {
	if s == nil {
		return
	}
	free.drop()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.free = free
}
