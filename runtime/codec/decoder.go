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
	// metadata makes objects of kinds that the scheme does not know metadata.
	metadata bool
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

// fast decodes data in one pass. If it fails, it leaves into unchanged.
func (d *decoder) fast(data []byte, into runtime.Object) (runtime.Object, schema.GroupVersionKind, error) {
	s := scratchBytes(data)
	defer s.putBytes()
	switch into := into.(type) {
	case *unstructured.Unstructured:
		gvk, err := s.unstructured(into)
		if err == nil {
			err = clearKind(into)
		}
		return into, gvk, err
	case *unstructured.UnstructuredList:
		gvk, err := s.unstructuredList(into, nil, nil)
		if err == nil {
			err = clearKind(into)
		}
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

// decode decodes the object whose head is h into obj, which is empty, and empty again if decoding fails.
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

var errNoTypeMeta = errors.New("object has no TypeMeta")

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

// target returns the object into which a text of that kind is decoded: into, if it is of this kind, or a new
// one. It returns errUnclear for objects that apimachinery must decode.
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
		obj, _ = d.scheme.New(gvk) // nil beside an error
		if obj == nil && d.metadata {
			obj = metadataFor(into)
		}
		if obj == nil {
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

// expect completes the head of a text whose kind is not first, as in lists of custom resources, whose members
// API servers sort. The text is assumed to be of the requested kind, as the exact decoder does if there is no
// kind at all; again handles a kind that follows.
func (d *decoder) expect(h *head, into runtime.Object) bool {
	if into == nil || !h.more || d.metadata {
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

// stream decodes a list from r, and reads anything else as a whole before decoding it.
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
		return list, clearKind(list)
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

// whole decodes everything in in at once.
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

// streamError returns the error of a list that was decoded from a reader, which cannot be rewound.
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

// recorder records what is read from r until forget is called.
type recorder struct {
	r         io.Reader
	kept      *bytes.Buffer
	forgotten bool
	err       error
}

var bodies = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// put returns the buffer to the pool, unless the requested object references it.
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

// forget ends recording, when s decodes a list part by part.
func (in *recorder) forget(s *scratch) {
	in.forgotten = true
	s.parts, _ = in.r.(PartReader)
	s.nextPart()
}

// all returns everything that was read from r and the rest of it.
func (in *recorder) all() ([]byte, error) {
	if in.err == nil {
		_, in.err = in.kept.ReadFrom(in.r)
	}
	if in.err != nil && in.err != io.EOF { //nolint:errorlint // a wrapped io.EOF is a failure
		return nil, in.err
	}
	return in.kept.Bytes(), nil
}
