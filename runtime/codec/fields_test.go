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

	"github.com/listwatch/listwatch/runtime/codec"
	"github.com/listwatch/listwatch/runtime/watch"
)

// fieldTexts are bodies of Widgets, after the kind.
var fieldTexts = []string{
	``,
	`,"metadata":{"name":"a"}`,
	`,"metadata":{"name":"a","namespace":"n","uid":"u","resourceVersion":"7","generation":2,"creationTimestamp":"2026-01-02T03:04:05Z","labels":{"k":"v"},"annotations":{"a":"b"},"finalizers":["f"],"generateName":"g","selfLink":"/s","managedFields":[{"manager":"m","fieldsV1":{"f:x":{}}}]},"spec":{"image":"i","args":["x","y"],"replicas":3,"env":[{"name":"n","value":"v"},{}],"settings":{"a":"b"},"selector":{"matchLabels":{"k":"v"},"matchExpressions":[{"key":"k","operator":"In","values":["v"]}]}},"status":{"phase":"p","conditions":[{"type":"t","status":"True","reason":"r","lastTransitionTime":"2026-01-02T03:04:05Z"}],"timeout":"5s","grace":"1s"}`,
	`,"metadata":{"name":"a","labels":{}},"spec":{"env":[],"selector":{},"args":[]},"status":{"conditions":[]},"other":{"x":[1]}`,
	`,"metadata":{"name":"a","labels":null},"spec":{"env":null,"selector":null},"status":null`,
	`,"spec":null,"metadata":null`,
	`,"spec":{"env":[{"name":"n\u0041"}],"ports":[{"port":1},{"port":2,"name":"b"}]},"metadata":{"name":"\u0061"}`,
}

// fieldPaths are what is kept.
var fieldPaths = [][]string{
	nil,
	{"spec"},
	{"metadata"},
	{"spec.image", "status.phase"},
	{"spec.env.name", "status.conditions.type", "spec.ports.port"},
	{"spec.selector.matchLabels", "metadata.managedFields", "-metadata.labels"},
	{"spec", "-spec.env.value", "-spec.args", "-metadata.annotations", "-metadata.finalizers"},
	{"status", "-status.conditions", "status.conditions.type", "metadata.generateName"},
	{"spec.selector.matchExpressions.values", "metadata.managedFields.manager"},
}

// fieldKind is a way in which Widgets are decoded.
type fieldKind struct {
	name    string
	ours    codec.StreamDecoder
	exact   runtime.Decoder
	list    func() runtime.Object
	newItem func() runtime.Object
}

func fieldKinds(t testing.TB) []fieldKind {
	typed, exact := decoders(newScheme())
	untyped := newUntypedOracle(t)
	return []fieldKind{
		{"typed", typed, exact, func() runtime.Object { return &WidgetList{} }, newWidget},
		{"untyped", untyped.ours, untyped.exact, func() runtime.Object { return &unstructured.UnstructuredList{} }, func() runtime.Object { return &unstructured.Unstructured{} }},
	}
}

// compareFields holds that decoding text with fields, as an item and in an event, has the result of pruning it afterwards.
// It returns whether the decoder has cut the item.
func compareFields(t *testing.T, kind fieldKind, text string, f *codec.Fields) (cut bool) {
	want := kind.newItem()
	if _, _, err := kind.exact.Decode([]byte(text), nil, want); err != nil {
		return true
	}
	if err := f.Prune(want); err != nil {
		t.Fatal(err)
	}
	same := func(what string, got runtime.Object) {
		cut = codec.IsCut(got)
		if err := f.Prune(got); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s of %s: %+v, want %+v", what, text, got, want)
		}
	}
	d := codec.ForContext(codec.WithFields(t.Context(), f), kind.ours)
	for range 2 {
		events := watch.NewStreamDecoder(io.NopCloser(strings.NewReader(fmt.Sprintf(`{"type":"ADDED","object":%s}`, text))), d)
		_, got, err := events.Decode()
		if err != nil {
			t.Fatal(err)
		}
		same("event", got)
	}
	body := `{"kind":"WidgetList","apiVersion":"widgets.example.com/v1","items":[` + text + "," + text + `]}`
	n := 0
	if _, err := d.DecodeList(strings.NewReader(body), kind.list(), kind.newItem, func(got runtime.Object) error {
		n++
		got.GetObjectKind().SetGroupVersionKind(want.GetObjectKind().GroupVersionKind()) // items keep theirs
		same("item", got)
		return nil
	}); err != nil || n != 2 {
		t.Errorf("%d items, %v", n, err)
	}
	return cut
}

// TestFields holds that objects are as if they had been pruned afterwards.
func TestFields(t *testing.T) {
	for _, kind := range fieldKinds(t) {
		for _, paths := range fieldPaths {
			f, err := codec.ParseFields(paths...)
			if err != nil {
				t.Fatal(err)
			}
			if err := f.Check(kind.newItem()); err != nil {
				t.Fatal(err)
			}
			for _, body := range fieldTexts {
				cut := compareFields(t, kind, widgetHead+body+"}", f)
				if want := kind.name == "typed" || strings.Contains(body, `"metadata":{`); cut != want {
					t.Errorf("%s, %v, %s: cut while decoding %v, want %v", kind.name, paths, body, cut, want)
				}
			}
		}
	}
}

// FuzzFields compares with pruning afterwards.
func FuzzFields(f *testing.F) {
	for i, body := range fieldTexts {
		f.Add(widgetHead+body+"}", strings.Join(fieldPaths[i%len(fieldPaths)], ","))
	}
	kinds := fieldKinds(f)
	f.Fuzz(func(t *testing.T, text, paths string) {
		fields, err := codec.ParseFields(strings.Split(paths, ",")...)
		if err != nil || !strings.HasPrefix(text, widgetHead) {
			return
		}
		for _, kind := range kinds {
			if fields.Check(kind.newItem()) == nil {
				compareFields(t, kind, text, fields)
			}
		}
	})
}

// TestFieldsSkipAnyJSON holds that what is not kept need not fit its type.
func TestFieldsSkipAnyJSON(t *testing.T) {
	f, _ := codec.ParseFields("spec.image")
	ours, _ := decoders(newScheme())
	d := codec.ForContext(codec.WithFields(t.Context(), f), ours)
	obj, _, err := d.Decode([]byte(widgetHead+`,"metadata":{"name":"a"},"spec":{"image":"i","replicas":"three"},"status":7}`), nil, nil)
	if err != nil || obj.(*Widget).Spec.Image != "i" || !codec.IsCut(obj) {
		t.Errorf("%+v, %v", obj, err)
	}
	if _, _, err = d.Decode([]byte(widgetHead+`,"spec":{"image":"i","replicas":}}`), nil, nil); err == nil {
		t.Error("no error for what is not JSON")
	}
	// Sessions are reused.
	obj, _, err = ours.Decode([]byte(widgetHead+`,"spec":{"paused":true}}`), nil, nil)
	if err != nil || !obj.(*Widget).Spec.Paused || codec.IsCut(obj) {
		t.Errorf("%+v, %v", obj, err)
	}
}

// TestFieldsOfOthers holds that what is no API object is decoded as a whole: a Status, and lists.
func TestFieldsOfOthers(t *testing.T) {
	f, _ := codec.ParseFields("spec.image")
	const status = `{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"m","reason":"Expired","code":410}`
	for _, kind := range fieldKinds(t) {
		d := codec.ForContext(codec.WithFields(t.Context(), f), kind.ours)
		obj, _, err := d.Decode([]byte(status), nil, nil)
		if s, ok := obj.(*metav1.Status); err != nil || !ok || s.Message != "m" || s.Code != 410 {
			t.Errorf("%s: %+v, %v", kind.name, obj, err)
		}
	}
	untyped := codec.ForContext(codec.WithFields(t.Context(), f), newUntypedOracle(t).ours)
	u := &unstructured.Unstructured{}
	if _, _, err := untyped.Decode([]byte(status), nil, u); err != nil || u.Object["message"] != "m" {
		t.Errorf("%+v, %v", u, err)
	}
	list := &unstructured.UnstructuredList{}
	if _, err := untyped.DecodeFrom(strings.NewReader(`{"kind":"WidgetList","apiVersion":"widgets.example.com/v1","metadata":{"continue":"c","remainingItemCount":3},"items":[]}`), list); err != nil || list.GetContinue() != "c" || *list.GetRemainingItemCount() != 3 {
		t.Errorf("%+v, %v", list, err)
	}
}

// TestFieldsOfMetadata holds that metadata clients skip them, and that paths of other fields do no harm.
func TestFieldsOfMetadata(t *testing.T) {
	f, _ := codec.ParseFields("spec.image", "-metadata.labels")
	serializer := codec.ForMetadata()
	info, _ := runtime.SerializerInfoForMediaType(serializer.SupportedMediaTypes(), runtime.ContentTypeJSON)
	ours := serializer.DecoderToVersion(info.Serializer, nil).(codec.StreamDecoder)
	d := codec.ForContext(codec.WithFields(t.Context(), f), ours)
	for _, head := range []string{widgetHead, `{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1"`} {
		obj, _, err := d.Decode([]byte(head+fieldTexts[2]+"}"), nil, nil)
		m, ok := obj.(*metav1.PartialObjectMetadata)
		if err != nil || !ok || !codec.IsCut(obj) || m.ManagedFields != nil || m.Labels != nil || m.Name != "a" || m.Annotations["a"] != "b" {
			t.Errorf("%s: %+v, %v", head, obj, err)
		}
		if err := f.Check(obj); err != nil {
			t.Error(err)
		}
	}
}

// TestFieldsOfBookmarks holds that a bookmark has its annotation, even if annotations are left out.
func TestFieldsOfBookmarks(t *testing.T) {
	f, _ := codec.ParseFields("-metadata.annotations")
	for _, kind := range fieldKinds(t) {
		d := codec.ForContext(codec.WithFields(t.Context(), f), kind.ours)
		for annotations, want := range map[string]string{`{"k8s.io/initial-events-end":"true"}`: "true", `{"a":"k8s.io"}`: "", `{}`: "", `null`: ""} {
			text := widgetHead + `,"metadata":{"resourceVersion":"7","annotations":` + annotations + `}}`
			events := watch.NewStreamDecoder(io.NopCloser(strings.NewReader(fmt.Sprintf(`{"type":"BOOKMARK","object":%s}`, text))), d)
			_, got, err := events.Decode()
			if err != nil {
				t.Fatal(err)
			}
			m := got.(metav1.Object)
			if m.GetAnnotations()[metav1.InitialEventsAnnotationKey] != want || want == "" && len(m.GetAnnotations()) > 0 || m.GetResourceVersion() != "7" {
				t.Errorf("%s: %s: %v", kind.name, annotations, m.GetAnnotations())
			}
			if err := f.Prune(got); err != nil || m.GetAnnotations() != nil {
				t.Errorf("%s: %v, %v", kind.name, m.GetAnnotations(), err)
			}
		}
	}
}
