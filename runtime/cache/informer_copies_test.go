package cache_test

import (
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/runtime/cache"
	cachetesting "github.com/listwatch/listwatch/runtime/cache/testing"
)

// TestHandlersGetCopies checks that a handler which changes objects changes none in the store, with a bound or without.
func TestHandlersGetCopies(t *testing.T) {
	for name, options := range map[string]cache.HandlerOptions{"log": {}, "bound": {Bound: 8}} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				source := cachetesting.NewFakeControllerSource()
				defer source.Shutdown()
				source.Add(&metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Name: "a"}})
				informer := cache.NewSharedIndexInformerWithOptions(source, &metav1.PartialObjectMetadata{}, cache.SharedIndexInformerOptions{
					CopyForHandlers: true, ResyncPeriod: time.Minute,
				})
				var calls atomic.Int32
				count := func(any) { calls.Add(1) }
				paint := func(obj any) {
					count(obj)
					obj.(metav1.Object).SetLabels(map[string]string{"painted": "yes"})
				}
				add := func(f func(obj any)) {
					t.Helper()
					if _, err := informer.AddEventHandlerWithOptions(cache.ResourceEventHandlerFuncs{
						AddFunc:    f,
						UpdateFunc: func(before, after any) { f(before); f(after) },
						DeleteFunc: f,
					}, options); err != nil {
						t.Fatal(err)
					}
				}
				check := func(want int32) {
					t.Helper()
					synctest.Wait()
					for _, obj := range informer.GetStore().List() {
						if labels := obj.(metav1.Object).GetLabels(); len(labels) > 0 {
							t.Errorf("labels of a stored object are %v", labels)
						}
					}
					if got := calls.Swap(0); got != want {
						t.Errorf("%d objects in calls, want %d", got, want)
					}
				}
				add(paint)
				stop := make(chan struct{})
				go informer.Run(stop)
				check(1)
				add(count) // the same copies
				check(1)
				source.Modify(&metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Name: "a", Generation: 2}})
				check(4)
				time.Sleep(time.Minute + time.Second) // a resync
				check(4)
				source.Delete(&metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Name: "a"}})
				check(2)
				close(stop)
				synctest.Wait()
			})
		})
	}
}
