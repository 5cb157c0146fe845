package sharing_test

import (
	"fmt"
	"reflect"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	_ "github.com/listwatch/listwatch/internal/golden"
	"github.com/listwatch/listwatch/runtime/sharing"
)

// thing has parts of all kinds.
type thing struct {
	metav1.ObjectMeta
	Limits   map[string]resource.Quantity
	Selector *metav1.LabelSelector
	Lists    map[string][]string
	Pointers map[string]*int32
	Pairs    [2][]string
	Numbers  []int64
	Text     []byte
	Any      any
	Opaque   opaque
	Same     []thing
}

// opaque has a part that cannot be set.
type opaque struct{ hidden []string }

func (o opaque) Equal(other opaque) bool { return reflect.DeepEqual(o, other) }

func pointer(v int32) *int32 { return &v }

func newThing(name string) *thing {
	created := metav1.Unix(1_700_000_000, 0)
	return &thing{
		ObjectMeta: metav1.ObjectMeta{
			Name: name, Labels: map[string]string{"app": "worker", "zone": "a"}, Annotations: map[string]string{"own": name},
			CreationTimestamp: created, DeletionTimestamp: &created,
			ManagedFields: []metav1.ManagedFieldsEntry{{Manager: "kubectl", Time: &created, FieldsV1: &metav1.FieldsV1{Raw: []byte(`{"f:spec":{}}`)}}},
		},
		Limits:   map[string]resource.Quantity{"cpu": resource.MustParse("500m"), "memory": resource.MustParse("1Gi")},
		Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "worker"}},
		Lists:    map[string][]string{"a": {"x", "y"}, "b": {"x", "y"}},
		Pointers: map[string]*int32{"a": pointer(1)},
		Pairs:    [2][]string{{"x", "y"}, {"z"}},
		Numbers:  append(make([]int64, 0, 8), 1, 2),
		Text:     []byte("text"),
		Any:      map[string]any{"list": []any{"x", int64(1), 1.5, true, nil}},
		Opaque:   opaque{[]string{"hidden"}},
		Same:     []thing{},
	}
}

// share has objects share their parts.
func share(t *testing.T, objects ...*thing) {
	t.Helper()
	transform := sharing.Transform()
	for _, o := range objects {
		if _, err := transform(o); err != nil {
			t.Fatal(err)
		}
	}
}

// address returns where a part is.
func address(part any) uintptr { return reflect.ValueOf(part).Pointer() }

func TestTransformKeepsObjectsEqual(t *testing.T) {
	transform := sharing.Transform()
	for i := range 3 {
		name := fmt.Sprint(i)
		got, err := transform(newThing(name))
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(newThing(name), got); d != "" {
			t.Error(d)
		}
	}
}

func TestEqualPartsAreShared(t *testing.T) {
	one, other := newThing("one"), newThing("other")
	share(t, one, other)
	for name, part := range map[string]func(*thing) any{
		"labels":         func(o *thing) any { return o.Labels },
		"managed fields": func(o *thing) any { return o.ManagedFields },
		"fields":         func(o *thing) any { return o.ManagedFields[0].FieldsV1 },
		"deletion":       func(o *thing) any { return o.DeletionTimestamp },
		"limits":         func(o *thing) any { return o.Limits },
		"selector":       func(o *thing) any { return o.Selector },
		"lists":          func(o *thing) any { return o.Lists },
		"pointers":       func(o *thing) any { return o.Pointers },
		"array":          func(o *thing) any { return o.Pairs[0] },
		"numbers":        func(o *thing) any { return o.Numbers },
		"bytes":          func(o *thing) any { return o.Text },
		"any":            func(o *thing) any { return o.Any },
		"list in any":    func(o *thing) any { return o.Any.(map[string]any)["list"] },
	} {
		if a, b := address(part(one)), address(part(other)); a != b {
			t.Errorf("%s: two parts at %x and %x", name, a, b)
		}
	}
	if a, b := address(one.Lists["a"]), address(one.Lists["b"]); a != b || a != address(one.Pairs[0]) {
		t.Error("equal parts of an object are not shared")
	}
	if address(one.Annotations) == address(other.Annotations) {
		t.Error("different parts are shared")
	}
	if address(one.Opaque.hidden) == address(other.Opaque.hidden) {
		t.Error("parts in unexported fields are shared")
	}
}

func TestInnerPartsOfDifferentOnesAreShared(t *testing.T) {
	one, other := newThing("one"), newThing("other")
	other.Lists["b"] = []string{"z"}
	other.Selector.MatchExpressions = []metav1.LabelSelectorRequirement{{Key: "a"}}
	other.Any.(map[string]any)["more"] = "more"
	share(t, one, other)
	if address(one.Lists) == address(other.Lists) || address(one.Lists["a"]) != address(other.Lists["a"]) {
		t.Error("want other maps with the same list")
	}
	if address(one.Selector) == address(other.Selector) || address(one.Selector.MatchLabels) != address(other.Selector.MatchLabels) {
		t.Error("want other selectors with the same labels")
	}
	if address(one.Any.(map[string]any)["list"]) != address(other.Any.(map[string]any)["list"]) {
		t.Error("want the same list in other maps")
	}
}

// TestPartsThatMeet has more parts than are remembered.
func TestPartsThatMeet(t *testing.T) {
	transform := sharing.Transform()
	for i := range 3 * sharing.TableSize {
		o := &thing{Text: []byte(fmt.Sprint(i))}
		if _, err := transform(o); err != nil || string(o.Text) != fmt.Sprint(i) {
			t.Fatalf("object %d has %q, error %v", i, o.Text, err)
		}
	}
}

func TestNobodyAppendsInPlace(t *testing.T) {
	one, other := newThing("one"), newThing("other")
	share(t, one, other)
	_ = append(one.Numbers, 3)
	if longer := append(other.Numbers, 4); longer[2] != 4 || cap(one.Numbers) != 2 {
		t.Errorf("got %v, capacity %d", longer, cap(one.Numbers))
	}
}

func TestUnstructured(t *testing.T) {
	transform := sharing.Transform()
	object := func(name string) *unstructured.Unstructured {
		return &unstructured.Unstructured{Object: map[string]any{
			"metadata": map[string]any{"name": name, "labels": map[string]any{"app": "worker"}},
			"spec":     map[string]any{"ports": []any{map[string]any{"port": int64(80)}}},
		}}
	}
	one, other := object("one"), object("other")
	for _, o := range []runtime.Object{one, other} {
		if _, err := transform(o); err != nil {
			t.Fatal(err)
		}
	}
	if d := cmp.Diff(object("other"), other); d != "" {
		t.Error(d)
	}
	if address(one.Object["spec"]) != address(other.Object["spec"]) {
		t.Error("the specs are two")
	}
}

func TestWhatIsNoPointerStays(t *testing.T) {
	transform := sharing.Transform()
	for _, obj := range []any{nil, 1, thing{}, (*thing)(nil)} {
		if got, err := transform(obj); err != nil || !reflect.DeepEqual(got, obj) {
			t.Errorf("got %v, error %v", got, err)
		}
	}
}

func TestConcurrentUse(t *testing.T) {
	transform := sharing.Transform()
	var running sync.WaitGroup
	for i := range 4 {
		running.Go(func() {
			for k := range 100 {
				if _, err := transform(newThing(fmt.Sprint(i, k))); err != nil {
					t.Error(err)
				}
			}
		})
	}
	running.Wait()
}

// FuzzTransform decodes any JSON and sees whether it is the same afterwards.
func FuzzTransform(f *testing.F) {
	f.Add(`{"a":{"b":[1,2,{"c":"d"}]},"e":{"b":[1,2,{"c":"d"}]},"f":null,"g":[]}`)
	transform := sharing.Transform()
	f.Fuzz(func(t *testing.T, text string) {
		var one, same unstructured.Unstructured
		if one.UnmarshalJSON([]byte(`{"apiVersion":"v1","kind":"Any","any":`+text+`}`)) != nil {
			return
		}
		same = *one.DeepCopy()
		if _, err := transform(&one); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(same, one); d != "" {
			t.Error(d)
		}
	})
}
