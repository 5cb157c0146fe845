package table

import (
	"fmt"
	"reflect"
	goruntime "runtime"
	"slices"
	"testing"
	"unsafe"
	"weak"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/listwatch/listwatch/runtime/codec/internal/intern"
)

// parted has parts of all kinds.
type parted struct {
	Limits    map[string]resource.Quantity
	Weights   map[string]int32
	Scores    map[string]int64
	Lists     map[string][]string
	Args      []string
	Env       []variable
	Pointers  []*variable
	Numbers   []int64
	Probe     *variable
	Size      *resource.Quantity
	Port      *intstr.IntOrString
	Seen      *metav1.MicroTime
	Raw       *runtime.RawExtension
	Tree      *tree
	Text      *string
	Count     *int32
	At        *metav1.Time
	Any       []any
	Selves    []selfDecoded
	Odd       []oddOne
	Embedding []embedding
	Metadata  []metav1.ObjectMeta
}

type variable struct {
	Name, Value string
	From        *variable
	At          *metav1.Time
}

type tree struct {
	Name  string
	Below []tree
}

// selfDecoded is a type that decodes itself.
type selfDecoded string

func (s *selfDecoded) UnmarshalJSON(b []byte) error {
	*s = selfDecoded(b)
	return nil
}

// oddOne has a field that the exact decoder decodes.
type oddOne struct{ Array [1]int }

// embedding has such a struct further inside.
type embedding struct{ Inner struct{ Odd *oddOne } }

const partedText = `{"Limits":{"cpu":"1","memory":"1Gi"},"Weights":{"a":1},"Scores":{"some-score":1},"Lists":{"a":["b"]},` +
	`"Args":["a","b","c"],"Env":[{"Name":"A","Value":"1","From":{"Name":"B"},"At":"2026-03-01T12:00:00Z"},{"Name":"C"}],` +
	`"Pointers":[{"Name":"A"},null],"Numbers":[1,2],"Probe":{"Name":"P","From":{"Name":"Q"}},"Size":"10Gi","Port":"http",` +
	`"Seen":"2026-03-01T12:00:00.000001Z","Raw":{"a":1},"Tree":{"Name":"t","Below":[{"Name":"u","Below":[]}]},"Text":"t","Count":3,` +
	`"At":"2026-03-01T12:00:00Z","Any":[{"a":1}],"Selves":[{"x":1}],"Odd":[{"Array":[1]}],"Embedding":[{"Inner":{"Odd":{"Array":[2]}}}],` +
	`"Metadata":[{"name":"n","managedFields":[{"fieldsV1":{"f:x":{}}}]}]}`

// decodeParted decodes an object of the text.
func decodeParted(t *testing.T, d *Decoder, text string) *parted {
	t.Helper()
	out := new(parted)
	if next := d.Object([]byte(text), 0, Of(reflect.TypeFor[parted]()), reflect.ValueOf(out)); next != len(text) {
		t.Fatalf("position %d of %s, stopped at %d", next, text, d.FailedAt)
	}
	return out
}

// TestParts holds that equal parts are one for owners that do not change objects, but not those with values whose types
// decode themselves, with untyped ones, or with fields of the exact decoder.
func TestParts(t *testing.T) {
	own := []string{"Text", "Count", "At", "Any", "Selves", "Odd", "Embedding", "Metadata"}
	for _, share := range []bool{false, true} {
		d := &Decoder{Stream: intern.Stream{Level: intern.All, Share: share}}
		var got [2000]*parted
		for i := range got {
			got[i] = decodeParted(t, d, partedText)
		}
		want := new(parted)
		if err := Exact([]byte(partedText), reflect.ValueOf(want)); err != nil {
			t.Fatal(err)
		}
		for i, g := range got {
			if !equalParted(g, want) {
				t.Errorf("sharing %v: object %d is %+v, want %+v", share, i, g, want)
			}
		}
		if share {
			last := got[len(got)-1]
			for name, q := range map[string]resource.Quantity{"a limit": last.Limits["cpu"], "a pointer": *last.Size} {
				if text := reflect.ValueOf(q).FieldByName("s").String(); text == "" {
					t.Errorf("the quantity of %s has no text: the first reader would set it", name)
				}
			}
		}
		typ := reflect.TypeFor[parted]()
		for i := range typ.NumField() {
			name := typ.Field(i).Name
			one := reflect.ValueOf(got[1998]).Elem().Field(i).Pointer() == reflect.ValueOf(got[1999]).Elem().Field(i).Pointer()
			if want := share && !slices.Contains(own, name); one != want {
				t.Errorf("sharing %v: %s are one: %v", share, name, one)
			}
		}
	}
}

// equalParted compares quantities by their values.
func equalParted(a, b *parted) bool {
	x, y := *a, *b
	if x.Size.Cmp(*y.Size) != 0 || len(x.Limits) != len(y.Limits) {
		return false
	}
	for k, q := range x.Limits {
		if q.Cmp(y.Limits[k]) != 0 {
			return false
		}
	}
	x.Size, y.Size, x.Limits, y.Limits = nil, nil, nil, nil
	return reflect.DeepEqual(x, y)
}

// TestPartsDiffer decodes objects whose parts differ in one place each, between equal ones.
func TestPartsDiffer(t *testing.T) {
	d := &Decoder{Stream: intern.Stream{Level: intern.All, Share: true}}
	for i := range 6000 {
		text := fmt.Sprintf(`{"Limits":{"cpu":"%d"},"Args":["%d"],"Probe":{"Name":"%d"},"Env":[{"Name":"A"},{"Name":"%d"}],"Size":"%dGi"}`, i%1700, i%1700, i%1700, i%1700, i%1700)
		got := decodeParted(t, d, text)
		n := fmt.Sprint(i % 1700)
		if q := got.Limits["cpu"]; len(got.Limits) != 1 || q.Value() != int64(i%1700) || len(got.Args) != 1 || got.Args[0] != n || got.Probe.Name != n ||
			len(got.Env) != 2 || got.Env[1].Name != n || got.Size.Value() != int64(i%1700)<<30 {
			t.Fatalf("%s: %+v", text, got)
		}
		decodeParted(t, d, partedText)
	}
}

// TestPartsOfTypes holds that values of different types with one text are not one.
func TestPartsOfTypes(t *testing.T) {
	type other struct {
		Ints    []int32
		Longs   []int64
		Texts   []string
		Numbers map[string]int32
		Scores  map[string]int64
	}
	d := &Decoder{Stream: intern.Stream{Level: intern.All, Share: true}}
	text := []byte(`{"Ints":[],"Longs":[],"Texts":[],"Numbers":{"a":1},"Scores":{"a":1}}`)
	for range 5 {
		var got other
		if next := d.Object(text, 0, Of(reflect.TypeFor[other]()), reflect.ValueOf(&got)); next != len(text) {
			t.Fatal(next)
		}
		if want := (other{[]int32{}, []int64{}, []string{}, map[string]int32{"a": 1}, map[string]int64{"a": 1}}); !reflect.DeepEqual(got, want) {
			t.Fatalf("%+v, want %+v", got, want)
		}
	}
}

// TestPartsKeepNothingAlive holds that what objects share is in other memory than what the first of them has alone.
func TestPartsKeepNothingAlive(t *testing.T) {
	d := &Decoder{Stream: intern.Stream{Level: intern.All, Share: true}}
	decode := func(i int) *parted {
		return decodeParted(t, d, fmt.Sprintf(`{"Env":[{"Name":"of all %[1]d","At":"2026-03-01T12:00:00Z"}],"Text":"of object %[2]d","At":"2026-03-01T12:00:01Z"}`, i/10, i))
	}
	var last *parted
	var texts []weak.Pointer[byte]
	var times []weak.Pointer[metav1.Time]
	for i := range 30 {
		last = decode(i)
		texts = append(texts, weak.Make(unsafe.StringData(*last.Text)))
		times = append(times, weak.Make(last.At))
	}
	d.Drop()
	goruntime.GC()
	for i := range 29 {
		if texts[i].Value() != nil || times[i].Value() != nil {
			t.Errorf("the memory of object %d is alive: texts %v, times %v", i, texts[i].Value() != nil, times[i].Value() != nil)
		}
	}
	if again := decode(29); &again.Env[0] != &last.Env[0] {
		t.Error("the objects share nothing")
	}
}
