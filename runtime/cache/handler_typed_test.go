package cache

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func TestUntypedHandler(t *testing.T) {
	type boat = *metav1.ObjectMeta
	one, two := &metav1.ObjectMeta{Name: "a"}, &metav1.ObjectMeta{Name: "b"}
	type told struct {
		old, object boat
		initial     bool
		tombstone   DeletedFinalStateUnknown
	}
	var got []told
	h := untypedHandler(TypedResourceEventHandlerDetailedFuncs[boat]{
		AddFunc:    func(obj boat, initial bool) { got = append(got, told{object: obj, initial: initial}) },
		UpdateFunc: func(oldObj, newObj boat) { got = append(got, told{old: oldObj, object: newObj}) },
		DeleteFunc: func(obj DeletedObject[boat]) {
			deleted := told{object: obj.OptionalObj}
			if obj.FinalStateUnknown != nil {
				deleted.tombstone = *obj.FinalStateUnknown
			}
			got = append(got, deleted)
		},
	})
	known, unknown := DeletedFinalStateUnknown{Key: "a", Obj: one}, DeletedFinalStateUnknown{Key: "b"}
	for name, tc := range map[string]struct {
		tell func()
		want told
	}{
		"add":          {func() { h.OnAdd(one, false) }, told{object: one}},
		"initial add":  {func() { h.OnAdd(one, true) }, told{object: one, initial: true}},
		"update":       {func() { h.OnUpdate(one, two) }, told{old: one, object: two}},
		"delete":       {func() { h.OnDelete(one) }, told{object: one}},
		"tombstone":    {func() { h.OnDelete(known) }, told{object: one, tombstone: known}},
		"an empty one": {func() { h.OnDelete(unknown) }, told{tombstone: unknown}},
	} {
		t.Run(name, func(t *testing.T) {
			got = nil
			tc.tell()
			if len(got) != 1 || got[0] != tc.want {
				t.Errorf("received %+v, want %+v", got, tc.want)
			}
		})
	}
}

func TestUntypedHandlerDoesNotAllocate(t *testing.T) {
	object := &metav1.ObjectMeta{Name: "a"}
	h := untypedHandler(TypedResourceEventHandlerFuncs[*metav1.ObjectMeta]{
		AddFunc: func(*metav1.ObjectMeta) {},
	})
	if got := testing.AllocsPerRun(100, func() {
		h.OnAdd(object, false)
		h.OnUpdate(object, object)
		h.OnDelete(object)
	}); got != 0 {
		t.Errorf("%v allocations", got)
	}
}
