package rest

import (
	"fmt"
	"io"
	"sync"

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/klog/v2"
)

// watchAhead is how many events are decoded before somebody takes them: enough that decoding and
// what is done with events do not wait for each other at each of them.
const watchAhead = 64

// watcher is a [watch.Interface] of what a decoder returns, in a goroutine of its own.
type watcher struct {
	logger   klog.Logger
	decoder  *watchDecoder
	reporter *watchReporter
	events   chan watch.Event
	stopped  chan struct{}
	stop     sync.Once
}

func newWatcher(logger klog.Logger, decoder *watchDecoder, reporter *watchReporter) *watcher {
	w := &watcher{logger: logger, decoder: decoder, reporter: reporter, events: make(chan watch.Event, watchAhead), stopped: make(chan struct{})}
	go w.receive()
	return w
}

// ResultChan implements [watch.Interface]. What was decoded before the watch is stopped may still come.
func (w *watcher) ResultChan() <-chan watch.Event { return w.events }

// Stop implements [watch.Interface]. It may be called more than once and at any time.
func (w *watcher) Stop() {
	w.stop.Do(func() {
		close(w.stopped)
		w.decoder.Close()
	})
}

func (w *watcher) receive() {
	defer utilruntime.HandleCrashWithLogger(w.logger)
	defer close(w.events)
	defer w.Stop()
	for {
		typ, obj, err := w.decoder.Decode()
		select {
		case <-w.stopped: // what comes of that is nobody's business, even if there is room
			return
		default:
		}
		if err != nil && !w.failed(err) {
			return
		}
		if err != nil {
			typ, obj = watch.Error, w.reporter.AsObject(fmt.Errorf("unable to decode an event from the watch stream: %v", err)) //nolint:errorlint // text for a Status
		}
		select {
		case <-w.stopped:
			return
		case w.events <- watch.Event{Type: typ, Object: obj}:
		}
		if err != nil {
			return
		}
	}
}

// failed says whether err is more than the end of a watch.
func (w *watcher) failed(err error) bool {
	switch {
	case err == io.EOF: //nolint:errorlint // one that is wrapped is about an event
		return false
	case err == io.ErrUnexpectedEOF: //nolint:errorlint // the same
		w.logger.V(1).Info("Watch ended within an event", "err", err)
		return false
	case w.decoder.body.lost():
		w.logger.V(1).Info("Connection of a watch was lost", "err", w.decoder.body.err)
		return false
	}
	return true
}
