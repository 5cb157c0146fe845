package codec

import (
	"reflect"
	"sync"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/listwatch/listwatch/runtime/codec/internal/table"
)

// session decodes one text, or the objects of one stream. It remembers what the last object was.
type session struct {
	table.Decoder
	own bool // whether it is that of a stream

	lastGiven *schema.GroupVersionKind // what given returned

	lastHead head
	lastText []byte // in front of the first member after the head

	lastScheme *runtime.Scheme
	lastKind   schema.GroupVersionKind
	lastType   reflect.Type

	tabled reflect.Type // the type of table
	table  *table.Table
}

// sessions are those that are not of a stream. They learn nothing of contents.
var sessions = sync.Pool{New: func() any { return new(session) }}

// begin returns the session for a text. It is released by end.
func (d *decoder) begin() *session {
	if d.own != nil {
		return d.own
	}
	return sessions.Get().(*session)
}

func (d *decoder) end(s *session) {
	if s != d.own {
		s.release()
	}
}

// beginList returns the session for a list. It is released by endList.
func (d *decoder) beginList() *session {
	if d.own == nil && d.shared != nil {
		return d.shared.take()
	}
	s := d.begin()
	s.Learn = true
	return s
}

func (d *decoder) endList(s *session) {
	if d.own == nil && d.shared != nil {
		d.shared.put(s)
		return
	}
	d.end(s)
}

// release returns a session to the pool.
func (s *session) release() {
	s.Forget()
	s.lastScheme = nil
	sessions.Put(s)
}

// keep has contents of objects of that kind be remembered, if the session is of a stream. Nothing of a Secret is.
func (s *session) keep(kind string) {
	s.Learn = (s.own || s.Learn) && kind != "Secret"
}

// given returns a pointer to gvk for a caller. In a stream, which s is of unless it is nil, it is the last one again
// if the kind is the same.
func (s *session) given(gvk schema.GroupVersionKind) *schema.GroupVersionKind {
	if s != nil && s.lastGiven != nil && *s.lastGiven == gvk {
		return s.lastGiven
	}
	given := gvk
	if s != nil {
		s.lastGiven = &given
	}
	return &given
}

// newObject returns a new object of that kind, or nil if the scheme does not know it.
func (s *session) newObject(scheme *runtime.Scheme, gvk schema.GroupVersionKind) runtime.Object {
	if s.lastScheme == scheme && s.lastKind == gvk {
		return reflect.New(s.lastType).Interface().(runtime.Object)
	}
	obj, err := scheme.New(gvk)
	if err != nil {
		return nil
	}
	s.lastScheme, s.lastKind, s.lastType = scheme, gvk, reflect.TypeOf(obj).Elem()
	return obj
}

// tableOf returns the table of a type, or nil if there is none.
func (s *session) tableOf(t reflect.Type) *table.Table {
	if s.tabled != t {
		s.tabled, s.table = t, table.Of(t)
	}
	return s.table
}
