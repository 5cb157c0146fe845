package cache

import (
	"context"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/utils/clock"

	"github.com/listwatch/listwatch/runtime/cache/internal/shards"
)

// openWatch is a running watch. It is used by one goroutine.
type openWatch struct {
	watch   watch.Interface
	events  <-chan watch.Event
	batches <-chan []watch.Event // instead of events, if not nil
	batch   []watch.Event        // the rest of the last one
	cancel  context.CancelFunc
	start   time.Time // before the request
	at      time.Time // of the last event, about
	seen    int       // events since the clock was looked at
	ordered bool      // from here on, a watch can resume from the last version
	fake    bool      // resource versions are made up, and may go back

	quiet time.Duration // how long it may be silent
	timer clock.Timer   // fires after this long at the earliest
}

// openWatch starts a watch. It waits at most as long as the watch may be silent, and until ctx
// ends. It panics if the watcher does.
func (r *Reflector) openWatch(ctx context.Context, options metav1.ListOptions) (*openWatch, error) {
	r.record.doing("beginning a watch")
	r.metrics.watch()
	quiet := r.quiet(options)
	if options.SendInitialEvents != nil {
		quiet = r.watchListDeadline
	}
	ctx, cancel := context.WithCancel(ctx)
	w := &openWatch{
		cancel:  cancel,
		start:   r.clock.Now(),
		ordered: options.ResourceVersion != "" && options.ResourceVersion != "0",
		quiet:   quiet,
		timer:   r.clock.NewTimer(quiet),
	}
	w.at = w.start
	defer func() {
		if w.watch == nil {
			w.timer.Stop()
			cancel()
		}
	}()

	selection := r.selection
	shards.SetSelector(&options, selection)
	opened := callInBackground(func() (watch.Interface, error) {
		return r.listerWatcher.WatchWithContext(withSelection(ctx, selection), options)
	})
	var err error
	select {
	case o := <-opened:
		var begun watch.Interface
		if begun, err = o.result(); err == nil {
			w.watch, w.fake = begun, isFakeWatch(begun)
			if b, ok := begun.(interface{ ResultBatches() <-chan []watch.Event }); ok {
				w.batches = b.ResultBatches()
			} else {
				w.events = begun.ResultChan()
			}
			return w, nil
		}
		opened = nil
	case <-ctx.Done():
		err = ctx.Err()
	case <-r.resharded():
		err = errResharded
	case <-w.timer.C():
		err = &silentError{quiet}
	}
	if opened != nil {
		go func() { // because nothing waits for it any more
			if o := <-opened; o.err == nil {
				o.value.Stop()
			}
		}()
	}
	return nil, err
}

// isFakeWatch reports whether a watch is a fake with made-up resource versions: one of
// apimachinery's, or one that reports that, as those of fake clientsets do.
func isFakeWatch(w watch.Interface) bool {
	switch w := w.(type) {
	case *watch.FakeWatcher, *watch.RaceFreeFakeWatcher:
		return true
	case interface{ HasMadeUpVersions() bool }:
		return w.HasMadeUpVersions()
	}
	return false
}

// quiet is how long a watch may be silent.
func (r *Reflector) quiet(options metav1.ListOptions) time.Duration {
	if r.progressDeadline != 0 {
		return r.progressDeadline
	}
	return time.Duration(*options.TimeoutSeconds)*time.Second + watchGrace
}

// endInitial ends the initial objects of the watch, which may be silent for quiet from now on.
func (w *openWatch) endInitial(quiet time.Duration) {
	w.ordered, w.quiet = true, quiet
	w.timer.Stop()
	w.timer.Reset(quiet)
}

// Stop ends the watch.
func (w *openWatch) Stop() {
	w.timer.Stop()
	w.watch.Stop()
	w.cancel()
}

// next waits for the next event. It returns false if the watch has ended, and an error if ctx ends,
// the watch is silent for too long, or the store cannot resync.
func (w *openWatch) next(ctx context.Context, r *Reflector) (watch.Event, bool, error) {
	if err := ctx.Err(); err != nil {
		return watch.Event{}, false, err
	}
	// If the next event is there already, checking nothing else is cheaper. From time to time
	// everything is checked.
	if w.seen++; w.seen < eventsPerLook {
		if len(w.batch) > 0 {
			return w.pop(), true, nil
		}
		select {
		case event, ok := <-w.events:
			return event, ok, nil
		case w.batch = <-w.batches:
			open := len(w.batch) > 0 // a closed channel has none
			return w.pop(), open, nil
		default:
		}
	}
	if w.seen > 1 {
		w.seen, w.at = 0, r.clock.Now() // the events were passed on since, however long that took
	}
	for {
		var waiting <-chan struct{} // events of a batch
		batches := w.batches
		if len(w.batch) > 0 {
			waiting, batches = closed, nil
		}
		select {
		case event, ok := <-w.events:
			w.seen, w.at = 0, r.clock.Now()
			return event, ok, nil
		case w.batch = <-batches:
			w.seen, w.at = 0, r.clock.Now()
			open := len(w.batch) > 0
			return w.pop(), open, nil
		case <-waiting:
			w.seen = 0
			return w.pop(), true, nil
		case <-ctx.Done():
			return watch.Event{}, false, ctx.Err()
		case <-r.resharded():
			return watch.Event{}, false, errResharded
		case <-r.resyncDue():
			if err := r.resyncNow(ctx); err != nil {
				return watch.Event{}, false, err
			}
		case <-w.timer.C():
			left := w.quiet - r.clock.Since(w.at)
			if left <= 0 {
				return watch.Event{}, false, &silentError{w.quiet}
			}
			w.timer.Reset(left)
		}
	}
}

// closed is a channel that is closed.
var closed = func() <-chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}()

// pop returns the next event of the batch, or an empty one if there is none.
func (w *openWatch) pop() (event watch.Event) {
	if len(w.batch) > 0 {
		event, w.batch[0] = w.batch[0], watch.Event{}
		w.batch = w.batch[1:]
	}
	return event
}
