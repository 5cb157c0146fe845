package codec_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"

	"github.com/listwatch/listwatch/runtime/codec"
)

// selecting returns a decoder of objects whose UIDs begin with a, or whose namespace is a.
func selecting(d codec.StreamDecoder) codec.StreamDecoder {
	return codec.ForContext(codec.WithSelection(context.Background(), func(uid types.UID, namespace string) bool {
		return strings.HasPrefix(string(uid), "a") || namespace == "a"
	}), d)
}

// TestSelection decodes single objects.
func TestSelection(t *testing.T) {
	for name, test := range map[string]struct {
		metadata string
		want     string
	}{
		"selected":            {`{"name":"x","namespace":"n","uid":"a1","resourceVersion":"1"}`, "Widget n/x a1 1"},
		"by namespace":        {`{"name":"x","namespace":"a","uid":"b1","resourceVersion":"1"}`, "Widget a/x b1 1"},
		"not selected":        {`{"name":"x","namespace":"n","uid":"b1","resourceVersion":"1"}`, "Unselected n/ b1 1"},
		"sorted":              {`{"annotations":{"uid":"a"},"name":"x","resourceVersion":"1","uid":"b1"}`, "Unselected / b1 1"},
		"without UID":         {`{"name":"x","namespace":"n","resourceVersion":"1"}`, "Widget n/x  1"},
		"without version":     {`{"name":"x","namespace":"n","uid":"b1"}`, "Widget n/x b1 "},
		"null":                {`{"name":"x","namespace":null,"uid":"b1","resourceVersion":"1"}`, "Widget /x b1 1"},
		"escaped":             {`{"name":"x","namespace":"n","uid":"\u0062","resourceVersion":"1"}`, "Unselected n/ b 1"},
		"what cannot be read": {`{"name":5,"uid":"b1","resourceVersion":"1"}`, "Unselected / b1 1"},
	} {
		t.Run(name, func(t *testing.T) {
			d := selecting(ourDecoder())
			for _, d := range []codec.StreamDecoder{d, codec.ForStream(d)} {
				text := `{"kind":"Widget","apiVersion":"widgets.example.com/v1","metadata":` + test.metadata + `,"spec":{}}`
				obj, _, err := d.Decode([]byte(text), nil, nil)
				if err != nil {
					t.Fatal(err)
				}
				if got := describeSelected(obj); got != test.want {
					t.Errorf("got %s, want %s", got, test.want)
				}
				var into Widget
				if _, _, err := d.Decode([]byte(text), nil, &into); err == nil && into.Name != "x" {
					t.Errorf("an object that was requested was not decoded: %v", into)
				}
			}
		})
	}
}

func describeSelected(obj runtime.Object) string {
	m := obj.(metav1.Object)
	typ := fmt.Sprintf("%T", obj)
	return fmt.Sprintf("%s %s/%s %s %s", typ[strings.LastIndexByte(typ, '.')+1:], m.GetNamespace(), m.GetName(), m.GetUID(), m.GetResourceVersion())
}

// TestSelectionInLists decodes lists that arrive in pieces of each size.
func TestSelectionInLists(t *testing.T) {
	item := func(name, uid string) string {
		return fmt.Sprintf(`{"metadata":{"name":%q,"namespace":"n","uid":%q,"resourceVersion":"1"},"spec":{"note":%q}}`, name, uid, strings.Repeat("}]", 20))
	}
	bad := `{"metadata":{"name":"bad","namespace":"n","uid":"a2","resourceVersion":"1"},"spec":5}`
	for name, test := range map[string]struct {
		items []string
		want  []string
	}{
		"none":     {nil, nil},
		"all":      {[]string{item("x", "a1"), item("y", "a2")}, []string{"Widget n/x a1 1", "Widget n/y a2 1"}},
		"some":     {[]string{item("w", "b0"), item("x", "a1"), item("y", "b1"), item("z", "a3"), item("zz", "b3")}, []string{"Widget n/x a1 1", "Widget n/z a3 1"}},
		"others":   {[]string{item("x", "b1"), item("y", "b2")}, nil},
		"null":     {[]string{"null", item("y", "b2")}, []string{"Widget /  "}},
		"tolerant": {[]string{item("x", "a1"), bad, item("y", "b1")}, []string{"Widget n/x a1 1", "Undecodable n/bad a2 1"}},
	} {
		t.Run(name, func(t *testing.T) {
			text := listHead + `,"items":[` + strings.Join(test.items, ", ") + `]}`
			for size := range 40 {
				d := selecting(ourDecoder())
				if name == "tolerant" {
					d = codec.ForContext(codec.WithSelection(codec.WithUndecodable(context.Background()), func(uid types.UID, _ string) bool {
						return uid[0] == 'a'
					}), ourDecoder())
				}
				var got []string
				_, err := d.DecodeList(chunks{strings.NewReader(text), size + 1}, &WidgetList{}, newWidget, func(obj runtime.Object) error {
					got = append(got, describeSelected(obj))
					return nil
				})
				if err != nil || !slices.Equal(got, test.want) {
					t.Fatalf("pieces of %d: got %q, error %v; want %q", size+1, got, err, test.want)
				}
			}
		})
	}
}

// BenchmarkSelection decodes an object that is not selected, of 4 KB, as a watch does.
func BenchmarkSelection(b *testing.B) {
	managed := strings.Repeat(`"f:field":{},`, 100)
	for name, metadata := range map[string]string{
		"typed":  `{"name":"x","namespace":"n","uid":"b1","resourceVersion":"1","managedFields":[{"fieldsV1":{` + managed + `"f:last":{}}}]}`,
		"sorted": `{"annotations":{"note":"` + strings.Repeat("x", 300) + `"},"managedFields":[{"fieldsV1":{` + managed + `"f:last":{}}}],"name":"x","namespace":"n","resourceVersion":"1","uid":"b1"}`,
	} {
		b.Run(name, func(b *testing.B) {
			text := []byte(`{"kind":"Widget","apiVersion":"widgets.example.com/v1","metadata":` + metadata + `,"spec":{"note":"` + strings.Repeat("x", 2000) + `"}}`)
			d := codec.ForStream(selecting(ourDecoder()))
			b.ReportAllocs()
			defer onCPU(b)()
			for b.Loop() {
				if _, _, err := d.Decode(text, nil, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func ourDecoder() codec.StreamDecoder {
	ours, _ := decoders(newScheme())
	return ours
}
