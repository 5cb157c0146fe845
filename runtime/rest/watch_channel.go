package rest

import (
	"fmt"
	"io"
	"sync"

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/klog/v2"
)

// watchAhead is the number of events that are decoded in advance: enough that decoding and handling of events
// rarely wait for each other.
const watchAhead = 64

// watcher is a [watch.Interface] that runs a decoder in its own goroutine.
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

// ResultChan implements [watch.Interface]. Events that were decoded before Stop may still be delivered.
func (w *watcher) ResultChan() <-chan watch.Event { return w.events }

// Stop implements [watch.Interface]. It may be called repeatedly and at any time.
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
		case <-w.stopped: // the event is dropped even if the channel has room
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

// failed reports whether err is more than the end of a watch.
func (w *watcher) failed(err error) bool {
	switch {
	case err == io.EOF: //nolint:errorlint // a wrapped one belongs to an event
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
