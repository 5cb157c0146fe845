package cache_test

import (
	"fmt"
	"net/http"
	"slices"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/listwatch/listwatch/runtime/cache"
	"github.com/listwatch/listwatch/runtime/internal/compattest"
)

// scripted lists two objects each time, and sends the events of a script in its watches, one watch for each part.
type scripted struct {
	mu     sync.Mutex // guards what follows
	script [][]watch.Event
	listed []string // resource versions
}

func (*scripted) IsWatchListSemanticsUnSupported() bool { return true }

func scriptedObject(name, version string) *metav1.PartialObjectMetadata {
	return &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Name: name, UID: types.UID(name), ResourceVersion: version}}
}

func (s *scripted) List(options metav1.ListOptions) (runtime.Object, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.listed = append(s.listed, fmt.Sprintf("%q", options.ResourceVersion))
	return &metav1.PartialObjectMetadataList{
		ListMeta: metav1.ListMeta{ResourceVersion: "10"},
		Items:    []metav1.PartialObjectMetadata{*scriptedObject("a", "1"), *scriptedObject("b", "2")},
	}, nil
}

func (s *scripted) Watch(metav1.ListOptions) (watch.Interface, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	events := make(chan watch.Event, 10)
	if len(s.script) > 0 {
		for _, e := range s.script[0] {
			events <- e
		}
		s.script = s.script[1:]
	}
	return watch.NewProxyWatcher(events), nil
}

func TestClientGoInformer(t *testing.T) {
	expired := watch.Event{Type: watch.Error, Object: &metav1.Status{Status: metav1.StatusFailure, Code: http.StatusGone, Reason: metav1.StatusReasonExpired}}
	changed := watch.Event{Type: watch.Modified, Object: scriptedObject("a", "11")}
	for _, tt := range []struct {
		name   string
		script [][]watch.Event
		listed []string
		events []string
	}{
		{
			"a relist updates each object", [][]watch.Event{{expired}},
			[]string{`"0"`, `"10"`}, []string{"add a 1", "add b 2", "update a 1", "update b 2"},
		},
		{
			"an event of another type is skipped",
			[][]watch.Event{{{Type: watch.Added, Object: &metav1.PartialObjectMetadataList{}}, changed}},
			[]string{`"0"`}, []string{"add a 1", "add b 2", "update a 11"},
		},
		{
			"an older version is stored", [][]watch.Event{{changed, {Type: watch.Modified, Object: scriptedObject("a", "9")}}},
			[]string{`"0"`}, []string{"add a 1", "add b 2", "update a 11", "update a 9"},
		},
	} {
		run := func(t *testing.T) {
			source := &scripted{script: tt.script}
			informer := cache.NewSharedIndexInformer(source, &metav1.PartialObjectMetadata{}, 0, cache.Indexers{})
			var mu sync.Mutex // guards got
			var got []string
			note := func(what string, obj any) {
				mu.Lock()
				defer mu.Unlock()
				m := obj.(metav1.Object)
				got = append(got, what+" "+m.GetName()+" "+m.GetResourceVersion())
			}
			if _, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
				AddFunc:    func(obj any) { note("add", obj) },
				UpdateFunc: func(_, obj any) { note("update", obj) },
			}); err != nil {
				t.Fatal(err)
			}
			stop := make(chan struct{})
			stopped := make(chan struct{})
			go func() {
				defer close(stopped)
				informer.Run(stop)
			}()
			synctest.Wait()
			if len(tt.listed) > 1 {
				time.Sleep(time.Minute) // of the bubble: the relist follows a backoff
				synctest.Wait()
			}
			close(stop)
			<-stopped
			slices.Sort(got[:2])
			if len(got) > 3 && tt.listed[len(tt.listed)-1] == `"10"` {
				slices.Sort(got[2:])
			}
			if diff := cmp.Diff(tt.events, got); diff != "" {
				t.Errorf("events (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.listed, source.listed); diff != "" {
				t.Errorf("lists (-want +got):\n%s", diff)
			}
		}
		t.Run(tt.name, func(t *testing.T) {
			compattest.Run(t, func(t *testing.T) { synctest.Test(t, run) })
		})
	}
}

// failing lists as scripted does, and its watches fail.
type failing struct {
	scripted
	err error
}

func (f *failing) Watch(metav1.ListOptions) (watch.Interface, error) { return nil, f.err }

func TestClientGoWatchErrors(t *testing.T) {
	compattest.Run(t, testClientGoWatchErrors)
}

// Handlers get the error of a watch as it is.
func testClientGoWatchErrors(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		source := &failing{err: apierrors.NewForbidden(schema.GroupResource{Resource: "things"}, "", nil)}
		informer := cache.NewSharedIndexInformer(source, &metav1.PartialObjectMetadata{}, 0, cache.Indexers{})
		stop := make(chan struct{})
		var got error
		if err := informer.SetWatchErrorHandler(func(_ *cache.Reflector, err error) {
			if got == nil {
				got = err
				close(stop)
			}
		}); err != nil {
			t.Fatal(err)
		}
		informer.Run(stop)
		if got != source.err { //nolint:errorlint // not wrapped
			t.Errorf("error %v, want %v", got, source.err)
		}
	})
}

// streamed refuses connections for watches until there were three, and then streams no objects.
type streamed struct {
	scripted
	watches int
}

func (*streamed) IsWatchListSemanticsUnSupported() bool { return false }

func (s *streamed) Watch(metav1.ListOptions) (watch.Interface, error) {
	if s.watches++; s.watches <= 3 {
		return nil, syscall.ECONNREFUSED
	}
	end := scriptedObject("", "5")
	end.Annotations = map[string]string{metav1.InitialEventsAnnotationKey: "true"}
	w := watch.NewFakeWithChanSize(1, false)
	w.Action(watch.Bookmark, end)
	return w, nil
}

func TestClientGoWatchListRefused(t *testing.T) {
	compattest.Run(t, testClientGoWatchListRefused)
}

// Handlers do not get errors of watches that are simply repeated.
func testClientGoWatchListRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		informer := cache.NewSharedIndexInformer(&streamed{}, &metav1.PartialObjectMetadata{}, 0, cache.Indexers{})
		if err := informer.SetWatchErrorHandler(func(_ *cache.Reflector, err error) { t.Errorf("handler: %v", err) }); err != nil {
			t.Fatal(err)
		}
		stop, stopped := make(chan struct{}), make(chan struct{})
		go func() {
			defer close(stopped)
			informer.Run(stop)
		}()
		time.Sleep(time.Minute)
		if !informer.HasSynced() {
			t.Error("not synced")
		}
		close(stop)
		<-stopped
	})
}
