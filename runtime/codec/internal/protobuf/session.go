package protobuf

import (
	"reflect"
	"sync"
	"sync/atomic"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/runtime/codec/internal/intern"
	"github.com/listwatch/listwatch/runtime/codec/internal/memory"
)

// session decodes one object after the other. It is not safe for concurrent use. The zero value is ready.
type session struct {
	depth int
	// withoutManaged has the managedFields of objects be skipped.
	withoutManaged bool
	stream         intern.Stream  // what is remembered of contents
	scores         []intern.Score // by the places of values

	last kind // of the last object

	room // of the object that is decoded, or of a part that others will share

	quantities intern.Quantities
	kept       []byte // memory for the text of a value, see find
}

// room is memory for what an object consists of.
type room struct {
	arena memory.Arena
	raws  memory.Arena      // for the texts of FieldsV1, which a transform may drop
	times []metav1.Time     // for those that the object points to
	parts []metav1.FieldsV1 // for those that the object points to
	used  struct{ times, parts int }
	sizes *expected // nil if nothing is known of them
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
	s.room = room{sizes: of}
	s.arena.Reset(int(of.bytes.Load()))
	s.raws.Reset(int(of.texts.Load()))
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
	s.room, s.depth = room{}, 0
}

// object decodes a message of t into the empty struct that into points to. It returns false if it falls back.
func (s *session) object(t *layout, into reflect.Value, text []byte) bool {
	s.begin(&t.expected)
	ok := s.message(t, memory.Of(into), text)
	if ok {
		s.end()
	}
	return ok
}
