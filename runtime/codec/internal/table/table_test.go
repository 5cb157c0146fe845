package table_test

import (
	"fmt"
	"reflect"
	"sync"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/runtime/codec/internal/intern"
	"github.com/listwatch/listwatch/runtime/codec/internal/table"
)

type oddList struct {
	metav1.TypeMeta `json:",inline"`
	Items           []Odd            `json:"items"`
	Pointers        []*Menu          `json:"pointers"`
	Strings         []string         `json:"strings"`
	Maps            []map[string]int `json:"maps"`
}

func TestElem(t *testing.T) {
	list := table.Of(reflect.TypeFor[oddList]())
	for name, want := range map[string]struct {
		typ reflect.Type
		of  *table.Table
	}{
		"items":    {reflect.TypeFor[Odd](), table.Of(reflect.TypeFor[Odd]())},
		"pointers": {reflect.TypeFor[*Menu](), table.Of(reflect.TypeFor[Menu]())},
		"strings":  {},
		"kind":     {},
		"missing":  {},
		"maps":     {reflect.TypeFor[map[string]int](), nil},
	} {
		if typ, of := list.Elem(name); typ != want.typ || of != want.of {
			t.Errorf("%s: %v, %p, want %v, %p", name, typ, of, want.typ, want.of)
		}
	}
	l := &oddList{Strings: []string{"a"}}
	list.Field("strings", reflect.ValueOf(l)).Set(reflect.ValueOf([]string{"b"}))
	if l.Strings[0] != "b" {
		t.Errorf("strings %v", l.Strings)
	}
}

func TestRoot(t *testing.T) {
	for want, types := range map[bool][]reflect.Type{
		true: {reflect.TypeFor[Odd](), reflect.TypeFor[metav1.Status](), reflect.TypeFor[oddList]()},
		false: {
			reflect.TypeFor[Menu](), reflect.TypeFor[struct {
				Kind string `json:"kind"`
			}](),
			reflect.TypeFor[struct {
				metav1.TypeMeta `json:",inline"`
				KIND            string
			}](),
			reflect.TypeFor[struct {
				*metav1.TypeMeta `json:",inline"`
			}](),
			reflect.TypeFor[struct {
				Kind       string `json:"kind"`
				APIVersion int    `json:"apiVersion"`
			}](),
		},
	} {
		for _, typ := range types {
			if got := table.Of(typ).Root(); got != want {
				t.Errorf("%v: %v, want %v", typ, got, want)
			}
		}
	}
	for _, typ := range []reflect.Type{reflect.TypeFor[Itself](), reflect.TypeFor[int](), reflect.TypeFor[[]Odd](), reflect.TypeFor[metav1.Time]()} {
		if table.Of(typ) != nil {
			t.Errorf("%v has a table", typ)
		}
	}
}

func TestWhole(t *testing.T) {
	var d table.Decoder
	of := table.Of(reflect.TypeFor[Odd]())
	for text, want := range map[string]bool{
		`{"kind":"Odd","apiVersion":"v1"}`:                     true,
		` {"str":"x","apiVersion":"v1","kind":"Odd"} `:         true,
		`{"kind":"Odd","apiVersion":"v2"}`:                     false,
		`{"kind":"Odd"}`:                                       false,
		`{"kind":"Odd","apiVersion":"v1","Kind":"x"}`:          false,
		`{"kind":"Odd","apiVersion":"v1","kind":"Odd"}`:        false,
		`{"kind":"Odd","apiVersion":"v1"} x`:                   false,
		`{"kind":"Odd","apiVersion":"v1","menu":{"Kind":"x"}}`: true,
	} {
		if got := d.Whole([]byte(text), of, reflect.ValueOf(new(Odd)), "Odd", "v1"); got != want {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
}

func TestMember(t *testing.T) {
	var d table.Decoder
	of := table.Of(reflect.TypeFor[Odd]())
	o := new(Odd)
	if !d.Member([]byte(` "x" `), of, "str", reflect.ValueOf(o)) || *o.Str != "x" {
		t.Errorf("%v", o.Str)
	}
	if !d.Member([]byte(`[1,2]`), of, "array", reflect.ValueOf(o)) || o.Array != [3]int{1, 2} {
		t.Errorf("%v", o.Array)
	}
	if !d.Member([]byte(`{"x":1}`), of, "unheard of", reflect.ValueOf(o)) {
		t.Error("an unknown member is a fallback")
	}
	if d.Member([]byte(`["a",1]`), of, "phases", reflect.ValueOf(o)) || o.Phases != nil {
		t.Errorf("%v", o.Phases)
	}
}

// TestFailedAt checks where a fallback arose, and whether the value there is certainly invalid.
func TestFailedAt(t *testing.T) {
	var d table.Decoder
	for text, want := range map[string]string{
		`{"menu":{"title":7}}`:                        "7 false",
		`{"m":"soon"}`:                                `"soon" true`,
		`{"metadata":{"creationTimestamp":"x"}}`:      `"x" true`,
		`{"slices":[["a"],[1]]}`:                      "1 false",
		`{"qs":{"a":"1","b":"x"}}`:                    `"x" true`,
		`{"mapMap":{"a":{"b":{}}}}`:                   "{} false",
		`{"anys":{"a":[1,1e999]}}`:                    "1e999 true",
		`{"mapInt":{"a":"b"}}`:                        `{"a":"b"} true`,
		`{"itself":{},"menu":{"up":{"items":[tru]}}}`: "tru false",
		`{"bytes":"!"}`:                               `"!" true`,
	} {
		d.Object([]byte(text), 0, table.Of(reflect.TypeFor[Odd]()), reflect.ValueOf(new(Odd)))
		var what string
		if _, err := fmt.Sscanf(want, "%s", &what); err != nil || d.FailedAt < 0 || len(text) < d.FailedAt+len(what) {
			t.Errorf("%s: stopped at %d", text, d.FailedAt)
		} else if got := fmt.Sprint(text[d.FailedAt:d.FailedAt+len(what)], " ", d.Invalid); got != want {
			t.Errorf("%s: stopped at %s, want %s", text, got, want)
		}
	}
}

// TestTablesConcurrently compiles and uses tables at the same time.
func TestTablesConcurrently(t *testing.T) {
	type first struct {
		Next  *first           `json:"next"`
		Menus map[string]*Menu `json:"menus"`
		List  []oddList        `json:"list"`
	}
	type second struct {
		First first `json:"first"`
	}
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			var d table.Decoder
			s := new(second)
			if next := d.Object([]byte(`{"first":{"next":{"next":{}},"menus":{"a":{"title":"t"}},"list":[{"strings":["x"]}]}}`), 0, table.Of(reflect.TypeFor[second]()), reflect.ValueOf(s)); next < 0 || s.First.Menus["a"].Title != "t" {
				t.Errorf("goroutine %d: %d, %+v", i, next, s)
			}
			table.Explain(reflect.TypeFor[first]())
		})
	}
	wg.Wait()
}

// TestForget holds that a decoder forgets contents, and decodes on.
func TestForget(t *testing.T) {
	d := &table.Decoder{Stream: intern.Stream{Level: intern.All, Share: true}}
	of := table.Of(reflect.TypeFor[Odd]())
	decode := func() *Odd {
		o := new(Odd)
		if d.Object([]byte(oddText), 0, of, reflect.ValueOf(o)) < 0 {
			t.Fatal("fell back")
		}
		return o
	}
	same := func(a, b *Odd) bool { return a.ManagedFields[0].FieldsV1 == b.ManagedFields[0].FieldsV1 }
	a, b := decode(), decode()
	d.Forget()
	d.Stream.Level, d.Stream.Share = intern.All, true
	if c := decode(); !same(a, b) || same(a, c) {
		t.Errorf("shared before: %v, after: %v, want true, false", same(a, b), same(a, c))
	}
}
