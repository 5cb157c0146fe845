package cache_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/listwatch/listwatch/runtime/cache"
	cachetesting "github.com/listwatch/listwatch/runtime/cache/testing"
)

// state returns a state of a red ship that a server returned.
func state(key, rv, uid string) *ship {
	s := withVersion(newShip(key, "red"), rv)
	s.UID = types.UID(uid)
	return s
}

// TestWrites waits for writes of which the source has sent some: whether a read of a name waits.
func TestWrites(t *testing.T) {
	const known = "1" // what is stored: bay/a
	none := func(*cache.Writes) {}
	for _, test := range []struct {
		name   string
		before func(*cache.Writes)
		read   string // namespace/name
		waits  bool
		want   string // of the error
	}{
		{name: "nothing", before: none, read: "bay/a"},
		{name: "stored", before: func(w *cache.Writes) { w.Written(state("bay/a", known, "a")) }, read: "bay/a"},
		{
			name: "not received", before: func(w *cache.Writes) { w.Written(state("bay/a", "5", "a")) }, read: "bay/a", waits: true,
			want: `in namespace bay is at resource version "1", want "5"`,
		},
		{name: "of another object", before: func(w *cache.Writes) { w.Written(state("bay/b", "5", "b")) }, read: "bay/a"},
		{name: "of another object in the list", before: func(w *cache.Writes) { w.Written(state("bay/b", "5", "b")) }, read: "bay/", waits: true},
		{name: "of another namespace", before: func(w *cache.Writes) { w.Written(state("sea/b", "5", "b")) }, read: "bay/"},
		{name: "of another namespace in a list of all", before: func(w *cache.Writes) { w.Written(state("sea/b", "5", "b")) }, read: "/", waits: true},
		{name: "of a namespace that is not cached", before: func(w *cache.Writes) { w.Written(state("lake/b", "5", "b")); w.Deleted(state("lake/b", "5", "b")) }, read: "/"},
		{name: "without a version", before: func(w *cache.Writes) { w.Written(state("bay/a", "", "a")) }, read: "bay/a"},
		{name: "not selected and not stored", before: func(w *cache.Writes) { w.Written(state("sea/sunken", "5", "s")) }, read: "sea/sunken"},
		{name: "no longer selected", before: func(w *cache.Writes) {
			s := state("bay/a", "5", "a")
			s.Labels = map[string]string{"color": "blue"}
			w.Written(s)
		}, read: "bay/a", waits: true},
		{name: "selected, and then not, before both are received", before: func(w *cache.Writes) {
			w.Written(state("bay/b", "5", "b"))
			s := state("bay/b", "6", "b")
			s.Labels = nil
			w.Written(s)
		}, read: "bay/b", waits: true, want: `want "5"`},
		{name: "an older result that arrives later", before: func(w *cache.Writes) {
			w.Written(state("bay/a", "5", "a"))
			w.Written(state("bay/a", known, "a"))
		}, read: "bay/a", waits: true, want: `want "5"`},
		{
			name: "deleted", before: func(w *cache.Writes) { w.Deleted(state("bay/a", known, "a")) }, read: "bay/a", waits: true,
			want: "bay/a is still stored",
		},
		{name: "deleted without a version", before: func(w *cache.Writes) { w.Deleted(state("bay/a", "", "a")) }, read: "bay/", waits: true},
		{name: "another incarnation is deleted", before: func(w *cache.Writes) { w.Deleted(state("bay/a", "", "b")) }, read: "bay/a"},
		{name: "deleted before it is received", before: func(w *cache.Writes) { w.Deleted(state("bay/b", "5", "b")) }, read: "bay/b", waits: true},
		{name: "deleted without a UID", before: func(w *cache.Writes) { w.Deleted(state("bay/a", known, "")) }, read: "bay/a"},
		{name: "deleted and created again", before: func(w *cache.Writes) {
			w.Deleted(state("bay/a", known, "a"))
			w.Written(state("bay/a", "5", "b"))
		}, read: "bay/a", waits: true, want: `want "5"`},
		{name: "the result of an update that arrives after the deletion", before: func(w *cache.Writes) {
			w.Deleted(state("bay/a", known, "a"))
			w.Written(state("bay/a", known, "a"))
		}, read: "bay/a", waits: true, want: "still stored"},
	} {
		t.Run(test.name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, bay *cachetesting.FakeControllerSource) {
				sea := cachetesting.NewFakeControllerSource()
				defer sea.Shutdown()
				bay.Add(state("bay/a", "", "a"))
				informer := cache.NewSharedIndexInformerWithOptions(nil, &ship{}, cache.SharedIndexInformerOptions{
					Sources: []cache.Source{
						{Namespace: "bay", ListerWatcher: bay},
						{Namespace: "sea", ListerWatcher: sea, Selectors: func() (labels, fields string) { return "", "metadata.name!=sunken" }},
					},
					Selectors: func() (labels, fields string) { return "color=red", "" },
				})
				defer run(t, informer)()
				synctest.Wait()
				writes := cache.NewWrites(informer)
				test.before(writes)
				namespace, name, _ := strings.Cut(test.read, "/")
				err := writes.Wait(soon(t), namespace, name)
				if test.waits != (err != nil) || err != nil && !strings.Contains(err.Error(), test.want) {
					t.Errorf("got error %v, want %q", err, test.want)
				}
				if test.waits {
					return
				}
				if err := writes.Wait(soon(t), namespace, name); err != nil {
					t.Errorf("again: %v", err)
				}
			})
		})
	}
}

// TestWritesArrive reads what the source sends later.
func TestWritesArrive(t *testing.T) {
	inBubble(t, func(t *testing.T, source *cachetesting.FakeControllerSource) {
		own := cache.NewSharedIndexInformer(source, &ship{}, 0, nil)
		defer run(t, own)()
		synctest.Wait()
		for name, informer := range map[string]cache.SharedInformer{"own": own, "foreign": foreignInformer{own}} {
			writes := cache.NewWrites(informer)
			wait := func() chan error {
				waited := make(chan error, 1)
				go func() { waited <- writes.Wait(soon(t), "", "") }()
				synctest.Wait()
				if len(waited) > 0 {
					t.Fatalf("%s: did not wait: %v", name, <-waited)
				}
				return waited
			}
			obj := newShip("bay/"+name, "red")
			obj.UID = "1"
			source.AddDropWatch(obj) // sets the version
			writes.Written(obj)
			waited := wait()
			source.Modify(obj)
			if err := <-waited; err != nil {
				t.Error(err)
			}
			writes.Deleted(obj)
			waited = wait()
			source.Delete(obj)
			if err := <-waited; err != nil {
				t.Error(err)
			}
		}
	})
}

// TestWritesOfStatesThatAreReceivedLater takes an object out of the selection that the store has not received yet: no read shows
// a state before that.
func TestWritesOfStatesThatAreReceivedLater(t *testing.T) {
	inBubble(t, func(t *testing.T, source *cachetesting.FakeControllerSource) {
		informer := cache.NewSharedIndexInformerWithOptions(source, &ship{}, cache.SharedIndexInformerOptions{
			Selectors: func() (labels, fields string) { return "color=red", "" },
		})
		defer run(t, informer)()
		synctest.Wait()
		writes := cache.NewWrites(informer)
		obj := newShip("bay/a", "red")
		source.AddDropWatch(obj) // sets the version
		writes.Written(withVersion(newShip("bay/a", "blue"), "1000"))
		for range 2 {
			if err := writes.Wait(soon(t), "bay", "a"); err != nil {
				t.Errorf("waited for a state that is not selected: %v", err)
			}
		}
		source.Modify(obj)
		synctest.Wait()
		if err := writes.Wait(soon(t), "bay", "a"); err == nil {
			t.Error("a read shows a state before the write")
		}
		source.Delete(obj)
		synctest.Wait()
		if err := writes.Wait(soon(t), "bay", "a"); err != nil {
			t.Error(err)
		}
	})
}

// TestWritesThatDelete removes the last finalizer of an object, which the store still has with its deletion timestamp.
func TestWritesThatDelete(t *testing.T) {
	now, none, some := metav1.Now(), int64(0), int64(30)
	for _, test := range []struct {
		name    string
		change  func(*unstructured.Unstructured)
		deletes bool
	}{
		{"no finalizers", func(*unstructured.Unstructured) {}, true},
		{"without a grace period", func(u *unstructured.Unstructured) { u.SetDeletionGracePeriodSeconds(&none) }, true},
		{"with a grace period", func(u *unstructured.Unstructured) { u.SetDeletionGracePeriodSeconds(&some) }, false},
		{"a finalizer", func(u *unstructured.Unstructured) { u.SetFinalizers([]string{"x"}) }, false},
		{"a finalizer of a namespace", func(u *unstructured.Unstructured) { u.Object["spec"] = map[string]any{"finalizers": []any{"x"}} }, false},
		{"not deleted", func(u *unstructured.Unstructured) { u.SetDeletionTimestamp(nil) }, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, source *cachetesting.FakeControllerSource) {
				informer := cache.NewSharedIndexInformer(source, &unstructured.Unstructured{}, 0, nil)
				obj := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "v1", "kind": "Ship"}}
				obj.SetNamespace("bay")
				obj.SetName("a")
				obj.SetUID("1")
				obj.SetFinalizers([]string{"x"})
				obj.SetDeletionTimestamp(&now)
				source.Add(obj)
				defer run(t, informer)()
				synctest.Wait()
				writes := cache.NewWrites(informer)
				result := informer.GetStore().List()[0].(*unstructured.Unstructured).DeepCopy() // the server reports this version
				result.SetFinalizers(nil)
				test.change(result)
				writes.Written(result)
				if err := writes.Wait(soon(t), "bay", "a"); test.deletes != (err != nil) {
					t.Errorf("error %v", err)
				}
				source.Delete(obj)
				synctest.Wait()
				if err := writes.Wait(soon(t), "bay", "a"); err != nil {
					t.Errorf("after the deletion: %v", err)
				}
			})
		})
	}
}

// TestWritesAreForgotten writes many objects that nobody reads.
func TestWritesAreForgotten(t *testing.T) {
	inBubble(t, func(t *testing.T, source *cachetesting.FakeControllerSource) {
		informer := cache.NewSharedIndexInformer(source, &ship{}, 0, nil)
		defer run(t, informer)()
		writes := cache.NewWrites(informer)
		for i := range 1000 {
			obj := newShip(fmt.Sprintf("bay/%d", i), "red")
			source.Add(obj)
			writes.Written(obj)
			if i%10 == 0 {
				synctest.Wait()
			}
		}
		if n := cache.PendingWrites(writes); n > 200 {
			t.Errorf("%d writes are pending", n)
		}
	})
}

// TestFieldsOfWrites selects by a field of the object.
func TestFieldsOfWrites(t *testing.T) {
	inBubble(t, func(t *testing.T, source *cachetesting.FakeControllerSource) {
		informer := cache.NewSharedIndexInformerWithOptions(source, &ship{}, cache.SharedIndexInformerOptions{
			Selectors: func() (labels, fields string) { return "", "metadata.generateName=x" },
		})
		defer run(t, informer)()
		synctest.Wait()
		for generated, waits := range map[string]bool{"x": true, "y": false, "": false} {
			writes := cache.NewWrites(informer)
			writes.Written(&ship{ObjectMeta: metav1.ObjectMeta{Namespace: "bay", Name: "a", ResourceVersion: "5", GenerateName: generated}})
			if err := writes.Wait(soon(t), "bay", "a"); waits != (err != nil) {
				t.Errorf("%q: error %v", generated, err)
			}
		}
	})
}

// TestFieldsThatAreOmitted selects by fields of untyped objects that have none of them: those of built-in kinds count as zero.
func TestFieldsThatAreOmitted(t *testing.T) {
	for _, test := range []struct {
		selector, apiVersion, kind string
		waits                      bool
	}{
		{"spec.unschedulable=false", "v1", "Node", true},
		{"spec.unschedulable=true", "v1", "Node", false},
		{"spec.unschedulable!=true", "v1", "Node", true},
		{"spec.hostNetwork=false,spec.nodeName=", "v1", "Pod", true},
		{"status.replicas=0", "v1", "ReplicationController", true},
		{"status.replicas=0", "apps/v1", "ReplicaSet", true},
		{"status.successful=0", "batch/v1", "Job", true},
		{"status.successful=1", "batch/v1", "Job", false},
		{"spec.unschedulable=false", "sea.example/v1", "Node", false}, // servers select custom resources by what they have
		{"spec.unschedulable=", "sea.example/v1", "Node", true},
	} {
		inBubble(t, func(t *testing.T, source *cachetesting.FakeControllerSource) {
			informer := cache.NewSharedIndexInformerWithOptions(source, &unstructured.Unstructured{}, cache.SharedIndexInformerOptions{
				Selectors: func() (labels, fields string) { return "", test.selector },
			})
			defer run(t, informer)()
			synctest.Wait()
			writes := cache.NewWrites(informer)
			obj := &unstructured.Unstructured{Object: map[string]any{"apiVersion": test.apiVersion, "kind": test.kind}}
			obj.SetName("a")
			obj.SetResourceVersion("5")
			writes.Written(obj)
			if err := writes.Wait(soon(t), "", "a"); test.waits != (err != nil) {
				t.Errorf("%s of %s: error %v", test.selector, test.kind, err)
			}
		})
	}
}

// TestWaitForResourceVersionIn waits for one of two namespaces.
func TestWaitForResourceVersionIn(t *testing.T) {
	inBubble(t, func(t *testing.T, bay *cachetesting.FakeControllerSource) {
		sea := cachetesting.NewFakeControllerSource()
		defer sea.Shutdown()
		informer := ofNamespaces(map[string]cache.ListerWatcher{"bay": bay, "sea": sea})
		defer run(t, informer)()
		go func() {
			time.Sleep(time.Millisecond)
			bay.Add(newShip("bay/a", "red"))
		}()
		for _, test := range []struct {
			namespace, want string
		}{
			{"bay", ""},
			{"sea", `in namespace sea is at resource version "0", want "1"`},
			{"lake", `no source of *v1.PartialObjectMetadata has namespace "lake"`},
			{"", `has namespace ""`},
		} {
			ctx := soon(t)
			err := cache.WaitForResourceVersionIn(ctx, informer, test.namespace, "1")
			if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
				t.Errorf("%s: got error %v, want %q", test.namespace, err, test.want)
			}
		}
	})
}
