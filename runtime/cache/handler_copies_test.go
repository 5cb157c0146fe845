package cache

import (
	"runtime"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// TestCopies checks the copies in events of each kind.
func TestCopies(t *testing.T) {
	before, after := named("before"), named("after")
	for name, test := range map[string]event{
		"add":       {kind: eventAdd, object: after, initial: true},
		"update":    {kind: eventUpdate, object: after, old: before},
		"resync":    {kind: eventUpdate, object: after, old: after},
		"delete":    {kind: eventDelete, object: after, old: before},
		"tombstone": {kind: eventDelete, object: DeletedFinalStateUnknown{Key: "a", Obj: after}, old: after},
		"foreign":   {kind: eventAdd, object: "no object"},
	} {
		t.Run(name, func(t *testing.T) {
			got := copyEvents([]event{test}).events[0]
			object, want := got.object, test.object
			if tombstone, ok := got.object.(DeletedFinalStateUnknown); ok {
				object, want = tombstone.Obj, test.object.(DeletedFinalStateUnknown).Obj
			}
			if _, ok := want.(string); !ok && object == want {
				t.Error("the object is not a copy")
			}
			if label(object) != label(want) || got.kind != test.kind || got.initial != test.initial {
				t.Errorf("got %+v, want a copy of %+v", got, test)
			}
			if test.kind == eventUpdate && (got.old == test.old || label(got.old) != label(test.old) || (got.old == got.object) != (test.old == test.object)) {
				t.Errorf("the old object is %v, want a copy of %v", got.old, test.old)
			}
		})
	}
}

func named(name string) *metav1.PartialObjectMetadata {
	return &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Name: name}}
}

func label(obj any) string {
	if object, ok := obj.(metav1.Object); ok {
		return object.GetName()
	}
	return ""
}

// TestCopiesAreShared checks that readers at one time get the same copies, and that nothing retains these later.
func TestCopiesAreShared(t *testing.T) {
	c, events := new(copies), []event{{kind: eventAdd, object: named("a")}}
	first := c.of(events)
	if c.of(events) != first {
		t.Error("the second reader gets other copies")
	}
	runtime.KeepAlive(first)
	for range 2 { // the first one may see the variable as alive
		runtime.GC()
	}
	if c.made.Value() != nil {
		t.Error("copies are retained that nobody reads")
	}
	if got := c.of(events); label(got.events[0].object) != "a" {
		t.Errorf("got %v", got.events)
	}
}
