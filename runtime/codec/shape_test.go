package codec_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/listwatch/listwatch/runtime/codec"
)

// Odd is an object with a value of any type.
type Odd[T any] struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Value             T `json:"value,omitempty"`
}

func (o *Odd[T]) DeepCopyObject() runtime.Object { c := *o; return &c }

type (
	Inner struct {
		X int    `json:"x"`
		Y string `json:"y,omitempty"`
	}
	hidden struct {
		X int `json:"x"`
	}
	Deeper  struct{ Inner }
	Name    string
	Octet   byte
	Octets  []byte
	Strings []string
	Map     map[string]Inner
	Tree    struct {
		X    int             `json:"x"`
		Left *Tree           `json:"left,omitempty"`
		More map[string]Tree `json:"more,omitempty"`
		List []Tree          `json:"list,omitempty"`
	}
	Times struct {
		At   metav1.Time       `json:"x"`
		Then *metav1.Time      `json:"y"`
		Fine *metav1.MicroTime `json:"a"`
	}
	Text   struct{ s string }
	Itself struct{ raw string }
	Value  struct{}
	Both   struct {
		metav1.Time
		X int
	}
)

func (t *Text) UnmarshalText(b []byte) error {
	if string(b) == "x" {
		return fmt.Errorf("not %q", b)
	}
	t.s = string(b)
	return nil
}

func (i *Itself) UnmarshalJSON(b []byte) error {
	if strings.HasPrefix(string(b), "1") {
		return fmt.Errorf("not %q", b)
	}
	i.raw += string(b)
	return nil
}

func (v Value) UnmarshalJSON([]byte) error { return nil }

// oddShapes are objects whose value has a type that decoders may read differently, by the reason.
// True are those of which no field is slow; all others are decoded without falling back, too.
//
//nolint:staticcheck // malformed tags are the purpose
func oddShapes() map[string]struct {
	obj  runtime.Object
	pass bool
} {
	type shape = struct {
		obj  runtime.Object
		pass bool
	}
	return map[string]shape{
		"plain":               {&Odd[Inner]{}, true},
		"pointer":             {&Odd[*Inner]{}, true},
		"embedded":            {&Odd[struct{ Inner }]{}, true},
		"embedded twice over": {&Odd[struct{ Deeper }]{}, true},
		"embedded, inline": {&Odd[struct {
			Inner `json:",inline"`
		}]{}, true},
		"embedded, omitempty": {&Odd[struct {
			Inner `json:",omitempty"`
		}]{}, true},
		"embedded, named": {&Odd[struct {
			Inner `json:"a"`
		}]{}, true},
		"embedded pointer":            {&Odd[struct{ *Inner }]{}, false},
		"embedded, not exported":      {&Odd[struct{ hidden }]{}, false},
		"embedded pointer to hidden":  {&Odd[struct{ *hidden }]{}, false},
		"embedded string":             {&Odd[struct{ Name }]{}, false},
		"embedded, with method":       {&Odd[struct{ metav1.Time }]{}, false},
		"embedded, with method, more": {&Odd[Both]{}, false},
		"embedded ObjectMeta":         {&Odd[struct{ metav1.ObjectMeta }]{}, true},
		"inline, but named": {&Odd[struct {
			A Inner `json:",inline"`
		}]{}, false},
		"inline, with a name": {&Odd[struct {
			A Inner `json:"a,inline"`
		}]{}, false},
		"embed option": {&Odd[struct {
			A Inner `json:",embed"`
		}]{}, false},
		"unknown option": {&Odd[struct {
			A map[string]any `json:",unknown"`
		}]{}, false},
		"format option": {&Odd[struct {
			A []byte `json:"a,format:hex"`
		}]{}, false},
		"case option": {&Odd[struct {
			A int `json:"a,case:ignore"`
		}]{}, false},
		"string option": {&Odd[struct {
			X int `json:"x,string"`
		}]{}, false},
		"string option on a pointer": {&Odd[struct {
			X *bool `json:"x,string"`
		}]{}, false},
		"string option on a struct": {&Odd[struct {
			A Inner `json:"a,string"`
		}]{}, false},
		"trailing comma": {&Odd[struct {
			X int `json:"x,"`
		}]{}, true},
		"option twice": {&Odd[struct {
			X int `json:"x,omitempty,omitempty"`
		}]{}, true},
		"option in other letters": {&Odd[struct {
			X int `json:"x,omitEmpty"`
		}]{}, false},
		"option quoted": {&Odd[struct {
			X int `json:"x,'omitempty'"`
		}]{}, false},
		"option made up": {&Odd[struct {
			X int `json:"x,whatever"`
		}]{}, false},
		"omitzero": {&Odd[struct {
			X int `json:"x,omitzero,omitempty"`
		}]{}, true},
		"name quoted": {&Odd[struct {
			X int `json:"'x'"`
		}]{}, false},
		"name with a quote": {&Odd[struct {
			X int `json:"x\"y"`
		}]{}, false},
		"name with a space": {&Odd[struct {
			X int `json:"x y"`
		}]{}, false},
		"name not in ASCII": {&Odd[struct {
			X int `json:"é"`
		}]{}, false},
		"name with signs": {&Odd[struct {
			X int `json:"$x-a.b/c_d"`
		}]{}, true},
		"name malformed": {&Odd[struct {
			X int `json:"x;y"`
		}]{}, false},
		"name, a dash and a comma": {&Odd[struct {
			X int `json:"-,"`
		}]{}, true},
		"no name": {&Odd[struct {
			X int `json:",omitempty"`
		}]{}, true},
		"no tag": {&Odd[struct{ X, A int }]{}, true},
		"left out": {&Odd[struct {
			X int `json:"-"`
			A int
		}]{}, true},
		"all omitted": {&Odd[struct {
			X int `json:"-"`
		}]{}, true},
		"not exported":     {&Odd[struct{ x, A int }]{}, true},
		"nothing exported": {&Odd[struct{ x int }]{}, true},
		"no fields":        {&Odd[struct{}]{}, true},
		"same name, deeper": {&Odd[struct {
			Inner
			X string `json:"x"`
		}]{}, false},
		"same name, embedded twice": {&Odd[struct {
			Inner
			Both
		}]{}, false},
		"same name in other letters": {&Odd[struct {
			A int `json:"x"`
			B int `json:"X"`
		}]{}, true},
		"UnmarshalText":            {&Odd[Text]{}, false},
		"pointer to UnmarshalText": {&Odd[*Text]{}, false},
		"UnmarshalJSON":            {&Odd[Itself]{}, false},
		"pointer to UnmarshalJSON": {&Odd[*Itself]{}, false},
		"slice of UnmarshalJSON":   {&Odd[[]Itself]{}, false},
		"map of UnmarshalJSON":     {&Odd[map[string]Itself]{}, false},
		"UnmarshalJSON of a value": {&Odd[Value]{}, false},
		"UnmarshalJSON, struct inside": {&Odd[struct {
			X Itself  `json:"x"`
			A *Itself `json:"a"`
		}]{}, false},
		"tree":                   {&Odd[Tree]{}, true},
		"times":                  {&Odd[Times]{}, true},
		"time.Time":              {&Odd[time.Time]{}, false},
		"time.Duration":          {&Odd[time.Duration]{}, true},
		"Duration":               {&Odd[metav1.Duration]{}, true},
		"MicroTime":              {&Odd[*metav1.MicroTime]{}, true},
		"IntOrString":            {&Odd[intstr.IntOrString]{}, true},
		"pointer to IntOrString": {&Odd[*intstr.IntOrString]{}, true},
		"Quantity":               {&Odd[resource.Quantity]{}, true},
		"map of Quantity":        {&Odd[map[Name]resource.Quantity]{}, true},
		"RawExtension":           {&Odd[runtime.RawExtension]{}, true},
		"slice of RawExtension":  {&Odd[[]runtime.RawExtension]{}, true},
		"RawMessage":             {&Odd[json.RawMessage]{}, true},
		"pointer to RawMessage":  {&Odd[*json.RawMessage]{}, true},
		"Number":                 {&Odd[json.Number]{}, false},
		"FieldsV1":               {&Odd[*metav1.FieldsV1]{}, true},
		"untyped":                {&Odd[any]{}, true},
		"map of untyped":         {&Odd[map[string]any]{}, true},
		"slice of untyped":       {&Odd[[]any]{}, true},
		"pointer to untyped":     {&Odd[*any]{}, true},
		"interface":              {&Odd[fmt.Stringer]{}, false},
		"pointer to pointer":     {&Odd[**Inner]{}, false},
		"function":               {&Odd[func()]{}, false},
		"channel":                {&Odd[chan int]{}, false},
		"complex":                {&Odd[complex128]{}, false},
		"array":                  {&Odd[[2]int]{}, false},
		"array of bytes":         {&Odd[[4]byte]{}, false},
		"bytes":                  {&Odd[[]byte]{}, true},
		"named bytes":            {&Odd[Octets]{}, true},
		"slice of named bytes":   {&Odd[[]Octet]{}, false},
		"map of bytes":           {&Odd[map[string][]byte]{}, true},
		"slice of slices":        {&Odd[[][]string]{}, true},
		"named slice":            {&Odd[Strings]{}, true},
		"slice of pointers":      {&Odd[[]*Inner]{}, true},
		"map":                    {&Odd[Map]{}, true},
		"map of pointers":        {&Odd[map[string]*Inner]{}, true},
		"map of maps":            {&Odd[map[string]map[string]string]{}, true},
		"map of slices":          {&Odd[map[Name][]Inner]{}, true},
		"map by integer":         {&Odd[map[int]string]{}, false},
		"map by text":            {&Odd[map[Text]string]{}, false},
		"bool":                   {&Odd[bool]{}, true},
		"int8":                   {&Odd[int8]{}, true},
		"uint16":                 {&Odd[uint16]{}, true},
		"uint64":                 {&Odd[uint64]{}, true},
		"uintptr":                {&Odd[uintptr]{}, false},
		"float32":                {&Odd[float32]{}, true},
		"string":                 {&Odd[Name]{}, true},
	}
}

var oddValues = []string{
	`null`, `true`, `false`, `0`, `-0`, `1`, `-1`, `200`, `70000`, `1.5`, `1e2`, `1e39`, `1e-60`, `18446744073709551615`, `9223372036854775808`,
	`""`, `"x"`, `"1"`, `"null"`, `"true"`, `"\u006eull"`, `"AQI="`, `"AQ\nI="`, `"AQI"`, `"5m"`, `"1.5Gi"`, `" 1 "`,
	`"2026-01-02T03:04:05Z"`, `"2026-01-02T03:04:05.123456Z"`, "\"\xff\"",
	`[]`, `[null]`, `[1,2,3]`, `["a","b"]`, `[{"x":1},{"y":"b"}]`, `[[1],["a"]]`,
	`{}`, `{"x":1}`, `{"X":2,"x":1,"x":null}`, `{"y":"b","unknown":[{}]}`, `{"A":3,"a":{"x":4,"y":"z"}}`, `{"a":1,"b":"c"}`,
	`{"a":"b"}`, `{"a":null,"a":{"x":1},"b":{"y":"c"},"b":{"x":2}}`, `{"x":"1"}`, `{"x":"null"}`, `{"Inner":{"x":5},"hidden":{"x":6},"Name":"n"}`,
	`{"'x'":1,"x y":2,"é":3,"$x-a.b/c_d":4,"-":5,"x;y":6,"x\"y":7}`, `{"1":"a","-2":"b"}`,
	`{"x":"2026-01-02T03:04:05Z","y":"2026-01-02T03:04:05+01:00","a":"2026-01-02T03:04:05.000001Z"}`,
	`{"x":1,"left":{"x":2,"left":null},"more":{"a":{"x":3}},"list":[{"x":4},{"list":[]}]}`,
	`{"metadata":{"name":"n"},"name":"m","labels":{"a":"b"}}`,
}

func TestShapes(t *testing.T) {
	before := []string{``, `[{"x":7,"y":"old"},{"x":8},{"x":9}]`, `{"x":7,"y":"old","a":{"x":7},"left":{"x":7}}`, `"AQIDBA=="`, `1`, `null`}
	for name, c := range oddShapes() {
		t.Run(name, func(t *testing.T) {
			scheme := newScheme()
			scheme.AddKnownTypeWithName(group.WithKind("Odd"), c.obj)
			o := &oracle{}
			o.ours, o.exact = decoders(scheme)
			for _, value := range oddValues {
				for _, first := range before {
					text := `{"apiVersion":"widgets.example.com/v1","kind":"Odd",`
					if first != "" {
						text += `"value":` + first + `,`
					}
					o.check(t, []byte(text+`"metadata":{"name":"a"},"value":`+value+`}`), c.obj, 64)
				}
			}
			if slow := codec.Explain(reflect.TypeOf(c.obj)); (len(slow) == 0) != c.pass || o.taken == 0 {
				t.Errorf("%d texts were decoded fast, %v are slow, want none: %v", o.taken, slow, c.pass)
			}
		})
	}
}

// Objects that are odd themselves.
type (
	ownKind struct {
		metav1.TypeMeta `json:",inline"`
		Name            string `json:"name"`
	}
	noTypeMeta struct {
		Kind string `json:"kind"`
		Name string `json:"name"`
	}
	wrongKind struct {
		Kind map[string]string `json:"kind"`
		Name string            `json:"name"`
	}
	itself struct {
		metav1.TypeMeta `json:",inline"`
		Name            string `json:"name"`
	}
)

func (o *ownKind) DeepCopyObject() runtime.Object    { c := *o; return &c }
func (o *noTypeMeta) DeepCopyObject() runtime.Object { c := *o; return &c }
func (o *wrongKind) DeepCopyObject() runtime.Object  { c := *o; return &c }
func (o *itself) DeepCopyObject() runtime.Object     { c := *o; return &c }
func (o *itself) UnmarshalJSON([]byte) error         { o.Name = "of its own"; return nil }

func (o *noTypeMeta) GetObjectKind() schema.ObjectKind { return schema.EmptyObjectKind }
func (o *wrongKind) GetObjectKind() schema.ObjectKind  { return schema.EmptyObjectKind }

func TestShapesOfObjects(t *testing.T) {
	for _, obj := range []runtime.Object{&ownKind{}, &noTypeMeta{}, &wrongKind{}, &itself{}} {
		t.Run(reflect.TypeOf(obj).String(), func(t *testing.T) {
			scheme := newScheme()
			scheme.AddKnownTypeWithName(group.WithKind("Odd"), obj)
			o := &oracle{}
			o.ours, o.exact = decoders(scheme)
			for _, text := range []string{
				`{"apiVersion":"widgets.example.com/v1","kind":"Odd","name":"a"}`,
				`{"apiVersion":"widgets.example.com/v1","kind":"Odd"}`,
				`{"name":"a","apiVersion":"widgets.example.com/v1","kind":"Odd"}`,
				`{"name":"a"}`,
			} {
				o.check(t, []byte(text), obj, 1)
				o.check(t, []byte(text), nil, 1)
			}
		})
	}
}
