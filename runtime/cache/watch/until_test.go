package watch_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/wait"
	apiwatch "k8s.io/apimachinery/pkg/watch"

	"github.com/listwatch/listwatch/runtime/cache"
	cachetesting "github.com/listwatch/listwatch/runtime/cache/testing"
	"github.com/listwatch/listwatch/runtime/cache/watch"
)

// reaches is met by an event at a version or a later one.
func reaches(version int) watch.ConditionFunc {
	return func(event apiwatch.Event) (bool, error) {
		if event.Type == apiwatch.Error {
			return false, errors.New("watch failed")
		}
		return seen(event) >= version, nil
	}
}

func TestUntilWithoutRetry(t *testing.T) {
	broken := errors.New("broken")
	fails := func(apiwatch.Event) (bool, error) { return true, broken }
	for _, tt := range []struct {
		name       string
		events     []apiwatch.Event
		open       bool
		conditions []watch.ConditionFunc
		want       int // version of the last event, 0 for none
		check      func(error) bool
	}{
		{"no condition", nil, true, nil, 0, isNil},
		{"met", []apiwatch.Event{added(1), added(2), added(3)}, true, []watch.ConditionFunc{reaches(2)}, 2, isNil},
		{"one event meets two", []apiwatch.Event{added(1), added(2)}, true, []watch.ConditionFunc{reaches(1), reaches(1)}, 1, isNil},
		{"one after the other", []apiwatch.Event{added(1), added(2)}, true, []watch.ConditionFunc{reaches(1), reaches(2)}, 2, isNil},
		{"closed", []apiwatch.Event{added(1)}, false, []watch.ConditionFunc{reaches(2)}, 1, is(watch.ErrWatchClosed)},
		{"closed without an event", nil, false, []watch.ConditionFunc{reaches(2)}, 0, is(watch.ErrWatchClosed)},
		{"timeout", []apiwatch.Event{added(1)}, true, []watch.ConditionFunc{reaches(2)}, 1, wait.Interrupted},
		{"condition fails", []apiwatch.Event{added(1)}, true, []watch.ConditionFunc{fails}, 1, is(broken)},
		{"second condition fails at once", []apiwatch.Event{added(1)}, true, []watch.ConditionFunc{reaches(1), fails}, 1, is(broken)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				client := &watcher{attempts: []attempt{{events: tt.events, open: tt.open}}}
				w, err := client.WatchWithContext(t.Context(), metav1.ListOptions{AllowWatchBookmarks: true})
				if err != nil {
					t.Fatal(err)
				}
				ctx, cancel := watch.ContextWithOptionalTimeout(t.Context(), time.Minute)
				defer cancel()
				event, err := watch.UntilWithoutRetry(ctx, w, tt.conditions...)
				if !tt.check(err) {
					t.Errorf("got error %v", err)
				}
				if got := versionOf(event); got != tt.want {
					t.Errorf("last event is %d, want %d", got, tt.want)
				}
				if !w.(interface{ Stopping() bool }).Stopping() {
					t.Error("the watch was not stopped")
				}
			})
		})
	}
}

func isNil(err error) bool { return err == nil }

func is(want error) func(error) bool {
	return func(err error) bool { return errors.Is(err, want) }
}

func versionOf(event *apiwatch.Event) int {
	if event == nil {
		return 0
	}
	return seen(*event)
}

func TestUntil(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := &watcher{attempts: []attempt{{events: []apiwatch.Event{added(5)}}, {err: errors.New("broken")}, {events: []apiwatch.Event{added(7)}}}}
		lw := &cache.ListWatch{WatchFuncWithContext: client.WatchWithContext}
		if event, err := watch.Until(t.Context(), "4", lw, reaches(5), reaches(7)); err != nil || versionOf(event) != 7 {
			t.Errorf("got %v, %v", event, err)
		}
		if _, err := watch.Until(t.Context(), "0", lw); err == nil {
			t.Error("version 0 is accepted")
		}
		synctest.Wait()
	})
}

func TestUntilWithSync(t *testing.T) {
	broken := errors.New("broken")
	exists := func(want bool, err error) watch.PreconditionFunc {
		return func(store cache.Store) (bool, error) {
			_, exists, _ := store.GetByKey("n/a")
			return exists == want, err
		}
	}
	for _, tt := range []struct {
		name         string
		precondition watch.PreconditionFunc
		condition    watch.ConditionFunc
		want         apiwatch.EventType
		check        func(error) bool
	}{
		{"added", nil, typed(apiwatch.Added), apiwatch.Added, isNil},
		{"modified", nil, typed(apiwatch.Modified), apiwatch.Modified, isNil},
		{"deleted", nil, typed(apiwatch.Deleted), apiwatch.Deleted, isNil},
		{"precondition met", exists(true, nil), typed(apiwatch.Bookmark), "", isNil},
		{"precondition not met", exists(false, nil), typed(apiwatch.Deleted), apiwatch.Deleted, isNil},
		{"precondition fails", exists(true, broken), typed(apiwatch.Deleted), "", is(broken)},
		{"timeout", nil, typed(apiwatch.Bookmark), apiwatch.Deleted, wait.Interrupted},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				source := cachetesting.NewFakeControllerSource()
				defer source.Shutdown()
				source.Add(object(0))
				go func() {
					time.Sleep(time.Minute)
					source.Modify(object(0))
					time.Sleep(time.Minute)
					source.Delete(object(0))
				}()
				ctx, cancel := watch.ContextWithOptionalTimeout(t.Context(), time.Hour)
				defer cancel()
				event, err := watch.UntilWithSync(ctx, source, &metav1.PartialObjectMetadata{}, tt.precondition, tt.condition)
				if !tt.check(err) {
					t.Errorf("got error %v", err)
				}
				if got := typeOf(event); got != tt.want {
					t.Errorf("last event is %q, want %q", got, tt.want)
				}
				time.Sleep(time.Hour)
			})
		})
	}
}

func typed(want apiwatch.EventType) watch.ConditionFunc {
	return func(event apiwatch.Event) (bool, error) { return event.Type == want, nil }
}

func typeOf(event *apiwatch.Event) apiwatch.EventType {
	if event == nil {
		return ""
	}
	return event.Type
}

// Without a sync, the precondition is not called.
func TestUntilWithSyncUnsynced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		lw := &cache.ListWatch{
			ListWithContextFunc: func(context.Context, metav1.ListOptions) (runtime.Object, error) { return nil, errors.New("broken") },
			WatchFuncWithContext: func(context.Context, metav1.ListOptions) (apiwatch.Interface, error) {
				return nil, errors.New("broken")
			},
		}
		ctx, cancel := watch.ContextWithOptionalTimeout(t.Context(), time.Minute)
		defer cancel()
		_, err := watch.UntilWithSync(ctx, lw, &metav1.PartialObjectMetadata{}, func(cache.Store) (bool, error) {
			t.Error("called")
			return true, nil
		})
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
	})
}

// A deletion that was not seen, and a watch that is stopped while events wait.
func TestIndexerInformerWatcher(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		source := cachetesting.NewFakeControllerSource()
		defer source.Shutdown()
		source.Add(object(0))
		indexer, informer, w, done := watch.NewIndexerInformerWatcher(source, &metav1.PartialObjectMetadata{})
		synctest.Wait()
		if !informer.HasSynced() || len(indexer.List()) != 1 {
			t.Error("not synced")
		}
		if event := <-w.ResultChan(); event.Type != apiwatch.Added {
			t.Errorf("got %v", event)
		}
		source.DeleteDropWatch(object(0))
		source.ResetWatch()
		if event := <-w.ResultChan(); event.Type != apiwatch.Deleted || event.Object.(metav1.Object).GetName() != "a" {
			t.Errorf("got %v", event)
		}
		source.Add(object(0))
		synctest.Wait()
		w.Stop()
		<-done
		if event, ok := <-w.ResultChan(); ok {
			t.Errorf("got %v after the end", event)
		}
	})
}

func TestContextWithOptionalTimeout(t *testing.T) {
	for timeout, bounded := range map[time.Duration]bool{0: false, -time.Second: false, time.Second: true} {
		ctx, cancel := watch.ContextWithOptionalTimeout(t.Context(), timeout)
		if _, ok := ctx.Deadline(); ok != bounded {
			t.Errorf("%v: bounded is %v", timeout, ok)
		}
		cancel()
		if ctx.Err() == nil {
			t.Errorf("%v: not canceled", timeout)
		}
	}
}
