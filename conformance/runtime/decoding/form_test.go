package decoding_test

import (
	"math/rand"
	"reflect"
	"testing"

	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/listwatch/listwatch/runtime/codec"
)

// TestForms encodes random objects of all kinds as caches do, typed and untyped: decoding gives them back. Types whose own
// methods lose something are not sure of that.
func TestForms(t *testing.T) {
	random := rand.New(rand.NewSource(7))
	sure := 0
	for _, k := range kinds(t) {
		for range 10 {
			text, err := k.Text(random)
			if err != nil {
				t.Fatal(err)
			}
			obj, _, err := k.Exact.Decode(text, nil, nil)
			if err != nil {
				continue // the event of a watch, which is not an object
			}
			if checkForm(t, obj) {
				sure++
			}
			if obj, _, err = unstructured.UnstructuredJSONScheme.Decode(text, nil, nil); err == nil {
				checkForm(t, obj)
			}
		}
	}
	if sure < 2000 {
		t.Errorf("only %d objects are of types that are sure", sure)
	}
}

// checkForm encodes and decodes an object, and reports whether its type has a form that is sure.
func checkForm(t *testing.T, obj runtime.Object) bool {
	t.Helper()
	form, err := codec.FormOf(reflect.TypeOf(obj))
	if err != nil {
		return false // a list of untyped objects
	}
	text, err := form.Encode(obj)
	if err != nil {
		if form.IsSure() {
			t.Errorf("%T: %v", obj, err)
		}
		return false
	}
	again, err := form.Decode(text, false)
	if err == nil {
		again.GetObjectKind().SetGroupVersionKind(obj.GetObjectKind().GroupVersionKind())
	}
	if form.IsSure() && (err != nil || !equality.Semantic.DeepEqual(obj, again)) {
		t.Errorf("%T (%v): decoded is\n%+v, want\n%+v", obj, err, again, obj)
	}
	return form.IsSure()
}
