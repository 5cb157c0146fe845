package events

import (
	"context"
	"time"

	eventsv1 "k8s.io/api/events/v1"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/klog/v2"

	"github.com/listwatch/listwatch/kubernetes/internal/broadcast"
)

const (
	// maxWrites is the number of events that are written at once, each by its own goroutine.
	maxWrites = 8
	// maxPending is the number of events that wait to be written before more are dropped.
	maxPending = 1000
)

// recording writes events to the sink. All of it belongs to one goroutine, that of run; other goroutines
// write copies of events and report to it.
//
// Of each series, at most one write is active. What occurs meanwhile is counted and written afterwards, so that a
// slow server gets fewer writes instead of a longer queue.
type recording struct {
	b       *broadcaster
	ctx     context.Context
	series  map[seriesKey]*series
	pending []*series    // wait to be written
	writing int          // number of active writes
	results chan written // from active writes
	gaveUp  bool         // an event could not be written after the broadcaster was shut down
}

// written is the result of a write.
type written struct {
	series  *series
	outcome outcome
}

// recordTo writes the events of a watcher until it is stopped, by the context or by Shutdown, and all that it had
// received is handled.
func (b *broadcaster) recordTo(ctx context.Context, w *broadcast.Watcher[*eventsv1.Event]) {
	defer utilruntime.HandleCrashWithContext(ctx)
	defer context.AfterFunc(ctx, w.Stop)()
	r := &recording{b: b, ctx: ctx, series: map[seriesKey]*series{}, results: make(chan written, maxWrites)}
	r.run(w.Events())
}

func (r *recording) run(events <-chan *eventsv1.Event) {
	finish, refresh := time.NewTicker(finishTime), time.NewTicker(refreshTime)
	defer finish.Stop()
	defer refresh.Stop()
	for events != nil || r.writing > 0 {
		select {
		case event, ok := <-events:
			if ok {
				r.observe(event)
			} else {
				events = nil
			}
		case w := <-r.results:
			r.done(w)
		case <-finish.C:
			r.finish()
		case <-refresh.C:
			r.refresh()
		}
		r.startWrites()
	}
}

// observe counts an event.
func (r *recording) observe(event *eventsv1.Event) {
	s, ok := r.series[keyOf(event)]
	if !ok {
		s = newSeries(event)
		r.series[s.key] = s
		r.enqueue(s)
	} else if s.repeat(time.Now()) {
		r.enqueue(s)
	}
}

// enqueue has an event written, after the write of it that is pending or active.
func (r *recording) enqueue(s *series) {
	switch {
	case s.busy:
		s.again = true
	case len(r.pending) >= maxPending:
		delete(r.series, s.key)
		r.b.Overflowed.Add(1)
		if r.b.LogDrop() {
			r.logger().Error(nil, "Unable to record event: too many queued events, dropped event",
				append(describe(s.event), "dropped", r.b.Overflowed.Load())...)
		}
	default:
		r.push(s)
	}
}

func (r *recording) push(s *series) {
	s.busy = true
	r.pending = append(r.pending, s)
}

// startWrites starts as many writes as may be active at once.
func (r *recording) startWrites() {
	if r.gaveUp || r.ctx.Err() != nil {
		r.b.Failed.Add(uint64(len(r.pending)))
		r.pending = nil
		return
	}
	for len(r.pending) > 0 && r.writing < maxWrites {
		s := r.pending[0]
		r.pending = r.pending[1:]
		s.again = false // which the copy includes
		w := write{b: r.b, ctx: r.ctx, event: s.event.DeepCopy(), exists: s.exists}
		r.writing++
		go func() { r.results <- written{s, w.run()} }()
	}
}

// done takes the result of a write.
func (r *recording) done(w written) {
	s := w.series
	r.writing--
	s.busy, s.exists = false, true
	switch w.outcome {
	case accepted:
		r.b.Written.Add(1)
	case rejected, exhausted:
		r.b.Failed.Add(1)
	case interrupted:
		r.b.Failed.Add(1)
		r.gaveUp = true
	}
	switch {
	case s.again: // in the place of the write that has ended
		r.push(s)
	case s.ending && (w.outcome == accepted || w.outcome == rejected):
		delete(r.series, s.key)
	}
}

// finish removes what has not occurred for a while. The state of a series is written first.
func (r *recording) finish() {
	now := time.Now()
	for key, s := range r.series {
		switch {
		case !s.isOver(now):
		case s.event.Series != nil:
			s.ending = true
			r.enqueue(s)
		case !s.busy:
			delete(r.series, key)
		}
	}
}

// refresh writes the state of all series, so that the server does not delete their events.
func (r *recording) refresh() {
	for _, s := range r.series {
		if s.event.Series != nil && !s.busy {
			r.enqueue(s)
		}
	}
}

func (r *recording) logger() klog.Logger { return klog.FromContext(r.ctx) }
