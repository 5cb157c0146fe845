package codec_test

import (
	"context"
	"fmt"
	"io"
	"reflect"
	goruntime "runtime"
	"strings"
	"testing"
	"unsafe"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/listwatch/listwatch/runtime/codec"
	"github.com/listwatch/listwatch/runtime/watch"
)

// Secret is a kind whose contents are not remembered.
type Secret struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	StringData        map[string]string `json:"stringData,omitempty"`
}

type SecretList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Secret `json:"items"`
}

func (s *Secret) DeepCopyObject() runtime.Object     { c := *s; return &c }
func (l *SecretList) DeepCopyObject() runtime.Object { c := *l; return &c }

// sharedFields reports whether two objects have the same text of a FieldsV1, which is its first word.
func sharedFields(a, b metav1.Object) bool {
	text := func(m metav1.Object) unsafe.Pointer {
		return *(*unsafe.Pointer)(unsafe.Pointer(m.GetManagedFields()[0].FieldsV1))
	}
	return text(a) == text(b)
}

// sharedParts reports whether two objects have the same label strings, the same map of labels, and the same FieldsV1.
func sharedParts(a, b metav1.Object) (text, labels, fields bool) {
	value := func(m metav1.Object) *byte { return unsafe.StringData(m.GetLabels()["some-key"]) }
	text = value(a) == value(b)
	labels = reflect.ValueOf(a.GetLabels()).Pointer() == reflect.ValueOf(b.GetLabels()).Pointer()
	fields = a.GetManagedFields()[0].FieldsV1 == b.GetManagedFields()[0].FieldsV1
	return text, labels, fields
}

// forgetSessions empties the pool of sessions: what one shares depends on the objects of other tests that it has decoded.
func forgetSessions() {
	for range 2 { // a sync.Pool keeps its values over one collection
		goruntime.GC()
	}
}

// TestSharing decodes equal objects from lists and watches.
func TestSharing(t *testing.T) {
	scheme := newScheme()
	scheme.AddKnownTypes(group, &Secret{}, &SecretList{})
	const body = `"metadata":{"name":"%s","labels":{"some-key":"some-value"},"managedFields":[{"fieldsV1":{"f:x":{}}}]},"stringData":{"a":"b"}}`
	for _, c := range []struct {
		name                 string
		kind                 string
		ctx                  context.Context
		text, labels, fields bool
		fieldsText           bool
	}{
		{"own", "Widget", t.Context(), true, false, false, false},
		{"tolerant", "Widget", codec.WithUndecodable(t.Context()), true, false, false, false},
		{"texts", "Widget", codec.WithSharedTexts(t.Context()), true, false, false, true},
		{"texts, tolerant", "Widget", codec.WithUndecodable(codec.WithSharedTexts(t.Context())), true, false, false, true},
		{"shared", "Widget", codec.WithSharing(t.Context()), true, true, true, true},
		{"shared, tolerant", "Widget", codec.WithUndecodable(codec.WithSharing(t.Context())), true, true, true, true},
		{"secret", "Secret", t.Context(), false, false, false, false},
		{"secret, texts", "Secret", codec.WithSharedTexts(t.Context()), false, false, false, false},
		{"secret, shared", "Secret", codec.WithSharing(t.Context()), false, false, false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			forgetSessions()
			ours, _ := decoders(scheme)
			d := codec.ForContext(c.ctx, ours)
			head := fmt.Sprintf(`{"kind":%q,"apiVersion":"widgets.example.com/v1",`, c.kind)
			var list runtime.Object = &WidgetList{}
			newItem := newWidget
			if c.kind == "Secret" {
				list, newItem = &SecretList{}, func() runtime.Object { return &Secret{} }
			}
			var got []metav1.Object
			text := fmt.Sprintf(`{"kind":"%sList","apiVersion":"widgets.example.com/v1","items":[`, c.kind) +
				fmt.Sprintf(head+body, "z") + `,` + fmt.Sprintf(head+body, "a") + `,` + fmt.Sprintf(head+body, "b") + `]}`
			if _, err := d.DecodeList(strings.NewReader(text), list, newItem, func(obj runtime.Object) error {
				got = append(got, obj.(metav1.Object))
				return nil
			}); err != nil {
				t.Fatal(err)
			}
			check := func(where string, text bool) {
				if t1, l, f := sharedParts(got[0], got[1]); t1 != text || l != c.labels || f != c.fields {
					t.Errorf("%s share text %v, labels %v, fields %v, want %v, %v, %v", where, t1, l, f, text, c.labels, c.fields)
				}
				if f := sharedFields(got[0], got[1]); f != c.fieldsText {
					t.Errorf("%s share texts of fields: %v", where, f)
				}
			}
			got = got[1:] // strings are one from the second time on
			check("items", c.text)

			frames := `{"type":"ADDED","object":` + fmt.Sprintf(head+body, "c") + "}\n"
			events := watch.NewStreamDecoder(io.NopCloser(strings.NewReader(strings.Repeat(frames, 3))), codec.ForContext(c.ctx, ours))
			for range 3 {
				_, obj, err := events.Decode()
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, obj.(metav1.Object))
			}
			between := []metav1.Object{got[0], got[2]}
			got = got[3:]
			check("events", c.text)
			// A list and the watch that follows it share only what is meant to be.
			got = between
			check("an item and an event", c.fieldsText)
		})
	}
}

// TestSharingIsBounded decodes more different objects than are remembered.
func TestSharingIsBounded(t *testing.T) {
	ours, _ := decoders(newScheme())
	d := codec.ForStream(codec.ForContext(codec.WithSharing(t.Context()), ours))
	first := map[string]string{}
	for i := range 20000 {
		text := fmt.Sprintf(widgetHead+`,"metadata":{"name":"w","labels":{"k%d":"v%d"},"managedFields":[{"fieldsV1":{"f:%d":{}}}]}}`, i%9000, i%9000, i%9000)
		obj, _, err := d.Decode([]byte(text), nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		w := obj.(*Widget)
		if want := fmt.Sprintf("v%d", i%9000); w.Labels[fmt.Sprintf("k%d", i%9000)] != want || len(w.Labels) != 1 {
			t.Fatalf("object %d has labels %v", i, w.Labels)
		}
		if got, want := w.ManagedFields[0].FieldsV1.String(), fmt.Sprintf(`{"f:%d":{}}`, i%9000); !strings.Contains(got, fmt.Sprintf("f:%d\"", i%9000)) {
			t.Fatalf("object %d has fields %s, want %s", i, got, want)
		}
		for k, v := range w.Labels {
			first[k] = v
		}
	}
	if len(first) != 9000 {
		t.Errorf("%d labels", len(first))
	}
}

// TestUntypedSecretsShareNothing holds that no string in the data of a Secret is one with that of another object, in
// lists and watches, and that those of other kinds are.
func TestUntypedSecretsShareNothing(t *testing.T) {
	ours := newUntypedOracle(t).ours
	for _, kind := range []string{"Secret", "ConfigMap"} {
		text := fmt.Sprintf(`{"kind":%q,"apiVersion":"v1","metadata":{"name":"a"},"data":{"password":"c2VjcmV0"}}`, kind)
		var got []*byte
		see := func(obj runtime.Object) {
			value, _, err := unstructured.NestedString(obj.(*unstructured.Unstructured).Object, "data", "password")
			if value != "c2VjcmV0" {
				t.Fatalf("%q, %v", value, err)
			}
			got = append(got, unsafe.StringData(value))
		}
		// What it learns from the first objects applies to the later ones.
		const n = 5
		for _, head := range []string{
			fmt.Sprintf(`{"kind":"%sList","apiVersion":"v1","items":[`, kind),
			`{"apiVersion":"v1","items":[`,
		} {
			got = nil
			body := head + strings.Repeat(text+",", n-1) + text + `],"metadata":{}`
			if !strings.Contains(head, "kind") {
				body += fmt.Sprintf(`,"kind":"%sList"`, kind)
			}
			newItem := func() runtime.Object { return &unstructured.Unstructured{} }
			d := codec.ForContext(codec.WithSharing(t.Context()), ours)
			if _, err := d.DecodeList(strings.NewReader(body+"}"), &unstructured.UnstructuredList{}, newItem, func(obj runtime.Object) error {
				see(obj)
				return nil
			}); err != nil {
				t.Fatal(err)
			}
			if shared := got[n-2] == got[n-1]; kind == "Secret" && shared {
				t.Errorf("items of a list of %s share strings", kind)
			}
		}
		got = nil
		frames := strings.Repeat(`{"type":"ADDED","object":`+text+"}\n", n)
		events := watch.NewStreamDecoder(io.NopCloser(strings.NewReader(frames)), codec.ForContext(codec.WithSharing(t.Context()), ours))
		for range n {
			_, obj, err := events.Decode()
			if err != nil {
				t.Fatal(err)
			}
			see(obj)
		}
		if shared := got[n-2] == got[n-1]; shared != (kind != "Secret") {
			t.Errorf("events of %s share strings: %v", kind, shared)
		}
	}
}

// TestWithSecrets holds that metadata of Secrets have nothing in common.
func TestWithSecrets(t *testing.T) {
	serializer := codec.ForMetadata()
	object := &metav1.PartialObjectMetadata{
		TypeMeta:   metav1.TypeMeta{APIVersion: "meta.k8s.io/v1", Kind: "PartialObjectMetadata"},
		ObjectMeta: metav1.ObjectMeta{Name: "a", Annotations: map[string]string{"key": "a value"}},
	}
	for _, mediaType := range []string{runtime.ContentTypeJSON, runtime.ContentTypeProtobuf} {
		info, _ := runtime.SerializerInfoForMediaType(serializer.SupportedMediaTypes(), mediaType)
		ours := serializer.DecoderToVersion(info.Serializer, nil).(codec.StreamDecoder)
		text, err := runtime.Encode(info.Serializer, object)
		if err != nil {
			t.Fatal(err)
		}
		ctx := codec.WithSharing(t.Context())
		for name, c := range map[string]struct {
			ctx    context.Context
			shared bool
		}{"others": {ctx, true}, "secrets": {codec.WithSecrets(ctx), false}} {
			d := codec.ForStream(codec.ForContext(c.ctx, ours))
			var last map[string]string
			for range 5 {
				obj, _, err := d.Decode(text, nil, nil)
				if err != nil {
					t.Fatal(err)
				}
				annotations := obj.(*metav1.PartialObjectMetadata).Annotations
				if one := reflect.ValueOf(annotations).Pointer() == reflect.ValueOf(last).Pointer(); one && !c.shared {
					t.Errorf("%s, %s: maps are one", mediaType, name)
				}
				if one := unsafe.StringData(annotations["key"]) == unsafe.StringData(last["key"]); one && !c.shared {
					t.Errorf("%s, %s: values are one", mediaType, name)
				}
				if last != nil && c.shared {
					last["seen"] = "x"
				}
				last = annotations
			}
			if _, shared := last["seen"]; shared != c.shared {
				t.Errorf("%s, %s: maps are one: %v", mediaType, name, shared)
			}
		}
	}
}
