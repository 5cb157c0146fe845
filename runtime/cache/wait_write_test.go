package cache_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/runtime/cache"
	cachetesting "github.com/listwatch/listwatch/runtime/cache/testing"
)

// ofNamespaces returns an informer of sources, by namespace.
func ofNamespaces(sources map[string]cache.ListerWatcher) cache.SharedIndexInformer {
	var all []cache.Source
	for _, namespace := range []string{"bay", "sea"} {
		all = append(all, cache.Source{Namespace: namespace, ListerWatcher: sources[namespace]})
	}
	return cache.NewSharedIndexInformerWithOptions(nil, &ship{}, cache.SharedIndexInformerOptions{Sources: all})
}

// soon returns a context that ends in a second, with a cause.
func soon(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeoutCause(t.Context(), time.Second, errors.New("out of patience"))
	t.Cleanup(cancel)
	return ctx
}

// TestWaitForObjectWithAnIdleNamespace has one namespace with changes, and one without.
func TestWaitForObjectWithAnIdleNamespace(t *testing.T) {
	inBubble(t, func(t *testing.T, bay *cachetesting.FakeControllerSource) {
		sea := cachetesting.NewFakeControllerSource()
		defer sea.Shutdown()
		informer := ofNamespaces(map[string]cache.ListerWatcher{"bay": bay, "sea": sea})
		defer run(t, informer)()
		if err := cache.WaitForSync(t.Context(), informer); err != nil {
			t.Fatal(err)
		}
		obj := newShip("bay/a", "red")
		bay.Add(obj)
		start := time.Now()
		if err := cache.WaitForObject(t.Context(), informer, obj); err != nil {
			t.Fatal(err)
		}
		if _, exists, _ := informer.GetStore().Get(obj); !exists || time.Since(start) != 0 {
			t.Errorf("stored: %v, after %v", exists, time.Since(start))
		}
		for what, err := range map[string]error{
			"resource version":       cache.WaitForResourceVersion(soon(t), informer, obj.ResourceVersion),
			"object":                 cache.WaitForObject(soon(t), informer, withVersion(newShip("sea/b", "red"), "1")),
			"deletion":               cache.WaitForDeletion(soon(t), informer, withVersion(newShip("sea/b", "red"), "1")),
			"resource version of no": cache.WaitForResourceVersion(soon(t), informer, "1"),
		} {
			const want = `*v1.PartialObjectMetadata in namespace sea is at resource version "0", want "1": out of patience`
			if err == nil || err.Error() != want {
				t.Errorf("%s: got error %v, want %s", what, err, want)
			}
		}
		const both = `in namespace bay is at resource version "1" and in namespace sea is at resource version "0", want "2"`
		if err := cache.WaitForResourceVersion(soon(t), informer, "2"); err == nil || !strings.Contains(err.Error(), both) {
			t.Errorf("got error %v, want %s", err, both)
		}
		if err := cache.WaitForObject(t.Context(), informer, withVersion(newShip("lake/c", "red"), "1")); err == nil || !strings.Contains(err.Error(), `"lake"`) {
			t.Errorf("of a namespace that is not watched: got error %v", err)
		}
	})
}

func withVersion(s *ship, rv string) *ship {
	s.ResourceVersion = rv
	return s
}

// TestWaitForObjectTellsOfTrouble has one forbidden namespace: waiting for the other does not
// return its error.
func TestWaitForObjectTellsOfTrouble(t *testing.T) {
	inBubble(t, func(t *testing.T, source *cachetesting.FakeControllerSource) {
		informer := ofNamespaces(map[string]cache.ListerWatcher{"bay": source, "sea": lateSource{source, 0, errForbidden}})
		defer run(t, informer)()
		synctest.Wait()
		for _, test := range []struct {
			key       string
			forbidden bool
		}{{"bay/a", false}, {"sea/a", true}} {
			err := cache.WaitForObject(soon(t), informer, withVersion(newShip(test.key, "red"), "7"))
			if err == nil || apierrors.IsForbidden(err) != test.forbidden || !strings.Contains(err.Error(), "out of patience") {
				t.Errorf("%s: got error %v, which should wrap that of the server: %v", test.key, err, test.forbidden)
			}
		}
	})
}

func TestWaitForObject(t *testing.T) {
	inBubble(t, func(t *testing.T, source *cachetesting.FakeControllerSource) {
		own := cache.NewSharedIndexInformer(source, &ship{}, 0, nil)
		stop := run(t, own)
		synctest.Wait()
		for name, informer := range map[string]cache.SharedInformer{"own": own, "foreign": foreignInformer{own}} {
			obj := newShip("bay/"+name, "red")
			source.Add(obj)
			if err := cache.WaitForObject(t.Context(), informer, obj); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			if _, exists, _ := own.GetStore().Get(obj); !exists {
				t.Errorf("%s: the store is not as far as was waited for", name)
			}
			for _, rv := range []string{"", "0", "a", "01", "-1"} {
				if err := cache.WaitForObject(t.Context(), informer, withVersion(newShip("bay/a", "red"), rv)); err == nil || !strings.Contains(err.Error(), "wait for resource version") {
					t.Errorf("%s: of resource version %q: got error %v", name, rv, err)
				}
			}
		}
		stop()
		for name, informer := range map[string]cache.SharedInformer{"own": own, "foreign": foreignInformer{own}} {
			if err := cache.WaitForObject(t.Context(), informer, withVersion(newShip("bay/a", "red"), "17")); err == nil || !strings.Contains(err.Error(), "stopped") {
				t.Errorf("%s: got error %v, want that it has stopped", name, err)
			}
		}
	})
}

func TestWaitForDeletion(t *testing.T) {
	deleting := func(s *ship) *ship {
		s.DeletionTimestamp = &metav1.Time{Time: time.Now()}
		return s
	}
	other := func(s *ship) *ship {
		s.UID = "another"
		return s
	}
	noUID := func(s *ship) *ship {
		s.UID = ""
		return s
	}
	created := func(s *ship, after time.Duration) *ship {
		s.CreationTimestamp = metav1.NewTime(time.Now().Add(after))
		return s
	}
	for _, test := range []struct {
		name   string
		change func(source *cachetesting.FakeControllerSource)
		shows  bool
	}{
		{"nothing", func(*cachetesting.FakeControllerSource) {}, false},
		{"deleted", func(s *cachetesting.FakeControllerSource) { s.Delete(newShip("bay/a", "red")) }, true},
		{"changed", func(s *cachetesting.FakeControllerSource) { s.Modify(newShip("bay/a", "blue")) }, false},
		{"has finalizers", func(s *cachetesting.FakeControllerSource) { s.Modify(deleting(newShip("bay/a", "red"))) }, true},
		{"created again", func(s *cachetesting.FakeControllerSource) { s.Modify(other(newShip("bay/a", "red"))) }, true},
		{"UID is not known", func(s *cachetesting.FakeControllerSource) { s.Modify(noUID(newShip("bay/a", "red"))) }, false},
		{"created again, UID is not known", func(s *cachetesting.FakeControllerSource) {
			s.Modify(created(noUID(newShip("bay/a", "red")), time.Second))
		}, true},
		{"changed, UID is not known", func(s *cachetesting.FakeControllerSource) { s.Modify(created(noUID(newShip("bay/a", "red")), 0)) }, false},
		{"another is deleted", func(s *cachetesting.FakeControllerSource) { s.Delete(newShip("bay/b", "red")) }, false},
	} {
		for _, foreign := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, foreign %v", test.name, foreign), func(t *testing.T) {
				inBubble(t, func(t *testing.T, source *cachetesting.FakeControllerSource) {
					source.Add(newShip("bay/b", "red"))
					obj := created(newShip("bay/a", "red"), 0)
					source.Add(obj)
					informer := cache.NewSharedIndexInformer(source, &ship{}, 0, nil)
					defer run(t, informer)()
					if foreign {
						informer = foreignInformer{informer}
					}
					synctest.Wait()
					waited := make(chan error, 1)
					go func() { waited <- cache.WaitForDeletion(soon(t), informer, obj) }()
					synctest.Wait()
					if len(waited) > 0 {
						t.Fatalf("did not wait: %v", <-waited)
					}
					test.change(source)
					err := <-waited
					if test.shows != (err == nil) {
						t.Errorf("got error %v", err)
					}
					want := "bay/a is still stored: out of patience"
					if strings.HasSuffix(test.name, "UID is not known") {
						want = "bay/a is still stored, or was created again: the stored object has no UID: out of patience"
					}
					if err != nil && !strings.Contains(err.Error(), want) {
						t.Errorf("got error %v, want %s", err, want)
					}
				})
			})
		}
	}
}

// TestWaitForDeletionTellsOfTrouble deletes an object that a failing source does not report as deleted.
func TestWaitForDeletionTellsOfTrouble(t *testing.T) {
	inBubble(t, func(t *testing.T, source *cachetesting.FakeControllerSource) {
		obj := newShip("bay/a", "red")
		source.Add(obj)
		informer := cache.NewSharedIndexInformer(source, &ship{}, 0, nil)
		defer run(t, informer)()
		synctest.Wait()
		source.ListError = errForbidden
		source.ResetWatch() // after it, objects must be listed
		time.Sleep(time.Minute)
		err := cache.WaitForDeletion(soon(t), informer, obj)
		if !apierrors.IsForbidden(err) {
			t.Errorf("got error %v, want the source's", err)
		}
		wantWords(t, err, "bay/a is still stored: out of patience", "waiting", "to list again")
	})
}

// TestWaitForDeletionOfWhatWasNotSeenYet creates and deletes an object before the informer receives
// either: an object that is not stored yet does not count as deleted.
func TestWaitForDeletionOfWhatWasNotSeenYet(t *testing.T) {
	inBubble(t, func(t *testing.T, source *cachetesting.FakeControllerSource) {
		informer := cache.NewSharedIndexInformer(source, &ship{}, 0, nil)
		defer run(t, informer)()
		synctest.Wait()
		obj := newShip("bay/a", "red")
		source.AddDropWatch(obj)
		waited := make(chan error, 1)
		go func() { waited <- cache.WaitForDeletion(t.Context(), informer, obj) }()
		synctest.Wait()
		if len(waited) > 0 {
			t.Fatalf("did not wait: %v", <-waited)
		}
		source.DeleteDropWatch(newShip("bay/a", "red"))
		source.Add(newShip("bay/b", "red"))
		if err := <-waited; err != nil {
			t.Error(err)
		}
	})
}
