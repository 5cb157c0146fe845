package codec_test

import (
	"bytes"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/listwatch/listwatch/runtime/codec"
	"github.com/listwatch/listwatch/runtime/internal/jsonscan"
)

// chunks reads up to n bytes at a time.
type chunks struct {
	r io.Reader
	n int
}

func (c chunks) Read(p []byte) (int, error) { return c.r.Read(p[:min(len(p), c.n)]) }

// oracle compares decoding with apimachinery's.
type oracle struct {
	ours  codec.StreamDecoder
	exact runtime.Decoder
	// taken counts the texts that were decoded without apimachinery's decoder.
	taken int
	// sharing decodes all texts as one stream whose objects share what is equal; earlier is what it decoded last, and
	// what was wanted.
	sharing codec.StreamDecoder
	earlier struct{ want, got runtime.Object }
}

func newOracle() *oracle {
	ours, exact := decoders(newScheme())
	return &oracle{ours: ours, exact: exact}
}

// fresh returns an empty object of the type of into, or nil.
func fresh(into runtime.Object) runtime.Object {
	if into == nil {
		return nil
	}
	return reflect.New(reflect.TypeOf(into).Elem()).Interface().(runtime.Object)
}

// check decodes data into an object like into, in every way.
func (o *oracle) check(t *testing.T, data []byte, into runtime.Object, chunk int) {
	t.Helper()
	text := string(data)
	wantInto := fresh(into)
	want, wantGVK, wantErr := o.exactly(data, wantInto)

	gotInto := fresh(into)
	got, gotGVK, err := o.ours.Decode(data, nil, gotInto)
	o.same(t, "Decode", text, want, got, wantErr, err)
	if err == nil && !reflect.DeepEqual(wantGVK, gotGVK) {
		t.Errorf("%s: kind %v, want %v", text, gotGVK, wantGVK)
	}
	if (want == wantInto) != (got == gotInto) && wantErr == nil {
		t.Errorf("%s: given object used: %v, want %v", text, got == gotInto, want == wantInto)
	}
	if into != nil && got != gotInto && isEmpty(wantInto) && !isEmpty(gotInto) {
		t.Errorf("%s: given object was changed: %+v", text, gotInto)
	}

	if fast, ok := codec.Fast(o.ours, data, fresh(into)); ok {
		o.taken++
		o.same(t, "without apimachinery", text, want, fast, wantErr, nil)
	}

	got, err = o.ours.DecodeFrom(chunks{bytes.NewReader(data), chunk}, fresh(into))
	if !codec.OnlyInStreams(err) && (err == nil || !headAgain(data) && !headLate(data)) {
		o.same(t, "DecodeFrom", text, want, got, wantErr, err)
	}
	o.checkList(t, text, want, wantErr, fresh(into), chunk)
	// The decoded object does not reference the text.
	if _, holds := into.(*runtime.Unknown); !holds {
		again := bytes.Clone(data)
		got, _, err = o.ours.Decode(again, nil, fresh(into))
		for i := range again {
			again[i] = '!'
		}
		o.same(t, "Decode, text overwritten,", text, want, got, wantErr, err)

		if o.sharing == nil {
			o.sharing = codec.ForStream(codec.ForContext(codec.WithSharing(t.Context()), o.ours))
		}
		copy(again, data)
		got, _, err = o.sharing.Decode(again, nil, fresh(into))
		for i := range again {
			again[i] = '!'
		}
		o.same(t, "Decode, shared,", text, want, got, wantErr, err)
		if o.earlier.want != nil {
			o.same(t, "the object before", text, o.earlier.want, o.earlier.got, nil, nil)
		}
		if o.earlier.want = nil; wantErr == nil && err == nil {
			o.earlier.want, o.earlier.got = want, got
		}
	}
	if text != string(data) {
		t.Errorf("%s: data were changed to %s", text, data)
	}
}

// exactly is apimachinery's Decode; a panic is returned as an error.
func (o *oracle) exactly(data []byte, into runtime.Object) (obj runtime.Object, gvk *schema.GroupVersionKind, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("apimachinery panics: %v", r)
		}
	}()
	return o.exact.Decode(data, nil, into)
}

func isEmpty(obj runtime.Object) bool { return reflect.ValueOf(obj).Elem().IsZero() }

func (o *oracle) same(t *testing.T, how, text string, want, got runtime.Object, wantErr, err error) {
	t.Helper()
	switch {
	case (wantErr == nil) != (err == nil):
		t.Errorf("%s of %s: error %v, want %v", how, text, err, wantErr)
	case err == nil && !reflect.DeepEqual(want, got):
		t.Errorf("%s of %s: %T (-want, +got)\n%s", how, text, got, difference(want, got))
	}
}

func difference(want, got any) string {
	return cmp.Diff(want, got, cmp.Exporter(func(reflect.Type) bool { return true }))
}

// checkList decodes the text, whose result is known, one item at a time.
func (o *oracle) checkList(t *testing.T, text string, want runtime.Object, wantErr error, into runtime.Object, chunk int) {
	t.Helper()
	newItem := func() runtime.Object { return &Widget{} }
	switch into.(type) {
	case *WidgetList, *PointerList:
	case *unstructured.UnstructuredList:
		newItem = func() runtime.Object { return &unstructured.Unstructured{} }
	default:
		return
	}
	var items []runtime.Object
	got, err := o.ours.DecodeList(chunks{bytes.NewReader([]byte(text)), chunk}, into, newItem, func(item runtime.Object) error {
		items = append(items, item)
		return nil
	})
	if codec.OnlyInStreams(err) || err != nil && (headAgain([]byte(text)) || headLate([]byte(text))) {
		return
	}
	if _, isStatus := got.(*metav1.Status); isStatus && err == nil && wantErr == nil && want.GetObjectKind().GroupVersionKind() == statusKind {
		return // without items, it would seem to be an empty list
	}
	if err != nil || wantErr != nil || got != into {
		o.same(t, "DecodeList", text, want, got, wantErr, err)
		return
	}
	wantItems, err := meta.ExtractList(want)
	if err != nil {
		t.Fatal(err)
	}
	if len(items) != len(wantItems) {
		t.Errorf("DecodeList of %s: %d items, want %d", text, len(items), len(wantItems))
		return
	}
	for i := range items {
		if reflect.ValueOf(wantItems[i]).IsNil() {
			wantItems[i] = newItem()
		}
		o.same(t, "item of DecodeList", text, wantItems[i], items[i], nil, nil)
	}
	wantMeta, _ := want.(metav1.ListInterface)
	gotMeta, _ := got.(metav1.ListInterface)
	if wantMeta.GetResourceVersion() != gotMeta.GetResourceVersion() || wantMeta.GetContinue() != gotMeta.GetContinue() {
		t.Errorf("DecodeList of %s: %+v, want %+v", text, got, want)
	}
}

var statusKind = schema.GroupVersionKind{Version: "v1", Kind: "Status"}

// headAgain reports whether the text's head is repeated. Without apimachinery's decoder that may be
// an error in what was read under the first.
func headAgain(text []byte) bool {
	count := 0
	for _, name := range members(text) {
		if strings.EqualFold(name, "kind") || strings.EqualFold(name, "apiVersion") {
			count++
		}
	}
	return count > 2
}

// headLate reports whether the text's kind comes after its items. When read from a reader, the
// items may be errors under the kind that was expected.
func headLate(text []byte) bool {
	names := members(text)
	at := slices.Index(names, "items")
	return at >= 0 && !slices.Contains(names[:at], "kind")
}

// members returns the names of the members of the text, nil if it is not an object.
func members(text []byte) (names []string) {
	s := jsonscan.Scanner{Text: text}
	s.Members(jsonscan.Space(text, 0), func(name []byte, _ uint64, i int) int {
		names = append(names, string(name))
		var f jsonscan.Frame
		return f.End(text, i)
	})
	return names
}
