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

// watcher is a [watch.Interface] that runs a decoder in its own goroutine, once its events are asked for.
type watcher struct {
	logger   klog.Logger
	decoder  *watchDecoder
	reporter *watchReporter
	begin    sync.Once
	events   chan watch.Event   // of ResultChan
	batches  chan []watch.Event // of ResultBatches
	stopped  chan struct{}
	stop     sync.Once
}

func newWatcher(logger klog.Logger, decoder *watchDecoder, reporter *watchReporter) *watcher {
	return &watcher{
		logger: logger, decoder: decoder, reporter: reporter,
		events: make(chan watch.Event), batches: make(chan []watch.Event), stopped: make(chan struct{}),
	}
}

// ResultChan implements [watch.Interface]. Events that were decoded before Stop may still be delivered.
func (w *watcher) ResultChan() <-chan watch.Event {
	w.begin.Do(func() {
		w.events = make(chan watch.Event, watchAhead)
		close(w.batches)
		go w.receive(w.sendEvents, 1, func() { close(w.events) })
	})
	return w.events
}

// ResultBatches is ResultChan for callers that take several events at a time: all that have arrived. A batch is
// valid until the next one is received. Only the channel that is asked for first has events; the other is closed.
func (w *watcher) ResultBatches() <-chan []watch.Event {
	w.begin.Do(func() {
		close(w.events)
		go w.receive(w.sendBatch, watchAhead, func() { close(w.batches) })
	})
	return w.batches
}

// Stop implements [watch.Interface]. It may be called repeatedly and at any time.
func (w *watcher) Stop() {
	w.stop.Do(func() {
		close(w.stopped)
		w.decoder.Close()
	})
}

// receive decodes events and sends those that have arrived, up to most at once, until the watch ends.
func (w *watcher) receive(send func([]watch.Event) bool, most int, end func()) {
	defer utilruntime.HandleCrashWithLogger(w.logger)
	defer end()
	defer w.Stop()
	// While the receiver has one batch, the next is collected.
	var batch, other []watch.Event
	for {
		typ, obj, err := w.decoder.Decode()
		select {
		case <-w.stopped: // the event is dropped even if there is room for it
			return
		default:
		}
		failed := err != nil && w.failed(err)
		switch {
		case failed:
			obj = w.reporter.AsObject(fmt.Errorf("unable to decode an event from the watch stream: %v", err)) //nolint:errorlint // text for a Status
			batch = append(batch, watch.Event{Type: watch.Error, Object: obj})
		case err == nil:
			batch = append(batch, watch.Event{Type: typ, Object: obj})
		}
		if err == nil && len(batch) < most && w.decoder.hasNext() {
			continue
		}
		if len(batch) > 0 && !send(batch) || err != nil {
			return
		}
		batch, other = other[:0], batch
	}
}

// sendEvents sends events one by one. It returns false if the watch was stopped.
func (w *watcher) sendEvents(batch []watch.Event) bool {
	for _, event := range batch {
		select {
		case <-w.stopped:
			return false
		case w.events <- event:
		}
	}
	return true
}

// sendBatch sends events at once. It returns false if the watch was stopped.
func (w *watcher) sendBatch(batch []watch.Event) bool {
	select {
	case <-w.stopped:
		return false
	case w.batches <- batch:
		return true
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
