package clientgo_test

import (
	"context"
	"iter"
	"slices"
	"testing"
	"testing/synctest"

	v1 "k8s.io/api/core/v1"
	theirs "k8s.io/client-go/tools/cache"

	"github.com/listwatch/listwatch/clientgo"
	"github.com/listwatch/listwatch/runtime/cache"
	framework "github.com/listwatch/listwatch/runtime/cache/testing"
)

// oneSlot is all objects, until it is lost.
type oneSlot struct{ lost chan struct{} }

func (s oneSlot) Selector([]int) string { return "" }

func (s oneSlot) Follow(ctx context.Context) iter.Seq[cache.ShardChange] {
	return func(yield func(cache.ShardChange) bool) {
		if !yield(cache.ShardChange{Gained: []int{0}}) {
			return
		}
		select {
		case <-s.lost:
			yield(cache.ShardChange{Lost: []int{0}})
		case <-ctx.Done():
		}
	}
}

// released records what is released.
type released struct {
	theirs.ResourceEventHandlerFuncs
	names []string
}

func (r *released) OnReleased(object any) { r.names = append(r.names, object.(*v1.Pod).Name) }

// ours is a handler for our informers.
type ours struct {
	cache.ResourceEventHandlerFuncs
	to *released
}

func (o ours) OnReleased(object any) { o.to.OnReleased(object) }

// Handlers of client-go's form are called for objects that are not the replica's any more, if they have the method.
func TestHandlersOfReleases(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		source := framework.NewFakeControllerSource()
		defer source.Shutdown()
		for _, name := range []string{"x", "y"} {
			source.Add(pod(name, "n"))
		}
		slot := oneSlot{make(chan struct{})}
		informer := cache.NewSharedIndexInformerWithOptions(source, &v1.Pod{}, cache.SharedIndexInformerOptions{Shards: slot})
		defer run(t, informer)()
		plain, filtered, nested, own := &released{}, &released{}, &released{}, &released{}
		isX := func(object any) bool { return object.(*v1.Pod).Name == "x" }
		converted := clientgo.ToInformer(informer)
		for _, handler := range []theirs.ResourceEventHandler{
			plain,
			theirs.ResourceEventHandlerFuncs{},
			theirs.FilteringResourceEventHandler{FilterFunc: isX, Handler: filtered},
			theirs.FilteringResourceEventHandler{FilterFunc: isX, Handler: theirs.FilteringResourceEventHandler{FilterFunc: func(any) bool { return true }, Handler: nested}},
		} {
			if _, err := converted.AddEventHandler(handler); err != nil {
				t.Fatal(err)
			}
		}
		// One of ours that has been converted, and is converted back inside a handler of client-go's.
		through := clientgo.FromInformer(filtering{converted, isX})
		if _, err := through.AddEventHandler(ours{to: own}); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		close(slot.lost)
		synctest.Wait()
		slices.Sort(plain.names)
		if !slices.Equal(plain.names, []string{"x", "y"}) {
			t.Errorf("the handler was called for %v", plain.names)
		}
		for what, r := range map[string]*released{"filtering": filtered, "nested": nested, "own": own} {
			if !slices.Equal(r.names, []string{"x"}) {
				t.Errorf("the %s handler was called for %v", what, r.names)
			}
		}
	})
}

// filtering is an informer of client-go's form that filters what its handlers are called for.
type filtering struct {
	theirs.SharedIndexInformer
	filter func(any) bool
}

func (f filtering) AddEventHandler(handler theirs.ResourceEventHandler) (theirs.ResourceEventHandlerRegistration, error) {
	return f.SharedIndexInformer.AddEventHandler(theirs.FilteringResourceEventHandler{FilterFunc: f.filter, Handler: handler})
}
