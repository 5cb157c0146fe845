package decoding

import (
	"bytes"
	"fmt"
	"reflect"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/listwatch/listwatch/runtime/codec"
)

// Recognized are two ways to decode a format for a client: as its serializer does, and as our rest does if it is given
// that serializer. Everything must be equal, except for lists from a reader whose kind or items are repeated.
type Recognized struct {
	Given runtime.Decoder
	Ours  codec.StreamDecoder
}

// Recognize returns the decoders of a media type, and whether ours is not the given one.
func Recognize(given runtime.NegotiatedSerializer, mediaType string) (r Recognized, ok bool) {
	info, ok := runtime.SerializerInfoForMediaType(given.SupportedMediaTypes(), mediaType)
	if !ok {
		return r, false
	}
	r.Given = given.DecoderToVersion(info.Serializer, nil)
	r.Ours, ok = codec.Recognize(given).DecoderToVersion(info.Serializer, nil).(codec.StreamDecoder)
	return r, ok
}

// outcome is what the caller of a decoder gets.
type outcome struct {
	Object, Into runtime.Object
	GVK          *schema.GroupVersionKind
	Err          error
}

// decode returns what comes of Decode; a panic is an error.
func decode(d runtime.Decoder, data []byte, defaults *schema.GroupVersionKind, into runtime.Object) (o outcome) {
	defer func() {
		if r := recover(); r != nil {
			o = outcome{Err: fmt.Errorf("panic: %v", r)}
		}
	}()
	o.Into = into
	o.Object, o.GVK, o.Err = d.Decode(data, defaults, into)
	return o
}

// Compare decodes data into an object from empty, which may return nil, in every way, from readers in chunks of that size,
// and returns the differences.
func (r Recognized) Compare(data []byte, empty func() runtime.Object, chunk int) (differences []string) {
	report := func(format string, args ...any) {
		differences = append(differences, fmt.Sprintf(format, args...))
	}
	same := func(how string, got, want any) {
		if !reflect.DeepEqual(got, want) {
			report("%s: (-want, +got)\n%s", how, cmp.Diff(want, got, cmp.Exporter(func(reflect.Type) bool { return true })))
		}
	}
	sameError := func(how string, got, want error) bool {
		if typed(got) != typed(want) {
			report("%s: error %s, want %s", how, typed(got), typed(want))
		}
		return got == nil && want == nil
	}
	given := bytes.Clone(data)
	want := decode(r.Given, data, nil, empty())
	same("Decode", decode(r.Ours, data, nil, empty()), want)
	if want.Object == nil && want.Err != nil && want.GVK == nil && want.Into == nil && empty() != nil {
		return differences // a panic
	}
	defaults := &schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: "Deployment"}
	same("Decode with defaults", decode(r.Ours, data, defaults, empty()), decode(r.Given, data, defaults, empty()))
	again := decode(r.Given, data, nil, want.Into)
	same("Decode into what was decoded before", decode(r.Ours, data, nil, decode(r.Ours, data, nil, empty()).Into), again)

	want = decode(r.Given, data, nil, empty())
	headAgain, itemsAgain := reheaded(data)
	object, err := r.Ours.DecodeFrom(chunks{bytes.NewReader(data), chunk}, empty())
	if err == nil || !headAgain {
		if sameError("DecodeFrom", err, want.Err) {
			same("DecodeFrom", object, want.Object)
		}
	}
	if newItem := listOf(empty()); newItem != nil {
		var items []runtime.Object
		list := empty()
		object, err := r.Ours.DecodeList(chunks{bytes.NewReader(data), chunk}, list, newItem, func(item runtime.Object) error {
			items = append(items, item)
			return nil
		})
		if err != nil && (headAgain || itemsAgain) {
			return differences
		}
		if sameError("DecodeList", err, want.Err) {
			if object != list {
				same("DecodeList", object, want.Object)
			} else {
				same("DecodeList", items, itemsIn(want.Object, newItem))
			}
		}
	}
	same("the text", data, given)
	return differences
}

// typed returns an error with its type.
func typed(err error) string { return fmt.Sprintf("%T %v", err, err) }

// reheaded is again for JSON; of a body of protobuf, it returns whether something is repeated in the envelope.
func reheaded(data []byte) (head, items bool) {
	body, ok := bytes.CutPrefix(data, []byte("k8s\x00"))
	if !ok {
		return again(data)
	}
	var e runtime.Unknown
	if e.Unmarshal(body) != nil {
		return true, true
	}
	clean, err := e.Marshal()
	different := err != nil || !bytes.Equal(clean, body)
	return different, different
}

// listOf is itemOf for objects that may be nil.
func listOf(list runtime.Object) func() runtime.Object {
	if list == nil {
		return nil
	}
	if _, ok := list.(runtime.Unstructured); ok {
		return nil
	}
	return itemOf(list)
}

// itemsIn returns the items of a decoded list, with empty objects in the place of null.
func itemsIn(list runtime.Object, newItem func() runtime.Object) []runtime.Object {
	items, err := meta.ExtractList(list)
	if err != nil || len(items) == 0 {
		return nil
	}
	for i := range items {
		if reflect.ValueOf(items[i]).IsNil() {
			items[i] = newItem()
		}
	}
	return items
}
