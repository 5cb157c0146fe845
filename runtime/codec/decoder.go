package codec

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"sync"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// decoder decodes the JSON of a scheme.
type decoder struct {
	exact  runtime.Decoder // apimachinery's, which does not clear the object's kind
	scheme *runtime.Scheme
}

// Decode implements runtime.Decoder.
func (d *decoder) Decode(data []byte, defaults *schema.GroupVersionKind, into runtime.Object) (runtime.Object, *schema.GroupVersionKind, error) {
	var failed error
	if defaults == nil {
		obj, gvk, err := d.fast(data, into)
		if err == nil {
			return obj, &gvk, nil
		}
		failed = err
	}
	obj, gvk, err := d.exact.Decode(data, defaults, into)
	if err == nil {
		err = clearKind(obj)
	}
	if err == nil {
		return obj, gvk, nil
	}
	var named *Error
	if errors.As(failed, &named) {
		return obj, gvk, failed
	}
	return obj, gvk, exactError(gvk, data, err)
}

// fast decodes data in one pass. Where it fails, it leaves into as it was.
func (d *decoder) fast(data []byte, into runtime.Object) (runtime.Object, schema.GroupVersionKind, error) {
	s := scratchBytes(data)
	defer s.putBytes()
	switch into := into.(type) {
	case *unstructured.Unstructured:
		gvk, err := s.unstructured(into)
		return into, gvk, err
	case *unstructured.UnstructuredList:
		gvk, err := s.unstructuredList(into, nil, nil)
		return into, gvk, err
	}
	h, err := s.head()
	if err != nil {
		if h, err = s.headAnywhere(data); err != nil {
			return nil, h.gvk, err
		}
	}
	obj, sh, err := d.target(h.gvk, into)
	if err != nil {
		return nil, h.gvk, err
	}
	return obj, h.gvk, s.decode(h, obj, sh, nil)
}

// decode decodes the object that h is the head of into obj, which is empty and
// will be again if that fails.
func (s *scratch) decode(h head, obj runtime.Object, sh *shape, sink func() error) error {
	v := reflect.ValueOf(obj).Elem()
	if err := s.body(h, v, sh, sink); err != nil {
		if !errors.Is(err, errUnclear) {
			err = newError(h.gvk, obj, err)
		}
		v.SetZero()
		return err
	}
	return clearKind(obj)
}

var errNoTypeMeta = errors.New("the object has no TypeMeta")

// clearKind clears the object's kind and apiVersion, as runtime.WithoutVersionDecoder does.
func clearKind(obj runtime.Object) (err error) {
	defer func() {
		// A TypeMeta that is embedded by a pointer is not there in an object without a kind.
		if recover() != nil {
			err = errNoTypeMeta
		}
	}()
	obj.GetObjectKind().SetGroupVersionKind(schema.GroupVersionKind{})
	return nil
}

// target returns the object that a text of that kind is decoded into: into, if
// that is its kind, or a new one. It returns errUnclear for objects that
// apimachinery has to decode.
func (d *decoder) target(gvk schema.GroupVersionKind, into runtime.Object) (runtime.Object, *shape, error) {
	obj := into
	if into != nil {
		kinds, _, err := d.scheme.ObjectKinds(into)
		if err != nil || reflect.ValueOf(into).IsNil() {
			return nil, nil, errUnclear
		}
		if !slices.Contains(kinds, gvk) {
			obj = nil
		}
	}
	if obj == nil {
		var err error
		if obj, err = d.scheme.New(gvk); err != nil {
			return nil, nil, errUnclear
		}
	}
	v := reflect.ValueOf(obj).Elem()
	sh := shapeOf(v.Type())
	if sh == nil || obj == into && !v.IsZero() {
		return nil, nil, errUnclear
	}
	return obj, sh, nil
}

// expect completes the head of a text whose kind does not come first, as in lists of
// custom resources, whose members API servers sort. It is taken for the kind that is
// wanted, as the exact decoder does where no kind comes at all; see again for one
// that does.
func (d *decoder) expect(h *head, into runtime.Object) bool {
	if into == nil || !h.more {
		return false
	}
	kinds, _, err := d.scheme.ObjectKinds(into)
	if err != nil || kinds[0].GroupVersion().String() != h.apiVersion {
		return false
	}
	h.gvk, h.kind = kinds[0], kinds[0].Kind
	return true
}

// DecodeFrom implements StreamDecoder.
func (d *decoder) DecodeFrom(r io.Reader, into runtime.Object) (runtime.Object, error) {
	return d.stream(r, into, nil)
}

// stream decodes a list off r, and holds anything else before it decodes it.
func (d *decoder) stream(r io.Reader, into runtime.Object, sink *sink) (runtime.Object, error) {
	in := recorder{r: r, kept: bodies.Get().(*bytes.Buffer)}
	defer in.put(into)
	s := scratchReader(&in)
	defer s.putReader()

	h, err := s.head()
	if err != nil && !d.expect(&h, into) {
		return d.whole(&in, into, sink)
	}
	if list, ok := into.(*unstructured.UnstructuredList); ok && len(list.Object) == 0 && sink.fitsUnstructured() {
		in.forget(s)
		if _, err = s.unstructuredList(list, &h, sink); err != nil {
			return nil, streamError(err)
		}
		return list, nil
	}
	obj, sh, err := d.target(h.gvk, into)
	if err != nil || sh.items == nil {
		return d.whole(&in, into, sink)
	}
	var each func() error
	if sink != nil {
		if obj != into || !sink.fits(sh.items) {
			return d.whole(&in, into, sink)
		}
		each = func() error { return sink.items(s, h.gvk, sh.items) }
	}
	in.forget(s)
	if err := s.decode(h, obj, sh, each); err != nil {
		return nil, streamError(err)
	}
	return obj, nil
}

// whole decodes all that in has to give at once.
func (d *decoder) whole(in *recorder, into runtime.Object, sink *sink) (runtime.Object, error) {
	data, err := in.all()
	if err != nil {
		return nil, newError(schema.GroupVersionKind{}, nil, err)
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

// streamError returns the error for err of a list that was decoded off a
// reader, where there is no way back.
func streamError(err error) error {
	var callers *callersError
	if errors.As(err, &callers) {
		return callers.err
	}
	if errors.Is(err, errUnclear) {
		return fmt.Errorf("decode a list: %w", err)
	}
	return err
}

// recorder keeps what was read off r until it is told to forget it.
type recorder struct {
	r         io.Reader
	kept      *bytes.Buffer
	forgotten bool
	err       error
}

var bodies = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// put gives the buffer back, unless the object that was asked for holds it.
func (in *recorder) put(into runtime.Object) {
	if _, holds := into.(*runtime.Unknown); !holds && in.kept.Cap() <= largest {
		in.kept.Reset()
		bodies.Put(in.kept)
	}
}

func (in *recorder) Read(p []byte) (int, error) {
	if in.err != nil {
		return 0, in.err
	}
	n, err := in.r.Read(p)
	in.err = err
	if !in.forgotten {
		in.kept.Write(p[:n])
	}
	return n, err
}

// forget is for a list that s decodes part by part.
func (in *recorder) forget(s *scratch) {
	in.forgotten = true
	s.parts, _ = in.r.(PartReader)
	s.nextPart()
}

// all returns all that r gave and gives.
func (in *recorder) all() ([]byte, error) {
	if in.err == nil {
		_, in.err = in.kept.ReadFrom(in.r)
	}
	if in.err != nil && in.err != io.EOF { //nolint:errorlint // an io.EOF that is wrapped is a failure
		return nil, in.err
	}
	return in.kept.Bytes(), nil
}
