package watch_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"testing/iotest"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	"k8s.io/apimachinery/pkg/runtime/serializer/streaming"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	apiwatch "k8s.io/apimachinery/pkg/watch"

	"github.com/listwatch/listwatch/runtime/codec"
	"github.com/listwatch/listwatch/runtime/watch"
)

// binaryDecoders returns our decoder of objects, the exact one, and that of frames.
func binaryDecoders() (ours codec.StreamDecoder, exact, frames runtime.Decoder) {
	scheme := runtime.NewScheme()
	metav1.AddToGroupVersion(scheme, schema.GroupVersion{Version: "v1"})
	utilruntime.Must(metav1.AddMetaToScheme(scheme))
	codecs := serializer.NewCodecFactory(scheme)
	info, _ := runtime.SerializerInfoForMediaType(codecs.SupportedMediaTypes(), runtime.ContentTypeProtobuf)
	return codec.ForScheme(scheme, codecs).DecoderToVersion(info.Serializer, nil).(codec.StreamDecoder),
		codecs.WithoutConversion().DecoderToVersion(info.Serializer, nil),
		protobuf.NewRawSerializer(scheme, scheme)
}

// frame returns a frame around a text.
func frame(text []byte) []byte {
	return append(binary.BigEndian.AppendUint32(nil, uint32(len(text))), text...)
}

// binaryEvent returns the content of the frame of an event.
func binaryEvent(t testing.TB, typ string, object runtime.Object) []byte {
	t.Helper()
	scheme := runtime.NewScheme()
	var body bytes.Buffer
	if err := protobuf.NewSerializer(scheme, scheme).Encode(object, &body); err != nil {
		t.Fatal(err)
	}
	text, err := (&metav1.WatchEvent{Type: typ, Object: runtime.RawExtension{Raw: body.Bytes()}}).Marshal()
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func metadata(name string) *metav1.PartialObjectMetadata {
	return &metav1.PartialObjectMetadata{
		TypeMeta:   metav1.TypeMeta{APIVersion: "meta.k8s.io/v1", Kind: "PartialObjectMetadata"},
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"a": "b"}},
	}
}

// compareBinary decodes frames with both decoders.
func compareBinary(t *testing.T, stream []byte, r io.Reader) {
	t.Helper()
	ours, exact, frames := binaryDecoders()
	got := watch.NewProtobufDecoder(io.NopCloser(r), frames, ours)
	want := watch.NewDecoder(streaming.NewDecoder(protobuf.LengthDelimitedFramer.NewFrameReader(io.NopCloser(bytes.NewReader(stream))), frames), exact)
	for step := range 20 {
		wantType, wantObject, wantErr := want.Decode()
		gotType, gotObject, err := got.Decode()
		if wantErr == io.EOF && err == io.ErrUnexpectedEOF || errors.Is(err, streaming.ErrObjectTooLarge) { //nolint:errorlint // as watches compare
			return // the peer returns io.EOF at the beginning of a frame's content, and reads large frames
		}
		if fmt.Sprint(err) != fmt.Sprint(wantErr) || gotType != wantType || !reflect.DeepEqual(gotObject, wantObject) {
			t.Fatalf("%q: step %d: %v, %+v, %v, want %v, %+v, %v", stream, step, gotType, gotObject, err, wantType, wantObject, wantErr)
		}
		if wantErr == io.EOF || wantErr == io.ErrUnexpectedEOF { //nolint:errorlint // as watches compare
			return
		}
	}
}

// binaryStreams are contents of frames.
func binaryStreams(t testing.TB) map[string][][]byte {
	added := binaryEvent(t, "ADDED", metadata("a"))
	status := &metav1.Status{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Status"}, Reason: "Expired"}
	return map[string][][]byte{
		"none":           nil,
		"events":         {added, binaryEvent(t, "DELETED", metadata("b")), binaryEvent(t, "ERROR", status)},
		"empty":          {{}, added},
		"unknown type":   {binaryEvent(t, "GONE", metadata("a")), added},
		"no object":      {[]byte("\x0a\x05ADDED"), added},
		"no type":        {[]byte("\x12\x02\x0a\x00"), added},
		"unknown fields": {slices.Concat([]byte("\x7a\x01x"), added, []byte("\x7a\x01y")), added},
		"other order":    {[]byte("\x12\x02\x0a\x00\x0a\x05ADDED"), added},
		"not protobuf":   {[]byte("{}"), added},
		"large":          {binaryEvent(t, "ADDED", metadata(string(bytes.Repeat([]byte("x"), 200<<10)))), added, added},
	}
}

func TestProtobufStreamAsTwoSteps(t *testing.T) {
	for name, contents := range binaryStreams(t) {
		t.Run(name, func(t *testing.T) {
			var stream []byte
			for _, content := range contents {
				stream = append(stream, frame(content)...)
			}
			compareBinary(t, stream, bytes.NewReader(stream))
			compareBinary(t, stream, iotest.HalfReader(bytes.NewReader(stream)))
			if len(stream) < 1<<10 {
				for cut := range stream {
					compareBinary(t, stream[:cut], iotest.OneByteReader(bytes.NewReader(stream[:cut])))
				}
			}
			random := rand.New(rand.NewPCG(1, 2))
			for range 300 {
				if changed := bytes.Clone(stream[:min(len(stream), 1<<10)]); len(changed) > 0 {
					changed[random.IntN(len(changed))] = byte(random.Uint32())
					compareBinary(t, changed, bytes.NewReader(changed))
				}
			}
		})
	}
}

func FuzzProtobufStream(f *testing.F) {
	for _, contents := range binaryStreams(f) {
		var stream []byte
		for _, content := range contents {
			stream = append(stream, frame(content)...)
		}
		f.Add(stream[:min(len(stream), 1<<10)])
	}
	f.Fuzz(func(t *testing.T, stream []byte) {
		compareBinary(t, stream, iotest.HalfReader(bytes.NewReader(stream)))
	})
}

func TestProtobufStreamEnds(t *testing.T) {
	ours, _, frames := binaryDecoders()
	added := frame(binaryEvent(t, "ADDED", metadata("a")))
	broken := errors.New("broken")
	for _, c := range []struct {
		name   string
		stream io.Reader
		want   error
	}{
		{"between frames", bytes.NewReader(added), io.EOF},
		{"within a length", bytes.NewReader(append(bytes.Clone(added), 0, 0)), io.ErrUnexpectedEOF},
		{"after a length", bytes.NewReader(append(bytes.Clone(added), 0, 0, 0, 9)), io.ErrUnexpectedEOF},
		{"within a frame", bytes.NewReader(append(bytes.Clone(added), 0, 0, 0, 9, 1)), io.ErrUnexpectedEOF},
		{"within one that is too large", bytes.NewReader(append(bytes.Clone(added), 1, 0, 0, 1, 1)), io.ErrUnexpectedEOF},
		{"too large", io.MultiReader(bytes.NewReader(slices.Concat(added, []byte{1, 0, 0, 1}, make([]byte, 16<<20))), iotest.ErrReader(broken)), streaming.ErrObjectTooLarge},
		{"broken", io.MultiReader(bytes.NewReader(added), iotest.ErrReader(broken)), broken},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := watch.NewProtobufDecoder(io.NopCloser(c.stream), frames, ours)
			if typ, object, err := d.Decode(); err != nil || typ != apiwatch.Added || object.(*metav1.PartialObjectMetadata).Name != "a" {
				t.Fatalf("%v, %+v, %v", typ, object, err)
			}
			for range 2 {
				if _, _, err := d.Decode(); !errors.Is(err, c.want) {
					t.Errorf("error %v, want %v", err, c.want)
				}
			}
		})
	}
}

// TestProtobufStreamHasNext holds that HasNext reports a whole frame, and never reads.
func TestProtobufStreamHasNext(t *testing.T) {
	ours, _, frames := binaryDecoders()
	added := frame(binaryEvent(t, "ADDED", metadata("a")))
	d := watch.NewProtobufDecoder(io.NopCloser(io.MultiReader(bytes.NewReader(slices.Concat(added, added, added[:9])), bytes.NewReader(added[9:]))), frames, ours)
	hasNext := d.(interface{ HasNext() bool }).HasNext
	for i, want := range []bool{false, true, false} {
		if got := hasNext(); got != want {
			t.Errorf("before event %d: %v, want %v", i, got, want)
		}
		if _, _, err := d.Decode(); err != nil {
			t.Fatal(err)
		}
	}
	if _, _, err := d.Decode(); err != io.EOF || !hasNext() { //nolint:errorlint // StreamWatcher compares in the same way
		t.Errorf("at the end: %v", err)
	}
}
