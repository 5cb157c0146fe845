package codec_test

import (
	"bytes"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unsafe"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/listwatch/listwatch/runtime/codec"
)

// newUntypedOracle compares the decoder for untyped objects with apimachinery's.
func newUntypedOracle(tb testing.TB) *oracle {
	tb.Helper()
	serializer := codec.ForUnstructured()
	exact := serializer.SupportedMediaTypes()[0].Serializer
	ours, ok := serializer.DecoderToVersion(exact, nil).(codec.StreamDecoder)
	if !ok {
		tb.Fatal("the decoder does not decode streams")
	}
	return &oracle{ours: ours, exact: exact}
}

// untypedTexts are texts beyond those of the typed decoder.
func untypedTexts() map[string]string {
	return map[string]string{
		"numbers":                     widgetHead + `,"n":[0,-0,1,-1,1.0,1e2,1E400,9223372036854775807,9223372036854775808,-9223372036854775808,-9223372036854775809,0.1,1e-400,123456789012345678901234567890]}`,
		"numbers that are exact":      widgetHead + `,"n":[0,-0,1,-1,1.0,1e2,9223372036854775807,9223372036854775808,-9223372036854775808,-9223372036854775809,0.1,1e-400,123456789012345678901234567890]}`,
		"strings again":               widgetHead + `,"a":"x","b":{"a":"x","x":"a"},"c":["x","a","x"]}`,
		"empty things":                widgetHead + `,"a":{},"b":[],"c":"","d":null,"":{"":[]}}`,
		"members again":               widgetHead + `,"a":{"b":1},"a":{"c":2},"a":null,"a":{"d":3,"d":4}}`,
		"many members":                widgetHead + `,"spec":{` + strings.TrimSuffix(strings.Repeat(`"a":1,"b":2,"c":3,"d":4,"e":5,"f":6,"g":7,"h":8,"i":9,`, 3), ",") + `}}`,
		"version empty, kind":         `{"apiVersion":"","kind":"Widget"}`,
		"version missing":             `{"kind":"Widget","metadata":{"name":"a"}}`,
		"version of slashes":          `{"kind":"Widget","apiVersion":"/v1"}`,
		"list, version empty":         `{"apiVersion":"","kind":"WidgetList","items":[{}]}`,
		"list, version of slashes":    `{"apiVersion":"/v1","kind":"WidgetList","items":[{}]}`,
		"list, sorted, version empty": `{"apiVersion":"","items":[{}],"kind":"WidgetList"}`,
		"list, sorted, with kinds":    sortedHead + `[` + widgetHead + `},{"kind":"Widget"},{"apiVersion":"v1"}],"kind":"WidgetList","metadata":{"resourceVersion":"7"}}`,
		"list, sorted, one without":   sortedHead + `[` + widgetHead + `},{},` + widgetHead + `}],"kind":"WidgetList","metadata":{"resourceVersion":"7"}}`,
		"list, sorted, items again":   sortedHead + `[{}],"kind":"WidgetList","items":[]}`,
		"list, status":                `{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Success"}`,
		"list, status with items":     `{"kind":"Status","apiVersion":"v1","items":[{}]}`,
		"list, kind of no list":       widgetHead + `,"items":[{"metadata":{"name":"a"}}]}`,
	}
}

func TestUntyped(t *testing.T) {
	all := texts(t)
	maps.Copy(all, untypedTexts())
	o := newUntypedOracle(t)
	for name, text := range all {
		t.Run(name, func(t *testing.T) {
			for _, into := range []runtime.Object{nil, &unstructured.Unstructured{}, &unstructured.UnstructuredList{}, &metav1.Status{}, &runtime.Unknown{}} {
				for _, chunk := range []int{1, 7, 1 << 20} {
					o.check(t, []byte(text), into, chunk)
				}
			}
		})
	}
	if o.taken < len(all) {
		t.Errorf("%d of %d texts were decoded in one pass", o.taken, len(all))
	}
}

func FuzzUntyped(f *testing.F) {
	all := texts(f)
	maps.Copy(all, untypedTexts())
	into := []runtime.Object{nil, &unstructured.Unstructured{}, &unstructured.UnstructuredList{}}
	for _, text := range all {
		if len(text) < 8192 {
			for i := range into {
				f.Add(uint8(i), uint8(7), []byte(text))
			}
		}
	}
	o := newUntypedOracle(f)
	f.Fuzz(func(t *testing.T, which, chunk uint8, data []byte) {
		obj := into[int(which)%len(into)]
		o.check(t, bytes.Clone(data), obj, int(chunk)+1)
		if obj != nil {
			// apimachinery has a second decoder, which unstructured objects call themselves.
			got, want := fresh(obj), fresh(obj)
			_, _, err := o.ours.Decode(data, nil, got)
			if wantErr := want.(interface{ UnmarshalJSON([]byte) error }).UnmarshalJSON(data); err == nil && (wantErr != nil || !reflect.DeepEqual(got, want)) {
				t.Errorf("UnmarshalJSON of %s: %v\n%s", data, wantErr, difference(want, got))
			}
		}
	})
}

// TestUntypedStatus holds that only what has no given object is typed.
func TestUntypedStatus(t *testing.T) {
	o := newUntypedOracle(t)
	text := []byte(`{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","reason":"NotFound","code":404}`)
	got, _, err := o.ours.Decode(text, nil, nil)
	if status, ok := got.(*metav1.Status); !ok || err != nil || status.Reason != metav1.StatusReasonNotFound {
		t.Errorf("%T %+v, %v", got, got, err)
	}
	u := &unstructured.Unstructured{}
	if got, _, err = o.ours.Decode(text, nil, u); got != runtime.Object(u) || err != nil || u.GetKind() != "Status" {
		t.Errorf("%T %+v, %v", got, got, err)
	}
	newItem := func() runtime.Object { return &unstructured.Unstructured{} }
	got, err = o.ours.DecodeList(bytes.NewReader(text), &unstructured.UnstructuredList{}, newItem, nil)
	if _, ok := got.(*metav1.Status); !ok || err != nil {
		t.Errorf("as a list: %T %+v, %v", got, got, err)
	}
}

// TestUntypedListHeads decodes heads that a null follows, or nothing, as the exact decoder does.
func TestUntypedListHeads(t *testing.T) {
	o := newUntypedOracle(t)
	for _, after := range afterHeads {
		got, want := &unstructured.UnstructuredList{}, &unstructured.UnstructuredList{}
		_, err := o.ours.DecodeFrom(strings.NewReader(listHead+after), got)
		_, _, wantErr := o.exact.Decode([]byte(listHead+after), nil, want)
		if (err == nil) != (wantErr == nil) || err != nil && after != "}}" && strings.Contains(err.Error(), "more than one value") {
			t.Errorf("%q: error %v, want %v", after, err, wantErr)
		}
		if err == nil && len(got.Items) != len(want.Items) {
			t.Errorf("%q: %d items, want %d", after, len(got.Items), len(want.Items))
		}
	}
}

// TestUntypedListIsStreamed holds that items are handed over before the list ends, even if its kind follows.
func TestUntypedListIsStreamed(t *testing.T) {
	item := func(name string) string { return widgetHead + `,"metadata":{"name":"` + name + `"}}` }
	for _, test := range []struct {
		name, before, after string
		want                []string // names of the items handed over before the rest is read
	}{
		{"kind first", listHead + `,"items":[` + item("a") + `,{"metadata":{"name":"b"}},`, item("c") + `]}`, []string{"a", "b"}},
		{"kind last", sortedHead + `[` + item("a") + `,` + item("b") + `,`, item("c") + `],"kind":"WidgetList"}`, []string{"a", "b"}},
		{"kind last, an item has none", sortedHead + `[` + item("a") + `,{"metadata":{"name":"b"}},` + item("x") + `,`, item("c") + `],"kind":"WidgetList"}`, []string{"a"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			var names, before []string
			r := &halves{[]string{test.before, test.after}, func() { before = slices.Clone(names) }}
			list := &unstructured.UnstructuredList{}
			newItem := func() runtime.Object { return &unstructured.Unstructured{} }
			_, err := newUntypedOracle(t).ours.DecodeList(r, list, newItem, func(obj runtime.Object) error {
				u := obj.(*unstructured.Unstructured)
				if u.GetKind() != "Widget" || u.GetAPIVersion() != "widgets.example.com/v1" {
					t.Errorf("kind of %s is %v", u.GetName(), u.GroupVersionKind())
				}
				names = append(names, u.GetName())
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(before, test.want) {
				t.Errorf("items %v were handed over before the end, want %v", before, test.want)
			}
			if list.GetKind() != "WidgetList" || len(list.Items) > 0 || names[len(names)-1] != "c" {
				t.Errorf("list %v, names %v", list, names)
			}
		})
	}
}

// halves reads one string after the other, and calls a function before the last.
type halves struct {
	left       []string
	beforeLast func()
}

func (h *halves) Read(p []byte) (int, error) {
	if len(h.left) == 0 {
		return strings.NewReader("").Read(p)
	}
	if len(h.left) == 1 && h.beforeLast != nil {
		h.beforeLast()
		h.beforeLast = nil
	}
	n := copy(p, h.left[0])
	if h.left[0] = h.left[0][n:]; h.left[0] == "" {
		h.left = h.left[1:]
	}
	return n, nil
}

// TestUntypedSharing decodes equal untyped objects for an owner that does not change them.
func TestUntypedSharing(t *testing.T) {
	const body = `"metadata":{"labels":{"a":"b"},"managedFields":[{"fieldsV1":{"f:x":{}}}]},"data":{"c":"d"}}`
	for kind, want := range map[string]bool{"Widget": true, "Secret": false} {
		d := codec.ForContext(codec.WithSharing(t.Context()), newUntypedOracle(t).ours)
		var got []*unstructured.Unstructured
		item := `{"apiVersion":"v1","kind":"` + kind + `",` + body
		list := `{"apiVersion":"v1","kind":"` + kind + `List","items":[` + item + `,` + item + `,` + item + `]}`
		newItem := func() runtime.Object { return &unstructured.Unstructured{} }
		_, err := d.DecodeList(strings.NewReader(list), &unstructured.UnstructuredList{}, newItem, func(obj runtime.Object) error {
			got = append(got, obj.(*unstructured.Unstructured))
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		obj, _, err := codec.ForStream(d).Decode([]byte(item), nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, obj.(*unstructured.Unstructured))
		parts := func(u *unstructured.Unstructured) (labels, fields, whole uintptr) {
			metadata := u.Object["metadata"].(map[string]any)
			entry := metadata["managedFields"].([]any)[0].(map[string]any)
			pointer := func(m any) uintptr { return reflect.ValueOf(m).Pointer() }
			return pointer(metadata["labels"]), pointer(entry["fieldsV1"]), pointer(u.Object)
		}
		labels, fields, whole := parts(got[1])
		for i, u := range got[2:] {
			if l, f, w := parts(u); (l == labels) != want || (f == fields) != want || w == whole {
				t.Errorf("%s %d: same labels %v, fields %v, object %v; want %v, %[5]v, false", kind, i, l == labels, f == fields, w == whole, want)
			}
		}
	}
}

// TestUntypedShares holds that keys and strings that repeat are one string in memory.
func TestUntypedShares(t *testing.T) {
	item := `{"kind":"Widget","metadata":{"labels":{"some-key":"some-value"}}}`
	list := &unstructured.UnstructuredList{}
	if _, err := newUntypedOracle(t).ours.DecodeFrom(strings.NewReader(listHead+`,"items":[`+item+`,`+item+`,`+item+`]}`), list); err != nil {
		t.Fatal(err)
	}
	var keys, values []*byte
	for _, item := range list.Items[1:] { // the second time, they are remembered
		for key, value := range item.Object["metadata"].(map[string]any)["labels"].(map[string]any) {
			keys, values = append(keys, unsafe.StringData(key)), append(values, unsafe.StringData(value.(string)))
		}
	}
	if len(keys) != 2 || keys[0] != keys[1] || values[0] != values[1] {
		t.Errorf("keys at %v, values at %v", keys, values)
	}
}
