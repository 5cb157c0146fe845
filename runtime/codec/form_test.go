package codec_test

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/listwatch/listwatch/runtime/codec"
)

// formOf returns the form of an object's type.
func formOf(t testing.TB, obj runtime.Object) *codec.Form {
	t.Helper()
	form, err := codec.FormOf(reflect.TypeOf(obj))
	if err != nil {
		t.Fatal(err)
	}
	return form
}

// reform encodes and decodes an object, twice.
func reform(t testing.TB, form *codec.Form, obj runtime.Object) runtime.Object {
	t.Helper()
	text, err := form.Encode(obj)
	if err != nil {
		t.Fatal(err)
	}
	again, err := form.Decode(text, false)
	if err != nil {
		t.Fatalf("%v: %q", err, text)
	}
	other, err := form.Encode(again)
	if err != nil || string(other) != string(text) {
		t.Fatalf("encoded again it is %q (%v), want %q", other, err, text)
	}
	secret, err := form.Decode(text, true)
	if diff := cmp.Diff(again, secret); err != nil || diff != "" {
		t.Fatalf("%v, as a Secret (-want +got):\n%s", err, diff)
	}
	return again
}

// randomValue returns a value of an untyped object.
func randomValue(random *rand.Rand, depth int) any {
	switch random.IntN(9 - min(depth, 2)) {
	case 0:
		return nil
	case 1:
		return random.IntN(2) == 0
	case 2:
		return random.Int64() >> random.IntN(64)
	case 3:
		return []float64{0, 1, -1, 0.1, 1e6, 1e21, 1e-9, math.MaxFloat64, math.Copysign(0, -1), 3e18}[random.IntN(10)]
	case 4, 5:
		return []string{"", "a", "<&>", "\"\\/\n\x00\x7f", "\u2028 \U0001f600", strings.Repeat("x", 300), "1", "null"}[random.IntN(8)]
	case 6:
		return map[string]any{}
	case 7:
		list := []any{}
		for range random.IntN(4) {
			list = append(list, randomValue(random, depth-1))
		}
		return list
	default:
		m := map[string]any{}
		for range random.IntN(5) {
			m[string(rune('a'+random.IntN(26)))+"\t"] = randomValue(random, depth-1)
		}
		return m
	}
}

// FuzzFormOfUntyped encodes and decodes random untyped objects, which come back exactly.
func FuzzFormOfUntyped(f *testing.F) {
	for seed := range uint64(500) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		random := rand.New(rand.NewPCG(seed, 1))
		obj := &unstructured.Unstructured{Object: map[string]any{"kind": "Ship", "apiVersion": "v1", "spec": randomValue(random, 5), "status": randomValue(random, 3)}}
		if diff := cmp.Diff(runtime.Object(obj), reform(t, formOf(t, obj), obj)); diff != "" {
			t.Errorf("decoded (-want +got):\n%s", diff)
		}
	})
}

// TestFormRefuses has objects that JSON does not give back.
func TestFormRefuses(t *testing.T) {
	cycle := map[string]any{}
	cycle["a"] = cycle
	for _, bad := range []any{math.NaN(), math.Inf(1), int32(1), "\xff", map[string]any(nil), []any(nil), []string{"a"}, cycle, json.Number("1")} {
		obj := &unstructured.Unstructured{Object: map[string]any{"a": bad}}
		if text, err := formOf(t, obj).Encode(obj); err == nil {
			t.Errorf("%T is encoded as %q", bad, text)
		}
	}
	if _, err := formOf(t, &unstructured.Unstructured{}).Encode(&unstructured.Unstructured{}); err == nil {
		t.Error("an object without content is encoded")
	}
	for _, typ := range []reflect.Type{reflect.TypeFor[int](), reflect.TypeFor[*int](), reflect.TypeFor[metav1.PartialObjectMetadata](), reflect.TypeFor[*metav1.ObjectMeta](), reflect.TypeFor[*unstructured.UnstructuredList]()} {
		if _, err := codec.FormOf(typ); err == nil {
			t.Errorf("%v has a form", typ)
		}
	}
}

// TestFormLeavesOutKind encodes typed objects with and without their kind, which stays as it is.
func TestFormLeavesOutKind(t *testing.T) {
	for _, obj := range []runtime.Object{
		&metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Name: "a", Labels: map[string]string{"a": "b"}}}, // by protobuf
		&harbour{ObjectMeta: metav1.ObjectMeta{Name: "a"}, Note: "<a> & b"},
	} {
		form := formOf(t, obj)
		if !form.IsSure() {
			t.Errorf("%T is not sure", obj)
		}
		plain, err := form.Encode(obj)
		if err != nil {
			t.Fatal(err)
		}
		kinded := obj.DeepCopyObject()
		kinded.GetObjectKind().SetGroupVersionKind(metav1.SchemeGroupVersion.WithKind("Ship"))
		text, err := form.Encode(kinded)
		if err != nil || string(text) != string(plain) {
			t.Errorf("with a kind it is %q (%v), want %q", text, err, plain)
		}
		if kinded.GetObjectKind().GroupVersionKind().Kind != "Ship" {
			t.Error("the object has lost its kind")
		}
		if diff := cmp.Diff(obj, reform(t, form, kinded)); diff != "" {
			t.Errorf("decoded (-want +got):\n%s", diff)
		}
	}
}

// TestFormOfTypesThatDecodeThemselves are not sure.
func TestFormOfTypesThatDecodeThemselves(t *testing.T) {
	if formOf(t, &moody{}).IsSure() {
		t.Error("a type with a field that decodes itself is sure")
	}
}

type harbour struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`
	Note              string `json:"note"`
}

func (h *harbour) DeepCopyObject() runtime.Object { c := *h; return &c }

type moody struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`
	Mood              mood `json:"mood"`
}

func (m *moody) DeepCopyObject() runtime.Object { c := *m; return &c }

type mood struct{ Text string }

func (m *mood) UnmarshalJSON(text []byte) error { m.Text = "read " + string(text); return nil }

func TestIsSecret(t *testing.T) {
	type Secret = metav1.PartialObjectMetadata
	for _, c := range []struct {
		obj  runtime.Object
		want bool
	}{
		{&unstructured.Unstructured{Object: map[string]any{"kind": "Secret"}}, true},
		{&unstructured.Unstructured{Object: map[string]any{}}, true},
		{&unstructured.Unstructured{Object: map[string]any{"kind": "Ship"}}, false},
		{&Secret{}, false},
		{&harbour{}, false},
	} {
		if got := codec.IsSecret(c.obj); got != c.want {
			t.Errorf("%T %v: %t", c.obj, c.obj, got)
		}
	}
}
