package codec_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/listwatch/listwatch/runtime/codec"
)

func strictly(d codec.StreamDecoder) codec.StreamDecoder {
	return codec.ForContext(context.Background(), d)
}

func tolerantly(d codec.StreamDecoder) codec.StreamDecoder {
	return codec.ForContext(codec.WithUndecodable(context.Background()), d)
}

// OddWidget is a kind that apimachinery must decode, because it embeds a pointer.
type OddWidget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	*EnvVar
	Port Port `json:"port"`
}

type OddWidgetList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []OddWidget `json:"items"`
}

func (w *OddWidget) DeepCopyObject() runtime.Object     { c := *w; return &c }
func (l *OddWidgetList) DeepCopyObject() runtime.Object { c := *l; return &c }

func oddScheme() *runtime.Scheme {
	scheme := newScheme()
	scheme.AddKnownTypes(group, &OddWidget{}, &OddWidgetList{})
	return scheme
}

// told decodes a list item by item and returns a short description of what is passed on.
func told(d codec.StreamDecoder, text string, list runtime.Object, newItem func() runtime.Object) (got []string, err error) {
	_, err = d.DecodeList(chunks{strings.NewReader(text), 5}, list, newItem, func(item runtime.Object) error {
		known := item.(metav1.Object)
		s := fmt.Sprintf("%T %s/%s %s %s", item, known.GetNamespace(), known.GetName(), known.GetUID(), known.GetResourceVersion())
		if u, ok := item.(*codec.Undecodable); ok {
			s += fmt.Sprintf(" %s %d %s/%s %s", u.Err.GVK.Kind, u.Err.Index, u.Err.Namespace, u.Err.Name, u.Err.Pointer)
		}
		got = append(got, s)
		return nil
	})
	return got, err
}

// TestTolerantLists decodes lists with an invalid item, in each way in which lists are decoded.
func TestTolerantLists(t *testing.T) {
	for name, way := range map[string]struct {
		begin, end string
		list       runtime.Object
		newItem    func() runtime.Object
		item, kind string
	}{
		"values":           {listHead + `,"items":`, `}`, &WidgetList{}, newWidget, "*codec_test.Widget", "Widget"},
		"sorted":           {sortedHead, `,"kind":"WidgetList"}`, &WidgetList{}, newWidget, "*codec_test.Widget", "Widget"},
		"kind last":        {`{"items":`, `,"kind":"WidgetList","apiVersion":"widgets.example.com/v1"}`, &WidgetList{}, newWidget, "*codec_test.Widget", "Widget"},
		"pointers":         {`{"kind":"PointerList","apiVersion":"widgets.example.com/v1","items":`, `}`, &PointerList{}, newWidget, "*codec_test.Widget", "Pointer"},
		"another new item": {listHead + `,"items":`, `}`, &WidgetList{}, newUnstructured, "*codec_test.Widget", "Widget"},
		"odd":              {`{"kind":"OddWidgetList","apiVersion":"widgets.example.com/v1","items":`, `}`, &OddWidgetList{}, newWidget, "*codec_test.OddWidget", "OddWidget"},
	} {
		good := way.item + " n/good u 1"
		for _, c := range []struct {
			name  string
			wrong string
			want  string // empty if the list fails
		}{
			{"a number for a struct", `{"metadata":{"namespace":"n","name":"a","uid":"v","resourceVersion":"5"},"spec":7,"port":7}`,
				"*codec.Undecodable n/a v 5 KIND 1 n/a"},
			{"before the metadata", `{"port":7,"spec":7,"metadata":{"namespace":"n","name":"a","uid":"v","resourceVersion":"5"}}`,
				"*codec.Undecodable n/a v 5 KIND 1 n/a"},
			{"in the metadata", `{"metadata":{"generation":"x","namespace":"n","name":"a","uid":"v","resourceVersion":"5"}}`,
				"*codec.Undecodable n/a v 5 KIND 1 n/a"},
			{"without a namespace", `{"metadata":{"name":"a","labels":7,"namespace":null}}`, "*codec.Undecodable /a   KIND 1 /a"},
			{"uid and resource version wrong", `{"metadata":{"name":"a","uid":7,"resourceVersion":{}}}`, "*codec.Undecodable /a   KIND 1 /a"},
			{"metadata twice", `{"metadata":{"name":"a"},"spec":7,"port":7,"metadata":{"namespace":"n","uid":"v"}}`, "*codec.Undecodable n/a v  KIND 1 n/a"},
			{"escaped", `{"spec":7,"port":7,"metadata":{"name":"a"}}`, "*codec.Undecodable /a   KIND 1 /a"},
			{"null", `null`, way.item + " /  "},

			{"no name", `{"metadata":{"generateName":"a"},"spec":7,"port":7}`, ""},
			{"name empty", `{"metadata":{"name":""},"spec":7,"port":7}`, ""},
			{"name a number", `{"metadata":{"name":7}}`, ""},
			{"name twice, then a number", `{"metadata":{"name":"a","name":7}}`, ""},
			{"namespace a number", `{"metadata":{"name":"a","namespace":7}}`, ""},
			{"metadata a number", `{"metadata":7}`, ""},
			{"no metadata", `{"spec":7,"port":7}`, ""},
			{"a number", `7`, ""},
			{"an array", `[{"metadata":{"name":"a"}}]`, ""},
			{"not JSON", `{"metadata":{"name":"a"},"spec":x}`, ""},
			{"cut off", `{"metadata":{"name":"a"},"spec":7`, ""},
		} {
			t.Run(name+"/"+c.name, func(t *testing.T) {
				ours, _ := decoders(oddScheme())
				item := `{"metadata":{"namespace":"n","name":"good","uid":"u","resourceVersion":"1"}}`
				text := way.begin + `[` + item + `,` + c.wrong + `,` + item + `]` + way.end
				got, err := told(tolerantly(ours), text, fresh(way.list), way.newItem)
				if c.want == "" {
					if err == nil || len(got) > 1 {
						t.Errorf("%q, %v", got, err)
					}
					return
				}
				if err != nil || len(got) != 3 || got[0] != good || got[2] != good {
					t.Fatalf("%q, %v", got, err)
				}
				if want := strings.ReplaceAll(c.want, "KIND", way.kind); !strings.HasPrefix(got[1], want) {
					t.Errorf("%s\nwant %s", got[1], want)
				}
				if _, err := told(strictly(ours), text, fresh(way.list), way.newItem); err == nil && c.wrong != "null" {
					t.Error("no error without tolerance")
				}
			})
		}
	}
}

// TestTolerantListsThatFail decodes lists that are invalid outside of their items.
func TestTolerantListsThatFail(t *testing.T) {
	item := `{"metadata":{"name":"a"}}`
	for name, text := range map[string]string{
		"cut off":         listHead + `,"items":[` + item,
		"cut off, odd":    `{"kind":"OddWidgetList","apiVersion":"widgets.example.com/v1","items":[` + item,
		"items wrong":     listHead + `,"items":{}}`,
		"items twice":     listHead + `,"items":[` + item + `],"items":[]}`,
		"metadata wrong":  listHead + `,"metadata":7,"items":[]}`,
		"trailing":        listHead + `,"items":[` + item + `]}{}`,
		"another kind":    sortedHead + `[` + item + `],"kind":"Status"}`,
		"odd, trailing":   `{"kind":"OddWidgetList","apiVersion":"widgets.example.com/v1","items":[` + item + `]}{}`,
		"odd, meta wrong": `{"kind":"OddWidgetList","apiVersion":"widgets.example.com/v1","metadata":7,"items":[` + item + `]}`,
		"empty":           ``,
	} {
		ours, _ := decoders(oddScheme())
		var list runtime.Object = &WidgetList{}
		if strings.Contains(text, "Odd") {
			list = &OddWidgetList{}
		}
		if got, err := told(tolerantly(ours), text, list, newWidget); err == nil {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// TestTolerantListTwice decodes lists that only apimachinery can decode.
func TestTolerantListTwice(t *testing.T) {
	ours, _ := decoders(oddScheme())
	text := `{"kind":"OddWidgetList","apiVersion":"widgets.example.com/v1","items":[{"port":{}}],"items":[{"metadata":{"name":"a"}}]}`
	got, err := told(tolerantly(ours), text, &OddWidgetList{}, newWidget)
	if want := []string{"*codec_test.OddWidget /a  "}; err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%q, %v", got, err)
	}
}

func TestTolerantListOfAnotherKind(t *testing.T) {
	ours, _ := decoders(newScheme())
	obj, err := tolerantly(ours).DecodeList(strings.NewReader(`{"kind":"Status","apiVersion":"v1","status":"Failure","code":410}`),
		&WidgetList{}, newWidget, func(runtime.Object) error { return nil })
	if status, ok := obj.(*metav1.Status); err != nil || !ok || status.Code != 410 {
		t.Errorf("%+v, %v", obj, err)
	}
}

// TestTolerantDecode decodes single texts, as watches do.
func TestTolerantDecode(t *testing.T) {
	in := `"metadata":{"namespace":"n","name":"a","uid":"v","resourceVersion":"5"}`
	for name, c := range map[string]struct {
		text string
		into runtime.Object
		want string // empty for an error
	}{
		"good":               {widgetHead + `,` + in + `}`, nil, "*codec_test.Widget n/a"},
		"wrong":              {widgetHead + `,` + in + `,"spec":{"image":7}}`, nil, "*codec.Undecodable n/a"},
		"wrong before":       {`{"apiVersion":"widgets.example.com/v1","kind":"Widget","spec":7,` + in + `}`, nil, "*codec.Undecodable n/a"},
		"kind last":          {`{"apiVersion":"widgets.example.com/v1","data":7,"spec":7,"kind":"Widget",` + in + `}`, nil, "*codec.Undecodable n/a"},
		"odd":                {`{"apiVersion":"widgets.example.com/v1","kind":"OddWidget",` + in + `,"port":7}`, nil, "*codec.Undecodable n/a"},
		"into one":           {widgetHead + `,` + in + `,"spec":7}`, &Widget{}, ""},
		"without a name":     {widgetHead + `,"metadata":{},"spec":7}`, nil, ""},
		"more than one":      {widgetHead + `,` + in + `,"spec":7}{}`, nil, ""},
		"not JSON":           {widgetHead + `,` + in + `,"spec":x}`, nil, ""},
		"of an unknown kind": {`{"apiVersion":"widgets.example.com/v1","kind":"Gadget",` + in + `}`, nil, ""},
		"of no kind":         {`{` + in + `}`, nil, ""},
		"a status":           {`{"apiVersion":"v1","kind":"Status","metadata":{"name":"a"},"code":"x"}`, nil, ""},
		"a list":             {listHead + `,"metadata":{"name":"a"},"items":7}`, nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			ours, _ := decoders(oddScheme())
			obj, gvk, err := tolerantly(ours).Decode([]byte(c.text), nil, c.into)
			if c.want == "" {
				if err == nil {
					t.Errorf("%+v", obj)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			known := obj.(metav1.Object)
			if got := fmt.Sprintf("%T %s/%s", obj, known.GetNamespace(), known.GetName()); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
			if gvk == nil || gvk.Group != group.Group {
				t.Errorf("kind %v", gvk)
			}
		})
	}
}

func TestUndecodable(t *testing.T) {
	ours, _ := decoders(newScheme())
	obj, _, err := tolerantly(ours).Decode([]byte(widgetHead+`,"metadata":{"namespace":"n","name":"a","uid":"v","resourceVersion":"5"},"spec":{"image":7}}`), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	u := obj.(*codec.Undecodable)
	want := metav1.ObjectMeta{Namespace: "n", Name: "a", UID: "v", ResourceVersion: "5"}
	if !reflect.DeepEqual(u.ObjectMeta, want) {
		t.Errorf("metadata %+v", u.ObjectMeta)
	}
	if got := u.GetObjectKind().GroupVersionKind(); got != group.WithKind("Widget") {
		t.Errorf("kind %v", got)
	}
	checkError(t, u.Err, codec.Error{GVK: schema.GroupVersionKind(group.WithKind("Widget")), Namespace: "n", Name: "a", Index: -1, Pointer: "/spec/image"})
	c := u.DeepCopyObject().(*codec.Undecodable)
	if diff := cmp.Diff(u, c, cmp.Comparer(func(a, b *codec.Error) bool { return a == b })); diff != "" || c == u {
		t.Errorf("copy (-want, +got)\n%s", diff)
	}
}

// TestTolerantAsOthers checks that tolerance does not change how valid texts are decoded.
func TestTolerantAsOthers(t *testing.T) {
	ours, _ := decoders(newScheme())
	for name, text := range texts(t) {
		sameTolerated(t, ours, name, []byte(text))
	}
}

// sameTolerated decodes text with and without tolerance, and compares the results that are not
// errors without it.
func sameTolerated(t *testing.T, ours codec.StreamDecoder, name string, text []byte) {
	t.Helper()
	decode := func(d codec.StreamDecoder) (items []runtime.Object, err error) {
		_, err = d.DecodeList(bytes.NewReader(text), &WidgetList{}, newWidget, func(item runtime.Object) error {
			items = append(items, item)
			return nil
		})
		return items, err
	}
	want, wantErr := decode(ours)
	got, err := decode(tolerantly(ours))
	if wantErr == nil && (err != nil || !reflect.DeepEqual(want, got)) {
		t.Errorf("%s: list: %v (-want, +got)\n%s", name, err, difference(want, got))
	}
	for _, item := range got {
		if err == nil {
			checkUndecodable(t, name, text, item)
		}
	}
	obj, _, wantErr := ours.Decode(text, nil, nil)
	tolerated, _, err := tolerantly(ours).Decode(text, nil, nil)
	if wantErr == nil && (err != nil || !reflect.DeepEqual(obj, tolerated)) {
		t.Errorf("%s: %v (-want, +got)\n%s", name, err, difference(obj, tolerated))
	}
	if err == nil {
		checkUndecodable(t, name, text, tolerated)
	}
}

// checkUndecodable checks that an Undecodable is returned only for JSON, and with a name.
func checkUndecodable(t *testing.T, name string, text []byte, obj runtime.Object) {
	t.Helper()
	u, ok := obj.(*codec.Undecodable)
	if !ok {
		return
	}
	if !json.Valid(text) || u.Name == "" || u.Err == nil || u.Err.Name != u.Name || u.Err.Namespace != u.Namespace {
		t.Errorf("%s: %+v of %s", name, u, text)
	}
}

func FuzzTolerate(f *testing.F) {
	for _, text := range texts(f) {
		if len(text) < 8192 {
			f.Add([]byte(text))
		}
	}
	f.Add([]byte(listHead + `,"items":[{"spec":7,"metadata":{"name":"a","namespace":"n"}}]}`))
	ours, _ := decoders(newScheme())
	f.Fuzz(func(t *testing.T, text []byte) { sameTolerated(t, ours, "fuzzed", text) })
}
