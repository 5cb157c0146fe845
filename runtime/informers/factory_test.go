package informers_test

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/listwatch/listwatch/runtime/cache"
	"github.com/listwatch/listwatch/runtime/informers"
)

func newFactory(s *server, config informers.Config) factory {
	return factory{informers.NewFactory(config), s}
}

// acquire acquires the informer of boats, and fails the test if that is impossible.
func acquire(ctx context.Context, t *testing.T, f factory) (release func()) {
	t.Helper()
	release, err := f.Acquire(ctx, &object{})
	if err != nil {
		t.Fatal(err)
	}
	return release
}

func TestAskingMakesNoRequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &server{objects: named("a", "one")}
		f := newFactory(s, informers.Config{})
		if first, again := f.boats(), f.boats(); first != again {
			t.Error("there are two informers of a type")
		}
		if _, exists, err := f.boats().GetIndexer().GetByKey("a/one"); exists || err != nil {
			t.Errorf("an informer that was not started has an object, error %v", err)
		}
		synctest.Wait()
		if !s.silent() {
			t.Error("there were requests before Start")
		}
	})
}

func TestStart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &server{objects: named("a", "one", "two")}
		f := newFactory(s, informers.Config{})
		boats := f.boats()
		ctx, cancel := context.WithCancel(t.Context())
		f.StartWithContext(ctx)
		f.StartWithContext(ctx) // no second run
		result := f.WaitForCacheSyncWithContext(ctx)
		if err := result.AsError(); err != nil || !result.Synced[reflect.TypeFor[*object]()] || len(result.Synced) != 1 {
			t.Errorf("got %+v, error %v", result, err)
		}
		if got := keys(boats); !slices.Equal(got, []string{"a/one", "a/two"}) {
			t.Errorf("got %v", got)
		}
		f.of(&other{})
		if got := f.WaitForCacheSync(ctx.Done()); len(got) != 1 {
			t.Errorf("waited for an informer that was not started: %v", got)
		}
		cancel()
		f.Shutdown()
		if !boats.IsStopped() || f.boats() != boats {
			t.Error("the informer has not stopped, or was forgotten")
		}
		if lists := s.lists(); len(lists) != 1 {
			t.Errorf("got %d lists", len(lists))
		}
		f.StartWithContext(t.Context())
		if result := f.WaitForCacheSync(t.Context().Done()); len(result) != 1 {
			t.Errorf("an informer was started after Shutdown: %v", result)
		}
	})
}

func TestAcquireCountsReferences(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &server{objects: named("a", "one")}
		f := newFactory(s, informers.Config{})
		boats := f.boats()
		ctx, cancel := context.WithCancel(t.Context())
		first, second := acquire(t.Context(), t, f), acquire(t.Context(), t, f)
		acquire(ctx, t, f)
		if err := cache.WaitForSync(t.Context(), boats); err != nil {
			t.Fatal(err)
		}
		first()
		first() // counts once
		cancel()
		synctest.Wait()
		if boats.IsStopped() || f.boats() != boats {
			t.Fatal("the informer stopped before all had released it")
		}
		second()
		synctest.Wait()
		if !boats.IsStopped() {
			t.Error("the informer runs on")
		}
		if f.boats() == boats {
			t.Error("the informer was not forgotten")
		}
		again := acquire(t.Context(), t, f) // the new one is running
		synctest.Wait()
		again()
		if lists := s.lists(); len(lists) != 2 {
			t.Errorf("got %d lists, want one of each informer", len(lists))
		}
		f.Shutdown()
	})
}

func TestAcquiredAndStarted(t *testing.T) {
	for _, startFirst := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			f := newFactory(&server{}, informers.Config{})
			boats := f.boats()
			ctx, cancel := context.WithCancel(t.Context())
			if startFirst {
				f.StartWithContext(ctx)
			}
			release := acquire(t.Context(), t, f)
			if !startFirst {
				f.StartWithContext(ctx)
			}
			release()
			synctest.Wait()
			if boats.IsStopped() {
				t.Fatal("an informer that was started stopped when it was released")
			}
			release = acquire(t.Context(), t, f)
			cancel()
			synctest.Wait()
			if boats.IsStopped() {
				t.Fatal("an informer that was acquired stopped")
			}
			release()
			f.Shutdown()
			if !boats.IsStopped() || f.boats() != boats {
				t.Error("the informer has not stopped, or was forgotten")
			}
		})
	}
}

func TestAcquireErrors(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFactory(&server{}, informers.Config{})
		if _, err := f.Acquire(t.Context(), &object{}); !errors.Is(err, informers.ErrNotRequested) || !strings.Contains(err.Error(), "*v1.PartialObjectMetadata") {
			t.Errorf("got error %v", err)
		}
		f.boats()
		ctx, cancel := context.WithCancel(t.Context())
		f.StartWithContext(ctx)
		cancel()
		synctest.Wait()
		if _, err := f.Acquire(t.Context(), &object{}); !errors.Is(err, informers.ErrStopped) {
			t.Errorf("got error %v of an informer that has stopped", err)
		}
		f.of(&other{})
		f.Shutdown()
		if _, err := f.Acquire(t.Context(), &other{}); !errors.Is(err, informers.ErrStopped) {
			t.Errorf("got error %v of a factory that was shut down", err)
		}
	})
}

func TestShutdownWaitsAndReleasesTheName(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		name, err := cache.NewInformerName("shutdown-test")
		if err != nil {
			t.Fatal(err)
		}
		f := newFactory(&server{}, informers.Config{Options: informers.Options{InformerName: name}})
		boats := f.boats()
		if f.InformerName() != name {
			t.Error("the name is another")
		}
		release := acquire(t.Context(), t, f)
		down := make(chan struct{})
		go func() {
			f.Shutdown()
			close(down)
		}()
		synctest.Wait()
		select {
		case <-down:
			t.Fatal("Shutdown did not wait")
		default:
		}
		release()
		<-down
		if !boats.IsStopped() {
			t.Error("the informer runs on")
		}
		again, err := cache.NewInformerName("shutdown-test")
		if err != nil {
			t.Fatal(err)
		}
		again.Release()
	})
}

func TestWaitingTellsTheCause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		forbidden := apierrors.NewForbidden(boats.GroupResource(), "", errors.New(`user "mate" cannot list resource "boats" at the cluster scope`))
		f := newFactory(&server{err: forbidden}, informers.Config{})
		f.boats()
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		f.StartWithContext(ctx)
		result := f.WaitForCacheSyncWithContext(ctx)
		err := result.AsError()
		if !errors.Is(err, context.DeadlineExceeded) || !apierrors.IsForbidden(err) || !strings.Contains(err.Error(), "cannot list resource") {
			t.Errorf("got error %v", err)
		}
		if cause := context.Cause(ctx); result.Err.Error() != cause.Error() {
			t.Errorf("got %v, want only %v: the causes are separate", result.Err, cause)
		}
		f.Shutdown()
	})
}
