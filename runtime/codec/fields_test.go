package codec_test

import (
	"context"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"

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
	compareDecoder(t, kind, text, codec.ForContext(codec.WithFields(t.Context(), f), kind.ours), want, same)
	compareDecoder(t, kind, text, codec.ForContext(codec.WithFields(codec.WithSharing(t.Context()), f), kind.ours), want, same)
	return cut
}

// compareDecoder calls same with the objects that d decodes from text, several times since equal parts may be shared from the
// second time on.
func compareDecoder(t *testing.T, kind fieldKind, text string, d codec.StreamDecoder, want runtime.Object, same func(what string, got runtime.Object)) {
	for range 4 {
		events := watch.NewStreamDecoder(io.NopCloser(strings.NewReader(fmt.Sprintf(`{"type":"ADDED","object":%s}`, text))), d)
		_, got, err := events.Decode()
		if err != nil {
			t.Fatal(err)
		}
		same("event", got)
	}
	body := `{"kind":"WidgetList","apiVersion":"widgets.example.com/v1","items":[` + text + "," + text + "," + text + "," + text + `]}`
	n := 0
	if _, err := d.DecodeList(strings.NewReader(body), kind.list(), kind.newItem, func(got runtime.Object) error {
		n++
		got.GetObjectKind().SetGroupVersionKind(want.GetObjectKind().GroupVersionKind()) // items keep theirs
		same("item", got)
		return nil
	}); err != nil || n != 4 {
		t.Errorf("%d items, %v", n, err)
	}
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

// TestCutPartsAreShared decodes objects whose parts differ only in what is not kept: for owners that share parts, they are one
// in memory.
func TestCutPartsAreShared(t *testing.T) {
	ours, _ := decoders(newScheme())
	f, err := codec.ParseFields("status.conditions.type", "status.conditions.status", "spec.selector.matchLabels", "spec.env.name")
	if err != nil {
		t.Fatal(err)
	}
	const form = widgetHead + `,"metadata":{"name":"w%d"},"spec":{"env":[],"selector":{"matchExpressions":[{"key":"k%[1]d"}],"matchLabels":{"a":"b"}}},` +
		`"status":{"conditions":[{"type":"Ready","status":%q,"reason":"r%[1]d","more":[%[1]d]},{"lastTransitionTime":"2026-01-02T03:04:%02[1]dZ","type":"Late","status":"False"}]}}`
	for _, c := range []struct {
		name  string
		parts bool
	}{{"parts", true}, {"texts", false}} {
		t.Run(c.name, func(t *testing.T) {
			ctx := codec.WithSharedTexts(t.Context())
			if c.parts {
				ctx = codec.WithSharing(t.Context())
			}
			stream := codec.ForStream(codec.ForContext(codec.WithFields(ctx, f), ours))
			decode := func(i int, ready string) *Widget {
				got, _, err := stream.Decode(fmt.Appendf(nil, form, i, ready), nil, nil)
				if err != nil {
					t.Fatal(err)
				}
				w := got.(*Widget)
				want := []metav1.Condition{{Type: "Ready", Status: metav1.ConditionStatus(ready)}, {Type: "Late", Status: "False"}}
				if !reflect.DeepEqual(w.Status.Conditions, want) || w.Spec.Env == nil || w.Spec.Selector.MatchLabels["a"] != "b" {
					t.Fatalf("object %d is %+v", i, w)
				}
				return w
			}
			decode(1, "True")
			second, third, other, fifth := decode(2, "True"), decode(3, "True"), decode(4, "False"), decode(5, "True")
			at := func(w *Widget) *metav1.Condition { return &w.Status.Conditions[0] }
			if one := at(second) == at(third) && at(third) == at(fifth); one != c.parts || at(other) == at(third) {
				t.Errorf("equal conditions are one: %v", one)
			}
			if one := second.Spec.Selector == third.Spec.Selector; one != c.parts {
				t.Errorf("equal selectors are one: %v", one)
			}
		})
	}
}

// widgetView is a view of Widgets.
type widgetView struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Status            struct {
		Conditions []struct {
			Type string `json:"type"`
			Next *struct {
				A string `json:"a"`
			} `json:"next"`
		} `json:"conditions"`
	} `json:"status"`
}

type widgetViewList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []widgetView `json:"items"`
}

func (w *widgetView) DeepCopyObject() runtime.Object     { c := *w; return &c }
func (l *widgetViewList) DeepCopyObject() runtime.Object { c := *l; return &c }

// TestPartsOfViewsAreShared is TestCutPartsAreShared for a view, of any owner.
func TestPartsOfViewsAreShared(t *testing.T) {
	scheme := runtime.NewScheme()
	scheme.AddKnownTypeWithName(group.WithKind("Widget"), &widgetView{})
	scheme.AddKnownTypeWithName(group.WithKind("WidgetList"), &widgetViewList{})
	codecs := serializer.NewCodecFactory(scheme)
	s, err := codec.ForView(scheme, codecs, &widgetView{}, &widgetViewList{}, "")
	if err != nil {
		t.Fatal(err)
	}
	info, _ := runtime.SerializerInfoForMediaType(s.SupportedMediaTypes(), runtime.ContentTypeJSON)
	d := s.DecoderToVersion(info.Serializer, group).(codec.StreamDecoder)
	const form = widgetHead + `,"metadata":{"name":"w%d"},"status":{"conditions":[{"type":"Ready","reason":"r%[1]d","next":{"b":%[1]d,"a":"n"}}, {"time":"%[1]d","type":"Late"}]}}`
	for _, c := range []struct {
		name   string
		ctx    context.Context
		shared bool
	}{{"owner", codec.WithSharedTexts(t.Context()), true}, {"no owner", t.Context(), false}} {
		t.Run(c.name, func(t *testing.T) {
			stream := codec.ForStream(codec.ForContext(c.ctx, d))
			var all []*widgetView
			for i := range 3 {
				got, _, err := stream.Decode(fmt.Appendf(nil, form, i), nil, nil)
				if err != nil {
					t.Fatal(err)
				}
				w := got.(*widgetView)
				if all = append(all, w); w.Status.Conditions[0].Type != "Ready" || w.Status.Conditions[0].Next.A != "n" || w.Status.Conditions[1].Type != "Late" {
					t.Fatalf("%+v", w)
				}
			}
			if one := &all[1].Status.Conditions[0] == &all[2].Status.Conditions[0]; one != c.shared {
				t.Errorf("equal conditions are one: %v", one)
			}
		})
	}
}
