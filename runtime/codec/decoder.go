package codec

import (
	"errors"
	"io"
	"reflect"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/listwatch/listwatch/runtime/codec/internal/table"
)

// decoder decodes the JSON of a scheme.
type decoder struct {
	exact  runtime.Decoder // apimachinery's; it need not clear the object's kind
	scheme *runtime.Scheme
	// metadata makes objects of kinds that the scheme does not know metadata.
	metadata bool
	// plain has errors be the exact decoder's own, without the object and the position in it.
	plain bool
	// emptied has a given object be emptied first.
	emptied bool
	origin
}

// Decode implements runtime.Decoder.
func (d *decoder) Decode(data []byte, defaults *schema.GroupVersionKind, into runtime.Object) (runtime.Object, *schema.GroupVersionKind, error) {
	var tried attempt
	if defaults == nil {
		d.empty(into)
		obj, result := d.fast(data, into)
		if result.ok {
			return obj, d.own.given(result.gvk), nil
		}
		tried = result
	}
	cut := IsCut(into)
	obj, gvk, err := d.exact.Decode(data, defaults, into)
	if cut && err == nil && d.fields == nil {
		RemoveMark(obj) // the text has none that would replace it
	}
	if d.plain {
		return obj, gvk, err
	}
	if err == nil {
		err = clearKind(obj)
	}
	if err == nil {
		return obj, gvk, nil
	}
	return obj, gvk, tried.explain(gvk, data, err)
}

// empty empties the given object, if given objects are emptied first.
func (d *decoder) empty(into runtime.Object) {
	if v := reflect.ValueOf(into); d.emptied && v.Kind() == reflect.Pointer && !v.IsNil() {
		v.Elem().SetZero()
	}
}

// attempt is the outcome of decoding without the exact decoder.
type attempt struct {
	ok  bool
	gvk schema.GroupVersionKind // as far as it is known
	// If it is not ok, where the decoder fell back, negative if it did not begin; and whether the value there is
	// certainly invalid.
	failedAt int
	invalid  bool
}

// untried is the attempt that was none.
var untried = attempt{failedAt: -1}

// fast decodes data without the exact decoder. If it fails, it leaves into unchanged.
func (d *decoder) fast(data []byte, into runtime.Object) (runtime.Object, attempt) {
	s := d.begin()
	defer d.end(s)
	switch into := into.(type) {
	case *unstructured.Unstructured:
		result := s.untyped(data, into)
		if result.ok {
			result.ok = clearKind(into) == nil
		}
		return into, result
	case *unstructured.UnstructuredList:
		result := s.untypedList(data, into)
		if result.ok {
			result.ok = clearKind(into) == nil
		}
		return into, result
	}
	h := s.head(data)
	if !h.known {
		if h = s.headAnywhere(data); !h.known {
			return nil, attempt{gvk: h.gvk, failedAt: -1}
		}
	}
	result := attempt{gvk: h.gvk, failedAt: -1}
	obj, t := d.target(s, h.gvk, into)
	if t == nil {
		return nil, result
	}
	s.keep(h.gvk.Kind)
	v := reflect.ValueOf(obj)
	t, cut := d.fields.table(t)
	if s.Whole(data, t, v, h.kind, h.apiVersion) && clearKind(obj) == nil {
		result.ok = true
		if cut {
			d.fields.mark(obj)
		}
		return obj, result
	}
	result.failedAt, result.invalid = s.FailedAt, s.Invalid
	v.Elem().SetZero()
	return nil, result
}

// clearKind clears the object's kind and apiVersion, as runtime.WithoutVersionDecoder does.
func clearKind(obj runtime.Object) (err error) {
	defer func() {
		// A TypeMeta that is embedded by a pointer does not exist in an object without a kind.
		if recover() != nil {
			err = errNoTypeMeta
		}
	}()
	obj.GetObjectKind().SetGroupVersionKind(schema.GroupVersionKind{})
	return nil
}

// target returns the object into which a text of that kind is decoded, into, if it is of this kind, or a new one,
// and its table. The table is nil if the exact decoder has to decode it.
func (d *decoder) target(s *session, gvk schema.GroupVersionKind, into runtime.Object) (runtime.Object, *table.Table) {
	obj := into
	if into != nil {
		kinds, _, err := d.scheme.ObjectKinds(into)
		if err != nil || reflect.ValueOf(into).IsNil() {
			return nil, nil
		}
		if !slices.Contains(kinds, gvk) {
			obj = nil
		}
	}
	if obj == nil {
		if obj = s.newObject(d.scheme, gvk); obj == nil && d.metadata {
			obj = metadataFor(into)
		}
		if obj == nil {
			return nil, nil
		}
	}
	v := reflect.ValueOf(obj).Elem()
	if obj == into && !v.IsZero() {
		return nil, nil
	}
	t := s.tableOf(v.Type())
	if t == nil || !t.Root() {
		return nil, nil
	}
	return obj, t
}

// expect completes the head of a text whose kind is not first, as in lists of custom resources, whose members
// API servers sort. The text is assumed to be of the requested kind, as the exact decoder does if there is no
// kind at all; the kind that follows is checked.
func (d *decoder) expect(h *head, into runtime.Object) bool {
	if into == nil || !h.more || d.metadata {
		return false
	}
	kinds, _, err := d.scheme.ObjectKinds(into)
	if err != nil || kinds[0].GroupVersion().String() != h.apiVersion {
		return false
	}
	h.gvk, h.kind, h.known, h.expected = kinds[0], kinds[0].Kind, true, true
	return true
}

// DecodeFrom implements StreamDecoder.
func (d *decoder) DecodeFrom(r io.Reader, into runtime.Object) (runtime.Object, error) {
	return d.stream(r, into, nil)
}

// stream decodes a list from r, and reads anything else as a whole before decoding it.
func (d *decoder) stream(r io.Reader, into runtime.Object, sink *sink) (runtime.Object, error) {
	in := newInput(r)
	defer in.release(into)
	s := d.beginList()
	defer d.endList(s)
	d.empty(into)

	h := in.head(s)
	if !h.stops() || !h.known && !d.expect(&h, into) {
		return d.whole(in, into, sink)
	}
	if list, ok := into.(*unstructured.UnstructuredList); ok && len(list.Object) == 0 && sink.fitsUntyped() && !d.plain {
		in.begin(h.next, false)
		if err := s.untypedListFrom(in, list, &h, sink); err != nil {
			return nil, err
		}
		return list, clearKind(list)
	}
	obj, t := d.target(s, h.gvk, into)
	if t == nil {
		return d.whole(in, into, sink)
	}
	l := &typedList{session: s, in: in, h: h, obj: obj, table: t, sink: sink, fields: d.fields}
	if !l.fits(into) {
		return d.whole(in, into, sink)
	}
	s.list = true
	s.keep(strings.TrimSuffix(h.gvk.Kind, "List"))
	in.begin(h.next, d.plain)
	if err := l.decode(); err != nil {
		if d.plain && l.each == nil {
			err = d.outlined(in, obj, err)
		}
		reflect.ValueOf(obj).Elem().SetZero()
		return nil, err
	}
	return obj, nil
}

// outlined returns the exact decoder's error in place of err, with which a list failed. The items before have gone, but
// they were valid, so the error is the same without them.
func (d *decoder) outlined(in *input, list runtime.Object, err error) error {
	text, readErr := in.outlined()
	if readErr == nil {
		if _, _, exact := d.exact.Decode(text, nil, list); exact != nil {
			return exact
		}
	}
	var named *Error
	if errors.As(err, &named) {
		return named.Err
	}
	return err
}

// whole decodes everything in in at once.
func (d *decoder) whole(in *input, into runtime.Object, sink *sink) (runtime.Object, error) {
	data, err := in.all()
	if err != nil {
		if d.plain {
			return nil, err
		}
		return nil, newError(schema.GroupVersionKind{}, nil, untried, err)
	}
	if sink != nil && sink.tolerant {
		if obj, done, listErr := d.apart(data, into, sink); done {
			return obj, listErr
		}
	}
	obj, _, err := d.Decode(data, nil, into)
	if err != nil || sink == nil || obj != into {
		return obj, err
	}
	return obj, sink.handOver(obj)
}
