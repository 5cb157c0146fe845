package clientgo_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	v1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	theirlisters "k8s.io/client-go/listers/core/v1"
	theirs "k8s.io/client-go/tools/cache"

	"github.com/listwatch/listwatch/clientgo"
	"github.com/listwatch/listwatch/runtime/cache"
	framework "github.com/listwatch/listwatch/runtime/cache/testing"
	"github.com/listwatch/listwatch/runtime/listers"
)

func pod(name, node string) *v1.Pod {
	return &v1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "a", Name: name}, Spec: v1.PodSpec{NodeName: node}}
}

func byNode(object any) ([]string, error) { return []string{object.(*v1.Pod).Spec.NodeName}, nil }

func newOurs(source *framework.FakeControllerSource) cache.SharedIndexInformer {
	return cache.NewSharedIndexInformer(source, &v1.Pod{}, 0, cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc})
}

func newTheirs(source *framework.FakeControllerSource) theirs.SharedIndexInformer {
	return theirs.NewSharedIndexInformer(source, &v1.Pod{}, 0, theirs.Indexers{theirs.NamespaceIndex: theirs.MetaNamespaceIndexFunc})
}

// run runs an informer until the test has ended.
func run(t *testing.T, informer interface{ RunWithContext(context.Context) }) (stop func()) {
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		informer.RunWithContext(ctx)
	}()
	stop = func() { cancel(); <-done }
	t.Cleanup(stop)
	return stop
}

// log is a handler that records its calls; tombstone is the type that stands for objects whose
// deletion was not seen.
type log struct {
	lines     []string
	objects   []any
	tombstone reflect.Type
}

func (l *log) OnAdd(object any, initial bool) {
	l.lines = append(l.lines, fmt.Sprintf("add %s %t", object.(*v1.Pod).Name, initial))
	l.objects = append(l.objects, object)
}

func (l *log) OnUpdate(before, after any) {
	l.lines = append(l.lines, fmt.Sprintf("update %s %s to %s", before.(*v1.Pod).Name, before.(*v1.Pod).Spec.NodeName, after.(*v1.Pod).Spec.NodeName))
	l.objects = append(l.objects, after)
}

func (l *log) OnDelete(object any) {
	if value := reflect.ValueOf(object); value.Type() == l.tombstone {
		l.lines = append(l.lines, fmt.Sprintf("gone %s %s", value.FieldByName("Key"), value.FieldByName("Obj").Interface().(*v1.Pod).Name))
		return
	}
	l.lines = append(l.lines, "delete "+object.(*v1.Pod).Name)
}

// play changes objects so that every kind of event occurs.
func play(source *framework.FakeControllerSource) {
	source.Add(pod("two", "x"))
	synctest.Wait()
	source.Modify(pod("one", "y"))
	synctest.Wait()
	source.Delete(pod("two", "x"))
	synctest.Wait()
	source.DeleteDropWatch(pod("one", "y"))
	source.ResetWatch()
	time.Sleep(time.Hour)
	synctest.Wait()
}

var played = []string{"add one true", "add two false", "update one x to y", "delete two", "gone a/one one"}

// A handler of client-go's gets of our informer what it gets of theirs, with tombstones of its
// own kind, and the objects of the store themselves.
func TestToInformer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		source := framework.NewFakeControllerSource()
		t.Cleanup(source.Shutdown)
		source.Add(pod("one", "x"))
		ours := newOurs(source)
		informer := clientgo.ToInformer(ours)
		if err := informer.AddIndexers(theirs.Indexers{"node": byNode}); err != nil {
			t.Fatal(err)
		}
		handler := &log{tombstone: reflect.TypeFor[theirs.DeletedFinalStateUnknown]()}
		handle, err := informer.AddEventHandler(handler)
		if err != nil {
			t.Fatal(err)
		}
		other := &log{tombstone: handler.tombstone}
		removed, err := informer.AddEventHandlerWithOptions(other, theirs.HandlerOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if err = informer.RemoveEventHandler(removed); err != nil {
			t.Fatal(err)
		}
		stop := run(t, informer)
		if !theirs.WaitForCacheSync(t.Context().Done(), informer.HasSynced, handle.HasSynced) {
			t.Fatal("not synced")
		}
		<-informer.HasSyncedChecker().Done()
		<-handle.HasSyncedChecker().Done()

		lister := theirlisters.NewPodLister(informer.GetIndexer())
		one, err := lister.Pods("a").Get("one")
		if err != nil || one != handler.objects[0] {
			t.Errorf("the lister returns %p (%v), the handler was called with %p", one, err, handler.objects[0])
		}
		if found, err := informer.GetIndexer().ByIndex("node", "x"); err != nil || len(found) != 1 || found[0] != one {
			t.Errorf("by index: %v, %v", found, err)
		}
		if names := informer.GetIndexer().GetIndexers(); names["node"] == nil || names[theirs.NamespaceIndex] == nil {
			t.Errorf("indexers %v", names)
		}
		if state := cache.StateOf(clientgo.FromInformer(informer)); state.Phase != cache.PhaseLive {
			t.Errorf("state %v, want live", state)
		}
		play(source)
		if diff := cmp.Diff(played, handler.lines); diff != "" {
			t.Errorf("events (-want +got):\n%s", diff)
		}
		if len(other.lines) > 0 {
			t.Errorf("the handler that was removed got %q", other.lines)
		}
		if informer.LastSyncResourceVersion() != ours.LastSyncResourceVersion() || informer.GetController().LastSyncResourceVersion() != "" && informer.IsStopped() {
			t.Error("what the views report differs")
		}
		stop()
		if !informer.IsStopped() || !ours.IsStopped() {
			t.Error("not stopped")
		}
		if _, err := informer.AddEventHandler(handler); err == nil {
			t.Error("a handler was added to an informer that has stopped")
		}
	})
}

// The same in the other direction.
func TestFromInformer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		source := framework.NewFakeControllerSource()
		t.Cleanup(source.Shutdown)
		source.Add(pod("one", "x"))
		informer := clientgo.FromInformer(newTheirs(source))
		if err := informer.AddIndexers(cache.Indexers{"node": byNode}); err != nil {
			t.Fatal(err)
		}
		handler := &log{tombstone: reflect.TypeFor[cache.DeletedFinalStateUnknown]()}
		handle, err := informer.AddEventHandler(handler)
		if err != nil {
			t.Fatal(err)
		}
		if _, err = informer.AddEventHandlerWithOptions(handler, cache.HandlerOptions{Bound: 1}); err == nil {
			t.Error("an informer of client-go takes a bound")
		}
		typed := cache.NewTypedSharedIndexInformer[*v1.Pod](informer)
		var deleted []string
		if _, err = typed.AddTypedEventHandler(cache.TypedResourceEventHandlerFuncs[*v1.Pod]{
			DeleteFunc: func(object cache.DeletedObject[*v1.Pod]) { deleted = append(deleted, object.GetKey()) },
		}); err != nil {
			t.Fatal(err)
		}
		run(t, informer)
		if err = cache.WaitForSync(t.Context(), informer); err != nil {
			t.Fatal(err)
		}
		<-handle.HasSyncedChecker().Done()
		pods := listers.New[*v1.Pod](informer.GetIndexer(), v1.Resource("pod"))
		list, err := pods.List(labels.Everything())
		if err != nil || len(list) != 1 || list[0] != handler.objects[0] {
			t.Errorf("the lister returns %v (%v)", list, err)
		}
		if found, err := informer.GetIndexer().ByIndex("node", "x"); err != nil || len(found) != 1 {
			t.Errorf("by index: %v, %v", found, err)
		}
		if state := cache.StateOf(informer); state.Phase != cache.PhaseLive || state.Objects != 1 {
			t.Errorf("state %v", state)
		}
		play(source)
		if diff := cmp.Diff(played, handler.lines); diff != "" {
			t.Errorf("events (-want +got):\n%s", diff)
		}
		if want := []string{"a/two", "a/one"}; !slices.Equal(deleted, want) {
			t.Errorf("the typed handler got %q, want %q", deleted, want)
		}
	})
}

// Converting back returns the original, and two conversions accept each other's registrations.
func TestThereAndBack(t *testing.T) {
	source := framework.NewFakeControllerSource()
	t.Cleanup(source.Shutdown)
	ours, their := newOurs(source), newTheirs(source)
	if clientgo.FromInformer(clientgo.ToInformer(ours)) != ours {
		t.Error("our informer did not come back")
	}
	if clientgo.ToInformer(clientgo.FromInformer(their)) != their {
		t.Error("their informer did not come back")
	}
	if clientgo.FromIndexer(clientgo.ToIndexer(ours.GetIndexer())) != ours.GetIndexer() {
		t.Error("our indexer did not come back")
	}
	if clientgo.ToIndexer(clientgo.FromIndexer(their.GetIndexer())) != their.GetIndexer() {
		t.Error("their indexer did not come back")
	}
	handle, err := clientgo.ToInformer(ours).AddEventHandler(theirs.ResourceEventHandlerFuncs{})
	if err != nil {
		t.Fatal(err)
	}
	if err := clientgo.ToInformer(ours).RemoveEventHandler(handle); err != nil {
		t.Errorf("remove: %v", err)
	}
	if err := clientgo.ToInformer(ours).RemoveEventHandler(nil); err == nil {
		t.Error("removed a registration that is none")
	}
	if err := clientgo.FromInformer(their).RemoveEventHandler(nil); err == nil {
		t.Error("removed a registration that is none")
	}
}

// Handlers of watch errors get the error itself, and a reflector that says whose it is.
func TestWatchErrors(t *testing.T) {
	errList := errors.New("cannot list")
	for _, tt := range []struct {
		name string
		run  func(t *testing.T, source *framework.FakeControllerSource, got func(name, kind string, err error))
	}{
		{"to", func(t *testing.T, source *framework.FakeControllerSource, got func(name, kind string, err error)) {
			informer := clientgo.NewInformer(source, &v1.Pod{}, 0, nil)
			if err := informer.SetWatchErrorHandler(func(r *theirs.Reflector, err error) {
				theirs.DefaultWatchErrorHandler(t.Context(), r, apierrors.NewResourceExpired("expired"))
				got(r.Name(), r.TypeDescription(), err)
			}); err != nil {
				t.Fatal(err)
			}
			run(t, informer)
		}},
		{"to, with a context", func(t *testing.T, source *framework.FakeControllerSource, got func(name, kind string, err error)) {
			informer := clientgo.NewInformer(source, &v1.Pod{}, 0, nil)
			if err := informer.SetWatchErrorHandlerWithContext(func(_ context.Context, r *theirs.Reflector, err error) {
				got(r.Name(), r.TypeDescription(), err)
			}); err != nil {
				t.Fatal(err)
			}
			run(t, informer)
		}},
		{"from", func(t *testing.T, source *framework.FakeControllerSource, got func(name, kind string, err error)) {
			informer := clientgo.FromInformer(newTheirs(source))
			if err := informer.SetWatchErrorHandler(func(r *cache.Reflector, err error) {
				got(r.Name(), r.TypeDescription(), err)
			}); err != nil {
				t.Fatal(err)
			}
			run(t, informer)
		}},
		{"from, with a context", func(t *testing.T, source *framework.FakeControllerSource, got func(name, kind string, err error)) {
			informer := clientgo.FromInformer(newTheirs(source))
			if err := informer.SetWatchErrorHandlerWithContext(func(_ context.Context, r *cache.Reflector, err error) {
				got(r.Name(), r.TypeDescription(), err)
			}); err != nil {
				t.Fatal(err)
			}
			run(t, informer)
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				source := framework.NewFakeControllerSource()
				t.Cleanup(source.Shutdown)
				source.ListError = errList
				var calls atomic.Int32
				tt.run(t, source, func(name, kind string, err error) {
					calls.Add(1)
					if name == "" || kind != "*v1.Pod" || !errors.Is(err, errList) {
						t.Errorf("got %q, %q, %v", name, kind, err)
					}
				})
				time.Sleep(time.Second)
				synctest.Wait()
				if calls.Load() == 0 {
					t.Error("the handler was not called")
				}
			})
		})
	}
}

// The state of our informer says why it has not synced, through client-go's form too.
func TestStateOfTheirForm(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		source := framework.NewFakeControllerSource()
		t.Cleanup(source.Shutdown)
		source.ListError = errors.New("cannot list")
		informer := clientgo.NewInformer(source, &v1.Pod{}, 0, nil)
		run(t, informer)
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		err := cache.WaitForSync(ctx, clientgo.FromInformer(informer))
		if err == nil || !strings.Contains(err.Error(), "cannot list") || !errors.Is(err, source.ListError) {
			t.Errorf("got %v, want the cause", err)
		}
	})
}

// A transform is called in both directions, and its result is what is stored.
func TestTransform(t *testing.T) {
	transform := func(object any) (any, error) {
		object.(*v1.Pod).Spec.NodeName = "transformed"
		return object, nil
	}
	synctest.Test(t, func(t *testing.T) {
		source := framework.NewFakeControllerSource()
		t.Cleanup(source.Shutdown)
		source.Add(pod("one", "x"))
		to, from := clientgo.ToInformer(newOurs(source)), clientgo.FromInformer(newTheirs(source))
		if err := errors.Join(to.SetTransform(transform), from.SetTransform(transform)); err != nil {
			t.Fatal(err)
		}
		run(t, to)
		run(t, from)
		synctest.Wait()
		for name, store := range map[string]interface{ List() []any }{"to": to.GetStore(), "from": from.GetStore()} {
			if list := store.List(); len(list) != 1 || list[0].(*v1.Pod).Spec.NodeName != "transformed" {
				t.Errorf("%s: stored %v", name, list)
			}
		}
	})
}

var _ func(theirs.ListerWatcher, runtime.Object, time.Duration, theirs.Indexers) theirs.SharedIndexInformer = clientgo.NewInformer
