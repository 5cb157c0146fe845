package codec_test

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/json"

	"github.com/listwatch/listwatch/runtime/codec"
)

// newMetadataOracle compares the decoder of metadata with apimachinery's, whose errors about unknown kinds it
// replaces as metadata clients do.
func newMetadataOracle(tb testing.TB) *oracle {
	tb.Helper()
	serializer := codec.ForMetadata()
	info, _ := runtime.SerializerInfoForMediaType(serializer.SupportedMediaTypes(), runtime.ContentTypeJSON)
	ours, ok := serializer.DecoderToVersion(info.Serializer, nil).(codec.StreamDecoder)
	if !ok {
		tb.Fatal("the decoder does not decode streams")
	}
	return &oracle{ours: ours, exact: wholeObjects{runtime.WithoutVersionDecoder{Decoder: info.Serializer}}}
}

// wholeObjects decodes the metadata of objects of unknown kinds in two steps.
type wholeObjects struct{ runtime.Decoder }

func (d wholeObjects) Decode(data []byte, defaults *schema.GroupVersionKind, into runtime.Object) (runtime.Object, *schema.GroupVersionKind, error) {
	obj, gvk, err := d.Decoder.Decode(data, defaults, nil)
	if err != nil && runtime.IsNotRegisteredError(err) {
		obj = &metav1.PartialObjectMetadata{}
		if into != nil {
			obj = into
		}
		err = json.Unmarshal(data, obj)
		obj.GetObjectKind().SetGroupVersionKind(schema.GroupVersionKind{})
	} else if err == nil && into != nil && reflect.TypeOf(obj) == reflect.TypeOf(into) {
		reflect.ValueOf(into).Elem().Set(reflect.ValueOf(obj).Elem())
		obj = into
	}
	return obj, gvk, err
}

// metadataTexts are texts beyond those of the typed decoder.
func metadataTexts() map[string]string {
	meta := func(kind, rest string) string { return `{"kind":"` + kind + `","apiVersion":"meta.k8s.io/v1",` + rest }
	return map[string]string{
		"partial":               meta("PartialObjectMetadata", `"metadata":{"name":"a","uid":"u"}}`),
		"partial with a spec":   meta("PartialObjectMetadata", `"metadata":{"name":"a"},"spec":{"metadata":{"name":"b"}}}`),
		"partial list":          meta("PartialObjectMetadataList", `"metadata":{"resourceVersion":"7"},"items":[{"metadata":{"name":"a"}},`+meta("PartialObjectMetadata", `"metadata":{"name":"b"}}`)+`]}`),
		"partial list, sorted":  `{"apiVersion":"meta.k8s.io/v1","items":[{"metadata":{"name":"a"}}],"kind":"PartialObjectMetadataList"}`,
		"partial list, no kind": `{"apiVersion":"meta.k8s.io/v1","items":[{"metadata":{"name":"a"}}]}`,
		"partial, other types":  meta("PartialObjectMetadata", `"metadata":{"name":1}}`),
		"skipped is not JSON":   widgetHead + `,"metadata":{"name":"a"},"spec":{"x":}}`,
		"skipped overflows":     widgetHead + `,"metadata":{"name":"a"},"spec":{"x":1e999}}`,
	}
}

var metadataTargets = []runtime.Object{nil, &metav1.PartialObjectMetadata{}, &metav1.PartialObjectMetadataList{}}

func TestMetadata(t *testing.T) {
	all := texts(t)
	for name, text := range metadataTexts() {
		all[name] = text
	}
	o := newMetadataOracle(t)
	for name, text := range all {
		t.Run(name, func(t *testing.T) {
			for _, into := range metadataTargets {
				for _, chunk := range []int{7, 1 << 20} {
					o.check(t, []byte(text), into, chunk)
				}
			}
		})
	}
	if o.taken < len(all) {
		t.Errorf("%d of %d texts were decoded in one pass", o.taken, len(all))
	}
}

func FuzzMetadata(f *testing.F) {
	all := texts(f)
	for name, text := range metadataTexts() {
		all[name] = text
	}
	for _, text := range all {
		if len(text) < 8192 {
			for i := range metadataTargets {
				f.Add(uint8(i), uint8(7), []byte(text))
			}
		}
	}
	o := newMetadataOracle(f)
	f.Fuzz(func(t *testing.T, which, chunk uint8, data []byte) {
		o.check(t, bytes.Clone(data), metadataTargets[int(which)%len(metadataTargets)], int(chunk)+1)
	})
}

// TestMetadataOfWholeObjects holds that whole objects are handed over one by one, without what was not requested.
func TestMetadataOfWholeObjects(t *testing.T) {
	text := listHead + `,"metadata":{"resourceVersion":"7"},"items":[` + widgetHead + `,"metadata":{"name":"a"},"spec":{"image":"i"}},{"metadata":{"name":"b"}}]}`
	list := &metav1.PartialObjectMetadataList{}
	newItem := func() runtime.Object { return &metav1.PartialObjectMetadata{} }
	var items []*metav1.PartialObjectMetadata
	got, err := newMetadataOracle(t).ours.DecodeList(strings.NewReader(text), list, newItem, func(obj runtime.Object) error {
		items = append(items, obj.(*metav1.PartialObjectMetadata))
		return nil
	})
	if err != nil || got != runtime.Object(list) || list.ResourceVersion != "7" || len(list.Items) > 0 {
		t.Errorf("%v, %+v", err, got)
	}
	if len(items) != 2 || items[0].Name != "a" || items[0].Kind != "Widget" || items[1].Name != "b" {
		t.Errorf("items %+v", items)
	}
}
