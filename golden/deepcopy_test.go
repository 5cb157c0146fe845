package golden_test

import (
	"path/filepath"
	"reflect"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/listwatch/listwatch/generators"
	"github.com/listwatch/listwatch/internal/copytest"
	"github.com/listwatch/listwatch/internal/golden"
	"github.com/listwatch/listwatch/internal/goldentest"
	shapesv1 "github.com/listwatch/listwatch/testdata/apis/copies/shapes/v1"
	"github.com/listwatch/listwatch/testdata/apis/view/views"
)

// TestDeepCopy compares the deepcopy functions in the cases with those that gen-deepcopy generates: the
// cases contain its expected output, because kinds need it.
func TestDeepCopy(t *testing.T) {
	report, err := generators.DeepCopy(t.Context(), generators.DeepCopyOptions{Options: generators.Options{
		Dir: golden.Root(t), Patterns: []string{"./" + filepath.Join("testdata", "apis") + "/..."}, Mode: generators.Verify,
	}})
	if err != nil {
		t.Errorf("%v\n%s", err, report.Diff)
	}
	for _, w := range report.Warnings {
		t.Error(w)
	}
	if report.Unchanged < 50 {
		t.Errorf("only %d files", report.Unchanged)
	}
	goldentest.Executed(t, report.Trees)
}

// TestDeepCopyRuns copies random objects of the case with values of every form.
func TestDeepCopyRuns(t *testing.T) {
	implementations := map[reflect.Type][]reflect.Type{
		reflect.TypeFor[shapesv1.Mark]():  {reflect.TypeFor[*shapesv1.Dot](), reflect.TypeFor[shapesv1.Cross]()},
		reflect.TypeFor[runtime.Object](): {reflect.TypeFor[*shapesv1.DrawingList]()},
	}
	for seed := range uint64(200) {
		filler := copytest.New(seed, implementations)
		var drawing shapesv1.Drawing
		filler.Fill(&drawing)
		if err := copytest.Check(&drawing, drawing.DeepCopyObject()); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		var list shapesv1.DrawingList
		filler.Fill(&list)
		if err := copytest.Check(&list, list.DeepCopy()); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		var cross shapesv1.Cross
		filler.Fill(&cross)
		if copied := cross.DeepCopySign().(shapesv1.Cross); copytest.Check(&cross, &copied) != nil {
			t.Fatalf("seed %d: %+v copied to %+v", seed, cross, copied)
		}
		var view views.TableView // with structs that have no names
		filler.Fill(&view)
		if err := copytest.Check(&view, view.DeepCopyObject()); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		both := shapesv1.ByBoth{Names: []string{"a"}}
		if err := copytest.Check(&both, both.DeepCopy()); err != nil {
			t.Fatal(err)
		}
	}
	var none *shapesv1.Drawing
	if none.DeepCopyObject() != nil || none.DeepCopy() != nil || shapesv1.Index(nil).DeepCopy() != nil {
		t.Error("nil is copied to something")
	}
}
