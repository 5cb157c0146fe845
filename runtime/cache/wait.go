package cache

import (
	"context"
	"slices"

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/klog/v2"
)

// InformerSynced says whether an informer, or a handler, has synced.
type InformerSynced func() bool

// DoneChecker is something with a name that is done at some time, and stays done. Its
// methods may be called concurrently.
type DoneChecker interface {
	// Name describes it. The text may be made on each call.
	Name() string
	// Done returns a channel that is closed when it is done.
	Done() <-chan struct{}
}

// IsDone says whether it is done already.
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

// WaitFor waits until all checkers are done, and says whether they are; it gives up
// when ctx is done. Unless what is empty it logs what it waits for, what got done and,
// for what did not, why that is, if it is known.
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

// endOfEach returns a channel that gets each checker when it is done, or ctx is; those that
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

// WaitForCacheSync waits until all functions return true in one pass, and says whether
// they did; it gives up when stopCh is closed. It does not poll for the HasSynced
// methods of this package's informers and handlers. Other functions are asked again
// every 100 ms.
func WaitForCacheSync(stopCh <-chan struct{}, cacheSyncs ...InformerSynced) bool {
	return waitForSyncs(stopCh, cacheSyncs) == nil
}

// WaitForNamedCacheSync is [WaitForCacheSync] with a log of who waits, whether it
// succeeded and, if not, why.
func WaitForNamedCacheSync(controllerName string, stopCh <-chan struct{}, cacheSyncs ...InformerSynced) bool {
	logger := klog.Background().WithValues("controller", controllerName)
	return waitForNamedSyncs(klog.NewContext(context.Background(), logger), stopCh, cacheSyncs)
}

// WaitForNamedCacheSyncWithContext is [WaitForCacheSync] with a log, by the context's
// logger, of whether it succeeded and, if not, why.
func WaitForNamedCacheSyncWithContext(ctx context.Context, cacheSyncs ...InformerSynced) bool {
	return waitForNamedSyncs(ctx, ctx.Done(), cacheSyncs)
}

func waitForNamedSyncs(ctx context.Context, stopCh <-chan struct{}, cacheSyncs []InformerSynced) bool {
	logger := klog.FromContext(ctx)
	logger.Info("Waiting for caches to sync")
	if why := waitForSyncs(stopCh, cacheSyncs); why != nil {
		utilruntime.HandleErrorWithContext(ctx, why, "Unable to sync caches")
		return false
	}
	logger.Info("Caches are synced")
	return true
}
