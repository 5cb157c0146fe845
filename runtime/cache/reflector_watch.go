package cache

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/klog/v2"

	"github.com/listwatch/listwatch/runtime/codec"
	"github.com/listwatch/listwatch/runtime/compat"
)

const (
	// minWatchTimeout is the shortest timeout of watches; they last up to twice that, so that they
	// do not all restart at once.
	minWatchTimeout = 5 * time.Minute
	// watchGrace is how much later than requested a server may end a watch.
	watchGrace = 30 * time.Second
	// shortWatch is the shortest duration of a watch that works.
	shortWatch = time.Second
	// eventsPerLook is after how many events without a pause the reflector checks anything else,
	// such as the clock.
	eventsPerLook = 64
)

// follow watches changes until a relist is due. w is the watch to start with, if not nil. The error
// is why a watch could not be started.
func (r *Reflector) follow(ctx context.Context, w *openWatch) error {
	logger := klog.FromContext(ctx)
	for short := 0; ; {
		if r.shards != nil && isClosed(r.resharded()) {
			if w != nil {
				w.Stop()
				w = nil
			}
			if !r.reshard(ctx) {
				return nil
			}
		}
		if w == nil {
			var err error
			if w, err = r.openWatch(ctx, r.watchOptions(r.record.version())); err != nil {
				if ctx.Err() != nil {
					return nil
				}
				if errors.Is(err, errResharded) {
					continue
				}
				r.failToWatch(err)
				if !isRetriable(err) && !errors.Is(err, ErrNoProgress) {
					return err
				}
				if !r.pause(ctx, err, "watch") {
					return nil
				}
				continue
			}
		}
		r.record.watching(r.clock.Now())
		err := r.watch(ctx, w)
		if ctx.Err() != nil {
			return nil
		}
		if errors.Is(err, errResharded) {
			w = nil
			continue
		}
		if lasted := r.clock.Since(w.start); lasted < shortWatch {
			short++
		} else {
			short = 0
			if err == nil {
				r.record.lasted()
			}
		}
		w = nil
		if err == nil {
			logger.V(4).Info("Watch ended")
			if short > 1 && !r.pause(ctx, nil, "watch") {
				return nil
			}
			continue
		}
		err = r.fail(fmt.Errorf("watch of %v ended: %w", r.typeDescription, err))
		switch {
		case isExpired(err):
			logger.V(4).Info("Watch expired", "err", err)
			return nil
		case errors.Is(err, ErrRewound):
			logger.Info("Warning: server's resource version went back, relisting", "err", err)
			r.unavailable = true // no version that was received can be listed at
			return nil
		case apierrors.IsTooManyRequests(err),
			apierrors.IsInternalError(err) && r.internalErrors.open(r.clock.Now(), r.MaxInternalErrorRetryDuration):
			logger.V(2).Info("Watch failed, restarting it", "err", err)
			if !r.pause(ctx, err, "watch") {
				return nil
			}
		case errors.Is(err, ErrNoProgress):
			logger.Info("Watch is silent, restarting it", "err", err)
		default:
			logger.Info("Watch failed, relisting", "err", err)
			return nil
		}
	}
}

// failToWatch records why a watch could not be started. The handler of errors gets err itself, as client-go's does.
func (r *Reflector) failToWatch(err error) {
	_ = r.fail(fmt.Errorf("failed to watch %v: %w", r.typeDescription, err))
}

// watchOptions returns the options of a watch from a resource version.
func (r *Reflector) watchOptions(version string) metav1.ListOptions {
	seconds := int64((1 + rand.Float64()) * r.minWatchTimeout.Seconds())
	return metav1.ListOptions{
		ResourceVersion:     version,
		TimeoutSeconds:      &seconds,
		AllowWatchBookmarks: true,
	}
}

// watch passes on the events of w until it ends, and stops it. There is no error if the
// server ended it.
func (r *Reflector) watch(ctx context.Context, w *openWatch) error {
	defer w.Stop()
	items := 0
	defer func() { r.metrics.watched(r.clock.Since(w.start), items, r.record.version()) }()
	for ; ; items++ {
		event, open, err := w.next(ctx, r)
		if err != nil {
			return err
		}
		if !open {
			if items == 0 && r.clock.Since(w.start) < shortWatch {
				return &VeryShortWatchError{Name: r.name}
			}
			return nil
		}
		m, err := r.understand(event)
		if err != nil && event.Type != watch.Error && compat.IsClientGo() {
			utilruntime.HandleErrorWithContext(ctx, err, "Skipping an event of a watch", "reflector", r.name)
			continue
		}
		if err != nil {
			return err
		}
		version := m.GetResourceVersion() // later the object is the store's, which may transform it
		if seen := r.record.version(); w.ordered && !w.fake && order(version, seen) < 0 && !compat.IsClientGo() {
			return &rewoundError{from: seen, to: version}
		}
		if err := r.pass(ctx, event, m); err != nil {
			r.reject(ctx, err, "Store refuses an event", event.Object)
		}
		// A watch without a resource version starts with objects in any order: there is no version
		// to resume from until other events arrive.
		w.ordered = w.ordered || event.Type != watch.Added
		if !w.ordered {
			r.record.event("", w.at)
			continue
		}
		r.record.event(version, w.at)
		if r.versions != nil {
			r.versions.UpdateResourceVersion(version)
		}
	}
}

// pass passes an event to the store.
func (r *Reflector) pass(ctx context.Context, event watch.Event, m metav1.Object) error {
	if r.skips(m) {
		event.Type = watch.Bookmark
	}
	if u, ok := event.Object.(*codec.Undecodable); ok && event.Type != watch.Bookmark {
		return r.passUndecodable(ctx, event.Type, u)
	}
	if r.undecodable == QuarantineUndecodable && event.Type != watch.Bookmark {
		r.record.release(ObjectName{Namespace: m.GetNamespace(), Name: m.GetName()})
	}
	switch event.Type {
	case watch.Added:
		return r.store.Add(event.Object)
	case watch.Modified:
		return r.store.Update(event.Object)
	case watch.Deleted:
		return r.store.Delete(event.Object)
	}
	if r.bookmark == nil {
		return nil
	}
	return r.bookmark(m.GetResourceVersion())
}

// passUndecodable handles an event of an object that cannot be decoded: its stored state stays,
// unless it was deleted.
func (r *Reflector) passUndecodable(ctx context.Context, typ watch.EventType, u *codec.Undecodable) error {
	q := r.quarantined(u)
	if typ == watch.Deleted {
		r.record.release(q.Name)
		if err := r.deleteNamed(q.Name); err != nil {
			return err
		}
	} else if r.record.isolate(q) {
		klog.FromContext(ctx).Info("Warning: object cannot be decoded, keeping its last good state", "object", q.Name, "err", q.Err)
	}
	if r.bookmark == nil {
		return nil
	}
	return r.bookmark(u.GetResourceVersion())
}

// deleteNamed deletes an object from the store whose last state is not known.
func (r *Reflector) deleteNamed(name ObjectName) error {
	if getter, ok := r.store.(KeyGetter); ok {
		known, found, err := getter.GetByKey(name.String())
		if err != nil || !found {
			return err
		}
		return r.store.Delete(known)
	}
	return r.store.Delete(DeletedFinalStateUnknown{Key: name.String()})
}

// understand returns the metadata of an event's object. The error is that of an error event, or
// reports an invalid event.
func (r *Reflector) understand(event watch.Event) (metav1.Object, error) {
	switch event.Type {
	case watch.Added, watch.Modified, watch.Deleted, watch.Bookmark:
	case watch.Error:
		return nil, apierrors.FromObject(event.Object)
	default:
		return nil, fmt.Errorf("unknown event type %q", event.Type)
	}
	switch u := event.Object.(type) {
	case *codec.Undecodable:
		return u, nil
	case *codec.Unselected:
		return u, nil
	}
	if t, ok := event.Object.(*codec.Text); ok && t.Type() == r.expectedType {
		return t, nil
	}
	if m, ok := event.Object.(*metav1.PartialObjectMetadata); ok && event.Type == watch.Bookmark {
		return m, nil // of a view: see runtime/watch
	}
	if r.expectedType != nil && reflect.TypeOf(event.Object) != r.expectedType {
		return nil, fmt.Errorf("unexpected object of type %T, want %v", event.Object, r.expectedType)
	}
	if r.expectedGVK != nil {
		if gvk := event.Object.GetObjectKind().GroupVersionKind(); gvk != *r.expectedGVK {
			return nil, fmt.Errorf("unexpected object of kind %v, want %v", gvk, *r.expectedGVK)
		}
	}
	if err := tableError(event.Object); err != nil {
		return nil, err
	}
	m, err := meta.Accessor(event.Object)
	if err != nil {
		return nil, fmt.Errorf("invalid object in event: %w", err)
	}
	return m, nil
}

// reject reports an error of the store, which a retry would not help against.
func (r *Reflector) reject(ctx context.Context, err error, what string, obj runtime.Object) {
	r.record.note(err, r.clock.Now())
	logger := klog.FromContext(ctx)
	if m, ok := obj.(metav1.Object); ok {
		logger = klog.LoggerWithValues(logger, "object", klog.KObj(m))
	}
	utilruntime.HandleErrorWithLogger(logger, err, what)
}
