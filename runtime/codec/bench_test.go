package codec_test

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"io"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	jsonserializer "k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/apimachinery/pkg/runtime/serializer/streaming"
	apiwatch "k8s.io/apimachinery/pkg/watch"

	"github.com/listwatch/listwatch/runtime/watch"

	"github.com/listwatch/listwatch/runtime/codec"
)

// widgetJSON is a custom resource of 2.3 KB with labels, annotations,
// managedFields, spec and status.
//
//go:embed testdata/widget.json
var widgetJSON []byte

// compact returns the custom resource as an API server sends it.
func compact(tb testing.TB) []byte {
	var b bytes.Buffer
	if err := json.Compact(&b, widgetJSON); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}

// endless reads the same text repeatedly.
type endless struct {
	text []byte
	at   int
}

func (e *endless) Read(p []byte) (int, error) {
	n := copy(p, e.text[e.at:])
	e.at = (e.at + n) % len(e.text)
	return n, nil
}

func BenchmarkObject(b *testing.B) {
	ours, exact := decoders(newScheme())
	data := compact(b)
	for _, c := range []struct {
		name    string
		decoder runtime.Decoder
	}{{"apimachinery", exact}, {"listwatch", ours}} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			defer onCPU(b)()
			for b.Loop() {
				if _, _, err := c.decoder.Decode(data, nil, &Widget{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkUnstructured(b *testing.B) {
	ours, exact := decoders(newScheme())
	data := compact(b)
	for _, c := range []struct {
		name    string
		decoder runtime.Decoder
	}{{"apimachinery", exact}, {"listwatch", ours}} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			defer onCPU(b)()
			for b.Loop() {
				if _, _, err := c.decoder.Decode(data, nil, &unstructured.Unstructured{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkList measures the cost of each of the 1,000 objects of a list.
func BenchmarkList(b *testing.B) {
	const items = 1000
	ours, exact := decoders(newScheme())
	item := string(compact(b))
	data := []byte(`{"kind":"WidgetList","apiVersion":"widgets.example.com/v1","metadata":{"resourceVersion":"7"},"items":[` +
		strings.TrimSuffix(strings.Repeat(item+",", items), ",") + `]}`)
	run := func(name string, decode func() error) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			defer onCPU(b)()
			n := 0
			for b.Loop() {
				if n++; n%items == 1 {
					if err := decode(); err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
	run("apimachinery", func() error {
		body, err := io.ReadAll(bytes.NewReader(data))
		if err != nil {
			return err
		}
		_, _, err = exact.Decode(body, nil, &WidgetList{})
		return err
	})
	run("listwatch", func() error {
		_, err := ours.DecodeFrom(bytes.NewReader(data), &WidgetList{})
		return err
	})
	oneByOne := func(ours codec.StreamDecoder) func() error {
		return func() error {
			_, err := ours.DecodeList(bytes.NewReader(data), &WidgetList{}, func() runtime.Object { return &Widget{} },
				func(runtime.Object) error { return nil })
			return err
		}
	}
	run("listwatch one by one", oneByOne(ours))
	run("listwatch one by one, tolerant", oneByOne(tolerantly(ours)))
}

// BenchmarkWatch measures the cost of an event.
func BenchmarkWatch(b *testing.B) {
	ours, exact := decoders(newScheme())
	frame, err := json.Marshal(metav1.WatchEvent{Type: "MODIFIED", Object: runtime.RawExtension{Raw: compact(b)}})
	if err != nil {
		b.Fatal(err)
	}
	stream := func() io.ReadCloser { return io.NopCloser(&endless{text: append(frame, '\n')}) }
	for _, c := range []struct {
		name    string
		decoder apiwatch.Decoder
	}{
		{"apimachinery", watch.NewDecoder(streaming.NewDecoder(jsonserializer.Framer.NewFrameReader(stream()), exact), exact)},
		{"listwatch", watch.NewStreamDecoder(stream(), ours)},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			defer onCPU(b)()
			for b.Loop() {
				if _, _, err := c.decoder.Decode(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkFallbacks decodes the texts of the tests that apimachinery decodes, and reports how many of them need its decoder.
func BenchmarkFallbacks(b *testing.B) {
	ours, exact := decoders(newScheme())
	var valid [][]byte
	for _, text := range texts(b) {
		if _, _, err := exact.Decode([]byte(text), nil, &Widget{}); err == nil {
			valid = append(valid, []byte(text))
		}
	}
	fallbacks, n := 0, 0
	for b.Loop() {
		if _, ok := codec.Fast(ours, valid[n%len(valid)], &Widget{}); !ok {
			fallbacks++
		}
		n++
	}
	b.ReportMetric(float64(fallbacks)/float64(n), "fallbacks/op")
}
