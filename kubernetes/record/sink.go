package record

import (
	"math/rand/v2"
	"time"

	corev1 "k8s.io/api/core/v1"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/listwatch/listwatch/kubernetes/internal/broadcast"
	"github.com/listwatch/listwatch/kubernetes/record/util"
)

func (b *broadcaster) StartRecordingToSink(sink EventSink) watch.Interface {
	w := &writer{b: b, sink: sink, correlator: NewEventCorrelatorWithOptions(b.correlator)}
	return b.StartEventWatcher(w.handle)
}

// writer writes events to a sink, one after the other: while the server cannot be reached, all events wait for
// the oldest one. One goroutine uses it.
type writer struct {
	b          *broadcaster
	sink       EventSink
	correlator *EventCorrelator
	gaveUp     bool // an event could not be written after the broadcaster was shut down
}

// handle writes an event, unless the correlator drops it.
func (w *writer) handle(event *corev1.Event) {
	if w.gaveUp {
		w.b.Failed.Add(1)
		return
	}
	result, err := w.correlator.EventCorrelate(event)
	if err != nil {
		utilruntime.HandleErrorWithContext(w.b.ctx, err, "Event correlation failed")
		return
	}
	if result.Skip {
		w.b.Filtered.Add(1)
		return
	}
	if w.write(result.Event, result.Patch) {
		w.b.Written.Add(1)
	} else {
		w.b.Failed.Add(1)
	}
}

// write attempts to write an event until the sink accepts or rejects it, and reports whether it accepted.
func (w *writer) write(event *corev1.Event, patch []byte) bool {
	logger := w.b.logger()
	for tries := 1; ; tries++ {
		written, err := w.attempt(event, patch)
		if err == nil {
			if written != nil {
				w.correlator.UpdateState(written)
			}
			return true
		}
		if broadcast.Final(logger, err, describe(event)...) {
			return false
		}
		if tries == broadcast.MaxTries {
			logger.Error(nil, "Unable to write event (retry limit exceeded!)", describe(event)...)
			return false
		}
		pause := w.b.sleepDuration
		if tries == 1 {
			pause = time.Duration(float64(pause) * rand.Float64())
		}
		if !w.sleep(pause) {
			w.gaveUp = true
			logger.Error(nil, "Unable to write event (broadcaster is shut down)", describe(event)...)
			return false
		}
	}
}

// attempt writes an event once: it updates the count of an event that occurred before, and creates the event if
// it is new or was deleted.
func (w *writer) attempt(event *corev1.Event, patch []byte) (*corev1.Event, error) {
	if event.Count > 1 {
		written, err := w.sink.Patch(event, patch)
		if !util.IsKeyNotFoundError(err) {
			return written, err
		}
	}
	event.ResourceVersion = ""
	return w.sink.Create(event)
}

// sleep waits, and returns false if the broadcaster is shut down.
func (w *writer) sleep(d time.Duration) bool {
	select {
	case <-w.b.Done():
		return false
	default:
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-w.b.Done():
		return false
	case <-timer.C:
		return true
	}
}
