package codec_test

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/listwatch/listwatch/runtime/codec"
)

func TestErrors(t *testing.T) {
	widget, list := group.WithKind("Widget"), group.WithKind("WidgetList")
	in := `"metadata":{"name":"a","namespace":"n"}`
	for _, c := range []struct {
		name string
		text string
		into runtime.Object
		want codec.Error
	}{
		{"object", widgetHead + `,` + in + `,"spec":{"ports":[{},{"port":"x"}]}}`, &Widget{},
			codec.Error{GVK: widget, Namespace: "n", Name: "a", Index: -1, Pointer: "/spec/ports/1/port"}},
		{"object, name after it", widgetHead + `,"spec":{"image":1},` + in + `}`, &Widget{},
			codec.Error{GVK: widget, Namespace: "n", Name: "a", Index: -1, Pointer: "/spec/image"}},
		{"object, in its metadata", widgetHead + `,"metadata":{"name":"a","labels":{"x/y":{}}}}`, nil,
			codec.Error{GVK: widget, Name: "a", Index: -1, Pointer: "/metadata/labels/x~1y"}},
		{"time in the metadata", widgetHead + `,"metadata":{"name":"a","creationTimestamp":"now"}}`, nil,
			codec.Error{GVK: widget, Name: "a", Index: -1, Pointer: "/metadata/creationTimestamp"}},
		{"time in the status", widgetHead + `,` + in + `,"status":{"conditions":[{"lastTransitionTime":7}]}}`, nil,
			codec.Error{GVK: widget, Namespace: "n", Name: "a", Index: -1, Pointer: "/status/conditions/0/lastTransitionTime"}},
		{"not JSON", widgetHead + `,` + in + `,"spec":{"image":x}}`, &Widget{},
			codec.Error{GVK: widget, Namespace: "n", Name: "a", Index: -1, Pointer: "/spec/image"}},
		{"more than one", widgetHead + `,` + in + `}{}`, &Widget{},
			codec.Error{GVK: widget, Namespace: "n", Name: "a", Index: -1}},
		{"kind last", `{"spec":{"image":1},"kind":"Widget","apiVersion":"widgets.example.com/v1"}`, &Widget{},
			codec.Error{GVK: widget, Index: -1, Pointer: "/spec/image"}},
		{"item", listHead + `,"items":[{},{` + in + `,"spec":{"image":1}}]}`, &WidgetList{},
			codec.Error{GVK: widget, Namespace: "n", Name: "a", Index: 1, Pointer: "/spec/image"}},
		{"item with a kind", listHead + `,"items":[{"kind":"Other","apiVersion":"widgets.example.com/v1","spec":1}]}`, &WidgetList{},
			codec.Error{GVK: group.WithKind("Other"), Index: 0, Pointer: "/spec"}},
		{"item of pointers", strings.Replace(listHead, "WidgetList", "PointerList", 1) + `,"items":[null,{` + in + `,"spec":1}]}`, &PointerList{},
			codec.Error{GVK: group.WithKind("Pointer"), Namespace: "n", Name: "a", Index: 1, Pointer: "/spec"}},
		{"list", listHead + `,"metadata":{"resourceVersion":5}}`, &WidgetList{},
			codec.Error{GVK: list, Index: -1, Pointer: "/metadata/resourceVersion"}},
		{"list, items", listHead + `,"items":{}}`, &WidgetList{},
			codec.Error{GVK: list, Index: -1, Pointer: "/items"}},
		{"unstructured", widgetHead + `,` + in + `,"a":[1e999]}`, &unstructured.Unstructured{},
			codec.Error{GVK: widget, Namespace: "n", Name: "a", Index: -1, Pointer: "/a/0"}},
		{"unstructured item", listHead + `,"items":[{},{` + in + `},7]}`, &unstructured.UnstructuredList{},
			codec.Error{GVK: widget, Index: 2, Pointer: ""}},
	} {
		t.Run(c.name, func(t *testing.T) {
			ours, _ := decoders(newScheme())
			_, _, err := ours.Decode([]byte(c.text), nil, fresh(c.into))
			checkError(t, err, c.want)
			_, err = ours.DecodeFrom(strings.NewReader(c.text), fresh(c.into))
			checkError(t, err, c.want)
		})
	}
}

func checkError(t *testing.T, err error, want codec.Error) {
	t.Helper()
	var got *codec.Error
	if !errors.As(err, &got) {
		t.Fatalf("%T: %v", err, err)
	}
	if got.Err == nil || !errors.Is(err, got.Err) {
		t.Errorf("cause %v of %v", got.Err, err)
	}
	known := *got
	known.Err = nil
	if known != want {
		t.Errorf("got %+v\nwant %+v\n%v", known, want, err)
	}
}

func TestErrorText(t *testing.T) {
	err := &codec.Error{
		GVK: group.WithKind("Widget"), Namespace: "n", Name: "a", Index: 3, Pointer: "/spec/image",
		Err: errors.New("no string"),
	}
	for _, c := range []struct {
		name   string
		change func(*codec.Error)
		want   string
	}{
		{"all", func(*codec.Error) {}, "decode Widget (widgets.example.com/v1) n/a, item 3, at /spec/image: no string"},
		{"cluster-wide", func(e *codec.Error) { e.Namespace, e.Index = "", -1 }, "decode Widget (widgets.example.com/v1) a, at /spec/image: no string"},
		{"core group", func(e *codec.Error) { e.GVK.Group, e.Index, e.Pointer = "", -1, "" }, "decode Widget (v1) n/a: no string"},
		{"nothing known", func(e *codec.Error) { *e = codec.Error{Index: -1, Err: io.ErrUnexpectedEOF} }, "decode: unexpected EOF"},
		{"long cause", func(e *codec.Error) {
			*e = codec.Error{Index: -1, Err: errors.New(strings.Repeat("é", 1000))}
		}, "decode: " + strings.Repeat("é", 100) + "..."},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := *err
			c.change(&e)
			if got := e.Error(); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

// TestErrorsQuoteLittle checks that the content of objects does not get into logs through errors.
func TestErrorsQuoteLittle(t *testing.T) {
	ours, _ := decoders(newScheme())
	secret := strings.Repeat("s", 1000)
	for _, text := range []string{
		widgetHead + `,"metadata":{"creationTimestamp":"` + secret + `"}}`,
		widgetHead + `,"spec":{"replicas":"` + secret + `"}}`,
		widgetHead + `,"status":{"conditions":[{"lastTransitionTime":"` + secret + `"}]}}`,
		widgetHead + `,"metadata":{"labels":{"` + secret + `":1}}}`,
		`{"metadata":{"name":"` + secret + `"}}`,
		`{"kind":"Widget","metadata":{"name":"` + secret + `"}}`,
		`{"kind":"` + secret + `","apiVersion":"a/b","metadata":1}`,
		`{"spec":{"replicas":"` + secret + `"},"kind":"Widget","apiVersion":"widgets.example.com/v1"}`,
	} {
		for _, into := range []runtime.Object{nil, &Widget{}, &unstructured.Unstructured{}} {
			_, _, err := ours.Decode([]byte(text), nil, fresh(into))
			if err != nil && strings.Contains(err.Error(), secret[:201]) && !runtime.IsNotRegisteredError(err) {
				t.Errorf("%T: %v", err, err)
			}
		}
	}
}

func TestErrorsThatCallersTell(t *testing.T) {
	ours, _ := decoders(newScheme())
	for name, c := range map[string]struct {
		text string
		is   func(error) bool
	}{
		"no kind":    {`{"apiVersion":"widgets.example.com/v1"}`, runtime.IsMissingKind},
		"no version": {`{"kind":"Widget"}`, runtime.IsMissingVersion},
		"unknown":    {`{"kind":"Gadget","apiVersion":"widgets.example.com/v1"}`, runtime.IsNotRegisteredError},
	} {
		if _, _, err := ours.Decode([]byte(c.text), nil, nil); !c.is(err) {
			t.Errorf("%s: %T: %v", name, err, err)
		}
		if _, err := ours.DecodeFrom(strings.NewReader(c.text), nil); !c.is(err) {
			t.Errorf("%s, off a reader: %T: %v", name, err, err)
		}
	}
}

func TestErrorsOfReaders(t *testing.T) {
	ours, _ := decoders(newScheme())
	reset := errors.New("connection reset")
	list := listHead + `,"metadata":{"resourceVersion":"7"},"items":[{"metadata":{"name":"a"}},{"metadata":{"name":"b"`
	for name, text := range map[string]string{
		"at once": "", "in the head": list[:20], "in the metadata": list[:80], "in an item": list, "in an object": widgetHead + `,"metadata":{`,
	} {
		for _, want := range []error{reset, io.ErrUnexpectedEOF} {
			r := func() io.Reader { return io.MultiReader(strings.NewReader(text), iotest.ErrReader(want)) }
			into := &WidgetList{}
			if _, err := ours.DecodeFrom(r(), into); !errors.Is(err, want) || !isEmpty(into) {
				t.Errorf("%s: %v, %+v", name, err, into)
			}
			newItem := func() runtime.Object { return &Widget{} }
			if _, err := ours.DecodeList(r(), into, newItem, func(runtime.Object) error { return nil }); !errors.Is(err, want) || !isEmpty(into) {
				t.Errorf("%s, one by one: %v, %+v", name, err, into)
			}
		}
	}
	_, err := ours.DecodeFrom(strings.NewReader(list), &WidgetList{})
	if !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("cut off: %v", err)
	}
}
