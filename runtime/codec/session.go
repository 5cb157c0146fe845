package codec

import (
	"reflect"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/listwatch/listwatch/runtime/codec/internal/intern"
	"github.com/listwatch/listwatch/runtime/codec/internal/table"
)

// session decodes one text, or the objects of one stream. It remembers what the last object was.
type session struct {
	table.Decoder
	own     bool // whether it is that of a stream
	list    bool // whether it has decoded a list since it came from the pool
	secrets bool // whether the objects are Secrets, whatever their kind

	lastGiven *schema.GroupVersionKind // what given returned

	lastHead head
	lastText []byte // in front of the first member after the head

	lastScheme *runtime.Scheme
	lastKind   schema.GroupVersionKind
	lastType   reflect.Type

	tabled reflect.Type // the type of table
	table  *table.Table
}

// sessions are those that are not of a stream. Of single objects, they remember a few short strings.
var sessions = sync.Pool{New: func() any { return new(session) }}

// origin is where a decoder has its sessions from.
type origin struct {
	// own is the session of the only stream that it decodes; see ForStream. It is nil if there are others.
	own *session
	// shared is what its lists and streams share maps by, or nil; see WithSharing.
	shared *shared
	// withoutManaged has managedFields be skipped; see WithoutManagedFields.
	withoutManaged bool
	// secrets has all kinds be treated like Secrets; see WithSecrets.
	secrets bool
	// fields are those that are decoded of objects; see WithFields. Nil are all.
	fields *Fields
	// view is whether objects are those of a view; see ForView.
	view bool
}

// take returns a session for a stream. Caches do not change views, which have no other use for an owner.
func (o origin) take() *session {
	s := o.shared.take()
	if o.view && o.shared != nil {
		s.Stream.Share = true
	}
	return s
}

// begin returns the session for a text. It is released by end.
func (o origin) begin() *session {
	s := o.own
	if s == nil {
		s = sessions.Get().(*session)
	}
	o.set(s)
	return s
}

// set has a session decode what is requested.
func (o origin) set(s *session) {
	s.WithoutManaged, s.secrets, s.Kept, s.View = o.withoutManaged, o.secrets, o.fields.untyped(), o.view
}

func (o origin) end(s *session) {
	switch {
	case s != o.own:
		s.release()
	case s.Stream.Level == intern.None:
		s.Drop() // it may be a Secret, and much time may pass until the next object
	}
}

// beginList returns the session for a list. It is released by endList.
func (o origin) beginList() *session {
	if o.own == nil && o.shared != nil {
		s := o.take()
		o.set(s)
		return s
	}
	return o.begin()
}

func (o origin) endList(s *session) {
	if o.own == nil && o.shared != nil {
		o.shared.put(s)
		return
	}
	o.end(s)
}

// release returns a session to the pool.
func (s *session) release() {
	if s.list {
		s.Forget()
	}
	s.Drop()
	s.list, s.secrets, s.Stream.Level, s.WithoutManaged, s.Kept, s.View, s.lastScheme = false, false, intern.None, false, nil, false, nil
	sessions.Put(s)
}

// keep sets how much of the contents of objects of that kind is remembered: nothing of a Secret, nor of an unknown
// kind, since it may be a Secret.
func (s *session) keep(kind string) {
	switch {
	case kind == "" || kind == "Secret" || s.secrets:
		s.Stream.Level = intern.None
	case s.own || s.list:
		s.Stream.Level = intern.All
	default:
		s.Stream.Level = intern.Short
	}
}

// given returns a pointer to gvk for a caller. In a stream, which s is of unless it is nil, it is the last one again
// if the kind is the same.
func (s *session) given(gvk schema.GroupVersionKind) *schema.GroupVersionKind {
	if s != nil && s.lastGiven != nil && *s.lastGiven == gvk {
		return s.lastGiven
	}
	given := gvk
	if s != nil {
		// The strings may be in one block with others of the object.
		given = schema.GroupVersionKind{Group: strings.Clone(gvk.Group), Version: strings.Clone(gvk.Version), Kind: strings.Clone(gvk.Kind)}
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
