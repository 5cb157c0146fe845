package protobuf

import (
	"bytes"
	"maps"
	"math/rand/v2"
	"reflect"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// TestTexts compares the texts of a list with its objects.
func TestTexts(t *testing.T) {
	for name, without := range map[string]bool{"whole": false, "without managedFields": true} {
		t.Run(name, func(t *testing.T) {
			text := encode(t, manyItems())
			objects, _, _ := decoders(t)
			plain := objects.(*Decoder)
			plain.WithoutManaged = without
			var want []*metav1.PartialObjectMetadata
			if _, err := plain.DecodeList(bytes.NewReader(text), &metav1.PartialObjectMetadataList{}, newMetadata, func(item runtime.Object) error {
				want = append(want, item.(*metav1.PartialObjectMetadata))
				return nil
			}); err != nil {
				t.Fatal(err)
			}
			texts := *plain
			texts.Texts = true
			i := 0
			if _, err := texts.DecodeList(bytes.NewReader(text), &metav1.PartialObjectMetadataList{}, newMetadata, func(item runtime.Object) error {
				compareText(t, item, want[i])
				i++
				return nil
			}); err != nil {
				t.Fatal(err)
			}
			if i != len(want) {
				t.Errorf("%d items, want %d", i, len(want))
			}
		})
	}
}

// compareText compares a text with an object.
func compareText(t *testing.T, item runtime.Object, want *metav1.PartialObjectMetadata) {
	t.Helper()
	got, ok := item.(*Text)
	if !ok {
		t.Fatalf("%s is a %T", want.Name, item)
	}
	if got.Name != want.Name || got.Namespace != want.Namespace || got.UID != want.UID || got.ResourceVersion != want.ResourceVersion {
		t.Errorf("got the metadata %+v, want %+v", got.ObjectMeta, want.ObjectMeta)
	}
	if labels := got.GetLabels(); !maps.Equal(labels, want.Labels) {
		t.Errorf("got the labels %v, want %v", labels, want.Labels)
	}
	if got.Type() != reflect.TypeOf(want) {
		t.Errorf("got the type %v", got.Type())
	}
	copied := got.DeepCopyObject().(*Text)
	for _, one := range []*Text{got, copied} {
		object, err := one.Decode()
		if err != nil || !reflect.DeepEqual(object, want) {
			t.Errorf("got %+v (%v), want %+v", object, err, want)
		}
	}
}

// TestTextOfStream compares the texts of single bodies, which stay valid, with their objects.
func TestTextOfStream(t *testing.T) {
	objects, _, _ := decoders(t)
	d := objects.(*Decoder)
	d.Texts = true
	stream := d.ForStream()
	want := &metav1.PartialObjectMetadata{ObjectMeta: fullMeta()}
	for range 2 {
		text := encode(t, want.DeepCopy())
		got := stream.Text(text)
		if got == nil {
			t.Fatal("no text")
		}
		clear(text)
		object, _, err := objects.Decode(encode(t, want.DeepCopy()), nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		compareText(t, got, object.(*metav1.PartialObjectMetadata))
	}
	for name, d := range map[string]*Decoder{
		"of no stream": d, "of a decoder without texts": (&Decoder{Exact: d.Exact, Scheme: d.Scheme}).ForStream(),
	} {
		if got := d.Text(encode(t, want.DeepCopy())); got != nil {
			t.Errorf("%s: got a text", name)
		}
	}
	if got := stream.Text(encode(t, &metav1.Status{Message: "m"})); got != nil {
		t.Errorf("got a text of a Status: %v", got)
	}
}

// checkTexts holds that a message of which there is a text can be decoded, to the object of the exact decoder.
func checkTexts(t *testing.T, body []byte) (sure bool) {
	t.Helper()
	objects, exact, alone := decoders(t)
	for _, without := range []bool{false, true} {
		d := *objects.(*Decoder)
		d.Texts, d.WithoutManaged = true, without
		got := d.ForStream().Text(body)
		if got == nil {
			continue
		}
		sure = true
		plain := *alone.(*Decoder)
		plain.WithoutManaged = without
		want, _, err := plain.Decode(body, nil, nil)
		if err != nil {
			t.Fatalf("%q: decoding fell back", body)
		}
		object, err := got.Decode()
		if err != nil || !reflect.DeepEqual(object, want) {
			t.Errorf("%q: got %+v (%v), want %+v", body, object, err, want)
		}
		if without {
			continue
		}
		if want, _, err = exact.Decode(body, nil, nil); err != nil || !reflect.DeepEqual(object, want) {
			t.Errorf("%q: got %+v, want %+v (%v)", body, object, want, err)
		}
	}
	return sure
}

func TestTextsOfMutated(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 16))
	texts := [][]byte{encode(t, &metav1.PartialObjectMetadata{ObjectMeta: fullMeta()})}
	for name, text := range unusual() {
		if checkTexts(t, text); name == "metadata twice" && checkTexts(t, text) {
			t.Error("text of a message that is merged")
		}
		texts = append(texts, text)
	}
	sure := 0
	for i := range 4000 {
		text := texts[0]
		if i%2 == 0 {
			text = texts[random.IntN(len(texts))]
		}
		if checkTexts(t, mutate(random, text)) {
			sure++
		}
	}
	if sure < 200 {
		t.Errorf("only %d texts", sure)
	}
}

func FuzzTexts(f *testing.F) {
	for _, text := range unusual() {
		f.Add(text)
	}
	f.Add(encode(f, &metav1.PartialObjectMetadata{ObjectMeta: fullMeta()}))
	f.Fuzz(func(t *testing.T, text []byte) { checkTexts(t, text) })
}
