package decoding

import (
	"fmt"
	"math/rand"
	"reflect"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/apitesting/fuzzer"
	metafuzzer "k8s.io/apimachinery/pkg/apis/meta/fuzzer"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/listwatch/listwatch/runtime/codec"
)

// Kind is a kind of a scheme, and the two ways to decode its objects.
type Kind struct {
	GVK    schema.GroupVersionKind
	Scheme *runtime.Scheme
	Ours   codec.StreamDecoder
	Exact  runtime.Decoder
	// Stream decodes the objects of all kinds of the scheme as one stream.
	Stream codec.StreamDecoder

	kept    *kept
	encoder runtime.Encoder
	codecs  serializer.CodecFactory
}

// Kinds returns all kinds, in a fixed order.
func Kinds() ([]Kind, error) {
	schemes := []*runtime.Scheme{scheme.Scheme}
	for _, add := range append(slices.Clone(testdata), addSelves, metav1.AddMetaToScheme) {
		s := runtime.NewScheme()
		if err := add(s); err != nil {
			return nil, err
		}
		metav1.AddToGroupVersion(s, schema.GroupVersion{Version: "v1"})
		schemes = append(schemes, s)
	}
	var kinds []Kind
	for _, s := range schemes {
		codecs := serializer.NewCodecFactory(s)
		info, _ := runtime.SerializerInfoForMediaType(codecs.SupportedMediaTypes(), runtime.ContentTypeJSON)
		ours, ok := codec.ForScheme(s, codecs).DecoderToVersion(info.Serializer, nil).(codec.StreamDecoder)
		if !ok {
			return nil, fmt.Errorf("the decoder does not stream")
		}
		k := Kind{
			Scheme:  s,
			Ours:    ours,
			Stream:  codec.ForStream(ours),
			kept:    new(kept),
			Exact:   codecs.WithoutConversion().DecoderToVersion(info.Serializer, nil),
			encoder: info.Serializer,
			codecs:  codecs,
		}
		for k.GVK = range s.AllKnownTypes() {
			if k.GVK.Version != runtime.APIVersionInternal {
				kinds = append(kinds, k)
			}
		}
	}
	slices.SortStableFunc(kinds, func(a, b Kind) int {
		return strings.Compare(a.GVK.String(), b.GVK.String())
	})
	return kinds, nil
}

// Text returns the text of a random object of the kind.
func (k *Kind) Text(random *rand.Rand) ([]byte, error) {
	obj, err := k.Scheme.New(k.GVK)
	if err != nil {
		return nil, err
	}
	filler := fuzzer.FuzzerFor(fuzzer.MergeFuzzerFuncs(metafuzzer.Funcs, fillSelves), random, k.codecs).NumElements(0, elements(k.GVK, random)).MaxDepth(12)
	filler.Fill(obj)
	obj.GetObjectKind().SetGroupVersionKind(k.GVK)
	return runtime.Encode(k.encoder, obj)
}

// itemOf returns a function for new items of the list, or nil if it is not a list.
func itemOf(list runtime.Object) func() runtime.Object {
	field, ok := reflect.TypeOf(list).Elem().FieldByName("Items")
	if !ok || field.Type.Kind() != reflect.Slice {
		return nil
	}
	t := field.Type.Elem()
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if _, ok := reflect.New(t).Interface().(runtime.Object); !ok {
		return nil
	}
	return func() runtime.Object { return reflect.New(t).Interface().(runtime.Object) }
}
