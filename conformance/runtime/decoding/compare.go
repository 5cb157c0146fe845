package decoding

import (
	"bytes"
	"fmt"
	"io"
	"reflect"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// chunks reads up to n bytes at a time.
type chunks struct {
	r io.Reader
	n int
}

func (c chunks) Read(p []byte) (int, error) { return c.r.Read(p[:min(len(p), c.n)]) }

// again reports whether the text's head is repeated, or follows the items with another kind than
// that of the list, and whether items are repeated. When read from a reader, which cannot be
// rewound, either may be an error in what was read first.
func again(text []byte) (head, items bool) {
	root, err := parse(text)
	if err != nil {
		return false, false
	}
	count := map[string]int{}
	for i, literal := range root.names {
		// The error is about invalid UTF-8, which has been replaced.
		name, _ := jsontext.AppendUnquote(nil, literal)
		for _, known := range []string{"kind", "apiVersion", "items"} {
			if strings.EqualFold(string(name), known) {
				count[known]++
			}
		}
		if string(name) == "kind" && count["items"] > 0 && !strings.HasSuffix(root.children[i].literal, `List"`) {
			head = true
		}
	}
	return head || count["kind"] > 1 || count["apiVersion"] > 1, count["items"] > 1
}

// Compare decodes data into an object from empty (which may return nil) in every way, from readers
// in chunks of the given size, and returns the differences from apimachinery's result.
func (k *Kind) Compare(data []byte, empty func() runtime.Object, chunk int) (differences []string) {
	report := func(format string, args ...any) {
		differences = append(differences, fmt.Sprintf(format, args...))
	}
	same := func(how string, want, got runtime.Object, wantErr, err error) {
		switch {
		case (wantErr == nil) != (err == nil):
			report("%s: error %v, want %v", how, err, wantErr)
		case err == nil && !reflect.DeepEqual(want, got):
			report("%s: (-want, +got)\n%s", how, cmp.Diff(want, got, cmp.Exporter(func(reflect.Type) bool { return true })))
		}
	}
	given := bytes.Clone(data)
	wantInto, gotInto := empty(), empty()
	want, wantGVK, wantErr := k.exactly(data, wantInto)

	got, gotGVK, err := k.Ours.Decode(data, nil, gotInto)
	same("Decode", want, got, wantErr, err)
	if err == nil && wantErr == nil && (*wantGVK != *gotGVK || (want == wantInto) != (got == gotInto)) {
		report("Decode: kind %v, want %v", gotGVK, wantGVK)
	}
	if gotInto != nil && got != gotInto && isZero(wantInto) && !isZero(gotInto) {
		report("Decode: the given object was changed: %+v", gotInto)
	}

	// An object of a stream does not change, neither with the text nor with later objects.
	text := bytes.Clone(data)
	got, _, err = k.Stream.Decode(text, nil, empty())
	for i := range text {
		text[i] = '!'
	}
	same("Decode of a stream", want, got, wantErr, err)
	if wantErr == nil && err == nil {
		if before := k.kept.swap(pair{want, got}, len(data)); before.want != nil {
			same("an earlier object", before.want, before.got, nil, nil)
		}
	}

	into := empty()
	got, err = k.Ours.DecodeFrom(chunks{bytes.NewReader(data), chunk}, into)
	headAgain, _ := again(data)
	if err == nil || !headAgain {
		same("DecodeFrom", want, got, wantErr, err)
	}

	if list := empty(); list != nil {
		if newItem := itemOf(list); newItem != nil {
			k.compareItems(data, list, newItem, chunk, want, wantErr, same)
		}
	}
	if !bytes.Equal(data, given) {
		report("the text was changed to %q", data)
	}
	return differences
}

// exactly is apimachinery's Decode; a panic is returned as an error. It clears the kind of an
// object even if a TypeMeta that is embedded by a pointer is missing.
func (k *Kind) exactly(data []byte, into runtime.Object) (obj runtime.Object, gvk *schema.GroupVersionKind, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("apimachinery panics: %v", r)
		}
	}()
	return k.Exact.Decode(data, nil, into)
}

// compareItems decodes a list item by item.
func (k *Kind) compareItems(data []byte, list runtime.Object, newItem func() runtime.Object, chunk int, want runtime.Object, wantErr error, same func(string, runtime.Object, runtime.Object, error, error)) {
	var items []runtime.Object
	got, err := k.Ours.DecodeList(chunks{bytes.NewReader(data), chunk}, list, newItem, func(item runtime.Object) error {
		items = append(items, item)
		return nil
	})
	if headAgain, itemsAgain := again(data); err != nil && (headAgain || itemsAgain) {
		return
	}
	if err != nil || wantErr != nil || got != list {
		same("DecodeList", want, got, wantErr, err)
		return
	}
	wantItems, err := meta.ExtractList(want)
	if err != nil || len(wantItems) != len(items) {
		same("DecodeList", want, got, err, fmt.Errorf("%d items, not %d", len(items), len(wantItems)))
		return
	}
	for i := range items {
		if reflect.ValueOf(wantItems[i]).IsNil() {
			wantItems[i] = newItem()
		}
		same(fmt.Sprintf("item %d of DecodeList", i), wantItems[i], items[i], nil, nil)
	}
	if a, err := meta.ListAccessor(want); err == nil {
		b, err := meta.ListAccessor(got)
		if err != nil || !sameMeta(a, b) {
			same("DecodeList", want, got, nil, fmt.Errorf("another metadata: %+v", b))
		}
	}
}

// kept are objects that were decoded earlier.
type kept [64]pair

type pair struct{ want, got runtime.Object }

// swap stores p and returns what was in its place.
func (k *kept) swap(p pair, at int) (before pair) {
	before, k[at%len(k)] = k[at%len(k)], p
	return before
}

func sameMeta(a, b metav1.ListInterface) (same bool) {
	defer func() {
		if recover() != nil {
			same = true // it is embedded by a pointer that is nil
		}
	}()
	return a.GetResourceVersion() == b.GetResourceVersion() && a.GetContinue() == b.GetContinue() &&
		a.GetSelfLink() == b.GetSelfLink() && reflect.DeepEqual(a.GetRemainingItemCount(), b.GetRemainingItemCount())
}

func isZero(obj runtime.Object) bool { return reflect.ValueOf(obj).Elem().IsZero() }
