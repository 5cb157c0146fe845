package protobuf

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"unsafe"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/listwatch/listwatch/runtime/codec/internal/intern"
	"github.com/listwatch/listwatch/runtime/codec/internal/memory"
)

func newMetadata() runtime.Object { return &metav1.PartialObjectMetadata{} }

// listed decodes a list item by item, and returns it with its items.
func listed(d *Decoder, r io.Reader) (*metav1.PartialObjectMetadataList, runtime.Object, error) {
	var list metav1.PartialObjectMetadataList
	var items []metav1.PartialObjectMetadata
	out, err := d.DecodeList(r, &list, newMetadata, func(item runtime.Object) error {
		items = append(items, *item.(*metav1.PartialObjectMetadata))
		return nil
	})
	if err == nil && list.Items != nil {
		err = errors.New("the list has items")
	}
	if list.Items = items; err == nil && out != &list {
		return nil, out, nil
	}
	return &list, nil, err
}

// compareList decodes a body item by item, and as a whole.
func compareList(t *testing.T, what string, text []byte, r io.Reader) {
	t.Helper()
	ours, exact, _ := decoders(t)
	var want metav1.PartialObjectMetadataList
	out, _, wantErr := exact.Decode(text, nil, &want)
	got, other, err := listed(ours.(*Decoder), r)
	switch {
	case errors.Is(err, errRepeated):
	case (err == nil) != (wantErr == nil):
		t.Errorf("%s: %q: %v, want %v", what, text, err, wantErr)
	case err != nil:
		// If the envelope is unusual, too, it depends on where.
		_, usual := readEnvelope(text[min(len(prefix), len(text)):])
		if usual && err.Error() != wantErr.Error() {
			t.Errorf("%s: %q: %v, want %v", what, text, err, wantErr)
		}
	case out != &want:
		if !reflect.DeepEqual(other, out) {
			t.Errorf("%s: %q: %+v, want %+v", what, text, other, out)
		}
	default:
		if len(want.Items) == 0 {
			want.Items = nil
		}
		if !reflect.DeepEqual(got, &want) {
			t.Errorf("%s: %q: %+v, want %+v", what, text, got, want)
		}
	}
}

func manyItems() *metav1.PartialObjectMetadataList {
	remaining := int64(5)
	list := &metav1.PartialObjectMetadataList{ListMeta: metav1.ListMeta{ResourceVersion: "7", Continue: "c", RemainingItemCount: &remaining}}
	for i := range 40 {
		meta := metav1.ObjectMeta{Name: fmt.Sprint(i)}
		switch {
		case i%7 == 0:
			meta = fullMeta()
		case i == 20:
			meta.Annotations = map[string]string{"long": strings.Repeat("x", 3*firstBuffer)}
		}
		list.Items = append(list.Items, metav1.PartialObjectMetadata{ObjectMeta: meta})
	}
	return list
}

func TestDecodeList(t *testing.T) {
	many := encode(t, manyItems())
	for _, tt := range []struct {
		name string
		text []byte
	}{
		{"many", many},
		{"one", encode(t, &metav1.PartialObjectMetadataList{Items: []metav1.PartialObjectMetadata{{ObjectMeta: fullMeta()}}})},
		{"empty", encode(t, &metav1.PartialObjectMetadataList{})},
		{"an object", encode(t, &metav1.PartialObjectMetadata{ObjectMeta: fullMeta()})},
		{"a status", encode(t, &metav1.Status{Message: "m"})},
		{"cut in the head", many[:20]},
		{"cut in an item", many[:len(many)/2]},
		{"cut after the items", many[:len(many)-1]},
		{"more after the list", append(bytes.Clone(many), 0x2a, 0)},
		{"another list after the list", append(bytes.Clone(many), short(2, nil)...)},
		{"invalid after the list", append(bytes.Clone(many), 0xff)},
		{"invalid item", body("PartialObjectMetadataList", append(short(2, short(1, short(1, []byte("a")))), short(2, []byte{tag(1, asVarint), 1})...))},
		{"metadata between items", body("PartialObjectMetadataList", bytes.Join([][]byte{short(2, nil), short(1, short(2, []byte("7"))), short(2, nil), short(1, short(1, []byte("s")))}, nil))},
		{"unknown field between items", body("PartialObjectMetadataList", bytes.Join([][]byte{short(2, nil), short(9, []byte("x")), short(2, short(1, short(1, []byte("a"))))}, nil))},
	} {
		t.Run(tt.name, func(t *testing.T) {
			compareList(t, "at once", tt.text, bytes.NewReader(tt.text))
			compareList(t, "by halves", tt.text, iotest.HalfReader(bytes.NewReader(tt.text)))
			if len(tt.text) < 10_000 {
				compareList(t, "by bytes", tt.text, iotest.OneByteReader(bytes.NewReader(tt.text)))
			}
		})
	}
	for name, text := range unusual() {
		compareList(t, name, text, bytes.NewReader(text))
	}
}

func TestDecodeListMutated(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 16))
	list := &metav1.PartialObjectMetadataList{ListMeta: metav1.ListMeta{ResourceVersion: "7"}, Items: []metav1.PartialObjectMetadata{{ObjectMeta: fullMeta()}, {}, {ObjectMeta: metav1.ObjectMeta{Name: "a"}}}}
	text := encode(t, list)
	for range 10_000 {
		mutated := mutate(random, text)
		compareList(t, "mutated", mutated, iotest.HalfReader(bytes.NewReader(mutated)))
	}
}

func TestDecodeListFailures(t *testing.T) {
	ours, _, _ := decoders(t)
	d := ours.(*Decoder)
	text := encode(t, manyItems())
	broken := errors.New("broken")
	if _, _, err := listed(d, io.MultiReader(bytes.NewReader(text[:len(text)/2]), iotest.ErrReader(broken))); !errors.Is(err, broken) {
		t.Errorf("a broken reader: %v", err)
	}
	var list metav1.PartialObjectMetadataList
	n := 0
	_, err := d.DecodeList(bytes.NewReader(text), &list, newMetadata, func(runtime.Object) error {
		if n++; n == 3 {
			return broken
		}
		return nil
	})
	if !errors.Is(err, broken) || n != 3 || !reflect.DeepEqual(list, metav1.PartialObjectMetadataList{}) {
		t.Errorf("an error of each: %v after %d items, and %+v", err, n, list)
	}
	// Items of another type are copied by their list's type.
	_, err = d.DecodeList(bytes.NewReader(text), &list, func() runtime.Object { return &metav1.Status{} }, func(item runtime.Object) error {
		_, ok := item.(*metav1.PartialObjectMetadata)
		if !ok {
			return fmt.Errorf("%T", item)
		}
		return nil
	})
	if err != nil || list.ResourceVersion != "7" || list.Items != nil {
		t.Errorf("items of another type: %v, %+v", err, list)
	}
}

// parts counts the parts of a list.
type parts struct {
	io.Reader
	n int
}

func (p *parts) NextPart() { p.n++ }

func TestDecodeListParts(t *testing.T) {
	ours, _, _ := decoders(t)
	list := manyItems()
	p := &parts{Reader: bytes.NewReader(encode(t, list))}
	if _, _, err := listed(ours.(*Decoder), p); err != nil || p.n != len(list.Items)+2 {
		t.Errorf("%d parts, error %v", p.n, err)
	}
}

func TestDecodeFrom(t *testing.T) {
	ours, _, _ := decoders(t)
	d := ours.(*Decoder)
	want := manyItems()
	text := encode(t, want)
	var got metav1.PartialObjectMetadataList
	out, err := d.DecodeFrom(iotest.HalfReader(bytes.NewReader(text)), &got)
	want.TypeMeta = metav1.TypeMeta{}
	if err != nil || out != &got || !reflect.DeepEqual(&got, want) {
		t.Errorf("got %+v, %v", out, err)
	}
	broken := errors.New("broken")
	if _, err := d.DecodeFrom(iotest.ErrReader(broken), &got); !errors.Is(err, broken) {
		t.Errorf("a broken reader: %v", err)
	}
}

// TestShared holds that owners of a Shared get equal parts as one, others do not, and nobody of Secrets.
func TestShared(t *testing.T) {
	ours, exact, _ := decoders(t)
	list := &metav1.PartialObjectMetadataList{}
	for i := range 100 {
		list.Items = append(list.Items, metav1.PartialObjectMetadata{ObjectMeta: fullMeta()})
		list.Items[i].Annotations["own"] = fmt.Sprint(i)
	}
	text := encode(t, list)
	var want metav1.PartialObjectMetadataList
	if _, _, err := exact.Decode(text, nil, &want); err != nil {
		t.Fatal(err)
	}
	for _, shared := range []bool{false, true} {
		d := *ours.(*Decoder)
		if shared {
			d.Shared = &Shared{Parts: true}
		}
		var kept []metav1.PartialObjectMetadata
		for range 2 {
			got, _, err := listed(&d, bytes.NewReader(text))
			if err != nil || !reflect.DeepEqual(got, &want) {
				t.Fatalf("shared %v: got %+v, %v, want %+v", shared, got, err, want)
			}
			kept = append(kept, got.Items...)
		}
		one := func(a, b any) bool { return reflect.ValueOf(a).Pointer() == reflect.ValueOf(b).Pointer() }
		first, last := kept[50], kept[199]
		for part, got := range map[string]bool{
			"labels":     one(first.Labels, last.Labels),
			"owners":     one(first.OwnerReferences, last.OwnerReferences),
			"finalizers": one(first.Finalizers, last.Finalizers),
			"fields":     one(first.ManagedFields[0].FieldsV1, last.ManagedFields[0].FieldsV1),
		} {
			if got != shared {
				t.Errorf("shared %v: %s are one: %v", shared, part, got)
			}
		}
		if one(first.Annotations, last.Annotations) {
			t.Errorf("shared %v: annotations that differ are one", shared)
		}
	}
	for kind, d := range map[string]*Decoder{"Secret": {}, "SecretList": {}, "PartialObjectMetadata": {Secrets: true}} {
		s := new(session)
		new(Decoder).learn(s, "Pod")
		if d.learn(s, kind); s.stream.Level != intern.None {
			t.Errorf("contents of a %s are remembered", kind)
		}
	}
}

// TestSharedPartsAreOnTheirOwn holds that a shared part takes nothing of the memory of the object that it came with.
func TestSharedPartsAreOnTheirOwn(t *testing.T) {
	meta := metav1.ObjectMeta{Name: "a"}
	for range 20 {
		meta.OwnerReferences = append(meta.OwnerReferences, metav1.OwnerReference{Controller: new(bool), BlockOwnerDeletion: new(bool)})
	}
	text, err := meta.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	s := (&Shared{Parts: true}).take()
	new(Decoder).learn(s, "Pod")
	for i, most := range []int{100, 39, 39} { // bytes of the object's block; there are 40 numbers
		var got metav1.ObjectMeta
		s.begin(new(expected))
		if !s.message(layoutOf(reflect.TypeFor[metav1.ObjectMeta]()), memory.Of(reflect.ValueOf(&got)), text) || !reflect.DeepEqual(got, meta) {
			t.Fatalf("got %+v", got)
		}
		if s.arena.Used > most {
			t.Errorf("object %d takes %d bytes, want at most %d", i, s.arena.Used, most)
		}
	}
}

// TestSharedTexts holds that an owner that shares no parts gets texts of FieldsV1 as one, in structs of the objects' own.
func TestSharedTexts(t *testing.T) {
	ours, _, _ := decoders(t)
	list := &metav1.PartialObjectMetadataList{}
	for range 100 {
		list.Items = append(list.Items, metav1.PartialObjectMetadata{ObjectMeta: fullMeta()})
	}
	d := *ours.(*Decoder)
	d.Shared = &Shared{}
	got, _, err := listed(&d, bytes.NewReader(encode(t, list)))
	if err != nil || !reflect.DeepEqual(got.Items[99].ObjectMeta, got.Items[50].ObjectMeta) {
		t.Fatalf("got %+v, %v", got, err)
	}
	first, last := got.Items[50].ManagedFields[0].FieldsV1, got.Items[99].ManagedFields[0].FieldsV1
	text := func(f *metav1.FieldsV1) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(f)) } // its first word
	if first == last || text(first) != text(last) {
		t.Errorf("structs are one: %v, texts: %v", first == last, text(first) == text(last))
	}
	if labels := reflect.ValueOf(got.Items[50].Labels).Pointer() == reflect.ValueOf(got.Items[99].Labels).Pointer(); labels {
		t.Error("labels are one")
	}
}

// TestSharedQuantities holds that quantities that objects may share have their texts, which readers would set.
func TestSharedQuantities(t *testing.T) {
	for _, text := range []string{"100Ti", "1", "12345678901234567890"} {
		q := resource.MustParse(text)
		encoded, err := q.Marshal()
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			got, ok := (&Shared{Parts: true}).take().quantity(encoded)
			if has := reflect.ValueOf(got).FieldByName("s").String(); !ok || has != text {
				t.Errorf("%s has the text %q", text, has)
			}
		}
	}
}

// TestWithoutManaged holds that objects are as if their managedFields had been removed, but not those within others.
func TestWithoutManaged(t *testing.T) {
	ours, _, alone := decoders(t)
	for _, c := range []struct {
		name   string
		change func([]byte) []byte
	}{
		{"valid", slices.Clone[[]byte]},
		{"not checked", func(text []byte) []byte {
			return bytes.Replace(text, []byte("\x0a\x05manag"), []byte("\x0a\x7fmanag"), 1)
		}},
	} {
		object := &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{
			Name: "a", Labels: map[string]string{"k": "v"},
			ManagedFields: []metav1.ManagedFieldsEntry{{Manager: "manag"}, {Manager: "other"}},
		}}
		text := encode(t, object)
		if changed := c.change(text); c.name != "valid" && bytes.Equal(changed, text) {
			t.Fatalf("%s: nothing was changed", c.name)
		} else {
			text = changed
		}
		object.TypeMeta, object.ManagedFields = metav1.TypeMeta{}, nil
		d := *alone.(*Decoder)
		d.WithoutManaged = true
		for name, d := range map[string]*Decoder{"single": &d, "stream": d.ForStream()} {
			if got, _, err := d.Decode(text, nil, nil); err != nil || !reflect.DeepEqual(got, object) {
				t.Errorf("%s, %s: got %+v, %v", c.name, name, got, err)
			}
		}
	}
	want := manyItems()
	d := *ours.(*Decoder)
	d.WithoutManaged = true
	got, _, err := listed(&d, bytes.NewReader(encode(t, want)))
	want.TypeMeta = metav1.TypeMeta{}
	for i := range want.Items {
		want.Items[i].ManagedFields = nil
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("list: got %+v, %v", got, err)
	}
	// Sessions are reused.
	full := &metav1.PartialObjectMetadata{ObjectMeta: fullMeta()}
	if got, _, err := ours.Decode(encode(t, full), nil, nil); err != nil || len(got.(*metav1.PartialObjectMetadata).ManagedFields) != len(full.ManagedFields) {
		t.Errorf("with them: got %+v, %v", got, err)
	}
}

// TestForStream decodes different objects one after the other, also such that need a fallback within a map.
func TestForStream(t *testing.T) {
	ours, exact, _ := decoders(t)
	d := *ours.(*Decoder)
	d.Shared = &Shared{Parts: true}
	stream := d.ForStream()
	random := rand.New(rand.NewPCG(3, 16))
	text := encode(t, &metav1.PartialObjectMetadata{ObjectMeta: fullMeta()})
	for i := range 5_000 {
		body := text
		if i%2 == 1 {
			body = mutate(random, text)
		}
		want, _, wantErr := exact.Decode(body, nil, nil)
		got, _, err := stream.Decode(bytes.Clone(body), nil, nil)
		if fmt.Sprint(err) != fmt.Sprint(wantErr) || !reflect.DeepEqual(got, want) {
			t.Fatalf("%q: got %+v, %v, want %+v, %v", body, got, err, want, wantErr)
		}
	}
}
