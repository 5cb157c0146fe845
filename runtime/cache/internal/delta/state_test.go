package delta

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"strconv"
	"sync"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// crate is an object with fields of all kinds.
type crate struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`

	Weight   resource.Quantity             `json:"weight"`
	Limits   map[string]resource.Quantity  `json:"limits"`
	Packed   time.Time                     `json:"packed"`
	Sealed   *metav1.Time                  `json:"sealed"`
	Keeps    metav1.Duration               `json:"keeps"`
	Size     intstr.IntOrString            `json:"size"`
	Raw      runtime.RawExtension          `json:"raw"`
	Bytes    []byte                        `json:"bytes"`
	Names    []string                      `json:"names"`
	Pair     [2]int                        `json:"pair"`
	Any      any                           `json:"any"`
	Inner    *crate                        `json:"inner"`
	Tags     map[string]string             `json:"tags"`
	Tree     map[string]any                `json:"tree"`
	Crates   map[int][]crate               `json:"crates"`
	Seal     seal                          `json:"seal"`
	Sealings []seal                        `json:"sealings"`
	Bits     uint8                         `json:"bits"`
	Ratio    float64                       `json:"ratio"`
	Full     bool                          `json:"full"`
	Call     func()                        `json:"-"`
	Hidden   hidden                        `json:"hidden"`
	Marks    map[seal]metav1.LabelSelector `json:"-"`
}

func (c *crate) DeepCopyObject() runtime.Object { d := *c; return &d }

// seal caches something in itself, as protobuf messages do.
type seal struct {
	Text  string
	cache int
}

func (s *seal) MarshalJSON() ([]byte, error) { return json.Marshal(s.Text) }

func (s *seal) UnmarshalJSON(b []byte) error { return json.Unmarshal(b, &s.Text) }

// hidden has an unexported field and does not encode itself.
type hidden struct{ n int }

const crateJSON = `{"metadata": {"name": "a", "uid": "u", "resourceVersion": "7", "labels": {"a": "b"},
	"managedFields": [{"manager": "m", "fieldsV1": {"f:a": {}}}], "creationTimestamp": "2026-01-02T03:04:05Z"},
	"weight": "1500m", "limits": {"cpu": "2"}, "packed": "2026-01-02T03:04:05+01:00", "sealed": "2026-01-02T03:04:05Z",
	"keeps": "3s", "size": "25%", "raw": {"x": [1]}, "bytes": "AQI=", "names": ["a", "b"], "pair": [1, 2], "any": {"a": [1, "b", null]},
	"inner": {"names": []}, "tags": {"a": "b"}, "tree": {"a": {"b": [1.5, true, null, {}]}}, "crates": {"1": [{"bits": 1}]},
	"seal": "wax", "sealings": ["lead"], "bits": 3, "ratio": 0.5, "full": true, "kind": "Crate", "apiVersion": "v1"}`

func newCrate(t testing.TB) *crate {
	c := &crate{Marks: map[seal]metav1.LabelSelector{{Text: "a"}: {MatchLabels: map[string]string{"a": "b"}}}}
	if err := json.Unmarshal([]byte(crateJSON), c); err != nil {
		t.Fatal(err)
	}
	return c
}

func TestSameContent(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*crate)
		same   bool
	}{
		"nothing":                       {func(*crate) {}, true},
		"TypeMeta":                      {func(c *crate) { c.TypeMeta = metav1.TypeMeta{} }, true},
		"TypeMeta within":               {func(c *crate) { c.Inner.Kind = "Box" }, false},
		"cached text of a quantity":     {func(c *crate) { _ = c.Weight.String() }, true},
		"representation of a quantity":  {func(c *crate) { c.Weight.ToDec() }, true},
		"quantity":                      {func(c *crate) { c.Weight = resource.MustParse("1501m") }, false},
		"unit of a quantity":            {func(c *crate) { c.Limits["cpu"] = resource.MustParse("2Ki") }, false},
		"time":                          {func(c *crate) { c.Packed = c.Packed.Add(1) }, false},
		"zone of a time":                {func(c *crate) { c.Packed = c.Packed.UTC() }, false},
		"no time":                       {func(c *crate) { c.Sealed = nil }, false},
		"metadata":                      {func(c *crate) { c.Labels["a"] = "c" }, false},
		"managed fields":                {func(c *crate) { c.ManagedFields[0].FieldsV1.Raw = []byte("{}") }, false},
		"duration":                      {func(c *crate) { c.Keeps.Duration++ }, false},
		"int or string":                 {func(c *crate) { c.Size = intstr.FromInt32(25) }, false},
		"raw":                           {func(c *crate) { c.Raw.Raw = nil }, false},
		"bytes":                         {func(c *crate) { c.Bytes[1]++ }, false},
		"nil for empty slice":           {func(c *crate) { c.Inner.Names = nil }, false},
		"element":                       {func(c *crate) { c.Names[1] = "c" }, false},
		"fewer elements":                {func(c *crate) { c.Names = c.Names[:1] }, false},
		"array":                         {func(c *crate) { c.Pair[1] = 3 }, false},
		"any of another type":           {func(c *crate) { c.Any = "a" }, false},
		"no any":                        {func(c *crate) { c.Any = nil }, false},
		"key of a map":                  {func(c *crate) { c.Tags = map[string]string{"b": "b"} }, false},
		"empty for full map":            {func(c *crate) { c.Tags = map[string]string{} }, false},
		"deep in a tree":                {func(c *crate) { c.Tree["a"].(map[string]any)["b"].([]any)[0] = 1.25 }, false},
		"type in a tree":                {func(c *crate) { c.Tree["a"].(map[string]any)["b"].([]any)[0] = int64(1) }, false},
		"null in a tree":                {func(c *crate) { c.Tree["a"].(map[string]any)["b"].([]any)[2] = false }, false},
		"nil for empty map in a tree":   {func(c *crate) { c.Tree["a"].(map[string]any)["b"].([]any)[3] = map[string]any(nil) }, false},
		"struct of a map":               {func(c *crate) { c.Crates[1][0].Bits = 2 }, false},
		"key of a typed map":            {func(c *crate) { c.Crates = map[int][]crate{2: c.Crates[1]} }, false},
		"cached value of a type":        {func(c *crate) { c.Seal.cache++; c.Sealings[0].cache++ }, true},
		"type with a cache":             {func(c *crate) { c.Seal.Text = "lead" }, false},
		"element of a type with cache":  {func(c *crate) { c.Sealings[0].Text = "wax" }, false},
		"number":                        {func(c *crate) { c.Bits++ }, false},
		"fraction":                      {func(c *crate) { c.Ratio = -c.Ratio }, false},
		"bool":                          {func(c *crate) { c.Full = false }, false},
		"function":                      {func(c *crate) { c.Call = func() {} }, false},
		"unexported, without encoding":  {func(c *crate) { c.Hidden.n++ }, false},
		"value with an unaddressed key": {func(c *crate) { c.Marks[seal{Text: "a"}] = metav1.LabelSelector{} }, false},
	} {
		t.Run(name, func(t *testing.T) {
			a, b := newCrate(t), newCrate(t)
			c.change(b)
			if sameContent(a, b) != c.same || sameContent(b, a) != c.same {
				t.Errorf("the same: %v and %v, want %v", sameContent(a, b), sameContent(b, a), c.same)
			}
			if SameState(a, b) != c.same {
				t.Errorf("the same state: want %v", c.same)
			}
		})
	}
}

func TestSameContentOfAnything(t *testing.T) {
	cycle := &crate{}
	cycle.Inner = cycle
	other := &crate{}
	other.Inner = other
	var none *crate
	for name, c := range map[string]struct {
		a, b any
		same bool
	}{
		"nil":                {nil, nil, true},
		"nil and not":        {nil, &crate{}, false},
		"types":              {&crate{}, &seal{}, false},
		"pointers to nil":    {none, none, true},
		"a pointer to nil":   {none, &crate{}, false},
		"strings":            {"a", "a", true},
		"other strings":      {"a", "b", false},
		"structs":            {metav1.ObjectMeta{Name: "a"}, metav1.ObjectMeta{Name: "a"}, true},
		"other structs":      {metav1.ObjectMeta{Name: "a"}, metav1.ObjectMeta{Name: "b"}, false},
		"unaddressed caches": {[]any{seal{Text: "a", cache: 1}}, []any{seal{Text: "a"}}, true},
		"one cycle":          {cycle, cycle, true},
		"cycles":             {cycle, other, false},
	} {
		t.Run(name, func(t *testing.T) {
			if got := sameContent(c.a, c.b); got != c.same {
				t.Errorf("the same: %v, want %v", got, c.same)
			}
		})
	}
}

// TestSameContentBesideReaders checks, with the race detector, that objects can be compared while
// others read them in ways that cache something in them.
func TestSameContentBesideReaders(t *testing.T) {
	held := newCrate(t)
	var reader sync.WaitGroup
	reader.Go(func() {
		_ = held.Weight.String()
		held.Seal.cache++
	})
	if !sameContent(held, newCrate(t)) {
		t.Error("an object that was only read has changed")
	}
	reader.Wait()
}

// FuzzSameContent compares the result with reflect.DeepEqual's.
func FuzzSameContent(f *testing.F) {
	f.Add(`{"a":[1,2.5,null,{"b":""}],"c":{}}`, `{"a":[1,2.5,null,{"b":""}],"c":{}}`)
	f.Add(`{"a":null}`, `{}`)
	f.Add(`{"a":[]}`, `{"a":{}}`)
	f.Add(crateJSON, crateJSON)
	f.Fuzz(func(t *testing.T, a, b string) {
		decode := func(text string) *unstructured.Unstructured {
			u := &unstructured.Unstructured{}
			if u.UnmarshalJSON([]byte(text)) != nil && json.Unmarshal([]byte(text), &u.Object) != nil {
				t.Skip()
			}
			return u
		}
		x, y := decode(a), decode(b)
		if got, want := sameContent(x, y), reflect.DeepEqual(x, y); got != want {
			t.Errorf("sameContent = %v, DeepEqual = %v", got, want)
		}
		if !sameContent(x, x.DeepCopy()) {
			t.Error("a copy differs")
		}
	})
}

// BenchmarkSameContent compares objects of about 2 KB.
func BenchmarkSameContent(b *testing.B) {
	a, c := newCrate(b), newCrate(b)
	for i := range 20 {
		value := strconv.FormatUint(rand.Uint64(), 36)
		for _, o := range []*crate{a, c} {
			o.Annotations = map[string]string{"a": value}
			o.Names = append(o.Names, value)
			o.Inner.Crates = map[int][]crate{i: {{Names: []string{value}}}}
		}
	}
	for name, same := range map[string]func(any, any) bool{"own": sameContent, "DeepEqual": reflect.DeepEqual} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if !same(a, c) {
					b.Fatal("they differ")
				}
			}
		})
	}
}
