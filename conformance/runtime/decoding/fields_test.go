package decoding_test

import (
	"bytes"
	"fmt"
	"math/rand"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/listwatch/listwatch/conformance/runtime/decoding"
	"github.com/listwatch/listwatch/runtime/codec"
)

// randomPath returns a path to a field below a struct type.
func randomPath(random *rand.Rand, t reflect.Type) string {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || t.Kind() == reflect.Map {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct || t.NumField() == 0 || reflect.PointerTo(t).Implements(reflect.TypeFor[interface{ UnmarshalJSON(b []byte) error }]()) {
		return ""
	}
	f := t.Field(random.Intn(t.NumField()))
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	if name == "-" || !f.IsExported() {
		return ""
	}
	if name == "" {
		return randomPath(random, f.Type)
	}
	if below := randomPath(random, f.Type); below != "" && random.Intn(5) > 0 {
		return name + "." + below
	}
	return name
}

// randomFields returns random fields of objects like example.
func randomFields(t *testing.T, random *rand.Rand, example runtime.Object) *codec.Fields {
	var paths []string
	for range random.Intn(8) {
		path := randomPath(random, reflect.TypeOf(example))
		if random.Intn(4) == 0 {
			path = "-" + path
		}
		if _, err := codec.ParseFields(append(slices.Clone(paths), path)...); err == nil {
			paths = append(paths, path)
		}
	}
	f, err := codec.ParseFields(paths...)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Check(example); err != nil {
		t.Fatalf("%T: %v", example, err)
	}
	return f
}

// fieldsOfKind decodes objects of a kind with random fields, in JSON and protobuf, with and without types, alone, in
// streams and in lists. The results are those of pruning what was decoded as a whole. It returns how many objects there
// were, and how many of them the decoder has cut.
func fieldsOfKind(t *testing.T, k *decoding.Kind, random *rand.Rand) (objects, cut int) {
	example, err := k.Scheme.New(k.GVK)
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := example.(metav1.Object); !ok {
		return 0, 0
	}
	f := randomFields(t, random, example)
	text, err := k.Text(random)
	if err != nil {
		t.Fatal(err)
	}
	context := codec.WithSharing(codec.WithFields(t.Context(), f))
	compare := func(what string, d codec.StreamDecoder, exact runtime.Decoder, text []byte, newObject func() runtime.Object) {
		want, _, fault := exact.Decode(text, nil, newObject())
		if fault != nil && k.Scheme != scheme.Scheme {
			return // an odd kind encodes itself
		}
		if fault != nil {
			t.Fatal(fault)
		}
		if fault = f.Prune(want); fault != nil {
			t.Fatal(fault)
		}
		check := func(how string, got runtime.Object, err error) {
			if err != nil {
				t.Errorf("%v, %s, %s: %v", k.GVK, what, how, err)
				return
			}
			objects++
			if codec.IsCut(got) {
				cut++
			}
			if err := f.Prune(got); err != nil {
				t.Fatal(err)
			}
			got.GetObjectKind().SetGroupVersionKind(want.GetObjectKind().GroupVersionKind()) // items keep theirs
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%v, %s, %s, fields %s: (-want +got)\n%s", k.GVK, what, how, got.(metav1.Object).GetSelfLink(), cmp.Diff(want, got))
			}
		}
		d = codec.ForContext(context, d)
		got, _, fault := d.Decode(text, nil, newObject())
		check("alone", got, fault)
		stream := codec.ForStream(d)
		for i := range 3 { // a part is shared from the third time on
			got, _, fault = stream.Decode(text, nil, newObject())
			check(fmt.Sprintf("in a stream, %d", i), got, fault)
		}
		if what == "protobuf" {
			return
		}
		list, fault := k.Scheme.New(k.GVK.GroupVersion().WithKind(k.GVK.Kind + "List"))
		if what == "untyped" {
			list, fault = &unstructured.UnstructuredList{}, nil
		}
		if fault != nil {
			return
		}
		body := bytes.Join([][]byte{fmt.Appendf(nil, `{"kind":"%sList","apiVersion":"%s","items":[`, k.GVK.Kind, k.GVK.GroupVersion()), text, []byte(","), text, []byte("]}")}, nil)
		if _, fault = d.DecodeList(bytes.NewReader(body), list, newObject, func(item runtime.Object) error {
			check("in a list", item, nil)
			return nil
		}); fault != nil {
			t.Errorf("%v, %s: list: %v", k.GVK, what, fault)
		}
	}
	newObject := func() runtime.Object { object, _ := k.Scheme.New(k.GVK); return object }
	compare("JSON", k.Ours, k.Exact, text, newObject)

	serializer := codec.ForUnstructured()
	info, _ := runtime.SerializerInfoForMediaType(serializer.SupportedMediaTypes(), runtime.ContentTypeJSON)
	untyped := serializer.DecoderToVersion(info.Serializer, nil).(codec.StreamDecoder)
	compare("untyped", untyped, info.Serializer, text, func() runtime.Object { return &unstructured.Unstructured{} })

	if k.Scheme != scheme.Scheme {
		return objects, cut
	}
	binary, _ := runtime.SerializerInfoForMediaType(scheme.Codecs.SupportedMediaTypes(), runtime.ContentTypeProtobuf)
	object, _, err := k.Exact.Decode(text, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	object.GetObjectKind().SetGroupVersionKind(k.GVK)
	message, err := runtime.Encode(binary.Serializer, object)
	if err != nil {
		return objects, cut // some kinds have no protobuf
	}
	exact := scheme.Codecs.WithoutConversion().DecoderToVersion(binary.Serializer, nil)
	ours := codec.ForScheme(scheme.Scheme, scheme.Codecs).DecoderToVersion(binary.Serializer, nil).(codec.StreamDecoder)
	compare("protobuf", ours, exact, message, newObject)
	return objects, cut
}

// TestFields decodes objects of all kinds with random fields, repeatedly if there is time.
func TestFields(t *testing.T) {
	known := kinds(t)
	random := rand.New(rand.NewSource(*seed))
	start, objects, cut := time.Now(), 0, 0
	for round := 0; round == 0 || time.Since(start) < *duration; round++ {
		for i := range known {
			n, c := fieldsOfKind(t, &known[i], random)
			if objects, cut = objects+n, cut+c; t.Failed() || *duration > 0 && time.Since(start) > *duration {
				break
			}
		}
		if t.Failed() {
			break
		}
	}
	if cut < objects*98/100 { // some need the exact decoder
		t.Errorf("the decoders have cut %d of %d objects", cut, objects)
	}
	t.Logf("%d objects, of which the decoders have cut %d", objects, cut)
}

// TestFieldsOfBookmarks holds that a bookmark in protobuf has its annotation, even if annotations are left out.
func TestFieldsOfBookmarks(t *testing.T) {
	f, err := codec.ParseFields("-metadata.annotations")
	if err != nil {
		t.Fatal(err)
	}
	info, _ := runtime.SerializerInfoForMediaType(scheme.Codecs.SupportedMediaTypes(), runtime.ContentTypeProtobuf)
	ours := codec.ForScheme(scheme.Scheme, scheme.Codecs).DecoderToVersion(info.Serializer, nil).(codec.StreamDecoder)
	for key, want := range map[string]int{metav1.InitialEventsAnnotationKey: 1, "other": 0} {
		bookmark := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{ResourceVersion: "7", Annotations: map[string]string{key: "true"}}}
		bookmark.SetGroupVersionKind(corev1.SchemeGroupVersion.WithKind("Pod"))
		text, err := runtime.Encode(info.Serializer, bookmark)
		if err != nil {
			t.Fatal(err)
		}
		got, _, err := codec.ForContext(codec.WithFields(t.Context(), f), ours).Decode(text, nil, nil)
		if p, ok := got.(*corev1.Pod); err != nil || !ok || len(p.Annotations) != want || p.ResourceVersion != "7" || !codec.IsCut(p) {
			t.Errorf("%s: %+v, %v", key, got, err)
		}
	}
}

// FuzzFieldsProtobuf compares messages of Pods with pruning what apimachinery has decoded.
func FuzzFieldsProtobuf(f *testing.F) {
	info, _ := runtime.SerializerInfoForMediaType(scheme.Codecs.SupportedMediaTypes(), runtime.ContentTypeProtobuf)
	exact := scheme.Codecs.WithoutConversion().DecoderToVersion(info.Serializer, nil)
	ours := codec.ForScheme(scheme.Scheme, scheme.Codecs).DecoderToVersion(info.Serializer, nil).(codec.StreamDecoder)
	for i, paths := range []string{strings.Join(tenFields, ","), "spec", "metadata.managedFields.time,spec.containers.resources.limits", "status,-status.conditions"} {
		pod := benchPod(i)
		pod.SetGroupVersionKind(corev1.SchemeGroupVersion.WithKind("Pod"))
		text, err := runtime.Encode(info.Serializer, pod)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text, paths)
	}
	f.Fuzz(func(t *testing.T, text []byte, paths string) {
		fields, err := codec.ParseFields(strings.Split(paths, ",")...)
		if err != nil || fields.Check(&corev1.Pod{}) != nil {
			return
		}
		want, _, err := exact.Decode(text, nil, nil)
		if _, ok := want.(*corev1.Pod); err != nil || !ok {
			return // what is skipped is not checked
		}
		got, _, err := codec.ForContext(codec.WithFields(t.Context(), fields), ours).Decode(text, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, object := range []runtime.Object{want, got} {
			if err := fields.Prune(object); err != nil {
				t.Fatal(err)
			}
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("(-want +got)\n%s", cmp.Diff(want, got))
		}
	})
}
