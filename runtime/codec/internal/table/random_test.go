package table_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
	kjson "sigs.k8s.io/json"

	"github.com/listwatch/listwatch/runtime/codec/internal/intern"
	"github.com/listwatch/listwatch/runtime/codec/internal/table"
	"github.com/listwatch/listwatch/runtime/internal/jsonscan"
)

type (
	// Both and Hiding have names in common with what they embed, at several depths.
	Both struct {
		*Left
		Right
		Embedded `json:",inline"`
		Both     []string `json:"both"`
	}
	Hiding struct {
		Both `json:",inline"`
		embedded
		*Pointed
		In   *intstr.IntOrString `json:"in,omitempty"`
		Name json.RawMessage     `json:"name"`
	}
	Textual struct{ text string }
	Merged  struct {
		A, B int
		Rest map[string]json.RawMessage `json:"-"`
	}
	// Tagged is a union as controller projects write them: one member, which is a text or a struct.
	Tagged struct {
		Text  *string `json:"text,omitempty"`
		Menu  *Menu   `json:"menu,omitempty"`
		plain bool
	}
)

func (t *Textual) UnmarshalText(b []byte) error {
	if len(b) > 0 && b[0] == 'x' {
		return fmt.Errorf("no %q", b)
	}
	t.text += string(b)
	return nil
}

func (m *Merged) UnmarshalJSON(b []byte) error {
	type plain Merged
	if err := json.Unmarshal(b, (*plain)(m)); err != nil {
		return err
	}
	return json.Unmarshal(b, &m.Rest)
}

func (t *Tagged) UnmarshalJSON(b []byte) error {
	if b[0] == '"' {
		t.plain = true
		return json.Unmarshal(b, &t.Text)
	}
	type plain Tagged
	return kjson.UnmarshalCaseSensitivePreserveInts(b, (*plain)(t))
}

// parts are the types of which random types are made.
var parts = []reflect.Type{
	reflect.TypeFor[string](), reflect.TypeFor[Phase](), reflect.TypeFor[int32](), reflect.TypeFor[int64](), reflect.TypeFor[uint16](),
	reflect.TypeFor[bool](), reflect.TypeFor[float64](), reflect.TypeFor[[]byte](), reflect.TypeFor[json.RawMessage](), reflect.TypeFor[json.Number](),
	reflect.TypeFor[intstr.IntOrString](), reflect.TypeFor[resource.Quantity](), reflect.TypeFor[metav1.Time](), reflect.TypeFor[metav1.MicroTime](),
	reflect.TypeFor[metav1.Duration](), reflect.TypeFor[time.Time](), reflect.TypeFor[runtime.RawExtension](), reflect.TypeFor[metav1.LabelSelector](),
	reflect.TypeFor[metav1.ObjectMeta](), reflect.TypeFor[metav1.Condition](), reflect.TypeFor[any](), reflect.TypeFor[map[string]any](),
	reflect.TypeFor[Itself](), reflect.TypeFor[Textual](), reflect.TypeFor[Merged](), reflect.TypeFor[Tagged](), reflect.TypeFor[Menu](),
	reflect.TypeFor[Chain](), reflect.TypeFor[Pointed](), reflect.TypeFor[Shadow](), reflect.TypeFor[Ambiguous](), reflect.TypeFor[Both](),
	reflect.TypeFor[Hiding](), reflect.TypeFor[OptionalText](), reflect.TypeFor[OptionalNumber](), reflect.TypeFor[OptionalMenu](),
	reflect.TypeFor[OptionalTime](), reflect.TypeFor[[2]int](), reflect.TypeFor[struct{ Textual }](), reflect.TypeFor[struct{ *Embedded }](),
}

// embeddable are structs without methods, which reflect can embed.
var embeddable = []reflect.Type{
	reflect.TypeFor[Embedded](), reflect.TypeFor[Left](), reflect.TypeFor[Right](), reflect.TypeFor[Pointed](), reflect.TypeFor[Shadow](),
	reflect.TypeFor[Ambiguous](), reflect.TypeFor[Menu](), reflect.TypeFor[Both](), reflect.TypeFor[Hiding](),
}

var memberNames = []string{"in", "In", "name", "both", "Both", "too", "own", "title", "items", "up", "by", "text", "menu", "A", "B", "hidden", "kind", "x", "metadata"}

// randomStruct returns a struct of up to eight fields.
func randomStruct(random *rand.Rand, depth int) reflect.Type {
	var fields []reflect.StructField
	taken := map[string]bool{}
	add := func(f reflect.StructField) {
		if !taken[f.Name] {
			taken[f.Name] = true
			fields = append(fields, f)
		}
	}
	options := []string{"", "", ",omitempty", ",omitzero", ",string", ",inline"}
	for range 1 + random.Intn(8) {
		option := options[random.Intn(len(options))]
		if random.Intn(4) == 0 {
			e := embeddable[random.Intn(len(embeddable))]
			f := reflect.StructField{Name: e.Name(), Type: e, Anonymous: true}
			if random.Intn(3) == 0 {
				f.Type = reflect.PointerTo(e)
			}
			if tag := []string{"", `json:",inline"`, `json:"` + memberNames[random.Intn(len(memberNames))] + option + `"`}[random.Intn(3)]; tag != "" {
				f.Tag = reflect.StructTag(tag)
			}
			add(f)
			continue
		}
		f := reflect.StructField{Name: fmt.Sprintf("F%d", random.Intn(100)), Type: randomPart(random, depth)}
		switch random.Intn(8) {
		case 0: // its own name
			f.Name = []string{"Both", "In", "A", "B"}[random.Intn(4)]
		case 1:
			f.Name, f.PkgPath = "f"+f.Name, "example.com/hidden"
		default:
			f.Tag = reflect.StructTag(`json:"` + memberNames[random.Intn(len(memberNames))] + option + `"`)
		}
		add(f)
	}
	return reflect.StructOf(fields)
}

func randomPart(random *rand.Rand, depth int) reflect.Type {
	part := parts[random.Intn(len(parts))]
	if depth < 2 && random.Intn(5) == 0 {
		part = randomStruct(random, depth+1)
	}
	switch random.Intn(8) {
	case 0:
		return reflect.PointerTo(part)
	case 1:
		return reflect.SliceOf(part)
	case 2:
		return reflect.MapOf(reflect.TypeFor[string](), part)
	case 3:
		return reflect.MapOf(reflect.TypeFor[Phase](), part)
	case 4:
		return reflect.SliceOf(reflect.PointerTo(part))
	default:
		return part
	}
}

// randomText returns a JSON object with members that types may have.
func randomText(random *rand.Rand, depth int) string {
	var members []string
	for range random.Intn(7) {
		value := values[random.Intn(len(values))]
		switch {
		case strings.ContainsAny(value, "[{") && !json.Valid([]byte(value)): // mostly valid texts
			value = `"x"`
		case depth < 3 && random.Intn(2) == 0:
			value = randomText(random, depth+1)
			if random.Intn(3) == 0 {
				value = "[" + value + "," + randomText(random, depth+1) + "]"
			}
		case !json.Valid([]byte(value)) && random.Intn(20) > 0:
			value = `1`
		}
		members = append(members, `"`+memberNames[random.Intn(len(memberNames))]+`":`+value)
	}
	return "{" + strings.Join(members, ",") + "}"
}

// sameValue compares two values. If parts are shared, quantities in them have texts.
func sameValue(shared bool, want, got any) bool {
	return reflect.DeepEqual(want, got) || shared && cmp.Equal(want, got, cmp.Exporter(func(reflect.Type) bool { return true }),
		cmp.Comparer(func(a, b resource.Quantity) bool { return a.Cmp(b) == 0 && a.Format == b.Format }))
}

// TestRandomTypes decodes random texts into random types, half of them again and again, as lists and watches of foreign
// projects' types would, and compares the results with the exact decoder's.
func TestRandomTypes(t *testing.T) {
	random := rand.New(rand.NewSource(*seed))
	types, texts, same, fast := 0, 0, 0, 0
	for start := time.Now(); types < 100 || time.Since(start) < *duration; {
		typ := randomStruct(random, 0)
		types++
		decoders := []*table.Decoder{{}, {Stream: intern.Stream{Level: intern.Short}}, {Stream: intern.Stream{Level: intern.All}}, {Stream: intern.Stream{Level: intern.All, Share: true}}}
		var earlier [][]byte
		for range 80 {
			text := []byte(randomText(random, 0))
			if random.Intn(4) == 0 {
				text = mutate(random, text)
			}
			if len(earlier) < 5 {
				earlier = append(earlier, text)
			} else if random.Intn(2) == 0 {
				text = earlier[random.Intn(len(earlier))]
			}
			d := decoders[texts%len(decoders)]
			texts++
			want, got := reflect.New(typ), reflect.New(typ)
			wantErr := kjson.UnmarshalCaseSensitivePreserveInts(bytes.Clone(text), want.Interface())
			own := bytes.Clone(text)
			next := d.Object(own, 0, table.Of(typ), got)
			if next >= 0 && jsonscan.Space(own, next) != len(own) {
				next = -1
			}
			for i := range own {
				own[i] = '#'
			}
			switch {
			case next < 0 && wantErr == nil: // the exact decoder decides
			case next < 0:
				same++
			case wantErr != nil:
				t.Fatalf("%s\nis decoded into %v, want %v", text, typ, wantErr)
			case !sameValue(d.Stream.Share, want.Interface(), got.Interface()):
				t.Fatalf("%s\ninto %v\n(-want, +got) %s", text, typ, cmp.Diff(want.Interface(), got.Interface(), cmp.Exporter(func(reflect.Type) bool { return true })))
			default:
				same++
				fast++
			}
		}
	}
	t.Logf("%d texts into %d types: %d as the exact decoder, %d of them decoded", texts, types, same, fast)
	if fast < texts/8 {
		t.Error("too few were decoded")
	}
}
