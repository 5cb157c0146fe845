package decoding_test

import (
	"bytes"
	"fmt"
	"math/rand"
	"reflect"
	"slices"
	"testing"
	"testing/iotest"
	"time"

	"k8s.io/apimachinery/pkg/api/apitesting/fuzzer"
	"k8s.io/apimachinery/pkg/api/meta"
	metafuzzer "k8s.io/apimachinery/pkg/apis/meta/fuzzer"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/listwatch/listwatch/conformance/runtime/decoding"
	"github.com/listwatch/listwatch/runtime/codec"
)

// TestProtobuf decodes random objects of all built-in kinds, and bodies derived from theirs. The results and errors
// are apimachinery's, and a given object has the same contents afterwards. What is left undecoded as a text decodes without an error.
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
	sharing := codec.ForContext(codec.WithSharing(t.Context()), ours.(codec.StreamDecoder))
	stream := codec.ForStream(codec.ForContext(codec.WithSharing(t.Context()), ours.(codec.StreamDecoder)))
	texting := codec.ForStream(codec.ForContext(codec.WithTexts(t.Context()), ours.(codec.StreamDecoder)))
	undecodedTexts := 0
	known := slices.DeleteFunc(kinds(t), func(k decoding.Kind) bool {
		return k.Scheme != scheme.Scheme || k.GVK.Version == runtime.APIVersionInternal
	})
	random := rand.New(rand.NewSource(*seed))
	previous := map[schema.GroupVersionKind][]byte{}
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
			last := previous[gvk]
			previous[gvk] = valid
			for j := range texts {
				text := valid
				switch {
				case j == 1 && len(last) > 0:
					text = mergeProtobuf(t, valid, last)
				case j%3 == 0 && j > 0: // with the lengths before the object adapted
					text = rewrap(t, valid, func(raw []byte) []byte { return mutateProtobuf(random, slices.Concat(make([]byte, 4), raw))[4:] })
				case j > 0:
					text = mutateProtobuf(random, valid)
				}
				var wantInto, gotInto runtime.Object
				if j%2 == 1 {
					wantInto, _ = scheme.Scheme.New(gvk)
					gotInto, _ = scheme.Scheme.New(gvk)
				}
				want, wantKind, wantErr := exact.Decode(text, nil, wantInto)
				given := bytes.Clone(text)
				got, gotKind, err := ours.Decode(given, nil, gotInto)
				clear(given) // no object references it
				if fmt.Sprint(err) != fmt.Sprint(wantErr) || !reflect.DeepEqual(gotKind, wantKind) {
					t.Errorf("%v: %q: %v, %v, want %v, %v", gvk, text, gotKind, err, wantKind, wantErr)
				}
				if !reflect.DeepEqual(got, want) || !reflect.DeepEqual(gotInto, wantInto) {
					t.Errorf("%v: %q: got %+v, want %+v", gvk, text, got, want)
				}
				for range 3 { // a part is shared from the third time on
					if shared, _, err := stream.Decode(text, nil, nil); wantInto == nil && (fmt.Sprint(err) != fmt.Sprint(wantErr) || !reflect.DeepEqual(shared, want)) {
						t.Errorf("%v: %q: shared: got %+v, %v, want %+v, %v", gvk, text, shared, err, want, wantErr)
					}
				}
				if undecoded := codec.TextOf(texting, text); undecoded != nil {
					undecodedTexts++
					if got, err := undecoded.Decode(); err != nil || wantErr != nil || !reflect.DeepEqual(got, want) {
						t.Errorf("%v: %q: text: got %+v, %v, want %+v, %v", gvk, text, got, err, want, wantErr)
					}
				}
				if meta.IsListType(object) {
					compareProtobufList(t, sharing, exact, gvk, text)
				}
			}
		}
	}
	if n < 300 {
		t.Errorf("only %d kinds", n)
	}
	if undecodedTexts < n/2 {
		t.Errorf("only %d texts of %d objects", undecodedTexts, n)
	}
	t.Logf("%d objects, %d bodies, %d texts", n, n*texts, undecodedTexts)
}

// compareProtobufList decodes a list item by item.
func compareProtobufList(t *testing.T, ours codec.StreamDecoder, exact runtime.Decoder, gvk schema.GroupVersionKind, text []byte) {
	into, _ := scheme.Scheme.New(gvk)
	want, _, wantErr := exact.Decode(text, nil, into)
	list, err := scheme.Scheme.New(gvk)
	if err != nil {
		t.Fatal(err)
	}
	at, err := meta.GetItemsPtr(list)
	if err != nil {
		t.Fatal(err)
	}
	items := reflect.ValueOf(at).Elem()
	typ := items.Type().Elem()
	all := reflect.MakeSlice(items.Type(), 0, 0)
	if typ.Kind() != reflect.Struct {
		return // of RawExtension or pointers
	}
	newItem := func() runtime.Object { object, _ := reflect.New(typ).Interface().(runtime.Object); return object }
	if newItem() == nil {
		return
	}
	got, err := ours.DecodeList(iotest.HalfReader(bytes.NewReader(text)), list, newItem, func(item runtime.Object) error {
		all = reflect.Append(all, reflect.ValueOf(item).Elem())
		return nil
	})
	if err != nil && !slices.Equal(rewrap(t, text, slices.Clone), text) {
		return // the object may be repeated in the envelope
	}
	if (err == nil) != (wantErr == nil) {
		t.Errorf("%v: %q: item by item: %v, want %v", gvk, text, err, wantErr)
	}
	if err != nil || wantErr != nil {
		return
	}
	if got == list && all.Len() > 0 {
		items.Set(all)
	}
	if reflect.TypeOf(want) == reflect.TypeOf(got) {
		wantAt, _ := meta.GetItemsPtr(want)
		if v := reflect.ValueOf(wantAt).Elem(); v.Len() == 0 {
			v.SetZero()
		}
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%v: %q: item by item: got %+v, want %+v", gvk, text, got, want)
	}
}

// rewrap returns a body with another object in its envelope. If the envelope is invalid, it returns the body unchanged.
func rewrap(t *testing.T, text []byte, change func(raw []byte) []byte) []byte {
	const prefix = 4
	var e runtime.Unknown
	if len(text) < prefix || e.Unmarshal(text[prefix:]) != nil {
		return text
	}
	e.Raw = change(e.Raw)
	changed, err := e.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	return slices.Concat(text[:prefix], changed)
}

// mergeProtobuf returns a body whose object is first encoded as in one body and then as in another.
func mergeProtobuf(t *testing.T, first, second []byte) []byte {
	var e runtime.Unknown
	if err := e.Unmarshal(second[4:]); err != nil {
		t.Fatal(err)
	}
	return rewrap(t, first, func(raw []byte) []byte { return slices.Concat(raw, e.Raw) })
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
		if random.Intn(3) == 0 {
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
