package protobuf

import (
	"bytes"
	"strings"
	"sync"

	"github.com/listwatch/listwatch/runtime/codec/internal/intern"
	"github.com/listwatch/listwatch/runtime/codec/internal/memory"
	"github.com/listwatch/listwatch/runtime/internal/jsonscan"
)

// score returns the score of the place of v.
func (s *session) score(v *value) *intern.Score {
	if n := int(v.score); n >= len(s.scores) {
		s.scores = append(s.scores, make([]intern.Score, n+1-len(s.scores))...)
	}
	return &s.scores[v.score]
}

// text returns b, a value of v, as a string, which other objects may have, too.
func (s *session) text(v *value, b []byte) string {
	if s.stream.Remembers(b) {
		if text, came := s.stream.String(b, jsonscan.Hash(b), s.score(v)); came {
			return text
		}
	}
	return s.arena.String(b)
}

// key returns b, a key of a map, as a string.
func (s *session) key(b []byte) string {
	if s.stream.Remembers(b) {
		if text, came := s.stream.Key(b, jsonscan.Hash(b)); came {
			return text
		}
	}
	return s.arena.String(b)
}

// find looks up a slice, a map or what a pointer points to by its text, if objects share it. It returns the text that keep
// remembers it by.
func (s *session) find(v *value, raw []byte) (found intern.Finding, by []byte) {
	if v.kind == nil || !s.stream.Shares() {
		return intern.Finding{}, nil
	}
	score := s.score(v)
	if !score.Due() {
		return intern.Finding{}, nil
	}
	if !v.kind.IsCut() {
		return s.stream.Find(v.kind, raw, score), raw
	}
	text, ok := v.appendKept(s.kept[:0], raw)
	if s.kept = text; !ok {
		return intern.Finding{}, nil
	}
	if found = s.stream.Find(v.kind, text, score); found.Again {
		by = bytes.Clone(text) // the value may have others in it
	}
	return found, by
}

// keep decodes the value at p, which objects will share, into memory of its own.
func (s *session) keep(found intern.Finding, v *value, p memory.Place, by []byte, decode func() bool) bool {
	before := s.room
	s.room = room{}
	ok := decode()
	s.room = before
	if ok {
		s.stream.Keep(found, v.kind, by, p.Target(), 0) // the length of a slice is known from the text
	}
	return ok
}

// learn has contents be remembered, except of a Secret or a list of them.
func (d *Decoder) learn(s *session, kind string) {
	if s.stream.Level = intern.All; d.Secrets || strings.TrimSuffix(kind, "List") == "Secret" {
		s.stream.Level = intern.None
	}
}

// Shared is the memory that the requests of one owner have in common: strings and texts of FieldsV1 and, if Parts is set,
// slices, maps and structs. Then the owner must not change objects.
type Shared struct {
	Parts bool

	mu   sync.Mutex // guards the field below
	free *session   // nil while a request has it
}

// take returns a session for a stream. Caches do not change views, which have no other use for an owner.
func (d *Decoder) take() *session {
	s := d.Shared.take()
	if d.View != nil && d.Shared != nil {
		s.stream.Share = true
	}
	return s
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
		free = &session{stream: intern.Stream{Share: s.Parts, ShareTexts: true}}
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
