package codec_test

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"

	"github.com/listwatch/listwatch/runtime/codec"
)

// serializerWithTargetZeroingDecode is like controller-runtime's type of this name, except that it is not there, and that
// it counts.
type serializerWithTargetZeroingDecode struct{ runtime.NegotiatedSerializer }

func (s serializerWithTargetZeroingDecode) DecoderToVersion(d runtime.Decoder, gv runtime.GroupVersioner) runtime.Decoder {
	return &targetZeroingDecoder{s.NegotiatedSerializer.DecoderToVersion(d, gv)}
}

type targetZeroingDecoder struct{ upstream runtime.Decoder }

var zeroed int

func (d *targetZeroingDecoder) Decode(data []byte, defaults *schema.GroupVersionKind, into runtime.Object) (runtime.Object, *schema.GroupVersionKind, error) {
	zeroed++
	if into != nil {
		reflect.ValueOf(into).Elem().SetZero()
	}
	return d.upstream.Decode(data, defaults, into)
}

// renaming is a serializer whose decoders change objects. Its method is the only difference from the one that it embeds.
type renaming struct {
	serializer.WithoutConversionCodecFactory
}

func (r renaming) DecoderToVersion(d runtime.Decoder, gv runtime.GroupVersioner) runtime.Decoder {
	return renamer{r.WithoutConversionCodecFactory.DecoderToVersion(d, gv)}
}

type renamer struct{ runtime.Decoder }

func (r renamer) Decode(data []byte, defaults *schema.GroupVersionKind, into runtime.Object) (runtime.Object, *schema.GroupVersionKind, error) {
	obj, gvk, err := r.Decoder.Decode(data, defaults, into)
	if w, ok := obj.(*Widget); ok && err == nil {
		w.Name = "renamed"
	}
	return obj, gvk, err
}

// exchanged returns the codecs of a scheme with another serializer of a media type in the place of theirs.
func exchanged(mediaType string, by func(*runtime.Scheme) runtime.Serializer) runtime.NegotiatedSerializer {
	scheme := newScheme()
	codecs := serializer.NewCodecFactory(scheme)
	for i, info := range codecs.SupportedMediaTypes() {
		if info.MediaType == mediaType {
			codecs.SupportedMediaTypes()[i].Serializer = by(scheme)
		}
	}
	return codecs.WithoutConversion()
}

// exchangedStreams returns the codecs of a scheme with other streams of JSON, or none.
func exchangedStreams(change func(*runtime.StreamSerializerInfo)) runtime.NegotiatedSerializer {
	codecs := serializer.NewCodecFactory(newScheme())
	info := &codecs.SupportedMediaTypes()[0]
	if change == nil {
		info.StreamSerializer = nil
	} else {
		change(info.StreamSerializer)
	}
	return codecs.WithoutConversion()
}

// cautious is a serializer of JSON of somebody's own.
type cautious struct{ *json.Serializer }

func withOptions(newObjects func(*runtime.Scheme) runtime.ObjectCreater, options json.SerializerOptions) func(*runtime.Scheme) runtime.Serializer {
	return func(s *runtime.Scheme) runtime.Serializer {
		return json.NewSerializerWithOptions(json.DefaultMetaFactory, newObjects(s), s, options)
	}
}

func sameScheme(s *runtime.Scheme) runtime.ObjectCreater { return s }

// untypedCreater creates untyped objects, as dynamic clients do.
type untypedCreater struct{}

func (untypedCreater) New(schema.GroupVersionKind) (runtime.Object, error) {
	return &unstructured.Unstructured{}, nil
}

func TestRecognize(t *testing.T) {
	const (
		asJSON     = runtime.ContentTypeJSON
		asProtobuf = runtime.ContentTypeProtobuf
	)
	plain := serializer.NewCodecFactory(newScheme())
	without := plain.WithoutConversion().(serializer.WithoutConversionCodecFactory)
	both := []string{asJSON, asProtobuf}
	for _, c := range []struct {
		name  string
		given runtime.NegotiatedSerializer
		want  []string // media types that are decoded faster
	}{
		{"without conversion", without, both},
		{"embedding codecs", serializer.WithoutConversionCodecFactory{CodecFactory: plain}, both},
		{"of another scheme", serializer.NewCodecFactory(oddKindsScheme()).WithoutConversion(), both},
		{"encoding lists as streams", serializer.NewCodecFactory(newScheme(), serializer.WithStreamingCollectionEncodingToJSON(), serializer.WithStreamingCollectionEncodingToProtobuf()).WithoutConversion(), both},
		{"without indentation", serializer.NewCodecFactory(newScheme(), serializer.DisablePretty).WithoutConversion(), both},
		{"strict", serializer.NewCodecFactory(newScheme(), serializer.EnableStrict).WithoutConversion(), []string{asProtobuf}},
		{"empty", serializer.WithoutConversionCodecFactory{}, nil},
		{"converting", plain, nil},
		{"a pointer", &without, nil},
		{"embedded", struct{ runtime.NegotiatedSerializer }{without}, nil},
		{"of a type like controller-runtime's", serializerWithTargetZeroingDecode{without}, nil},
		{"with a method of its own", renaming{without}, nil},
		{"one format", serializer.NegotiatedSerializerWrapper(plain.SupportedMediaTypes()[0]), nil},
		{"another serializer of JSON", exchanged(asJSON, func(s *runtime.Scheme) runtime.Serializer {
			return cautious{withOptions(sameScheme, json.SerializerOptions{})(s).(*json.Serializer)}
		}), []string{asProtobuf}},
		{"another serializer of protobuf", exchanged(asProtobuf, withOptions(sameScheme, json.SerializerOptions{})), []string{asJSON}},
		{"protobuf of another scheme", exchanged(asProtobuf, func(*runtime.Scheme) runtime.Serializer {
			return protobuf.NewSerializer(newScheme(), newScheme())
		}), []string{asJSON}},
		{"streams of another serializer", exchangedStreams(func(s *runtime.StreamSerializerInfo) {
			s.Serializer = cautious{s.Serializer.(*json.Serializer)}
		}), []string{asProtobuf}},
		{"streams with other frames", exchangedStreams(func(s *runtime.StreamSerializerInfo) { s.Framer = json.YAMLFramer }), []string{asProtobuf}},
		{"no streams", exchangedStreams(nil), []string{asProtobuf}},
		{"YAML in place of JSON", exchanged(asJSON, withOptions(sameScheme, json.SerializerOptions{Yaml: true})), []string{asProtobuf}},
		{"strict JSON in place of JSON", exchanged(asJSON, withOptions(sameScheme, json.SerializerOptions{Strict: true})), []string{asProtobuf}},
		{"JSON of another scheme", exchanged(asJSON, withOptions(func(*runtime.Scheme) runtime.ObjectCreater {
			return newScheme()
		}, json.SerializerOptions{})), []string{asProtobuf}},
		{"JSON of untyped objects", exchanged(asJSON, withOptions(func(*runtime.Scheme) runtime.ObjectCreater {
			return untypedCreater{}
		}, json.SerializerOptions{})), []string{asProtobuf}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := codec.Recognize(c.given)
			var faster []string
			for _, info := range c.given.SupportedMediaTypes() {
				want := c.given.DecoderToVersion(info.Serializer, group)
				switch decoder := got.DecoderToVersion(info.Serializer, group); decoder.(type) {
				case codec.StreamDecoder:
					faster = append(faster, info.MediaType)
				default:
					if reflect.TypeOf(decoder) != reflect.TypeOf(want) {
						t.Errorf("decoder of %s is %T, want %T", info.MediaType, decoder, want)
					}
				}
				if e := got.EncoderForVersion(info.Serializer, group); !reflect.DeepEqual(e, c.given.EncoderForVersion(info.Serializer, group)) {
					t.Errorf("encoder of %s is %T", info.MediaType, e)
				}
			}
			if !slices.Equal(faster, c.want) {
				t.Errorf("faster: %q, want %q", faster, c.want)
			}
			if same := reflect.TypeOf(got) == reflect.TypeOf(c.given); same != (c.want == nil) {
				t.Errorf("the serializer is %T", got)
			}
		})
	}
}

// TestRecognizeKeepsLater checks that a serializer that takes the place of another later is used.
func TestRecognizeKeepsLater(t *testing.T) {
	codecs := serializer.NewCodecFactory(newScheme())
	got := codec.Recognize(codecs.WithoutConversion())
	own := cautious{codecs.SupportedMediaTypes()[0].Serializer.(*json.Serializer)}
	codecs.SupportedMediaTypes()[0].Serializer = own
	decoder, err := runtime.NewClientNegotiator(got, group).Decoder(runtime.ContentTypeJSON, nil)
	if err != nil || decoder != (runtime.Decoder)(runtime.WithoutVersionDecoder{Decoder: own}) {
		t.Errorf("%T, %v", decoder, err)
	}
}

// TestOwnSerializers checks that the decoders of somebody's own serializers are called for each object.
func TestOwnSerializers(t *testing.T) {
	without := serializer.NewCodecFactory(newScheme()).WithoutConversion().(serializer.WithoutConversionCodecFactory)
	text := []byte(widgetHead + `,"metadata":{"name":"a"}}`)
	decode := func(given runtime.NegotiatedSerializer) (w *Widget, calls int) {
		decoder, err := runtime.NewClientNegotiator(codec.Recognize(given), group).Decoder(runtime.ContentTypeJSON, nil)
		if err != nil {
			t.Fatal(err)
		}
		before := zeroed
		w = &Widget{Spec: WidgetSpec{Image: "before"}}
		if _, _, err := decoder.Decode(text, nil, w); err != nil {
			t.Fatal(err)
		}
		return w, zeroed - before
	}
	if w, _ := decode(renaming{without}); w.Name != "renamed" {
		t.Errorf("not renamed: %+v", w)
	}
	if w, calls := decode(serializerWithTargetZeroingDecode{without}); w.Name != "a" || w.Spec.Image != "" || calls != 1 {
		t.Errorf("not decoded by its decoder, but %d times: %+v", calls, w)
	}
	if w, _ := decode(without); w.Name != "a" || w.Spec.Image != "before" {
		t.Errorf("not merged: %+v", w)
	}
}

// recognition compares a recognized decoder with the one that it replaces.
type recognition struct {
	ours  codec.StreamDecoder
	exact runtime.Decoder
}

func newRecognition(scheme *runtime.Scheme) recognition {
	given := serializer.NewCodecFactory(scheme).WithoutConversion()
	info, _ := runtime.SerializerInfoForMediaType(given.SupportedMediaTypes(), runtime.ContentTypeJSON)
	return recognition{
		codec.Recognize(given).DecoderToVersion(info.Serializer, group).(codec.StreamDecoder),
		given.DecoderToVersion(info.Serializer, group),
	}
}

// outcome is everything that a caller sees of a decoder.
type outcome struct {
	obj, into runtime.Object
	gvk       *schema.GroupVersionKind
	err       error
}

func outcomeOf(d runtime.Decoder, data []byte, into runtime.Object) (o outcome) {
	o.into = fresh(into)
	defer func() {
		if r := recover(); r != nil {
			o = outcome{err: fmt.Errorf("panic: %v", r)}
		}
	}()
	o.obj, o.gvk, o.err = d.Decode(data, nil, o.into)
	return o
}

// check compares decoding of data in every way. From a reader, an error leaves the given object empty.
func (r recognition) check(t *testing.T, data []byte, into runtime.Object, chunk int) {
	t.Helper()
	want := outcomeOf(r.exact, data, into)
	if got := outcomeOf(r.ours, data, into); !reflect.DeepEqual(got, want) {
		t.Errorf("Decode of %s: %+v, want %+v", data, got, want)
	}
	if want.obj == nil && want.gvk == nil && want.err != nil && strings.HasPrefix(want.err.Error(), "panic") {
		return
	}
	again := headAgain(data) || headLate(data)
	obj, err := r.ours.DecodeFrom(chunks{bytes.NewReader(data), chunk}, fresh(into))
	r.same(t, "DecodeFrom", data, again, err, want.err)
	if err == nil && want.err == nil && !reflect.DeepEqual(obj, want.obj) {
		t.Errorf("DecodeFrom of %s: %+v, want %+v", data, obj, want.obj)
	}
	if _, ok := into.(*WidgetList); ok {
		_, err = r.ours.DecodeList(chunks{bytes.NewReader(data), chunk}, fresh(into), newWidget, func(runtime.Object) error { return nil })
		r.same(t, "DecodeList", data, again, err, want.err)
	}
}

// same compares the errors of a list that is decoded from a reader.
func (r recognition) same(t *testing.T, how string, data []byte, again bool, err, want error) {
	t.Helper()
	if codec.OnlyInStreams(err) || err != nil && again {
		return
	}
	if fmt.Sprintf("%T %v", err, err) != fmt.Sprintf("%T %v", want, want) {
		t.Errorf("%s of %s: %T %v, want %T %v", how, data, err, err, want, want)
	}
}

// brokenLists are lists that fail after their first items, or around them.
func brokenLists() []string {
	item := `{"metadata":{"name":"a"},"spec":{"replicas":1}}`
	bad := `{"metadata":{"name":"b","creationTimestamp":"x"},"spec":{"replicas":"x"}}`
	meta := `"metadata":{"resourceVersion":"7"}`
	var lists []string
	for _, items := range []string{
		item + `,` + bad, bad + `,` + item, item + `,` + item + `,` + bad + `,` + bad, item + `,7`, item + `,[]`, item + `x`, item + `,`, `,`,
		item + `,,` + item, item + ` ` + item, item + `,{"metadata":{"name":7}},` + bad, item + `,{"metadata"`, item + `,{"spec":tru}`, item + `,{` + meta + `}}`,
	} {
		lists = append(lists, listHead+`,`+meta+`,"items":[`+items+`]}`, listHead+`,"items":[`+items+`],`+meta+`}`, sortedHead+`[`+items+`],"kind":"WidgetList",`+meta+`}`)
	}
	for _, rest := range []string{
		`,"metadata":7,"items":[` + item + `]}`, `,"items":[` + item + `],"metadata":7}`, `,"items":[` + item + `]`, `,"items":[` + item, `,"items":[` + item + `]}x`,
		`,"items":{}}`, `,"items":[` + item + `],"items":[` + bad + `]}`, `,"items":[` + item + `],"items":7}`, `,"items":[` + item + `],7:8}`, `,"items":[` + item + `],"x":tru}`,
		`,"items":[` + item + `],"metadata":{"continue":1},"items":[` + bad + `]}`,
	} {
		lists = append(lists, listHead+rest)
	}
	return lists
}

func TestRecognizedAsGiven(t *testing.T) {
	r := newRecognition(newScheme())
	for name, text := range texts(t) {
		for into, obj := range targets() {
			t.Run(name+" into "+into, func(t *testing.T) { r.check(t, []byte(text), obj, 7) })
		}
	}
	for _, text := range brokenLists() {
		for _, chunk := range []int{1, 5, 4096} {
			r.check(t, []byte(text), &WidgetList{}, chunk)
			r.check(t, []byte(text), &PointerList{}, chunk)
		}
	}
}

// TestRecognizedErrorOfReader checks that an error of a reader is not taken for one of the text.
func TestRecognizedErrorOfReader(t *testing.T) {
	r := newRecognition(newScheme())
	broken := fmt.Errorf("broken")
	for _, text := range append(brokenLists(), listHead+`,"items":[{}`, listHead, ``) {
		reader := &failing{r: strings.NewReader(text), err: broken}
		if _, err := r.ours.DecodeFrom(reader, &WidgetList{}); err != broken && reader.failed { //nolint:errorlint // it is to be the same
			// The text was invalid before, and what is wrong with it cannot be found out any more.
			if fmt.Sprintf("%T", err) == "*codec.Error" {
				t.Errorf("%s: %T %v", text, err, err)
			}
		}
	}
}

// failing is a reader that fails in the end.
type failing struct {
	r      *strings.Reader
	err    error
	failed bool
}

func (f *failing) Read(p []byte) (int, error) {
	if f.r.Len() == 0 {
		f.failed = true
		return 0, f.err
	}
	return f.r.Read(p)
}

func FuzzRecognized(f *testing.F) {
	var into []runtime.Object
	for _, name := range []string{"list", "nothing", "widget", "pointers", "raw list", "partial", "unstructured", "unstructuredlist", "unregistered"} {
		into = append(into, targets()[name])
	}
	for _, text := range brokenLists() {
		f.Add(uint8(0), uint8(4), []byte(text))
	}
	for _, text := range texts(f) {
		if len(text) < 8192 {
			for i := range into {
				f.Add(uint8(i), uint8(7), []byte(text))
			}
		}
	}
	for _, obj := range oddKinds() {
		for _, text := range oddTexts(kindName(obj), oddBodies()) {
			f.Add(uint8(len(into)), uint8(7), []byte(text))
		}
		into = append(into, obj)
	}
	r := newRecognition(oddKindsScheme())
	f.Fuzz(func(t *testing.T, which, chunk uint8, data []byte) {
		r.check(t, data, into[int(which)%len(into)], int(chunk)+1)
	})
}
