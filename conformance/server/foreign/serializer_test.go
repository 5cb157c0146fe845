package foreign_test

import (
	"math/rand"
	"net/http"
	"reflect"
	"testing"
	"unsafe"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"

	"github.com/listwatch/listwatch/conformance/runtime/decoding"
	"github.com/listwatch/listwatch/runtime/codec"
)

// controllerSerializer returns the serializer that controller-runtime gives to a client. It is in fields that are not
// exported.
func controllerSerializer(t testing.TB, untyped bool, codecs serializer.CodecFactory) runtime.NegotiatedSerializer {
	t.Helper()
	client, err := apiutil.RESTClientForGVK(corev1.SchemeGroupVersion.WithKind("Pod"), false, untyped, &rest.Config{Host: "http://host"}, codecs, http.DefaultClient)
	if err != nil {
		t.Fatal(err)
	}
	negotiator := reflect.ValueOf(client).Elem().FieldByName("content").FieldByName("base").FieldByName("Negotiator").Elem().Elem()
	field := negotiator.FieldByName("serializer")
	return *(*runtime.NegotiatedSerializer)(unsafe.Pointer(field.UnsafeAddr()))
}

// TestSerializers checks which of controller-runtime's serializers are recognized: those of typed objects. Those of others
// are client-go's dynamic and metadata clients'.
func TestSerializers(t *testing.T) {
	for _, mediaType := range []string{runtime.ContentTypeJSON, runtime.ContentTypeProtobuf} {
		if _, ok := decoding.Recognize(controllerSerializer(t, false, scheme.Codecs), mediaType); !ok {
			t.Errorf("typed, %s: not recognized", mediaType)
		}
	}
	untyped := controllerSerializer(t, true, scheme.Codecs)
	if got := codec.Recognize(untyped); reflect.TypeOf(got) != reflect.TypeOf(untyped) {
		t.Errorf("untyped: %T", got)
	}
}

// TestSerializerDecodes compares what our rest decodes for controller-runtime's typed clients with what their own decoders
// do, for all built-in kinds, also into objects that are not empty.
func TestSerializerDecodes(t *testing.T) {
	known, err := decoding.Kinds()
	if err != nil {
		t.Fatal(err)
	}
	given := controllerSerializer(t, false, scheme.Codecs)
	inJSON, ok := decoding.Recognize(given, runtime.ContentTypeJSON)
	inProtobuf, also := decoding.Recognize(given, runtime.ContentTypeProtobuf)
	if !ok || !also {
		t.Fatal("not recognized")
	}
	info, _ := runtime.SerializerInfoForMediaType(scheme.Codecs.SupportedMediaTypes(), runtime.ContentTypeProtobuf)
	random := rand.New(rand.NewSource(1))
	texts := 0
	for i := range known {
		k := &known[i]
		if k.Scheme != scheme.Scheme {
			continue
		}
		valid, err := k.Text(random)
		if err != nil {
			t.Fatal(err)
		}
		filled, _, err := k.Exact.Decode(valid, nil, nil)
		if err != nil {
			continue // a watch event, which has no kind
		}
		for _, empty := range []func() runtime.Object{
			func() runtime.Object { return nil },
			func() runtime.Object { object, _ := k.Scheme.New(k.GVK); return object },
			func() runtime.Object { return filled.DeepCopyObject() },
			func() runtime.Object { return &corev1.ConfigMap{Data: map[string]string{"a": "b"}} },
		} {
			for j := range 4 {
				text := valid
				if j > 0 {
					text = decoding.Mutate(random, valid)
				}
				texts++
				for _, d := range inJSON.Compare(text, empty, 1+random.Intn(4096)) {
					t.Errorf("%v: %q: %s", k.GVK, text, d)
				}
			}
			encoded := filled.DeepCopyObject()
			encoded.GetObjectKind().SetGroupVersionKind(k.GVK)
			body, err := runtime.Encode(info.Serializer, encoded)
			if err != nil {
				continue // some kinds have no protobuf
			}
			for range 3 {
				texts++
				for _, d := range inProtobuf.Compare(body, empty, 1+random.Intn(4096)) {
					t.Errorf("%v: %q: %s", k.GVK, body, d)
				}
				body[random.Intn(len(body))] ^= byte(1 << random.Intn(8))
			}
		}
		if t.Failed() {
			return
		}
	}
	t.Logf("%d texts", texts)
}
