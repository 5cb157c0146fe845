package codec_test

import (
	"errors"
	"fmt"
	"io"
	"reflect"
	"runtime"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	apiruntime "k8s.io/apimachinery/pkg/runtime"

	"github.com/listwatch/listwatch/runtime/codec"
)

// names decodes the text item by item and returns the names of the items.
func names(t *testing.T, text string, list apiruntime.Object, newItem func() apiruntime.Object) (got []string, obj apiruntime.Object, err error) {
	t.Helper()
	ours, _ := decoders(newScheme())
	obj, err = ours.DecodeList(chunks{strings.NewReader(text), 5}, list, newItem, func(item apiruntime.Object) error {
		known, ok := item.(metav1.Object)
		if !ok {
			got = append(got, fmt.Sprintf("%T", item))
			return nil
		}
		got = append(got, known.GetName()+" "+item.GetObjectKind().GroupVersionKind().Kind)
		return nil
	})
	return got, obj, err
}

func newWidget() apiruntime.Object { return &Widget{} }

func newUnstructured() apiruntime.Object { return &unstructured.Unstructured{} }

func TestDecodeList(t *testing.T) {
	items := `"items":[{"metadata":{"name":"a"}},null,{"kind":"Widget","apiVersion":"widgets.example.com/v1","metadata":{"name":"b"}}]`
	text := listHead + `,"metadata":{"resourceVersion":"7"},` + items + `}`
	raw := strings.Replace(text, "WidgetList", "RawList", 1)
	for _, c := range []struct {
		name    string
		text    string
		list    apiruntime.Object
		newItem func() apiruntime.Object
		want    []string
	}{
		{"values", text, &WidgetList{}, newWidget, []string{"a ", " ", "b Widget"}},
		{"pointers", strings.Replace(text, "WidgetList", "PointerList", 1), &PointerList{}, newWidget, []string{"a ", " ", "b Widget"}},
		{"items before metadata", listHead + `,` + items + `,"metadata":{"resourceVersion":"7"}}`, &WidgetList{}, newWidget, []string{"a ", " ", "b Widget"}},
		{"items before the kind", `{` + items + `,"metadata":{"resourceVersion":"7"},"kind":"WidgetList","apiVersion":"widgets.example.com/v1"}`,
			&WidgetList{}, newWidget, []string{"a ", " ", "b Widget"}},
		{"items before the kind, sorted", sortedHead + items[len(`"items":`):] + `,"kind":"WidgetList","metadata":{"resourceVersion":"7"}}`,
			&WidgetList{}, newWidget, []string{"a ", " ", "b Widget"}},
		{"no items", listHead + `,"metadata":{"resourceVersion":"7"}}`, &WidgetList{}, newWidget, nil},
		{"items null", listHead + `,"metadata":{"resourceVersion":"7"},"items":null}`, &WidgetList{}, newWidget, nil},
		{"items empty", listHead + `,"metadata":{"resourceVersion":"7"},"items":[]}`, &WidgetList{}, newWidget, nil},
		{"unstructured", text, &unstructured.UnstructuredList{}, newUnstructured, []string{"a Widget", " Widget", "b Widget"}},
		{"unstructured, kind last", `{` + items + `,"metadata":{"resourceVersion":"7"},"kind":"WidgetList","apiVersion":"widgets.example.com/v1"}`,
			&unstructured.UnstructuredList{}, newUnstructured, []string{"a Widget", " Widget", "b Widget"}},
		{"raw", raw, &RawList{}, newWidget, []string{"*runtime.Unknown", " ", "*runtime.Unknown"}},
		{"items of another type than requested", text, &WidgetList{}, newUnstructured, []string{"a ", " ", "b Widget"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, obj, err := names(t, c.text, c.list, c.newItem)
			if err != nil || obj != c.list {
				t.Fatalf("%T, %v", obj, err)
			}
			if !reflect.DeepEqual(got, c.want) {
				t.Errorf("%q, want %q", got, c.want)
			}
			if rv := c.list.(metav1.ListInterface).GetResourceVersion(); rv != "7" {
				t.Errorf("resource version %q", rv)
			}
			if kind := c.list.GetObjectKind().GroupVersionKind(); !kind.Empty() {
				t.Errorf("kind %v", kind)
			}
			if n := reflect.ValueOf(c.list).Elem().FieldByName("Items").Len(); n != 0 {
				t.Errorf("the list contains %d items", n)
			}
		})
	}
}

func TestDecodeListOfAnotherKind(t *testing.T) {
	list := &WidgetList{}
	got, obj, err := names(t, `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Expired","code":410}`, list, newWidget)
	status, ok := obj.(*metav1.Status)
	if err != nil || !ok || status.Code != 410 || got != nil || !isEmpty(list) {
		t.Errorf("%+v, %v, %q, %+v", obj, err, got, list)
	}
}

func TestDecodeListTwice(t *testing.T) {
	for name, c := range map[string]struct {
		text    string
		list    apiruntime.Object
		newItem func() apiruntime.Object
	}{
		"items":                 {listHead + `,"items":[{}],"items":[]}`, &WidgetList{}, newWidget},
		"items, unstructured":   {listHead + `,"items":[{}],"items":[]}`, &unstructured.UnstructuredList{}, newUnstructured},
		"another kind":          {listHead + `,"items":[{}],"kind":"Status"}`, &WidgetList{}, newWidget},
		"a later kind":          {sortedHead + `[{}],"kind":"Status"}`, &WidgetList{}, newWidget},
		"another, unstructured": {listHead + `,"items":[{}],"kind":"Status"}`, &unstructured.UnstructuredList{}, newUnstructured},
	} {
		got, _, err := names(t, c.text, c.list, c.newItem)
		if !codec.OnlyInStreams(err) || len(got) != 1 || !isEmpty(c.list) {
			t.Errorf("%s: %v, %q, %+v", name, err, got, c.list)
		}
	}
}

// afterHeads are texts after the kind and apiVersion of a list.
var afterHeads = func() []string {
	items := `,"items":[{"kind":"Widget","apiVersion":"widgets.example.com/v1","metadata":{"name":"a"}}]}`
	return []string{
		"", ",", `,"kind`, `,"kind":`, `,"kind":nul`, `,"kind":null`, " ", "}", "}}",
		`,"kind":null` + items, `,"apiVersion":null` + items, `,"kind":null,"metadata":{"resourceVersion":"7"}` + items, `,"kind":null}`,
	}
}()

// TestDecodeListHeads decodes heads that a null follows, or nothing, as the exact decoder does.
func TestDecodeListHeads(t *testing.T) {
	for _, after := range afterHeads {
		for name, c := range map[string]struct {
			list    apiruntime.Object
			newItem func() apiruntime.Object
		}{
			"typed":        {&WidgetList{}, newWidget},
			"unstructured": {&unstructured.UnstructuredList{}, newUnstructured},
		} {
			text := listHead + after
			got, _, err := names(t, text, c.list, c.newItem)
			_, exact := decoders(newScheme())
			want := reflect.New(reflect.TypeOf(c.list).Elem()).Interface().(apiruntime.Object)
			_, _, wantErr := exact.Decode([]byte(text), nil, want)
			if (err == nil) != (wantErr == nil) || err != nil && after != "}}" && strings.Contains(err.Error(), "more than one value") {
				t.Errorf("%s: %q: error %v, want %v", name, after, err, wantErr)
			}
			if n := reflect.ValueOf(want).Elem().FieldByName("Items").Len(); err == nil && len(got) != n {
				t.Errorf("%s: %q: items %q, want %d", name, after, got, n)
			}
		}
	}
}

// TestDecodeListAsItComes checks that an item is passed on before the next one has arrived.
func TestDecodeListAsItComes(t *testing.T) {
	for name, c := range map[string]struct {
		decode  func(codec.StreamDecoder) codec.StreamDecoder
		begin   string
		list    apiruntime.Object
		newItem func() apiruntime.Object
	}{
		"typed":           {strictly, listHead + `,"items":[`, &WidgetList{}, newWidget},
		"typed, sorted":   {strictly, sortedHead + `[`, &WidgetList{}, newWidget},
		"typed, tolerant": {tolerantly, listHead + `,"items":[`, &WidgetList{}, newWidget},
		"unstructured":    {strictly, listHead + `,"items":[`, &unstructured.UnstructuredList{}, newUnstructured},
	} {
		t.Run(name, func(t *testing.T) {
			ours, _ := decoders(newScheme())
			ours = c.decode(ours)
			r, w := io.Pipe()
			handed := make(chan string)
			wrote := make(chan error, 1)
			go func() {
				_, err := io.WriteString(w, c.begin)
				for _, name := range []string{"a", "b", "c"} {
					if err == nil {
						_, err = io.WriteString(w, `{"metadata":{"name":"`+name+`"}},`)
					}
					if got := <-handed; got != name {
						t.Errorf("%s is not %s", got, name)
					}
				}
				if err == nil {
					_, err = io.WriteString(w, `{}]}`)
				}
				<-handed
				wrote <- errors.Join(err, w.Close())
			}()
			_, err := ours.DecodeList(r, c.list, c.newItem, func(item apiruntime.Object) error {
				handed <- item.(metav1.Object).GetName()
				return nil
			})
			if err = errors.Join(err, <-wrote); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestDecodeListCallersError(t *testing.T) {
	ours, _ := decoders(newScheme())
	stop := errors.New("stop")
	for name, c := range map[string]struct {
		text    string
		list    apiruntime.Object
		newItem func() apiruntime.Object
	}{
		"typed":        {listHead + `,"items":[{},{},{}]}`, &WidgetList{}, newWidget},
		"unstructured": {listHead + `,"items":[{},{},{}]}`, &unstructured.UnstructuredList{}, newUnstructured},
		"at once":      {`{"items":[{},{},{}],` + listHead[1:] + `}`, &WidgetList{}, newWidget},
	} {
		n := 0
		_, err := ours.DecodeList(strings.NewReader(c.text), c.list, c.newItem, func(apiruntime.Object) error {
			if n++; n == 2 {
				return stop
			}
			return nil
		})
		if err != stop || n != 2 { //nolint:errorlint // returned unchanged
			t.Errorf("%s: %v after %d items", name, err, n)
		}
	}
}

// repeated returns a text of first, n times again, and last.
func repeated(first, again string, n int, last string) io.Reader {
	readers := []io.Reader{strings.NewReader(first)}
	for range n {
		readers = append(readers, strings.NewReader(again))
	}
	return io.MultiReader(append(readers, strings.NewReader(last))...)
}

// TestDecodeListHoldsNothing checks that items that were passed on, and their text, can be
// collected.
func TestDecodeListHoldsNothing(t *testing.T) {
	const items = 20_000
	item := `{"metadata":{"name":"a"},"spec":{"image":"` + strings.Repeat("i", 1000) + `"}},`
	heap := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	for name, c := range map[string]struct {
		decode     func(codec.StreamDecoder) codec.StreamDecoder
		begin, end string
	}{
		"kind first":  {strictly, listHead + `,"items":[`, `{}]}`},
		"items first": {strictly, sortedHead + `[`, `{}],"kind":"WidgetList"}`},
		"tolerant":    {tolerantly, sortedHead + `[`, `{}],"kind":"WidgetList"}`},
	} {
		t.Run(name, func(t *testing.T) {
			ours, _ := decoders(newScheme())
			var before, after uint64
			n := 0
			_, err := c.decode(ours).DecodeList(repeated(c.begin, item, items, c.end), &WidgetList{}, newWidget, func(apiruntime.Object) error {
				switch n++; n {
				case 1:
					before = heap()
				case items:
					after = heap()
				}
				return nil
			})
			if err != nil || n != items+1 {
				t.Fatalf("%d items, %v", n, err)
			}
			if after > before && after-before > items*uint64(len(item))/4 {
				t.Errorf("%d bytes of %d are retained", after-before, items*len(item))
			}
		})
	}
}

// TestListLengths decodes lists that end within the chunks in which items are collected, and at
// their limits.
func TestListLengths(t *testing.T) {
	ours, exact := decoders(newScheme())
	for _, n := range []int{0, 1, 7, 8, 9, 23, 24, 25, 55, 56, 57, 120, 3000} {
		items := make([]string, n)
		for i := range items {
			items[i] = fmt.Sprintf(`{"metadata":{"name":"w%d"}}`, i)
		}
		text := listHead + `,"items":[` + strings.Join(items, ",") + `]}`
		for _, list := range []func() apiruntime.Object{
			func() apiruntime.Object { return &WidgetList{} },
			func() apiruntime.Object { return &PointerList{} },
		} {
			text := text
			if _, pointers := list().(*PointerList); pointers {
				text = strings.Replace(text, "WidgetList", "PointerList", 1)
			}
			want, _, err := exact.Decode([]byte(text), nil, list())
			if err != nil {
				t.Fatal(err)
			}
			got, err := ours.DecodeFrom(strings.NewReader(text), list())
			if err != nil || !reflect.DeepEqual(want, got) {
				t.Errorf("%d items: %v (-want, +got)\n%s", n, err, difference(want, got))
			}
		}
	}
}
