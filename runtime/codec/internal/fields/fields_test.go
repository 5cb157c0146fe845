package fields_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/listwatch/listwatch/runtime/codec/internal/fields"
)

type boat struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              boatSpec `json:"spec,omitempty"`
}

type boatSpec struct {
	Sails   []sail          `json:"sails,omitempty"`
	Crew    map[string]*man `json:"crew,omitempty"`
	Captain *man            `json:"captain,omitempty"`
	hull    `json:",inline"`
	*Keel   `json:",inline"`
	Port    intstr.IntOrString `json:"port,omitempty"`
	Raw     []byte             `json:"raw,omitempty"`
	Any     any                `json:"any,omitempty"`
	Hidden  string             `json:"-"`
	Untold  string
}

type sail struct {
	Name string `json:"name"`
	Area int    `json:"area"`
}

type man struct {
	Name string   `json:"name"`
	Boss *man     `json:"boss,omitempty"`
	Jobs []string `json:"jobs,omitempty"`
}

type hull struct {
	Color string `json:"color"`
}

type Keel struct {
	Depth  int `json:"depth"`
	Weight int `json:"weight"`
}

func (b *boat) DeepCopyObject() runtime.Object { c := *b; return &c }

// TestParse holds which paths are invalid.
func TestParse(t *testing.T) {
	for path, want := range map[string]string{
		"spec.sails":             "",
		"-spec.sails":            "",
		"metadata":               "",
		"-metadata.annotations":  "",
		"-metadata.labels":       "",
		"metadata.managedFields": "",
		"":                       `invalid path "": want names with dots between them, such as spec.nodeName`,
		"-":                      `invalid path "-"`,
		"spec.":                  `invalid path "spec."`,
		".spec":                  `invalid path ".spec"`,
		"a,b":                    `invalid path "a,b"`,
		"metadata.selfLink":      `invalid path "metadata.selfLink": the field marks objects that were cut`,
		"-metadata":              `invalid path "-metadata": metadata cannot be left out`,
		"-metadata.name":         `invalid path "-metadata.name": metadata.name cannot be left out`,
		"-kind":                  `invalid path "-kind": kind cannot be left out`,
		"-spec":                  `path "-spec" contradicts "spec"`,
	} {
		_, err := fields.Parse("spec", path)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", path, err, want)
		}
	}
}

// TestCheck holds which paths lead to fields.
func TestCheck(t *testing.T) {
	for path, want := range map[string]string{
		"spec.sails.area":          "",
		"spec.crew.boss.boss.name": "",
		"spec.captain.jobs":        "",
		"spec.color":               "",
		"spec.depth":               "",
		"spec.Untold":              "",
		"-spec.sails":              "",
		"metadata.ownerReferences": "",
		"spec.sale":                "unknown field sale of fields_test.boatSpec in path spec.sale; did you mean sails?",
		"Spec":                     "unknown field Spec of fields_test.boat in path Spec; did you mean spec?",
		"-spec.sails.are":          "unknown field are of fields_test.sail in path spec.sails.are; did you mean area?",
		"spec.dept":                "unknown field dept of fields_test.boatSpec in path spec.dept; did you mean depth?",
		"spec.hull.color":          "unknown field hull of fields_test.boatSpec in path spec.hull.color",
		"spec.Hidden":              "unknown field Hidden of fields_test.boatSpec in path spec.Hidden",
		"status.phase":             "unknown field status of fields_test.boat in path status.phase",
		"spec.color.color":         "invalid path spec.color.color: no fields can be selected below spec.color of fields_test.boat",
		"spec.port.type":           "no fields can be selected below spec.port",
		"spec.raw.x":               "no fields can be selected below spec.raw",
		"spec.any.x":               "no fields can be selected below spec.any",
		"metadata.labels.app":      "no fields can be selected below metadata.labels",
	} {
		set, err := fields.Parse(path)
		if err != nil {
			t.Fatal(err)
		}
		for range 2 { // the result is remembered
			err = set.Check(reflect.TypeFor[*boat]())
			if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
				t.Errorf("%q: %v, want %q", path, err, want)
			}
		}
		if err := set.Check(reflect.TypeFor[*unstructured.Unstructured]()); err != nil {
			t.Errorf("untyped: %v", err)
		}
	}
}

func whole() *boat {
	return &boat{
		TypeMeta: metav1.TypeMeta{Kind: "Boat"},
		ObjectMeta: metav1.ObjectMeta{
			Name: "a", GenerateName: "g", Labels: map[string]string{"k": "v"}, Annotations: map[string]string{"a": "b"},
			Finalizers: []string{"f"}, ManagedFields: []metav1.ManagedFieldsEntry{{Manager: "m"}},
		},
		Spec: boatSpec{
			Sails:   []sail{{"main", 3}, {"jib", 2}},
			Crew:    map[string]*man{"x": {Name: "n", Jobs: []string{"cook"}}, "y": nil},
			Captain: &man{Name: "c", Boss: &man{Name: "b"}},
			hull:    hull{"red"}, Keel: &Keel{1, 2}, Raw: []byte("r"), Hidden: "h", Untold: "u",
		},
	}
}

// TestPrune holds what is left, that what others may share does not change, and that pruning twice changes nothing.
func TestPrune(t *testing.T) {
	bare := func(change func(*boat)) *boat {
		b := whole()
		b.GenerateName, b.ManagedFields, b.Spec = "", nil, boatSpec{Hidden: "h"}
		change(b)
		return b
	}
	for _, c := range []struct {
		paths []string
		want  *boat
	}{
		{nil, bare(func(b *boat) { b.Spec = boatSpec{} })},
		{[]string{"metadata"}, bare(func(b *boat) { b.GenerateName, b.ManagedFields, b.Spec = "g", whole().ManagedFields, boatSpec{} })},
		{[]string{"-metadata.labels", "-metadata.annotations"}, bare(func(b *boat) { b.Labels, b.Annotations, b.Spec = nil, nil, boatSpec{} })},
		{[]string{"spec.sails.area", "spec.color"}, bare(func(b *boat) { b.Spec.Sails, b.Spec.hull = []sail{{Area: 3}, {Area: 2}}, hull{"red"} })},
		{[]string{"spec.crew.name", "spec.captain.boss"}, bare(func(b *boat) {
			b.Spec.Crew, b.Spec.Captain = map[string]*man{"x": {Name: "n"}, "y": nil}, &man{Boss: &man{Name: "b"}}
		})},
		{[]string{"spec", "-spec.depth", "-spec.captain.boss", "spec.captain.boss.boss"}, bare(func(b *boat) {
			b.Spec = whole().Spec
			b.Spec.Keel, b.Spec.Captain = &Keel{Weight: 2}, &man{Name: "c", Boss: &man{}}
		})},
	} {
		set, err := fields.Parse(c.paths...)
		if err != nil {
			t.Fatal(err)
		}
		c.want.SetSelfLink(set.Mark())
		if c.want.Spec.Keel == nil && len(c.paths) > 0 && strings.HasPrefix(c.paths[0], "spec.") {
			c.want.Spec.Keel = &Keel{} // an embedded pointer stays, as all structs around fields
		}
		got := whole()
		shared := *got // what it points to is that of got
		for range 2 {
			if err := set.Prune(got); err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got, c.want) {
				t.Errorf("%v: got %+v, want %+v", c.paths, got, c.want)
			}
		}
		if before := whole(); !reflect.DeepEqual(&shared, before) {
			t.Errorf("%v: shared parts became %+v", c.paths, shared)
		}
	}
	set, _ := fields.Parse("spec.sale")
	if err := set.Prune(whole()); err == nil {
		t.Error("no error for an unknown field")
	}
	for _, other := range []any{"no object", nil, &unstructured.Unstructured{}, (*boat)(nil), metav1.Status{}} {
		if err := set.Prune(other); err != nil {
			t.Errorf("%v: %v", other, err)
		}
	}
}

// TestPruneUntyped is TestPrune without types.
func TestPruneUntyped(t *testing.T) {
	content := func() map[string]any {
		return map[string]any{
			"kind": "Boat", "metadata": map[string]any{"name": "a", "annotations": map[string]any{"a": "b"}, "managedFields": []any{}},
			"spec":   map[string]any{"sails": []any{map[string]any{"name": "main", "area": int64(3)}, "odd", nil}, "captain": nil, "color": "red"},
			"status": "odd",
		}
	}
	set, err := fields.Parse("spec.sails.area", "spec.captain.name", "status.phase", "-metadata.annotations")
	if err != nil {
		t.Fatal(err)
	}
	shared := content()
	u := &unstructured.Unstructured{Object: shared}
	for range 2 {
		if err := set.Prune(u); err != nil {
			t.Fatal(err)
		}
		want := map[string]any{
			"kind": "Boat", "metadata": map[string]any{"name": "a", "selfLink": set.Mark()}, "status": "odd",
			"spec": map[string]any{"sails": []any{map[string]any{"area": int64(3)}, "odd", nil}, "captain": nil},
		}
		if diff := cmp.Diff(want, u.Object); diff != "" {
			t.Errorf("(-want +got)\n%s", diff)
		}
	}
	if diff := cmp.Diff(content(), shared); diff != "" {
		t.Errorf("shared parts (-want +got)\n%s", diff)
	}
}

// TestMarks holds that an object that several sets have cut has the marks of all.
func TestMarks(t *testing.T) {
	first, _ := fields.Parse("spec.sails")
	second, _ := fields.Parse("spec", "-spec.crew")
	b := whole()
	for _, set := range []*fields.Set{first, second, first, second} {
		if err := set.Prune(b); err != nil {
			t.Fatal(err)
		}
	}
	if want := first.Mark() + "; " + second.Mark(); b.GetSelfLink() != want || !fields.IsMark(want) || fields.IsMark("/apis/v1/a") {
		t.Errorf("mark %q, want %q", b.GetSelfLink(), want)
	}
	if err := fields.CheckPatch(b.GetSelfLink(), []byte(`{"spec":{"sails":[]}}`)); err != nil {
		t.Error(err)
	}
	if err := fields.CheckPatch(b.GetSelfLink(), []byte(`{"spec":{"crew":{"x":{"jobs":[]}}}}`)); err == nil {
		t.Error("no error for a list that both have cut")
	}
}

// TestCheckPatch holds which patches are refused.
func TestCheckPatch(t *testing.T) {
	set, err := fields.Parse("spec.sails.name", "spec.captain.jobs", "spec.color", "-metadata.finalizers")
	if err != nil {
		t.Fatal(err)
	}
	for patch, want := range map[string]string{
		`{"spec":{"color":"blue","depth":3}}`:                    "",
		`{"spec":{"captain":{"jobs":["a"]}}}`:                    "",
		`{"metadata":{"labels":{"a":"b"},"ownerReferences":[]}}`: "",
		`{"spec":{"sails":null}}`:                                "",
		`{"spec":{"sails":[{"name":"x"}]}}`:                      "it has the list spec.sails, of which the object has not all",
		`{"spec":{"crew":{"x":{"jobs":["a"]}}}}`:                 "the list spec.crew.x.jobs",
		`{"metadata":{"finalizers":["a"]}}`:                      "the list metadata.finalizers",
		`{"status":{"conditions":[]}}`:                           "the list status.conditions",
		`{"spec":{"$setElementOrder/sails":[]}}`:                 "the list spec.$setElementOrder/sails",
		`{"metadata":{"$setElementOrder/ownerReferences":[]}}`:   "",
		`{"spec":{"$retainKeys":["color"]}}`:                     "the list spec.$retainKeys",
		`{"metadata":{"selfLink":null}}`:                         "it removes fields that were cut",
		`[]`:                                                     "cannot unmarshal",
	} {
		err := fields.CheckPatch(set.Mark(), []byte(patch))
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", patch, err, want)
		}
	}
}
