package cache

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/klog/v2"
)

// InformerSynced reports whether an informer, or a handler, has synced.
type InformerSynced func() bool

// DoneChecker is something with a name that is done at some time, and stays done. Its methods
// may be called concurrently.
type DoneChecker interface {
	// Name describes it. The text may be built on each call.
	Name() string
	// Done returns a channel that is closed when it is done.
	Done() <-chan struct{}
}

// IsDone reports whether checker is done.
func IsDone(checker DoneChecker) bool {
	return isClosed(checker.Done())
}

func isClosed(done <-chan struct{}) bool {
	select {
	case <-done:
		return true
	default:
		return false
	}
}

// WaitFor waits until all checkers are done, and reports whether they are; it returns false
// when ctx is done. Unless what is empty, it logs what it waits for, which checkers got done
// and, for the others, why they did not, if that is known.
func WaitFor(ctx context.Context, what string, checkers ...DoneChecker) bool {
	helper, logger := klog.FromContext(ctx).WithCallStackHelper()
	helper()
	if what == "" {
		logger = klog.Logger{} // discards
	}
	logger.Info("Waiting", "for", what)
	var instances []string
	ended := endOfEach(ctx, checkers)
	for range checkers {
		if c := <-ended; IsDone(c) {
			logger.Info("Done waiting", "for", what, "instance", c.Name())
		} else {
			instances = append(instances, describeUnsynced(c))
		}
	}
	if len(instances) == 0 {
		return true
	}
	slices.Sort(instances)
	logger.Info("Timed out waiting", "for", what, "cause", context.Cause(ctx), "instances", instances)
	return false
}

// endOfEach returns a channel that receives each checker when it is done, or ctx is; those that
// are done already come first.
func endOfEach(ctx context.Context, checkers []DoneChecker) <-chan DoneChecker {
	ended := make(chan DoneChecker, len(checkers))
	for _, c := range checkers {
		if IsDone(c) {
			ended <- c
			continue
		}
		go func() {
			select {
			case <-c.Done():
			case <-ctx.Done():
			}
			ended <- c
		}()
	}
	return ended
}

// describeUnsynced returns the name of c and, if it is known, why it is not done.
func describeUnsynced(c DoneChecker) string {
	if e, ok := c.(interface{ unsyncedCause() error }); ok {
		if cause := e.unsyncedCause(); cause != nil {
			return c.Name() + ": " + cause.Error()
		}
	}
	return c.Name()
}

// WaitForCacheSync waits until all functions return true in one pass, and reports whether they
// did; it returns false when stopCh is closed. It calls the functions again after 1, 2, 4 ...
// and then every 50 ms; [WaitForSync] and [WaitFor] wait without polling.
func WaitForCacheSync(stopCh <-chan struct{}, cacheSyncs ...InformerSynced) bool {
	return waitForSyncs(stopCh, cacheSyncs) == nil
}

// WaitForNamedCacheSync is [WaitForCacheSync] that logs who waits, whether it succeeded and, if it
// did not, the name of the first function that returned false. [WaitForSync] returns why an
// informer has not synced.
func WaitForNamedCacheSync(controllerName string, stopCh <-chan struct{}, cacheSyncs ...InformerSynced) bool {
	logger := klog.Background().WithValues("controller", controllerName)
	return waitForNamedSyncs(klog.NewContext(context.Background(), logger), stopCh, cacheSyncs)
}

// WaitForNamedCacheSyncWithContext is [WaitForNamedCacheSync] with the context's logger.
func WaitForNamedCacheSyncWithContext(ctx context.Context, cacheSyncs ...InformerSynced) bool {
	return waitForNamedSyncs(ctx, ctx.Done(), cacheSyncs)
}

func waitForNamedSyncs(ctx context.Context, stopCh <-chan struct{}, cacheSyncs []InformerSynced) bool {
	logger := klog.FromContext(ctx)
	logger.Info("Waiting for caches to sync")
	if err := waitForSyncs(stopCh, cacheSyncs); err != nil {
		utilruntime.HandleErrorWithContext(ctx, err, "Unable to sync caches")
		return false
	}
	logger.Info("Caches are synced")
	return true
}

// longestPause is how long [WaitForCacheSync] waits at most before it calls functions again.
const longestPause = 50 * time.Millisecond

// errNotSynced is the reason of a function that returns false.
var errNotSynced = errors.New("not synced")

// waitForSyncs waits until all functions return true in one pass. If one still returns false
// when stop is closed, it returns an error that names it.
func waitForSyncs(stop <-chan struct{}, syncs []InformerSynced) error {
	for pause := time.Millisecond; ; pause = min(2*pause, longestPause) {
		i := slices.IndexFunc(syncs, func(synced InformerSynced) bool { return !synced() })
		if i < 0 {
			return nil
		}
		if isClosed(stop) {
			return fmt.Errorf("%w: %s", errNotSynced, nameOfFunction(syncs[i]))
		}
		select {
		case <-time.After(pause):
		case <-stop:
		}
	}
}
