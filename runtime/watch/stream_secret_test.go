package watch_test

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	apiruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	apiwatch "k8s.io/apimachinery/pkg/watch"

	"github.com/listwatch/listwatch/runtime/codec"
	"github.com/listwatch/listwatch/runtime/watch"
)

// phrase returns a text that is nowhere else in memory.
func phrase(i int) []byte {
	out := []byte(base64.StdEncoding.EncodeToString(fmt.Appendf(nil, "%d of what nobody else may know", i)))
	for j := range out {
		out[j]++
	}
	return out
}

const phrases = 6

// remembered returns how often each phrase is in memory that is in use.
func remembered(t *testing.T) (out [phrases]int) {
	t.Helper()
	runtime.GC()
	runtime.GC()
	file, err := os.Create(filepath.Join(t.TempDir(), "heap"))
	if err != nil {
		t.Fatal(err)
	}
	debug.WriteHeapDump(file.Fd())
	if err = file.Close(); err != nil {
		t.Fatal(err)
	}
	dump, err := os.ReadFile(file.Name())
	if err != nil {
		t.Fatal(err)
	}
	for i := range out {
		own := phrase(i)
		out[i] = bytes.Count(dump, own)
		clear(own)
	}
	clear(dump)
	return out
}

// wiped writes a text made of parts, in which a number stands for a phrase, to a pipe, and leaves nothing of it.
func wiped(t *testing.T, w io.Writer, frame func([]byte) []byte, text string) {
	t.Helper()
	var out []byte
	for i, part := range strings.Split(text, "$") {
		if i > 0 {
			own := phrase(int(part[0] - '0'))
			out = append(out, own...)
			clear(own)
			part = part[1:]
		}
		out = append(out, part...)
	}
	framed := frame(out)
	if _, err := w.Write(framed); err != nil {
		t.Error(err)
	}
	clear(out[:cap(out)])
	clear(framed[:cap(framed)])
}

// A stream keeps nothing of a Secret that it has handed over.
func TestStreamKeepsNoSecret(t *testing.T) {
	scheme := apiruntime.NewScheme()
	metav1.AddToGroupVersion(scheme, schema.GroupVersion{Version: "v1"})
	scheme.AddKnownTypeWithName(schema.GroupVersionKind{Version: "v1", Kind: "Secret"}, &metav1.PartialObjectMetadata{})
	utilruntime.Must(metav1.AddMetaToScheme(scheme))
	codecs := serializer.NewCodecFactory(scheme)
	forType := func(s apiruntime.NegotiatedSerializer, mediaType string) codec.StreamDecoder {
		info, _ := apiruntime.SerializerInfoForMediaType(s.SupportedMediaTypes(), mediaType)
		return s.DecoderToVersion(info.Serializer, schema.GroupVersion{Version: "v1"}).(codec.StreamDecoder)
	}
	const (
		begin    = `{"type":"ADDED","object":{"kind":"Secret","apiVersion":"v1","metadata":{"name":"a","annotations":{"$0":"$1"},"labels":{"b":"$2"}}`
		contents = `,"data":{"$3":"$4","list":["$5",{"a":"$5"}]}}}`
	)
	line := func(text []byte) []byte { return append(text, '\n') }
	plain := func(text []byte) []byte { return bytes.Clone(text) }
	for _, test := range []struct {
		name    string
		objects codec.StreamDecoder
		frame   func([]byte) []byte
		text    string
	}{
		{"typed", forType(codec.ForScheme(scheme, codecs), apiruntime.ContentTypeJSON), line, begin + `}}`},
		{"typed, no line", forType(codec.ForScheme(scheme, codecs), apiruntime.ContentTypeJSON), plain, begin + `}}`},
		{"untyped", forType(codec.ForUnstructured(), apiruntime.ContentTypeJSON), line, begin + contents},
		{"untyped, no line", forType(codec.ForUnstructured(), apiruntime.ContentTypeJSON), plain, begin + contents},
		{"untyped, not first", forType(codec.ForUnstructured(), apiruntime.ContentTypeJSON), line, strings.Replace(begin+contents, `"kind":"Secret",`, `"immutable":true,"kind":"Secret",`, 1)},
		{"not decoded", forType(codec.ForUnstructured(), apiruntime.ContentTypeJSON), line, strings.Replace(begin+contents, "Secret", "", 1)},
		{"type last", forType(codec.ForUnstructured(), apiruntime.ContentTypeJSON), line, `{` + strings.TrimPrefix(begin+contents[:len(contents)-1], `{"type":"ADDED",`) + `,"type":"ADDED"}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			r, w := io.Pipe()
			d := watch.NewStreamDecoder(r, test.objects)
			defer d.Close()
			for range 2 {
				go wiped(t, w, test.frame, test.text)
				if err := decodeOne(d); (err != nil) != (test.name == "not decoded") {
					t.Fatal(err)
				}
				if got := remembered(t); got != [phrases]int{} {
					t.Errorf("the phrases are in memory %v times", got)
				}
			}
			runtime.KeepAlive(d)
		})
	}
	t.Run("protobuf", func(t *testing.T) {
		exact := protobuf.NewSerializer(scheme, scheme)
		r, w := io.Pipe()
		d := watch.NewProtobufDecoder(r, exact, forType(codec.ForScheme(scheme, codecs), apiruntime.ContentTypeProtobuf))
		defer d.Close()
		go wiped(t, w, func([]byte) []byte {
			meta := metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Name: "a", Annotations: map[string]string{string(phrase(0)): string(phrase(1))}}}
			meta.SetGroupVersionKind(schema.GroupVersionKind{Version: "v1", Kind: "Secret"})
			var object, event bytes.Buffer
			utilruntime.Must(exact.Encode(&meta, &object))
			raw := protobuf.NewRawSerializer(scheme, scheme)
			utilruntime.Must(raw.Encode(&metav1.WatchEvent{Type: "ADDED", Object: apiruntime.RawExtension{Raw: object.Bytes()}}, &event))
			return append(binary.BigEndian.AppendUint32(nil, uint32(event.Len())), event.Bytes()...)
		}, "")
		if err := decodeOne(d); err != nil {
			t.Fatal(err)
		}
		if got := remembered(t); got != [phrases]int{} {
			t.Errorf("the phrases are in memory %v times", got)
		}
		runtime.KeepAlive(d)
	})
}

//go:noinline
func decodeOne(d apiwatch.Decoder) error {
	_, _, err := d.Decode()
	return err
}
