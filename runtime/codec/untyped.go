package codec

import (
	"io"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer/json"
)

// ForUnstructured returns the serializer of dynamic clients, for JSON only. It encodes untyped objects and the
// types of meta/v1 (such as DeleteOptions), and decodes into untyped objects; only a Status, and the other types
// of meta/v1, that no object is given for are typed. Decoded objects keep their kind and apiVersion.
//
// The decoder is a [StreamDecoder]: untyped objects are decoded in one pass, and lists one item at a time. A
// list whose kind follows its items, as in lists of custom resources, is no exception, unless an item has
// neither kind nor apiVersion, since it gets those of the list: it and those after it are held until then.
func ForUnstructured() runtime.NegotiatedSerializer { return untypedSerializer{} }

// metaScheme contains the types of meta/v1, in the version v1.
var metaScheme = func() *runtime.Scheme {
	scheme := runtime.NewScheme()
	metav1.AddToGroupVersion(scheme, schema.GroupVersion{Version: "v1"})
	return scheme
}()

// untypedMediaTypes are the formats of ForUnstructured.
var untypedMediaTypes = func() []runtime.SerializerInfo {
	untyped := func(pretty bool) runtime.Serializer {
		return json.NewSerializerWithOptions(json.DefaultMetaFactory, untypedKinds{}, untypedKinds{}, json.SerializerOptions{Pretty: pretty})
	}
	return []runtime.SerializerInfo{{
		MediaType:        runtime.ContentTypeJSON,
		MediaTypeType:    "application",
		MediaTypeSubType: "json",
		EncodesAsText:    true,
		Serializer:       untyped(false),
		PrettySerializer: untyped(true),
		StreamSerializer: &runtime.StreamSerializerInfo{
			EncodesAsText: true,
			Serializer:    json.NewSerializerWithOptions(json.DefaultMetaFactory, metaScheme, metaScheme, json.SerializerOptions{}),
			Framer:        json.Framer,
		},
	}}
}()

// untypedSerializer is the serializer of ForUnstructured.
type untypedSerializer struct{}

func (untypedSerializer) SupportedMediaTypes() []runtime.SerializerInfo { return untypedMediaTypes }

func (untypedSerializer) EncoderForVersion(e runtime.Encoder, gv runtime.GroupVersioner) runtime.Encoder {
	return runtime.WithVersionEncoder{Version: gv, Encoder: e, ObjectTyper: untypedKinds{}}
}

func (untypedSerializer) DecoderToVersion(d runtime.Decoder, _ runtime.GroupVersioner) runtime.Decoder {
	if d == untypedMediaTypes[0].Serializer {
		return &untypedDecoder{exact: d}
	}
	return d
}

// untypedKinds creates and names the objects of untypedSerializer: those of metaScheme, and untyped ones for all
// other kinds.
type untypedKinds struct{}

// New implements runtime.ObjectCreater.
func (untypedKinds) New(gvk schema.GroupVersionKind) (runtime.Object, error) {
	if obj, err := metaScheme.New(gvk); err == nil {
		return obj, nil
	}
	obj := &unstructured.Unstructured{}
	obj.SetGroupVersionKind(gvk)
	return obj, nil
}

// ObjectKinds implements runtime.ObjectTyper. An untyped object may be without a kind: a server can report that
// better.
func (untypedKinds) ObjectKinds(obj runtime.Object) ([]schema.GroupVersionKind, bool, error) {
	if _, ok := obj.(runtime.Unstructured); ok {
		return []schema.GroupVersionKind{obj.GetObjectKind().GroupVersionKind()}, false, nil
	}
	return metaScheme.ObjectKinds(obj)
}

// Recognizes implements runtime.ObjectTyper.
func (untypedKinds) Recognizes(schema.GroupVersionKind) bool { return true }

// untypedDecoder decodes JSON into untyped objects.
type untypedDecoder struct {
	exact runtime.Decoder
	origin
}

// Decode implements runtime.Decoder.
func (d *untypedDecoder) Decode(data []byte, defaults *schema.GroupVersionKind, into runtime.Object) (runtime.Object, *schema.GroupVersionKind, error) {
	tried := untried
	if defaults == nil {
		obj, result := d.fast(data, into)
		if result.ok {
			return obj, d.own.given(result.gvk), nil
		}
		tried = result
	}
	obj, gvk, err := d.exact.Decode(data, defaults, into)
	if err != nil {
		err = tried.explain(gvk, data, err)
	}
	return obj, gvk, err
}

// fast decodes data without the exact decoder. If it fails, it leaves into unchanged.
func (d *untypedDecoder) fast(data []byte, into runtime.Object) (runtime.Object, attempt) {
	s := d.begin()
	defer d.end(s)
	switch into := into.(type) {
	case *unstructured.Unstructured:
		return into, s.untyped(data, into)
	case *unstructured.UnstructuredList:
		return into, s.untypedList(data, into)
	case nil:
		u := &unstructured.Unstructured{}
		tried := s.untyped(data, u)
		tried.ok = tried.ok && tried.gvk.Version != "" && !isTyped(tried.gvk)
		return u, tried
	}
	return nil, untried
}

// DecodeFrom implements StreamDecoder.
func (d *untypedDecoder) DecodeFrom(r io.Reader, into runtime.Object) (runtime.Object, error) {
	return d.stream(r, into, nil)
}

// DecodeList implements StreamDecoder.
func (d *untypedDecoder) DecodeList(r io.Reader, list runtime.Object, newItem func() runtime.Object, each func(runtime.Object) error) (runtime.Object, error) {
	return d.stream(r, list, &sink{newItem: newItem, each: each})
}

// stream decodes a list from r, and reads anything else as a whole before decoding it.
func (d *untypedDecoder) stream(r io.Reader, into runtime.Object, sink *sink) (runtime.Object, error) {
	in := newInput(r)
	defer in.release(into)
	list, ok := into.(*unstructured.UnstructuredList)
	if !ok || len(list.Object) > 0 || !sink.fitsUntyped() {
		return d.whole(in, into, sink)
	}
	s := d.beginList()
	defer d.endList(s)
	h := in.head(s)
	kindFollows := h.more && h.kind == "" && h.apiVersion != "" && h.name == "items"
	if !h.stops() || !h.known && !kindFollows || isStatus(h.gvk) {
		return d.whole(in, into, sink)
	}
	in.begin(h.next, false)
	if err := s.untypedListFrom(in, list, &h, sink); err != nil {
		return nil, err
	}
	return list, nil
}

// isTyped reports whether a kind has a type in metaScheme.
func isTyped(gvk schema.GroupVersionKind) bool {
	return metaScheme.Recognizes(gvk) || unversioned[gvk.Kind]
}

// unversioned are the kinds that metaScheme has in all groups: Status and those of discovery.
var unversioned = func() map[string]bool {
	kinds := map[string]bool{}
	for gvk := range metaScheme.AllKnownTypes() {
		if _, err := metaScheme.New(schema.GroupVersionKind{Group: "any", Version: "any", Kind: gvk.Kind}); err == nil {
			kinds[gvk.Kind] = true
		}
	}
	return kinds
}()

// isStatus reports whether a kind is Status, the only one that servers return in place of any other.
func isStatus(gvk schema.GroupVersionKind) bool {
	return gvk == schema.GroupVersionKind{Version: "v1", Kind: "Status"}
}

// whole decodes everything in in at once.
func (d *untypedDecoder) whole(in *input, into runtime.Object, sink *sink) (runtime.Object, error) {
	data, err := in.all()
	if err != nil {
		return nil, newError(schema.GroupVersionKind{}, nil, untried, err)
	}
	obj, gvk, err := d.Decode(data, nil, into)
	if err != nil || sink == nil || obj != into {
		return obj, err
	}
	if isStatus(*gvk) {
		obj, _, err = d.Decode(data, nil, nil)
		return obj, err
	}
	return obj, sink.handOver(obj)
}
