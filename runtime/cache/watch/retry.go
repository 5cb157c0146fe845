package watch

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/klog/v2"

	"github.com/listwatch/listwatch/runtime/cache"
)

// restartInterval is the shortest time between the starts of two watches.
const restartInterval = time.Second

// RetryWatcher is a watch that goes on where its connection ended, on another one. It delivers no bookmarks. It
// ends with an event of type Error if it cannot go on without a gap: after 410 Gone from a watch, an event that
// it does not understand, or if the request is forbidden or unauthorized. All other failures are retried, at
// most once a second, and later if the server says so.
type RetryWatcher struct {
	client cache.WatcherWithContext
	cancel context.CancelFunc
	events chan watch.Event
	done   chan struct{}
	// resourceVersion is that of the last event. Only the goroutine of run uses it.
	resourceVersion string
}

var _ watch.Interface = &RetryWatcher{}

// NewRetryWatcher returns a watch of the changes after a resource version; "" and "0" are errors. It has to be
// stopped.
//
// Deprecated: use NewRetryWatcherWithContext.
func NewRetryWatcher(initialResourceVersion string, watcherClient cache.Watcher) (*RetryWatcher, error) {
	return NewRetryWatcherWithContext(context.Background(), initialResourceVersion, cache.ToWatcherWithContext(watcherClient))
}

// NewRetryWatcherWithContext returns a watch of the changes after a resource version; "" and "0" are errors. It
// ends when it is stopped, or with the context.
func NewRetryWatcherWithContext(ctx context.Context, initialResourceVersion string, watcherClient cache.WatcherWithContext) (*RetryWatcher, error) {
	// A watch from these starts with events of existing objects, in any order.
	if initialResourceVersion == "" || initialResourceVersion == "0" {
		return nil, fmt.Errorf("initial RV %q is not supported due to issues with underlying WATCH", initialResourceVersion)
	}
	ctx, cancel := context.WithCancel(ctx)
	rw := &RetryWatcher{
		client: watcherClient, cancel: cancel, resourceVersion: initialResourceVersion,
		events: make(chan watch.Event), done: make(chan struct{}),
	}
	go rw.run(ctx)
	return rw, nil
}

// ResultChan returns the events. The channel is closed when the watch has ended.
func (rw *RetryWatcher) ResultChan() <-chan watch.Event { return rw.events }

// Stop ends the watch, without waiting for its end. It may be called several times.
func (rw *RetryWatcher) Stop() { rw.cancel() }

// Done returns a channel that is closed when the watch has ended.
func (rw *RetryWatcher) Done() <-chan struct{} { return rw.done }

// errEnded ends a RetryWatcher.
var errEnded = errors.New("watch ended")

// run starts watches until one cannot go on.
func (rw *RetryWatcher) run(ctx context.Context) {
	defer close(rw.done)
	defer close(rw.events)
	defer rw.cancel()
	for {
		started := time.Now()
		retryAfter, err := rw.watch(ctx)
		if err != nil {
			return
		}
		pause := time.NewTimer(max(retryAfter, restartInterval-time.Since(started)))
		select {
		case <-ctx.Done():
			pause.Stop()
			return
		case <-pause.C:
		}
	}
}

// watch starts one watch and delivers its events. It returns when another is to be started, not before
// retryAfter has passed, or an error if none is.
func (rw *RetryWatcher) watch(ctx context.Context) (retryAfter time.Duration, err error) {
	logger := klog.FromContext(ctx)
	watcher, err := rw.client.WatchWithContext(ctx, metav1.ListOptions{ResourceVersion: rw.resourceVersion, AllowWatchBookmarks: true})
	switch {
	case apierrors.IsForbidden(err) || apierrors.IsUnauthorized(err):
		return 0, rw.end(ctx, statusOf(err))
	case err != nil:
		logger.V(4).Info("Watch failed, retrying", "resourceVersion", rw.resourceVersion, "err", err)
		seconds, _ := apierrors.SuggestsClientDelay(err)
		return time.Duration(seconds) * time.Second, nil
	case watcher == nil:
		logger.Error(nil, "Watch function returned no watch, retrying")
		return 0, nil
	}
	defer watcher.Stop()
	for {
		select {
		case <-ctx.Done():
			return 0, errEnded
		case event, ok := <-watcher.ResultChan():
			if !ok {
				logger.V(4).Info("Watch closed, restarting", "resourceVersion", rw.resourceVersion)
				return 0, nil
			}
			if event.Type == watch.Error {
				return rw.failed(ctx, event)
			}
			if err := rw.deliver(ctx, event); err != nil {
				return 0, err
			}
		}
	}
}

// deliver delivers an event about an object.
func (rw *RetryWatcher) deliver(ctx context.Context, event watch.Event) error {
	switch event.Type {
	case watch.Added, watch.Modified, watch.Deleted, watch.Bookmark:
	default:
		return rw.end(ctx, statusOf(apierrors.NewInternalError(fmt.Errorf("unknown type %q of a watch event", event.Type))))
	}
	versioned, ok := event.Object.(interface{ GetResourceVersion() string })
	if !ok || versioned.GetResourceVersion() == "" {
		// A watch from the version before it would deliver it again.
		return rw.end(ctx, statusOf(apierrors.NewInternalError(fmt.Errorf("object %T of a watch event has no resource version", event.Object))))
	}
	if event.Type != watch.Bookmark {
		if err := rw.send(ctx, event); err != nil {
			return err
		}
	}
	rw.resourceVersion = versioned.GetResourceVersion()
	return nil
}

// failed decides what follows an event of type Error.
func (rw *RetryWatcher) failed(ctx context.Context, event watch.Event) (retryAfter time.Duration, err error) {
	var status *apierrors.StatusError
	if err := apierrors.FromObject(event.Object); !errors.As(err, &status) {
		klog.FromContext(ctx).Error(err, "Watch failed without a status, retrying")
		return 0, nil
	}
	if status.ErrStatus.Code == http.StatusGone {
		return 0, errors.Join(errEnded, rw.send(ctx, event))
	}
	klog.FromContext(ctx).V(4).Info("Watch failed, retrying", "resourceVersion", rw.resourceVersion, "err", status)
	if details := status.ErrStatus.Details; details != nil {
		retryAfter = time.Duration(details.RetryAfterSeconds) * time.Second
	}
	return retryAfter, nil
}

// statusOf returns the status of an error of apierrors.
func statusOf(err error) metav1.Status {
	var status apierrors.APIStatus
	if errors.As(err, &status) {
		return status.Status()
	}
	return apierrors.NewInternalError(err).ErrStatus
}

// end delivers an error and returns that the watch ends.
func (rw *RetryWatcher) end(ctx context.Context, status metav1.Status) error {
	return errors.Join(errEnded, rw.send(ctx, watch.Event{Type: watch.Error, Object: &status}))
}

// send waits until the event is received. It returns an error if the watch is stopped before.
func (rw *RetryWatcher) send(ctx context.Context, event watch.Event) error {
	select {
	case rw.events <- event:
		return nil
	case <-ctx.Done():
		return errEnded
	}
}
