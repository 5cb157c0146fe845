package codec_test

import (
	"bytes"
	"reflect"
	"sync"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"

	"github.com/listwatch/listwatch/runtime/codec"
)

func TestForScheme(t *testing.T) {
	scheme := newScheme()
	for _, c := range []struct {
		name      string
		codecs    serializer.CodecFactory
		mediaType string
		ours      bool
	}{
		{"JSON", serializer.NewCodecFactory(scheme), runtime.ContentTypeJSON, true},
		{"YAML", serializer.NewCodecFactory(scheme), runtime.ContentTypeYAML, false},
		{"protobuf", serializer.NewCodecFactory(scheme), runtime.ContentTypeProtobuf, true},
		{"strict JSON", serializer.NewCodecFactory(scheme, serializer.EnableStrict), runtime.ContentTypeJSON, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			negotiator := runtime.NewClientNegotiator(codec.ForScheme(scheme, c.codecs), group)
			decoder, err := negotiator.Decoder(c.mediaType, nil)
			if err != nil {
				t.Fatal(err)
			}
			if _, ok := decoder.(codec.StreamDecoder); ok != c.ours {
				t.Errorf("decoder is %T", decoder)
			}
			upstream := runtime.NewClientNegotiator(c.codecs.WithoutConversion(), group)
			want, err := upstream.Encoder(c.mediaType, nil)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := negotiator.Encoder(c.mediaType, nil); err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("encoder %#v, %v, want %#v", got, err, want)
			}
		})
	}
	negotiator := runtime.NewClientNegotiator(codec.ForScheme(scheme, serializer.NewCodecFactory(scheme)), group)
	objects, _, _, err := negotiator.StreamDecoder(runtime.ContentTypeJSON, nil)
	if _, ok := objects.(codec.StreamDecoder); !ok || err != nil {
		t.Errorf("decoder of streams is %T, %v", objects, err)
	}
}

// TestDecodeWithDefaults checks that a default kind is used.
func TestDecodeWithDefaults(t *testing.T) {
	ours, exact := decoders(newScheme())
	defaults := group.WithKind("Widget")
	for _, text := range []string{`{"metadata":{"name":"a"}}`, `{"kind":"Status","apiVersion":"v1"}`, `{"kind":"Status"}`} {
		want, wantGVK, wantErr := exact.Decode([]byte(text), &defaults, nil)
		got, gotGVK, err := ours.Decode([]byte(text), &defaults, nil)
		if !reflect.DeepEqual(want, got) || (err == nil) != (wantErr == nil) || err == nil && *gotGVK != *wantGVK {
			t.Errorf("%s: %+v %v %v, want %+v %v %v", text, got, gotGVK, err, want, wantGVK, wantErr)
		}
	}
}

// TestDecodeMerges checks that decoding into an object that is not empty merges, like apimachinery.
func TestDecodeMerges(t *testing.T) {
	o := newOracle()
	text := []byte(widgetHead + `,"metadata":{"labels":{"b":"2"}},"spec":{"args":["x"]}}`)
	full := func() *Widget {
		return &Widget{
			ObjectMeta: metav1.ObjectMeta{Name: "a", Labels: map[string]string{"a": "1"}},
			Spec:       WidgetSpec{Args: []string{"p", "q"}, Image: "i"},
		}
	}
	want, got, read := full(), full(), full()
	if _, _, err := o.exact.Decode(text, nil, want); err != nil {
		t.Fatal(err)
	}
	if obj, _, err := o.ours.Decode(text, nil, got); err != nil || obj != runtime.Object(got) || !reflect.DeepEqual(want, got) {
		t.Errorf("%v\n%s", err, difference(want, got))
	}
	if obj, err := o.ours.DecodeFrom(chunks{bytes.NewReader(text), 3}, read); err != nil || obj != runtime.Object(read) || !reflect.DeepEqual(want, read) {
		t.Errorf("%v\n%s", err, difference(want, read))
	}
	untouched := full()
	if _, _, err := o.ours.Decode(text[:len(text)-1], nil, untouched); err == nil || !reflect.DeepEqual(untouched, full()) {
		t.Errorf("%v\n%s", err, difference(full(), untouched))
	}
}

// TestDecodeConcurrently checks that a decoder can be shared. By its name, make test runs it with the
// race detector, which the other tests of this package run without.
func TestDecodeConcurrently(t *testing.T) {
	o := newOracle()
	named := texts(t)
	var wg sync.WaitGroup
	for _, name := range []string{"whole", "list", "metadata twice", "escapes"} {
		for _, into := range []runtime.Object{nil, &unstructured.Unstructured{}} {
			wg.Go(func() {
				data := []byte(named[name])
				want, _, err := o.exact.Decode(data, nil, fresh(into))
				if err != nil {
					t.Error(err)
				}
				for range 20 {
					got, _, err := o.ours.Decode(data, nil, fresh(into))
					o.same(t, "Decode", name, want, got, nil, err)
					got, err = o.ours.DecodeFrom(bytes.NewReader(data), fresh(into))
					o.same(t, "DecodeFrom", name, want, got, nil, err)
				}
			})
		}
	}
	wg.Wait()
}

// TestDecodeAllocates checks that decoding an object allocates no more than the object itself.
func TestDecodeAllocates(t *testing.T) {
	ours, exact := decoders(newScheme())
	data := compact(t)
	count := func(d runtime.Decoder) float64 {
		return testing.AllocsPerRun(100, func() {
			if _, _, err := d.Decode(data, nil, nil); err != nil {
				t.Error(err)
			}
		})
	}
	if got, want := count(ours), count(exact); got > want/2 {
		t.Errorf("%.0f allocations, apimachinery %.0f", got, want)
	}
}
