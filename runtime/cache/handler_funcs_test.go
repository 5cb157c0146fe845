package cache_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/runtime/cache"
)

type boat = metav1.ObjectMeta

// callLog records the calls of handlers; its methods return functions and handlers that write it.
type callLog []string

func (l *callLog) add(obj any) { *l = append(*l, fmt.Sprintf("add %s", describe(obj))) }
func (l *callLog) addDetailed(obj any, b bool) {
	*l = append(*l, fmt.Sprintf("add %s %t", describe(obj), b))
}
func (l *callLog) update(oldObj, newObj any) {
	*l = append(*l, fmt.Sprintf("update %s to %s", describe(oldObj), describe(newObj)))
}
func (l *callLog) delete(obj any) { *l = append(*l, fmt.Sprintf("delete %s", describe(obj))) }

func (l *callLog) addBoat(obj *boat)                 { l.add(obj) }
func (l *callLog) addBoatDetailed(obj *boat, b bool) { l.addDetailed(obj, b) }
func (l *callLog) updateBoat(oldObj, newObj *boat)   { l.update(oldObj, newObj) }
func (l *callLog) deleteBoat(obj cache.DeletedObject[*boat]) {
	l.delete(obj)
}

func describe(obj any) string {
	switch obj := obj.(type) {
	case *boat:
		if obj == nil {
			return "nothing"
		}
		return obj.Name + obj.ResourceVersion
	case cache.DeletedFinalStateUnknown:
		return fmt.Sprintf("tombstone of %s: %s", obj.Key, describe(obj.Obj))
	case cache.DeletedObject[*boat]:
		if obj.FinalStateUnknown != nil {
			return fmt.Sprintf("%s, %s", describe(obj.OptionalObj), describe(*obj.FinalStateUnknown))
		}
		return describe(obj.OptionalObj)
	default:
		return fmt.Sprint(obj)
	}
}

func newBoat(name, version string) *boat { return &boat{Name: name, ResourceVersion: version} }

func (l *callLog) expect(t *testing.T, want ...string) {
	t.Helper()
	if !slices.Equal(*l, want) {
		t.Errorf("told\n%q, want\n%q", *l, want)
	}
	*l = nil
}

func TestHandlerFuncs(t *testing.T) {
	one, two := newBoat("a", "1"), newBoat("a", "2")
	tell := func(h cache.ResourceEventHandler) {
		h.OnAdd(one, true)
		h.OnUpdate(one, two)
		h.OnDelete(two)
	}
	typed := func(h cache.TypedResourceEventHandler[*boat]) {
		h.OnAdd(one, true)
		h.OnUpdate(one, two)
		h.OnDelete(cache.DeletedObject[*boat]{OptionalObj: two})
	}
	plain := []string{"add a1", "update a1 to a2", "delete a2"}
	detailed := []string{"add a1 true", "update a1 to a2", "delete a2"}
	var l callLog
	for name, tc := range map[string]struct {
		tell func()
		want []string
	}{
		"none": {func() { tell(cache.ResourceEventHandlerFuncs{}) }, nil},
		"plain": {func() {
			tell(cache.ResourceEventHandlerFuncs{AddFunc: l.add, UpdateFunc: l.update, DeleteFunc: l.delete})
		}, plain},
		"by pointer": {func() {
			tell(&cache.ResourceEventHandlerFuncs{AddFunc: l.add, UpdateFunc: l.update, DeleteFunc: l.delete})
		}, plain},
		"no detailed ones": {func() { tell(cache.ResourceEventHandlerDetailedFuncs{}) }, nil},
		"detailed": {func() {
			tell(cache.ResourceEventHandlerDetailedFuncs{AddFunc: l.addDetailed, UpdateFunc: l.update, DeleteFunc: l.delete})
		}, detailed},
		"no typed ones": {func() { typed(cache.TypedResourceEventHandlerFuncs[*boat]{}) }, nil},
		"typed": {func() {
			typed(cache.TypedResourceEventHandlerFuncs[*boat]{AddFunc: l.addBoat, UpdateFunc: l.updateBoat, DeleteFunc: l.deleteBoat})
		}, plain},
		"no typed detailed ones": {func() { typed(cache.TypedResourceEventHandlerDetailedFuncs[*boat]{}) }, nil},
		"typed and detailed": {func() {
			typed(cache.TypedResourceEventHandlerDetailedFuncs[*boat]{AddFunc: l.addBoatDetailed, UpdateFunc: l.updateBoat, DeleteFunc: l.deleteBoat})
		}, detailed},
	} {
		t.Run(name, func(t *testing.T) {
			tc.tell()
			l.expect(t, tc.want...)
		})
	}
}

func TestFilteringHandler(t *testing.T) {
	in, alsoIn, out := newBoat("in", "1"), newBoat("in", "2"), newBoat("out", "1")
	passes := func(obj *boat) bool { return obj != nil && strings.HasPrefix(obj.Name, "in") }
	var l callLog
	untyped := cache.FilteringResourceEventHandler{
		FilterFunc: func(obj any) bool {
			if tombstone, ok := obj.(cache.DeletedFinalStateUnknown); ok {
				obj = tombstone.Obj
			}
			boat, _ := obj.(*boat)
			return passes(boat)
		},
		Handler: cache.ResourceEventHandlerDetailedFuncs{AddFunc: l.addDetailed, UpdateFunc: l.update, DeleteFunc: l.delete},
	}
	typed := cache.TypedFilteringResourceEventHandler[*boat]{
		FilterFunc: passes,
		Handler:    cache.TypedResourceEventHandlerDetailedFuncs[*boat]{AddFunc: l.addBoatDetailed, UpdateFunc: l.updateBoat, DeleteFunc: l.deleteBoat},
	}
	tombstone := func(obj any) cache.DeletedFinalStateUnknown {
		return cache.DeletedFinalStateUnknown{Key: "key", Obj: obj}
	}
	for name, tc := range map[string]struct {
		untyped func()
		typed   func()
		want    []string
	}{
		"add":                 {func() { untyped.OnAdd(in, true) }, func() { typed.OnAdd(in, true) }, []string{"add in1 true"}},
		"add, not initial":    {func() { untyped.OnAdd(in, false) }, func() { typed.OnAdd(in, false) }, []string{"add in1 false"}},
		"add, out":            {func() { untyped.OnAdd(out, true) }, func() { typed.OnAdd(out, true) }, nil},
		"update":              {func() { untyped.OnUpdate(in, alsoIn) }, func() { typed.OnUpdate(in, alsoIn) }, []string{"update in1 to in2"}},
		"update, out":         {func() { untyped.OnUpdate(out, out) }, func() { typed.OnUpdate(out, out) }, nil},
		"update, gets in":     {func() { untyped.OnUpdate(out, in) }, func() { typed.OnUpdate(out, in) }, []string{"add in1 false"}},
		"update, gets out":    {func() { untyped.OnUpdate(in, out) }, func() { typed.OnUpdate(in, out) }, []string{"delete in1"}},
		"delete":              {func() { untyped.OnDelete(in) }, func() { typed.OnDelete(cache.DeletedObject[*boat]{OptionalObj: in}) }, []string{"delete in1"}},
		"delete, out":         {func() { untyped.OnDelete(out) }, func() { typed.OnDelete(cache.DeletedObject[*boat]{OptionalObj: out}) }, nil},
		"delete, state lost":  {func() { untyped.OnDelete(tombstone(nil)) }, func() { typed.OnDelete(cache.DeletedObject[*boat]{}) }, nil},
		"delete by tombstone": {func() { untyped.OnDelete(tombstone(in)) }, nil, []string{"delete tombstone of key: in1"}},
	} {
		t.Run(name, func(t *testing.T) {
			tc.untyped()
			l.expect(t, tc.want...)
			if tc.typed != nil {
				tc.typed()
				l.expect(t, tc.want...)
			}
		})
	}
}

func TestDeletedObject(t *testing.T) {
	for name, tc := range map[string]struct {
		deleted cache.DeletedObject[*boat]
		want    cache.ObjectName
		wantKey string
	}{
		"known": {
			cache.DeletedObject[*boat]{OptionalObj: &boat{Namespace: "harbour", Name: "a"}},
			cache.ObjectName{Namespace: "harbour", Name: "a"}, "harbour/a",
		},
		"of the cluster scope": {
			cache.DeletedObject[*boat]{OptionalObj: &boat{Name: "a"}},
			cache.ObjectName{Name: "a"}, "a",
		},
		"nothing known": {},
		"tombstone": {
			cache.DeletedObject[*boat]{FinalStateUnknown: &cache.DeletedFinalStateUnknown{Key: "harbour/a"}},
			cache.ObjectName{Namespace: "harbour", Name: "a"}, "harbour/a",
		},
		"tombstone of the cluster scope": {
			cache.DeletedObject[*boat]{FinalStateUnknown: &cache.DeletedFinalStateUnknown{Key: "a"}},
			cache.ObjectName{Name: "a"}, "a",
		},
		"tombstone with another object": {
			cache.DeletedObject[*boat]{OptionalObj: &boat{Name: "b"}, FinalStateUnknown: &cache.DeletedFinalStateUnknown{Key: "a"}},
			cache.ObjectName{Name: "a"}, "a",
		},
		"tombstone with an invalid key": {
			cache.DeletedObject[*boat]{FinalStateUnknown: &cache.DeletedFinalStateUnknown{Key: "a/b/c"}},
			cache.ObjectName{Namespace: "a", Name: "b/c"}, "a/b/c",
		},
	} {
		t.Run(name, func(t *testing.T) {
			if got := tc.deleted.GetObjectName(); got != tc.want {
				t.Errorf("the name is %v, want %v", got, tc.want)
			}
			if got := (cache.ObjectName{Namespace: tc.deleted.GetNamespace(), Name: tc.deleted.GetName()}); got != tc.want {
				t.Errorf("namespace and name are %v, want %v", got, tc.want)
			}
			if got := tc.deleted.GetKey(); got != tc.wantKey {
				t.Errorf("the key is %q, want %q", got, tc.wantKey)
			}
		})
	}
}
