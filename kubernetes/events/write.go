package events

import (
	"context"
	"time"

	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/klog/v2"

	"github.com/listwatch/listwatch/kubernetes/internal/broadcast"
	"github.com/listwatch/listwatch/kubernetes/record/util"
)

// outcome is the result of a write.
type outcome int

const (
	accepted    outcome = iota // by the sink
	rejected                   // by the sink: further attempts are useless
	exhausted                  // all attempts failed
	interrupted                // by Shutdown or the end of the context, after a failed attempt
)

// write is one write of an event. It owns the event.
type write struct {
	b      *broadcaster
	ctx    context.Context
	event  *eventsv1.Event
	exists bool // the event was written before, so it is updated
}

// run attempts to write the event until the sink accepts or rejects it.
func (w *write) run() outcome {
	logger := klog.FromContext(w.ctx)
	for tries := 1; ; tries++ {
		err := w.attempt()
		switch {
		case err == nil:
			return accepted
		case w.ctx.Err() != nil:
			return interrupted
		case w.event.Series != nil && apierrors.IsAlreadyExists(err):
			w.exists = true
		case broadcast.Final(logger, err, describe(w.event)...):
			return rejected
		}
		if tries == broadcast.MaxTries {
			logger.Error(nil, "Unable to write event (retry limit exceeded!)", describe(w.event)...)
			return exhausted
		}
		if !w.sleep(wait.Jitter(w.b.sleepDuration, 0.25)) {
			logger.Error(nil, "Unable to write event (broadcaster is shut down)", describe(w.event)...)
			return interrupted
		}
	}
}

// attempt writes the event once: it updates the series of an event that was written before, and creates the event
// if it is new or was deleted.
func (w *write) attempt() error {
	if w.exists && w.event.Series != nil {
		patch, err := seriesPatch(w.event)
		if err != nil {
			return err
		}
		if _, err = w.b.sink.Patch(w.ctx, w.event, patch); !util.IsKeyNotFoundError(err) {
			return err
		}
	}
	w.event.ResourceVersion = ""
	_, err := w.b.sink.Create(w.ctx, w.event)
	return err
}

// sleep waits, and returns false if the broadcaster is shut down or the context is done.
func (w *write) sleep(d time.Duration) bool {
	select {
	case <-w.b.Done():
		return false
	case <-w.ctx.Done():
		return false
	default:
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-w.b.Done():
		return false
	case <-w.ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}
