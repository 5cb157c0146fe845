package decoding_test

import (
	"bytes"
	"math/rand"
	"slices"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/apitesting/fuzzer"
	metafuzzer "k8s.io/apimachinery/pkg/apis/meta/fuzzer"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"

	"github.com/listwatch/listwatch/conformance/runtime/decoding"
)

// generated returns the serializer of a clientset of client-gen for a scheme.
func generated(s *runtime.Scheme, codecs serializer.CodecFactory) runtime.NegotiatedSerializer {
	return rest.CodecFactoryForGeneratedClient(s, codecs).WithoutConversion()
}

// TestGivenSerializers checks which serializers of client-go's clients are recognized.
func TestGivenSerializers(t *testing.T) {
	for _, c := range []struct {
		name  string
		given runtime.NegotiatedSerializer
		want  map[string]bool
	}{
		{"generated", generated(scheme.Scheme, scheme.Codecs), map[string]bool{runtime.ContentTypeJSON: true, runtime.ContentTypeProtobuf: true}},
		{"metadata", metadata.ConfigFor(&rest.Config{}).NegotiatedSerializer, map[string]bool{runtime.ContentTypeJSON: true, runtime.ContentTypeProtobuf: true}},
		{"dynamic", dynamic.ConfigFor(&rest.Config{}).NegotiatedSerializer, map[string]bool{}},
		{"converting", scheme.Codecs, map[string]bool{}},
	} {
		for _, mediaType := range []string{runtime.ContentTypeJSON, runtime.ContentTypeProtobuf, runtime.ContentTypeYAML} {
			if _, ok := decoding.Recognize(c.given, mediaType); ok != c.want[mediaType] {
				t.Errorf("%s, %s: recognized: %v", c.name, mediaType, ok)
			}
		}
	}
}

// recognized returns the decoders of JSON of the kinds' schemes.
func recognized(t testing.TB, known []decoding.Kind) map[*runtime.Scheme]decoding.Recognized {
	t.Helper()
	all := map[*runtime.Scheme]decoding.Recognized{}
	for i := range known {
		s := known[i].Scheme
		if _, ok := all[s]; ok {
			continue
		}
		r, ok := decoding.Recognize(generated(s, serializer.NewCodecFactory(s)), runtime.ContentTypeJSON)
		if !ok {
			t.Fatalf("%v: not recognized", known[i].GVK)
		}
		all[s] = r
	}
	return all
}

// TestRecognized makes trials of each kind, repeatedly if there is time.
func TestRecognized(t *testing.T) {
	known := kinds(t)
	by := recognized(t, known)
	random := rand.New(rand.NewSource(*seed))
	start, n := time.Now(), 0
	for round := 0; round == 0 || time.Since(start) < *duration; round++ {
		for i := range known {
			k := &known[i]
			valid, err := k.Text(random)
			if err != nil {
				t.Fatalf("%v: %v", k.GVK, err)
			}
			for j := range texts {
				text := valid
				if j > 0 {
					text = decoding.Mutate(random, valid)
				}
				n++
				for _, d := range by[k.Scheme].Compare(text, into(k, random), 1+random.Intn(1<<random.Intn(14))) {
					t.Errorf("%v: %q: %s", k.GVK, text, d)
				}
			}
			if t.Failed() || *duration > 0 && time.Since(start) > *duration {
				t.Logf("%d texts", n)
				return
			}
		}
	}
	t.Logf("%d texts of %d kinds", n, len(known))
}

// TestRecognizedProtobuf makes trials of each kind that has protobuf.
func TestRecognizedProtobuf(t *testing.T) {
	r, ok := decoding.Recognize(generated(scheme.Scheme, scheme.Codecs), runtime.ContentTypeProtobuf)
	if !ok {
		t.Fatal("not recognized")
	}
	info, _ := runtime.SerializerInfoForMediaType(scheme.Codecs.SupportedMediaTypes(), runtime.ContentTypeProtobuf)
	known := slices.DeleteFunc(kinds(t), func(k decoding.Kind) bool { return k.Scheme != scheme.Scheme })
	random := rand.New(rand.NewSource(*seed))
	start, n := time.Now(), 0
	for n == 0 || time.Since(start) < *duration {
		for i := range known {
			k := &known[i]
			object, err := scheme.Scheme.New(k.GVK)
			if err != nil {
				t.Fatal(err)
			}
			fuzzer.FuzzerFor(metafuzzer.Funcs, random, scheme.Codecs).NumElements(0, 3).MaxDepth(12).Fill(object)
			object.GetObjectKind().SetGroupVersionKind(k.GVK)
			valid, err := runtime.Encode(info.Serializer, object)
			if err != nil {
				continue // some kinds have no protobuf
			}
			for j := range texts {
				text := valid
				if j%3 == 0 && j > 0 { // with the lengths before the object adapted
					text = rewrap(t, valid, func(raw []byte) []byte { return mutateProtobuf(random, slices.Concat(make([]byte, 4), raw))[4:] })
				} else if j > 0 {
					text = mutateProtobuf(random, valid)
				}
				n++
				for _, d := range r.Compare(text, into(k, random), 1+random.Intn(1<<random.Intn(14))) {
					t.Errorf("%v: %q: %s", k.GVK, text, d)
				}
			}
			if t.Failed() {
				return
			}
		}
	}
	t.Logf("%d bodies", n)
}

// FuzzRecognized uses texts from the fuzzer; those with protobuf's prefix are bodies of it.
func FuzzRecognized(f *testing.F) {
	known := kinds(f)
	by := recognized(f, known)
	binary, ok := decoding.Recognize(generated(scheme.Scheme, scheme.Codecs), runtime.ContentTypeProtobuf)
	if !ok {
		f.Fatal("not recognized")
	}
	info, _ := runtime.SerializerInfoForMediaType(scheme.Codecs.SupportedMediaTypes(), runtime.ContentTypeProtobuf)
	random := rand.New(rand.NewSource(1))
	for range 200 {
		i := random.Intn(len(known))
		text, err := known[i].Text(random)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(uint16(i), int64(i), text)
		if object, _, err := known[i].Exact.Decode(text, nil, nil); err == nil {
			object.GetObjectKind().SetGroupVersionKind(known[i].GVK)
			if body, err := runtime.Encode(info.Serializer, object); err == nil {
				f.Add(uint16(i), int64(i), body)
			}
		}
	}
	f.Fuzz(func(t *testing.T, kind uint16, choice int64, text []byte) {
		k := &known[int(kind)%len(known)]
		r := by[k.Scheme]
		if bytes.HasPrefix(text, []byte("k8s\x00")) {
			r = binary
		}
		random := rand.New(rand.NewSource(choice))
		for _, d := range r.Compare(text, into(k, random), 1+random.Intn(512)) {
			t.Errorf("%v: %q: %s", k.GVK, text, d)
		}
	})
}
