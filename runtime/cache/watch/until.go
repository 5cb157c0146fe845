package watch

import (
	"context"
	"errors"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/klog/v2"

	"github.com/listwatch/listwatch/runtime/cache"
)

// PreconditionFunc reports whether the objects of a store make a wait unnecessary. An error ends the wait.
type PreconditionFunc func(store cache.Store) (bool, error)

// ConditionFunc reports whether an event meets a condition. An error ends the wait. Conditions on the state of
// an object are safer than those on a change of it, which a watch may have missed.
type ConditionFunc func(event watch.Event) (bool, error)

// ErrWatchClosed reports that a watch ended before all conditions were met.
var ErrWatchClosed = errors.New("watch closed before UntilWithoutRetry timeout")

// UntilWithoutRetry receives events until all conditions are met, one after the other, and returns the last
// event; it is nil if there was none. The event that meets a condition is also offered to the next one. If a
// condition fails, its error is returned, with the event; if the watch ends, [ErrWatchClosed]; if the context
// ends, an error for which [wait.Interrupted] is true. The watch is stopped in any case.
func UntilWithoutRetry(ctx context.Context, watcher watch.Interface, conditions ...ConditionFunc) (*watch.Event, error) {
	defer watcher.Stop()
	var last *watch.Event
	for _, condition := range conditions {
		met, err := false, error(nil)
		if last != nil {
			met, err = condition(*last)
		}
		for !met && err == nil {
			select {
			case event, ok := <-watcher.ResultChan():
				if !ok {
					return last, ErrWatchClosed
				}
				last = &event
				met, err = condition(event)
			case <-ctx.Done():
				return last, wait.ErrorInterrupted(nil)
			}
		}
		if err != nil {
			return last, err
		}
	}
	return last, nil
}

// Until is [UntilWithoutRetry] on a [RetryWatcher], which starts after initialResourceVersion; "" and "0" are
// errors. Conditions see all events in their order, or the wait fails: if the server no longer has the events,
// conditions receive one of type Error, and then the watch ends.
func Until(ctx context.Context, initialResourceVersion string, watcherClient cache.Watcher, conditions ...ConditionFunc) (*watch.Event, error) {
	watcher, err := NewRetryWatcherWithContext(ctx, initialResourceVersion, cache.ToWatcherWithContext(watcherClient))
	if err != nil {
		return nil, err
	}
	return UntilWithoutRetry(ctx, watcher, conditions...)
}

// UntilWithSync is [UntilWithoutRetry] on [NewIndexerInformerWatcher], which ends before it returns. Unless it is
// nil, precondition is called once, with all objects; if it is met, the result is nil. The wait goes on after
// all failures of watches, but may miss states of an object between two of them.
func UntilWithSync(ctx context.Context, lw cache.ListerWatcher, objType runtime.Object, precondition PreconditionFunc, conditions ...ConditionFunc) (*watch.Event, error) {
	indexer, informer, watcher, done := NewIndexerInformerWatcherWithLogger(klog.FromContext(ctx), lw, objType)
	defer func() { <-done }()
	defer watcher.Stop()
	if precondition != nil {
		select {
		case <-informer.HasSyncedChecker().Done():
		case <-ctx.Done():
			return nil, fmt.Errorf("UntilWithSync: unable to sync caches: %w", ctx.Err())
		}
		if met, err := precondition(indexer); met || err != nil {
			return nil, err
		}
	}
	return UntilWithoutRetry(ctx, watcher, conditions...)
}

// ContextWithOptionalTimeout is [context.WithTimeout], without a timeout if that is zero or less.
func ContextWithOptionalTimeout(parent context.Context, timeout time.Duration) (context.Context, context.CancelFunc) {
	if timeout < 0 {
		klog.FromContext(parent).Error(nil, "Ignoring a negative timeout", "timeout", timeout)
	}
	if timeout <= 0 {
		return context.WithCancel(parent)
	}
	return context.WithTimeout(parent, timeout)
}
