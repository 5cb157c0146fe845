package cache

import (
	"context"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/listwatch/listwatch/runtime/codec"
)

const (
	// defaultWatchListDeadline is how long a watch may be silent until all objects are received.
	defaultWatchListDeadline = 10 * time.Second
	// watchListDeadlines is how many times as long all objects may take.
	watchListDeadlines = 12
)

// watchList gets all objects by a watch that starts with them, and returns that watch.
func (r *Reflector) watchList(ctx context.Context) (*openWatch, error) {
	w, err := r.watchListFrom(ctx, r.watchListVersion())
	if err != nil && !r.unavailable && (isExpired(err) || isTooLarge(err)) {
		r.unavailable = true
		w, err = r.watchListFrom(ctx, r.watchListVersion())
	}
	return w, err
}

// watchListVersion returns the resource version that the objects must not be older than, empty for
// the newest.
func (r *Reflector) watchListVersion() string {
	if r.unavailable {
		return ""
	}
	return r.reached()
}

func (r *Reflector) watchListFrom(ctx context.Context, version string) (*openWatch, error) {
	start := r.clock.Now()
	r.record.listing("watch list", start)
	options := r.watchOptions(version)
	begin := true
	options.SendInitialEvents = &begin
	options.ResourceVersionMatch = metav1.ResourceVersionMatchNotOlderThan
	w, err := r.openWatch(ctx, options)
	if err != nil {
		return nil, err
	}
	r.record.doing("watch list")
	l := &listed{expected: r.listed, selection: r.selection}
	l.begin(r.store)
	filled := false
	defer func() {
		if !filled {
			w.Stop()
		}
	}()
	if err := r.initialEvents(ctx, w, l); err != nil {
		return nil, err
	}
	r.metrics.list(r.clock.Since(start))
	r.unavailable = false
	if err := r.commit(ctx, l, start); err != nil {
		return nil, err
	}
	filled = true
	w.endInitial(r.quiet(options))
	return w, nil
}

// initialEvents gets the initial objects of a watch into l, up to the bookmark that ends them.
func (r *Reflector) initialEvents(ctx context.Context, w *openWatch, l *listed) error {
	end := w.start.Add(watchListDeadlines * w.quiet)
	for {
		event, open, err := w.next(ctx, r)
		if err != nil {
			return err
		}
		if !open {
			return errIncomplete
		}
		if w.at.After(end) {
			return errNotInTime
		}
		m, err := r.understand(event)
		if err != nil {
			return err
		}
		r.record.event("", w.at)
		if event.Type == watch.Bookmark {
			if m.GetAnnotations()[metav1.InitialEventsAnnotationKey] != "true" {
				continue
			}
			l.version = m.GetResourceVersion()
			return nil
		}
		if _, others := event.Object.(*codec.Unselected); others {
			continue
		}
		if event.Type != watch.Added {
			// Changes since the server started to send the objects are sent as changes.
			name := ObjectName{Namespace: m.GetNamespace(), Name: m.GetName()}
			l.objects.Drop(name)
			delete(l.isolated, name)
		}
		if event.Type == watch.Deleted {
			continue
		}
		if err := r.addListed(l, event.Object); err != nil {
			return err
		}
	}
}
