package decoding_test

import (
	"bytes"
	"fmt"
	"math/rand"
	"reflect"
	"slices"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/apitesting/fuzzer"
	metafuzzer "k8s.io/apimachinery/pkg/apis/meta/fuzzer"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/listwatch/listwatch/conformance/decoding"
	"github.com/listwatch/listwatch/runtime/codec"
)

// TestProtobuf compares random objects of all built-in kinds, and bodies derived from theirs: the results, errors,
// and what becomes of a given object are apimachinery's.
func TestProtobuf(t *testing.T) {
	info, ok := runtime.SerializerInfoForMediaType(scheme.Codecs.SupportedMediaTypes(), runtime.ContentTypeProtobuf)
	if !ok {
		t.Fatal("no protobuf")
	}
	exact := scheme.Codecs.WithoutConversion().DecoderToVersion(info.Serializer, nil)
	ours := codec.ForScheme(scheme.Scheme, scheme.Codecs).DecoderToVersion(info.Serializer, nil)
	if reflect.TypeOf(ours) == reflect.TypeOf(exact) {
		t.Fatal("our decoder is not used")
	}
	known := slices.DeleteFunc(kinds(t), func(k decoding.Kind) bool {
		return k.Scheme != scheme.Scheme || k.GVK.Version == runtime.APIVersionInternal
	})
	random := rand.New(rand.NewSource(*seed))
	start, n := time.Now(), 0
	for n == 0 || time.Since(start) < *duration {
		for i := range known {
			gvk := known[i].GVK
			object, err := scheme.Scheme.New(gvk)
			if err != nil {
				t.Fatal(err)
			}
			fuzzer.FuzzerFor(metafuzzer.Funcs, random, scheme.Codecs).NumElements(0, 3).MaxDepth(12).Fill(object)
			object.GetObjectKind().SetGroupVersionKind(gvk)
			valid, err := runtime.Encode(info.Serializer, object)
			if err != nil {
				continue // some kinds have no protobuf
			}
			n++
			for j := range texts {
				text := valid
				if j > 0 {
					text = mutateProtobuf(random, valid)
				}
				var wantInto, gotInto runtime.Object
				if j%2 == 1 {
					wantInto, _ = scheme.Scheme.New(gvk)
					gotInto, _ = scheme.Scheme.New(gvk)
				}
				want, wantKind, wantErr := exact.Decode(text, nil, wantInto)
				got, gotKind, err := ours.Decode(text, nil, gotInto)
				if fmt.Sprint(err) != fmt.Sprint(wantErr) || !reflect.DeepEqual(gotKind, wantKind) {
					t.Errorf("%v: %q: %v, %v, want %v, %v", gvk, text, gotKind, err, wantKind, wantErr)
				}
				if !reflect.DeepEqual(got, want) || !reflect.DeepEqual(gotInto, wantInto) {
					t.Errorf("%v: %q: got %+v, want %+v", gvk, text, got, want)
				}
			}
		}
	}
	if n < 300 {
		t.Errorf("only %d kinds", n)
	}
	t.Logf("%d objects, %d bodies", n, n*texts)
}

// mutateProtobuf returns a body with other bytes after the prefix, more often near its beginning, where the
// metadata is.
func mutateProtobuf(random *rand.Rand, text []byte) []byte {
	const prefix = 4
	text = bytes.Clone(text)
	for range 1 + random.Intn(2) {
		if len(text) <= prefix {
			return text
		}
		n := len(text) - prefix
		if random.Intn(3) > 0 {
			n = min(n, 300)
		}
		switch i := prefix + random.Intn(n); random.Intn(6) {
		case 0:
			text[i] = byte(random.Intn(256))
		case 1:
			text[i] ^= 1 << random.Intn(8)
		case 2:
			text = slices.Delete(text, i, i+1)
		case 3:
			text = slices.Insert(text, i, byte(random.Intn(256)))
		case 4:
			text = slices.Insert(text, i, text[i:min(len(text), i+random.Intn(40))]...)
		default:
			text = text[:i]
		}
	}
	return text
}
