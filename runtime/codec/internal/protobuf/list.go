package protobuf

import (
	"bytes"
	"errors"
	"io"
	"math"
	"reflect"
	"sync"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/listwatch/listwatch/runtime/codec/internal/memory"
)

// DecodeFrom returns Decode(all of r, nil, into).
func (d *Decoder) DecodeFrom(r io.Reader, into runtime.Object) (runtime.Object, error) {
	in := newInput(r)
	defer in.release(into)
	return d.whole(in, into)
}

// whole decodes everything in in at once.
func (d *Decoder) whole(in *input, into runtime.Object) (runtime.Object, error) {
	body, err := in.all()
	if err != nil {
		return nil, err
	}
	object, _, err := d.Decode(body, nil, into)
	return object, err
}

// DecodeList decodes a list from r: everything except the items into list, and each item into a newItem(). It calls
// each with the items in order as soon as they have arrived. If the top object is of another kind, it is returned
// instead. An error of each ends decoding, and is returned unchanged.
//
// Errors in an item are those of its type's method. A body that is cut within the list fails after the items before.
func (d *Decoder) DecodeList(r io.Reader, list runtime.Object, newItem func() runtime.Object, each func(runtime.Object) error) (runtime.Object, error) {
	in := newInput(r)
	defer in.release(list)
	l := &lister{in: in, kept: d.Kept, texts: d.Texts && d.Kept == nil && d.View == nil, newItem: newItem, each: each}
	if !l.begin(d, list) {
		object, err := d.whole(in, list)
		if err != nil || object != list {
			return object, err
		}
		return object, handOver(list, each)
	}
	s := d.take()
	defer d.Shared.put(s)
	d.learn(s, l.kind)
	s.withoutManaged = d.WithoutManaged
	l.of.reset(list)
	if err := l.decode(s); err != nil {
		l.of.reset(list)
		return nil, err
	}
	return list, nil
}

// handOver passes on the items of a list that was decoded as a whole, in memory of their own.
func handOver(list runtime.Object, each func(runtime.Object) error) error {
	if err := meta.EachListItemWithAlloc(list, each); err != nil {
		return err
	}
	items, err := meta.GetItemsPtr(list)
	if err == nil {
		reflect.ValueOf(items).Elem().SetZero()
	}
	return err
}

// lister decodes a list from an input.
type lister struct {
	in      *input
	list    runtime.Object
	of      *layout // of the list
	item    *layout // of its items
	by      *layout // that decodes them
	kept    *Kept
	texts   bool // see Decoder.Texts
	newItem func() runtime.Object
	each    func(runtime.Object) error

	kind string
	left uint64 // bytes of the list that were not read yet
}

// begin reads the envelope up to the list. It returns false, and has read nothing, if the body is not that of a list
// of this kind whose items can be decoded one by one.
func (l *lister) begin(d *Decoder, list runtime.Object) bool {
	_ = l.in.fill(longestHead) // an error comes again
	head, ok := bytes.CutPrefix(l.in.buf, prefix)
	if !ok || len(head) == 0 || head[0] != tag(1, asBytes) {
		return false
	}
	typeMeta, i := content(head, 1)
	if i < 0 || i >= len(head) || head[i] != tag(2, asBytes) {
		return false
	}
	apiVersion, kind, ok := readTypeMeta(typeMeta)
	if !ok || len(kind) == 0 {
		return false
	}
	if l.left, i = varint(head, i+1); i < 0 {
		return false
	}
	gvk := schema.FromAPIVersionAndKind(string(apiVersion), string(kind))
	if object, known := d.target(gvk, list); !known || object != list || gvk.Version == "" {
		return false
	}
	of := d.layoutOf(reflect.TypeOf(list).Elem())
	if of == nil || of.why != "" || !of.resets(list) || len(of.fields) <= itemsNumber || !of.fields[itemsNumber].objects {
		return false
	}
	l.list, l.of = list, of
	l.item = of.fields[itemsNumber].elem.sub
	if reflect.TypeOf(l.newItem()) != reflect.PointerTo(l.item.typ) {
		return false
	}
	l.by = l.kept.of(l.item)
	l.kind, l.in.at = gvk.Kind, len(prefix)+i
	return true
}

// decode decodes the list, and what is after it.
func (l *lister) decode(s *session) error {
	parts, _ := l.in.r.(interface{ NextPart() })
	for l.left > 0 {
		if parts != nil {
			parts.NextPart()
		}
		head, err := l.in.peek(min(l.left, longestField))
		if err != nil {
			return err
		}
		n, begins := varint(head, 1)
		if head[0] != tag(metaNumber, asBytes) && head[0] != tag(itemsNumber, asBytes) || begins < 0 || n > l.left-uint64(begins) {
			if err = l.rest(); err != nil {
				return err
			}
			break
		}
		text, err := l.in.next(uint64(begins) + n)
		if err != nil {
			return err
		}
		l.left -= uint64(len(text))
		if text[0] == tag(metaNumber, asBytes) {
			err = l.of.merge(l.list, text)
		} else {
			err = l.decodeItem(s, text[begins:])
		}
		if err != nil {
			return err
		}
	}
	if parts != nil {
		parts.NextPart()
	}
	after, err := l.in.all()
	if err != nil {
		return err
	}
	var e runtime.Unknown
	if err := e.Unmarshal(after); err != nil {
		return err
	}
	if e.TypeMeta != (runtime.TypeMeta{}) || e.Raw != nil {
		return errRepeated
	}
	return nil
}

var errRepeated = errors.New("object's kind or content is repeated after a list")

// decodeItem decodes an item, or makes it a [Text], and passes it on.
func (l *lister) decodeItem(s *session, text []byte) error {
	if text := l.textOf(s, text); text != nil {
		return l.each(text)
	}
	item := l.newItem()
	v := reflect.ValueOf(item)
	if ok := s.item(l.by, memory.Of(v), text); ok {
		l.kept.mark(item, l.by, l.item)
	} else {
		s.drop()
		v.Elem().SetZero()
		if err := l.item.merge(item, text); err != nil {
			return err
		}
	}
	return l.each(item)
}

// rest has the method of the list decode what is left of it.
func (l *lister) rest() error {
	text, err := l.in.next(l.left)
	if err != nil {
		return err
	}
	if err := l.of.merge(l.list, text); err != nil {
		return err
	}
	return handOver(l.list, l.each)
}

const (
	// metaNumber and itemsNumber are the numbers of the fields of lists.
	metaNumber  = 1
	itemsNumber = 2
	// longestHead is the number of bytes in which the list must begin.
	longestHead = 256
	// longestField is the length of the longest tag of one byte with a length after it.
	longestField = 11
)

// input is a body that arrives in parts.
type input struct {
	r   io.Reader
	buf []byte
	at  int // what is before it was read
	err error
}

const (
	firstBuffer = 32 << 10
	// largestBuffer is the size up to which buffers are reused for other bodies.
	largestBuffer = 1 << 20
)

var buffers = sync.Pool{New: func() any { b := make([]byte, 0, firstBuffer); return &b }}

func newInput(r io.Reader) *input { return &input{r: r, buf: (*buffers.Get().(*[]byte))[:0]} }

// release returns the buffer to the pool, unless the requested object may reference it.
func (in *input) release(into runtime.Object) {
	if _, holds := into.(*runtime.Unknown); !holds && cap(in.buf) <= largestBuffer {
		buffers.Put(&in.buf)
	}
}

// fill reads until n bytes have arrived that were not read yet. It fails with io.EOF if there are less.
func (in *input) fill(n uint64) error {
	for uint64(len(in.buf)-in.at) < n {
		if in.err != nil {
			return in.err
		}
		if len(in.buf) == cap(in.buf) {
			to := in.buf[:0]
			if left := len(in.buf) - in.at; left > cap(in.buf)/2 {
				to = make([]byte, 0, 2*cap(in.buf))
			}
			in.buf = append(to, in.buf[in.at:]...)
			in.at = 0
		}
		var read int
		read, in.err = in.r.Read(in.buf[len(in.buf):cap(in.buf)])
		in.buf = in.buf[:len(in.buf)+read]
	}
	return nil
}

// peek returns the next n bytes.
func (in *input) peek(n uint64) ([]byte, error) {
	if err := in.fill(n); err == io.EOF { //nolint:errorlint // a wrapped io.EOF is a failure
		return nil, io.ErrUnexpectedEOF
	} else if err != nil {
		return nil, err
	}
	return in.buf[in.at : in.at+int(n)], nil
}

// next reads the next n bytes. They are valid until more is read.
func (in *input) next(n uint64) ([]byte, error) {
	b, err := in.peek(n)
	in.at += len(b)
	return b, err
}

// all returns everything that was not read yet.
func (in *input) all() ([]byte, error) {
	if err := in.fill(math.MaxInt); err != io.EOF { //nolint:errorlint // a wrapped io.EOF is a failure
		return nil, err
	}
	return in.buf[in.at:], nil
}
