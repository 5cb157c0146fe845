package protobuf

import (
	"reflect"
	"strings"
	"sync"
	"sync/atomic"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/runtime/codec/internal/memory"
	"github.com/listwatch/listwatch/runtime/codec/internal/table"
)

// session decodes one object after the other. It is not safe for concurrent use. The zero value is ready.
type session struct {
	depth int
	// share has equal maps of strings and equal FieldsV1 be one in memory: for owners that do not change objects. It
	// applies to objects of which contents are remembered.
	share bool
	// recall is what is remembered of contents, or nil.
	recall *table.Recall
	scores []table.Score // by the places of values

	// Of the object that is decoded:
	arena memory.Arena
	raws  memory.Arena      // for the texts of FieldsV1, which a transform may drop
	times []metav1.Time     // room for those it points to
	parts []metav1.FieldsV1 // room for those it points to
	used  struct{ times, parts int }
	sizes *expected

	amounts *[amounts]amount
}

// sessions are those that are not of a stream. Of contents, they remember short quantities only.
var sessions = sync.Pool{New: func() any { return new(session) }}

// expected is what objects of a type take: bytes of the arena and of the texts of FieldsV1, times and FieldsV1 that
// they point to.
type expected struct{ bytes, texts, times, parts atomic.Int32 }

// most is the number of bytes up to which the memory for an object is allocated at once.
const most = 4096

// begin begins an object.
func (s *session) begin(of *expected) {
	s.sizes = of
	s.arena.Reset(int(of.bytes.Load()))
	s.raws.Reset(int(of.texts.Load()))
	s.times, s.parts, s.used = nil, nil, struct{ times, parts int }{}
}

// end remembers what the object took.
func (s *session) end() {
	expect(&s.sizes.bytes, s.arena.Used)
	expect(&s.sizes.texts, s.raws.Used)
	expect(&s.sizes.times, s.used.times)
	expect(&s.sizes.parts, s.used.parts)
}

// expect remembers that an object took n: what is expected next is as many as the largest of late took, since a few too
// many cost less than a second block.
func expect(of *atomic.Int32, n int) {
	if before := int(of.Load()); n > before && before < most || n < before*3/4 {
		of.Store(int32(min(n, most)))
	}
}

// drop lets go of the last object.
func (s *session) drop() {
	s.arena.Reset(0)
	s.raws.Reset(0)
	s.times, s.parts, s.sizes, s.depth = nil, nil, nil, 0
	if s.recall != nil {
		s.recall.Drop()
	}
}

// object decodes a message of t into the empty struct that into points to. It returns false if there is a doubt.
func (s *session) object(t *layout, into reflect.Value, text []byte) bool {
	s.begin(&t.expected)
	ok := s.message(t, memory.Of(into), text)
	if ok {
		s.end()
	}
	return ok
}

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

// learn has contents be remembered, except of a Secret or a list of them.
func (s *session) learn(kind string) {
	if strings.TrimSuffix(kind, "List") == "Secret" {
		s.recall = nil
	} else if s.recall == nil {
		s.recall = new(table.Recall)
	}
}

// Shared is the memory that the requests of one owner have in common. The owner must not change objects.
type Shared struct {
	mu   sync.Mutex // guards the field below
	free *session   // nil while a request has it
}

// take returns a session for a stream. If s is nil, it is for one that shares no maps.
func (s *Shared) take() *session {
	if s == nil {
		return new(session)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	free := s.free
	s.free = nil
	if free == nil {
		free = &session{share: true}
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
