package protobuf

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	"k8s.io/apimachinery/pkg/types"
)

// refusing is an exact decoder that is not needed.
type refusing struct{ runtime.Decoder }

var errFallback = errors.New("fallback")

func (refusing) Decode([]byte, *schema.GroupVersionKind, runtime.Object) (runtime.Object, *schema.GroupVersionKind, error) {
	return nil, nil, errFallback
}

func newScheme(t testing.TB) *runtime.Scheme {
	scheme := runtime.NewScheme()
	metav1.AddToGroupVersion(scheme, schema.GroupVersion{Version: "v1"})
	if err := metav1.AddMetaToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	return scheme
}

// decoders returns our decoder, the exact one, and ours without the exact one behind it.
func decoders(t testing.TB) (ours, exact, alone runtime.Decoder) {
	scheme := newScheme(t)
	exact = runtime.WithoutVersionDecoder{Decoder: protobuf.NewSerializer(scheme, scheme)}
	return &Decoder{Exact: exact, Scheme: scheme}, exact, &Decoder{Exact: refusing{}, Scheme: scheme}
}

func encode(t testing.TB, object runtime.Object) []byte {
	t.Helper()
	var b bytes.Buffer
	scheme := newScheme(t)
	kinds, _, err := scheme.ObjectKinds(object)
	if err != nil {
		t.Fatal(err)
	}
	object.GetObjectKind().SetGroupVersionKind(kinds[0])
	if err := protobuf.NewSerializer(scheme, scheme).Encode(object, &b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// short returns an encoded field of less than 128 bytes.
func short(number byte, value []byte) []byte {
	return append([]byte{tag(number, asBytes), byte(len(value))}, value...)
}

// body returns a body with raw as the object.
func body(kind string, raw []byte) []byte {
	unknown := runtime.Unknown{TypeMeta: runtime.TypeMeta{APIVersion: "meta.k8s.io/v1", Kind: kind}, Raw: raw}
	text, err := unknown.Marshal()
	if err != nil {
		panic(err)
	}
	return append(bytes.Clone(prefix), text...)
}

func fullMeta() metav1.ObjectMeta {
	at := metav1.Unix(1_700_000_000, 0)
	seconds, yes := int64(30), true
	entry := func(manager, subresource string) metav1.ManagedFieldsEntry {
		return metav1.ManagedFieldsEntry{
			Manager: manager, Operation: metav1.ManagedFieldsOperationApply, APIVersion: "apps/v1", Time: &at,
			FieldsType: "FieldsV1", FieldsV1: &metav1.FieldsV1{Raw: []byte(`{"f:spec":{}}`)}, Subresource: subresource,
		}
	}
	meta := metav1.ObjectMeta{
		Name: "name", GenerateName: "na", Namespace: "namespace", UID: types.UID("uid"), ResourceVersion: "17",
		Generation: -4, CreationTimestamp: at, DeletionTimestamp: &at, DeletionGracePeriodSeconds: &seconds,
		Labels: map[string]string{"a": "b", "c": "", "": "d"}, Annotations: map[string]string{"note": strings.Repeat("x", 300)},
		OwnerReferences: []metav1.OwnerReference{
			{APIVersion: "apps/v1", Kind: "ReplicaSet", Name: "owner", UID: "1", Controller: &yes, BlockOwnerDeletion: &yes}, {Name: "second"},
		},
		Finalizers:    []string{"one", "", "two"},
		ManagedFields: []metav1.ManagedFieldsEntry{entry("kubelet", ""), entry("kubelet", "status"), {}, entry("another", "")},
	}
	meta.SetSelfLink("link")
	return meta
}

// compare decodes a body in both ways into an object from empty, which may return nil.
func compare(t *testing.T, what string, text []byte, defaults *schema.GroupVersionKind, empty func() runtime.Object) {
	t.Helper()
	ours, exact, _ := decoders(t)
	given := bytes.Clone(text)
	wantInto, gotInto := empty(), empty()
	want, wantKind, wantErr := exact.Decode(text, defaults, wantInto)
	got, gotKind, err := ours.Decode(text, defaults, gotInto)
	if fmt.Sprint(err) != fmt.Sprint(wantErr) || !reflect.DeepEqual(gotKind, wantKind) {
		t.Errorf("%s: %v, %v, want %v, %v", what, gotKind, err, wantKind, wantErr)
	}
	if !reflect.DeepEqual(got, want) || !reflect.DeepEqual(gotInto, wantInto) || wantInto != nil && (got == gotInto) != (want == wantInto) {
		t.Errorf("%s: got %+v (into %+v), want %+v (into %+v)", what, got, gotInto, want, wantInto)
	}
	if !bytes.Equal(text, given) {
		t.Errorf("%s: the body was changed", what)
	}
}

func intoNothing() runtime.Object { return nil }

// TestDecode decodes what servers write: there is no fallback.
func TestDecode(t *testing.T) {
	long := fullMeta()
	long.Annotations["long"] = strings.Repeat("y", 2000)
	many := &metav1.PartialObjectMetadataList{ListMeta: metav1.ListMeta{ResourceVersion: "7", Continue: "c"}}
	for i := range 5 {
		many.Items = append(many.Items, metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprint(i)}})
	}
	many.Items[3].ObjectMeta = fullMeta()
	_, _, alone := decoders(t)
	for name, object := range map[string]runtime.Object{
		"full":           &metav1.PartialObjectMetadata{ObjectMeta: fullMeta()},
		"long":           &metav1.PartialObjectMetadata{ObjectMeta: long},
		"empty":          &metav1.PartialObjectMetadata{},
		"only a name":    &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Name: "a"}},
		"list":           many,
		"empty list":     &metav1.PartialObjectMetadataList{},
		"deletion, zero": &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{DeletionTimestamp: &metav1.Time{}}},
	} {
		t.Run(name, func(t *testing.T) {
			text := encode(t, object)
			like := func() runtime.Object { return reflect.New(reflect.TypeOf(object).Elem()).Interface().(runtime.Object) }
			full := func() runtime.Object { return object.DeepCopyObject() }
			for how, into := range map[string]func() runtime.Object{
				"new": intoNothing, "given": like, "not empty": full,
				"other": func() runtime.Object { return &metav1.Status{} }, "unknown": func() runtime.Object { return &runtime.Unknown{} },
			} {
				compare(t, how, text, nil, into)
				compare(t, how+", with a default", text, &schema.GroupVersionKind{Group: "g", Version: "v", Kind: "K"}, into)
			}
			if _, _, err := alone.Decode(text, nil, like()); err != nil {
				t.Errorf("fell back: %v", err)
			}
		})
	}
}

// TestObjectsDoNotReferenceBody overwrites a body.
func TestObjectsDoNotReferenceBody(t *testing.T) {
	_, _, alone := decoders(t)
	meta := fullMeta()
	text := encode(t, &metav1.PartialObjectMetadata{ObjectMeta: meta})
	got, _, err := alone.Decode(text, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := got.DeepCopyObject()
	for i := range text {
		text[i] = 'x'
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// unusual returns bodies that no server writes, with their names.
func unusual() map[string][]byte {
	meta := fullMeta()
	encoded, err := meta.Marshal()
	if err != nil {
		panic(err)
	}
	first := []byte{tag(1, asBytes)}
	long := func(value []byte) []byte { // as field 1
		return append([]byte{first[0], byte(len(value)) | 0x80, byte(len(value) >> 7)}, value...)
	}
	object := func(parts ...[]byte) []byte { return body("PartialObjectMetadata", bytes.Join(parts, nil)) }
	list := func(parts ...[]byte) []byte { return body("PartialObjectMetadataList", bytes.Join(parts, nil)) }
	inMeta := func(parts ...[]byte) []byte { return object(short(1, bytes.Join(parts, nil))) }
	bodies := map[string][]byte{
		"nothing": nil, "prefix": prefix, "another prefix": []byte("k8s\x01abc"), "half a prefix": []byte("k8"),
		"no object":              append(bytes.Clone(prefix), short(1, append(short(1, []byte("meta.k8s.io/v1")), short(2, []byte("PartialObjectMetadata"))...))...),
		"no kind":                body("", short(1, short(1, []byte("a")))),
		"unknown kind":           body("Nothing", short(1, short(1, []byte("a")))),
		"no metadata":            object(),
		"metadata twice":         object(long(encoded), short(1, short(1, []byte("again"))), short(1, short(11, append(short(1, []byte("k")), short(2, []byte("v"))...)))),
		"metadata as a number":   object([]byte{tag(1, asVarint), 3}),
		"cut in metadata":        object(long(encoded)[:40]),
		"unknown field":          object(long(encoded), short(9, []byte("x"))),
		"group":                  object(long(encoded), []byte{tag(3, 3), tag(3, 4)}),
		"end of group":           object([]byte{tag(3, 4)}),
		"field 0":                object([]byte{2, 0}),
		"length 2^63":            object(first, []byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01}),
		"length of 11 bytes":     object(first, []byte{0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01}),
		"length in more bytes":   object(first, []byte{0x80, 0x00}),
		"list, items first":      list(short(2, short(1, short(1, []byte("a")))), short(1, short(2, []byte("7")))),
		"list, metadata twice":   list(short(1, short(2, []byte("7"))), short(1, short(1, []byte("l"))), short(2, nil)),
		"list, unknown field":    list(short(1, nil), short(3, nil)),
		"list, cut":              list(short(1, nil), short(2, []byte("abc"))[:3]),
		"list, fallback in item": list(short(2, short(1, short(1, []byte("a")))), short(2, short(1, short(19, []byte("a"))))),
	}
	entry := func(parts ...[]byte) []byte { return inMeta(short(11, bytes.Join(parts, nil))) }
	for name, text := range map[string][]byte{
		"unknown field": inMeta(short(15, []byte("x"))), "two-byte tag of a small number": inMeta([]byte{0x8a, 0x00, 1, 'a'}),
		"large number": inMeta([]byte{0x92, 0x01, 1, 'a'}), "cut tag": inMeta([]byte{0x8a}), "name as a number": inMeta([]byte{tag(1, asVarint), 1}),
		"generation of 10 bytes": inMeta([]byte{tag(7, asVarint), 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f}),
		"names":                  inMeta(short(1, []byte("a")), short(1, []byte("b")), short(1, nil)),
		"times":                  inMeta(short(8, []byte{8, 1}), short(8, nil), short(9, []byte{8, 1}), short(9, []byte{8, 2, 16, 3})),
		"invalid time":           inMeta(short(8, []byte{8})), "invalid deletion": inMeta(short(9, []byte{9})),
		"empty entry": entry(), "entry without value": entry(short(1, []byte("k"))), "entry without key": entry(short(2, []byte("v"))),
		"entry, value first": entry(short(2, []byte("v")), short(1, []byte("k"))), "entry with more": entry(short(1, []byte("k")), short(2, []byte("v")), short(2, []byte("w"))),
		"entry, key as a number": entry([]byte{tag(1, asVarint), 1}, short(2, []byte("v"))),
		"key beyond its entry":   inMeta(short(11, []byte{tag(1, asBytes), 4}), short(1, []byte("abcdef"))),
		"same key twice":         inMeta(short(12, append(short(1, []byte("k")), short(2, []byte("v"))...)), short(12, append(short(1, []byte("k")), short(2, nil)...))),
		"owner, unknown field":   inMeta(short(13, short(2, []byte("x")))), "owner, cut": inMeta(short(13, []byte{tag(3, asBytes), 9, 'a'})),
		"owner, large boolean": inMeta(short(13, []byte{tag(6, asVarint), 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x02})),
		"managed first":        inMeta([]byte{0x8a, 0x01, 3, tag(1, asBytes), 1, 'm'}, short(1, []byte("after"))),
		"managed, unknown":     inMeta([]byte{0x8a, 0x01, 2, tag(5, asBytes), 0}), "managed, invalid fields": inMeta([]byte{0x8a, 0x01, 3, tag(7, asBytes), 1, 9}),
		"managed, fields twice": inMeta([]byte{0x8a, 0x01, 12, tag(7, asBytes), 4, tag(1, asBytes), 2, 'a', 'b', tag(7, asBytes), 4, tag(1, asBytes), 2, 'c', 'd'}),
		"managed, invalid time": inMeta([]byte{0x8a, 0x01, 3, tag(4, asBytes), 1, 9}),
	} {
		bodies["metadata: "+name] = text
	}
	envelope := body("PartialObjectMetadata", short(1, short(1, []byte("a"))))
	typeMeta, _ := (&runtime.TypeMeta{APIVersion: "meta.k8s.io/v1", Kind: "PartialObjectMetadata"}).Marshal()
	bodies["envelope: kind twice"] = append(bytes.Clone(envelope), short(1, typeMeta)...)
	bodies["envelope: another kind"] = append(bytes.Clone(envelope), short(1, short(2, []byte("Status")))...)
	bodies["envelope: object twice"] = append(bytes.Clone(envelope), short(2, short(1, short(1, []byte("b"))))...)
	bodies["envelope: unknown field"] = append(bytes.Clone(envelope), short(7, nil)...)
	bodies["envelope: content type"] = append(bytes.Clone(envelope), append(short(3, []byte("gzip")), short(4, []byte("x"))...)...)
	bodies["envelope: unknown field in kind"] = append(bytes.Clone(prefix), append(short(1, append(typeMeta, short(3, nil)...)), short(2, nil)...)...)
	bodies["envelope: cut"] = envelope[:len(envelope)-1]
	bodies["envelope: invalid version"] = append(bytes.Clone(prefix), append(short(1, append(short(1, []byte("a/b/c")), short(2, []byte("Status"))...)), short(2, nil)...)...)
	return bodies
}

func TestUnusual(t *testing.T) {
	for name, text := range unusual() {
		compare(t, name+", new", text, nil, intoNothing)
		compare(t, name+", object", text, nil, func() runtime.Object { return &metav1.PartialObjectMetadata{} })
		compare(t, name+", list", text, nil, func() runtime.Object { return &metav1.PartialObjectMetadataList{} })
		compare(t, name+", default", text, &schema.GroupVersionKind{Group: "meta.k8s.io", Version: "v1", Kind: "PartialObjectMetadata"}, intoNothing)
	}
}

// mutate changes some bytes.
func mutate(random *rand.Rand, text []byte) []byte {
	text = bytes.Clone(text)
	for range 1 + random.IntN(3) {
		if len(text) <= len(prefix) {
			return text
		}
		switch i := len(prefix) + random.IntN(len(text)-len(prefix)); random.IntN(5) {
		case 0:
			text[i] = byte(random.IntN(256))
		case 1:
			text[i] ^= 1 << random.IntN(8)
		case 2:
			text = append(text[:i], text[i+1:]...)
		case 3:
			text = append(text[:i], append([]byte{byte(random.IntN(256))}, text[i:]...)...)
		default:
			text = text[:i]
		}
	}
	return text
}

func TestMutated(t *testing.T) {
	random := rand.New(rand.NewPCG(1, uint64(16)))
	list := &metav1.PartialObjectMetadataList{Items: []metav1.PartialObjectMetadata{{ObjectMeta: fullMeta()}, {}}}
	texts := [][]byte{encode(t, &metav1.PartialObjectMetadata{ObjectMeta: fullMeta()}), encode(t, list)}
	for _, text := range unusual() {
		texts = append(texts, text)
	}
	for range 30_000 {
		compare(t, "mutated", mutate(random, texts[random.IntN(len(texts))]), nil, intoNothing)
	}
}

func FuzzDecode(f *testing.F) {
	for _, text := range unusual() {
		f.Add(text)
	}
	f.Add(encode(f, &metav1.PartialObjectMetadata{ObjectMeta: fullMeta()}))
	f.Fuzz(func(t *testing.T, text []byte) {
		compare(t, "new", text, nil, intoNothing)
		compare(t, "given", text, nil, func() runtime.Object { return &metav1.PartialObjectMetadata{} })
	})
}

// reset is a type whose Unmarshal resets it, and others differ in other ways from generated ones.
type (
	reset struct {
		metav1.TypeMeta   `json:",inline"`
		metav1.ObjectMeta `json:"metadata" protobuf:"bytes,1,opt,name=metadata"`
		Text              []byte
	}
	other struct {
		metav1.PartialObjectMetadata
	}
	second struct {
		metav1.TypeMeta   `json:",inline"`
		metav1.ObjectMeta `json:"metadata" protobuf:"bytes,2,opt,name=metadata"`
	}
)

func (r *reset) Reset() { *r = reset{} }
func (r *reset) Unmarshal(text []byte) error {
	*r = reset{Text: text}
	return nil
}
func (s *second) Reset()                 { *s = second{} }
func (s *second) Unmarshal([]byte) error { return nil }

func TestVet(t *testing.T) {
	for _, tt := range []struct {
		example any
		why     string
	}{
		{metav1.PartialObjectMetadata{}, ""},
		{metav1.PartialObjectMetadataList{}, ""},
		{metav1.Status{}, ""},
		{metav1.ObjectMeta{}, ""},
		{metav1.LabelSelector{}, ""},
		{reset{}, "its method differs from its tags"},
		{other{}, "its method differs from its tags"},
		{second{}, "its method differs from its tags"},
		{time.Duration(0), "none"},
		{schema.GroupVersion{}, "none"},
	} {
		got := "none"
		if of := layoutOf(reflect.TypeOf(tt.example)); of != nil {
			got = of.why
		}
		if got != tt.why {
			t.Errorf("%T: %q, want %q", tt.example, got, tt.why)
		}
	}
}

func TestAllocations(t *testing.T) {
	_, exact, alone := decoders(t)
	text := encode(t, &metav1.PartialObjectMetadata{ObjectMeta: fullMeta()})
	count := func(d runtime.Decoder) float64 {
		return testing.AllocsPerRun(100, func() {
			if _, _, err := d.Decode(text, nil, nil); err != nil {
				t.Fatal(err)
			}
		})
	}
	if ours, theirs := count(alone), count(exact); ours > theirs*0.6 {
		t.Errorf("%v allocations, %v by the exact decoder", ours, theirs)
	} else {
		t.Logf("%v allocations, %v by the exact decoder", ours, theirs)
	}
}
