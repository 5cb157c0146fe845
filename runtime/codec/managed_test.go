package codec_test

import (
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/listwatch/listwatch/runtime/cache"
	"github.com/listwatch/listwatch/runtime/codec"
	"github.com/listwatch/listwatch/runtime/watch"
)

// managedTexts are bodies of Widgets, after the kind, and whether managedFields of the metadata are valid.
var managedTexts = map[string]struct {
	body  string
	valid bool
}{
	"usual":        {`,"metadata":{"name":"a","managedFields":[{"manager":"m","time":"2026-01-02T03:04:05Z","fieldsV1":{"f:x":{}}}],"labels":{"k":"v"}},"spec":{"image":"i"}}`, true},
	"none":         {`,"metadata":{"name":"a"},"spec":{"image":"i"}}`, true},
	"null":         {`,"metadata":{"managedFields":null,"name":"a"}}`, true},
	"empty":        {`,"metadata":{"managedFields":[],"name":"a"}}`, true},
	"no array":     {`,"metadata":{"managedFields":"text","name":"a"}}`, false},
	"no entries":   {`,"metadata":{"managedFields":[1,{"time":7}],"name":"a"}}`, false},
	"elsewhere":    {`,"metadata":{"name":"a"},"spec":{"image":"i","managedFields":[1],"metadata":{"managedFields":[2]},"env":[{"name":"n","metadata":{"managedFields":[3]}}]},"managedFields":[4]}`, true},
	"metadata odd": {`,"metadata":null,"x":{"metadata":{"managedFields":[5]}}}`, true},
}

// TestWithoutManagedFields holds that objects are as if their managedFields had been removed afterwards.
func TestWithoutManagedFields(t *testing.T) {
	typed, exact := decoders(newScheme())
	untyped := newUntypedOracle(t)
	for _, kind := range []struct {
		name    string
		ours    codec.StreamDecoder
		exact   runtime.Decoder
		list    func() runtime.Object
		newItem func() runtime.Object
	}{
		{"typed", typed, exact, func() runtime.Object { return &WidgetList{} }, newWidget},
		{"untyped", untyped.ours, untyped.exact, func() runtime.Object { return &unstructured.UnstructuredList{} }, func() runtime.Object { return &unstructured.Unstructured{} }},
	} {
		for name, c := range managedTexts {
			t.Run(kind.name+"/"+name, func(t *testing.T) {
				text := widgetHead + c.body
				want := kind.newItem()
				if _, _, err := kind.exact.Decode([]byte(text), nil, want); err != nil && c.valid {
					t.Fatal(err)
				} else if err != nil {
					replaced := strings.ReplaceAll(strings.ReplaceAll(text, `"text"`, "null"), `[1,{"time":7}]`, "null")
					if _, _, err := kind.exact.Decode([]byte(replaced), nil, want); err != nil {
						t.Fatal(err)
					}
				}
				if _, err := cache.DropManagedFields(want); err != nil {
					t.Fatal(err)
				}
				d := codec.ForContext(codec.WithoutManagedFields(t.Context()), kind.ours)
				body := `{"kind":"WidgetList","apiVersion":"widgets.example.com/v1","items":[` + text + "," + text + `]}`
				n := 0
				if _, err := d.DecodeList(strings.NewReader(body), kind.list(), kind.newItem, func(got runtime.Object) error {
					n++
					got.GetObjectKind().SetGroupVersionKind(want.GetObjectKind().GroupVersionKind()) // items keep theirs
					if !reflect.DeepEqual(got, want) {
						t.Errorf("item %+v, want %+v", got, want)
					}
					return nil
				}); err != nil || n != 2 {
					t.Errorf("%d items, %v", n, err)
				}
				events := watch.NewStreamDecoder(io.NopCloser(strings.NewReader(fmt.Sprintf(`{"type":"ADDED","object":%s}`, text))), d)
				if _, got, err := events.Decode(); err != nil || !reflect.DeepEqual(got, want) {
					t.Errorf("event %+v, %v, want %+v", got, err, want)
				}
			})
		}
	}
	t.Run("with them", func(t *testing.T) {
		// Sessions are reused.
		for range 3 {
			obj, _, err := typed.Decode([]byte(widgetHead+managedTexts["usual"].body), nil, nil)
			if err != nil || len(obj.(*Widget).ManagedFields) != 1 {
				t.Errorf("%+v, %v", obj, err)
			}
		}
	})
	t.Run("no JSON", func(t *testing.T) {
		d := codec.ForContext(codec.WithoutManagedFields(t.Context()), typed)
		if _, _, err := d.Decode([]byte(widgetHead+`,"metadata":{"managedFields":[}}}`), nil, nil); err == nil {
			t.Error("no error")
		}
	})
}

// TestManagedFieldsAreNotAllocated compares decoding with and without managedFields in the text.
func TestManagedFieldsAreNotAllocated(t *testing.T) {
	ours, _ := decoders(newScheme())
	d := codec.ForStream(codec.ForContext(codec.WithoutManagedFields(t.Context()), ours))
	entry := `{"manager":"m","operation":"Update","time":"2026-01-02T03:04:05Z","fieldsType":"FieldsV1","fieldsV1":{"f:x":{"f:%d":{}}}}`
	allocs := func(managed string) float64 {
		text := []byte(widgetHead + `,"metadata":{"name":"a"` + managed + `}}`)
		into := &Widget{}
		return testing.AllocsPerRun(100, func() {
			*into = Widget{}
			if _, _, err := d.Decode(text, nil, into); err != nil {
				t.Fatal(err)
			}
		})
	}
	bare := allocs("")
	if with := allocs(`,"managedFields":[` + fmt.Sprintf(entry, 1) + "," + fmt.Sprintf(entry, 2) + `]`); with != bare {
		t.Errorf("%v allocations, without managedFields in the text %v", with, bare)
	}
}

// TestManagedFieldsOfMetadata holds that metadata clients skip them, in metadata and in whole objects.
func TestManagedFieldsOfMetadata(t *testing.T) {
	serializer := codec.ForMetadata()
	info, _ := runtime.SerializerInfoForMediaType(serializer.SupportedMediaTypes(), runtime.ContentTypeJSON)
	ours := serializer.DecoderToVersion(info.Serializer, nil).(codec.StreamDecoder)
	d := codec.ForContext(codec.WithoutManagedFields(t.Context()), ours)
	for _, head := range []string{widgetHead, `{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1"`} {
		obj, _, err := d.Decode([]byte(head+managedTexts["usual"].body), nil, nil)
		if m, ok := obj.(*metav1.PartialObjectMetadata); err != nil || !ok || m.ManagedFields != nil || m.Name != "a" || m.Labels["k"] != "v" {
			t.Errorf("%s: %+v, %v", head, obj, err)
		}
	}
}
