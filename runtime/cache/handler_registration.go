package cache

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync/atomic"
	"time"

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/klog/v2"
)

// crashPause is how long a handler is not called after a panic that should have crashed the
// process.
const crashPause = time.Second

// errHandlerEnded reports that a handler does not sync because it was removed or stopped.
var errHandlerEnded = errors.New("removed or stopped before it was called for all objects")

// errHandlerExited reports that a handler has ended the goroutine that calls it, as a test's FailNow does.
var errHandlerExited = errors.New("handler called runtime.Goexit")

// registration is a handler of a processor, and the goroutine that calls it.
type registration struct {
	processor *processor
	handler   ResourceEventHandler
	options   HandlerOptions
	logger    klog.Logger // set when the goroutine starts

	backlog backlog
	cursor  *cursor     // the backlog, if it is without a bound
	merge   *mergeQueue // the backlog, if it has a bound

	resyncs []resyncPlan // guarded by the processor's lock

	wake      chan struct{} // one element: there may be something to do
	stopping  atomic.Int32  // one of the constants below
	synced    *signal       // when it was called for the initial objects
	done      chan struct{} // closed when it will not be called any more
	exited    atomic.Bool   // the handler called runtime.Goexit
	resyncing atomic.Bool   // a resync is in the backlog

	handled, panics atomic.Int64
	crashed         bool // the last event panicked and should have crashed; used by the goroutine only
}

const (
	deliverAll  = iota // whatever arrives
	deliverRest        // what is in the backlog, and then nothing
	deliverNone        // nothing
)

// backlog contains the events that a handler was not called for yet. It is read by one goroutine.
type backlog interface {
	next() *segment  // returns what to read now, or nil
	done(s *segment) // s, which was returned by next, has been read
	release()        // the reader has stopped: nothing is retained for it
}

func newRegistration(p *processor, h ResourceEventHandler, o HandlerOptions) *registration {
	return &registration{
		processor: p,
		handler:   h,
		options:   o,
		wake:      make(chan struct{}, 1),
		synced:    newSignal(),
		done:      make(chan struct{}),
	}
}

// HasSynced implements [ResourceEventHandlerRegistration].
func (r *registration) HasSynced() bool { return r.synced.happened() }

// HasSyncedChecker implements [ResourceEventHandlerRegistration].
func (r *registration) HasSyncedChecker() DoneChecker { return handlerSynced{r} }

// ShutdownChan returns a channel that is closed when the handler will not be called any more.
func (r *registration) ShutdownChan() <-chan struct{} { return r.done }

func (r *registration) name() string {
	if r.options.Name != "" {
		return r.options.Name
	}
	return nameForHandler(r.handler)
}

// handlerSynced is done when a handler has synced.
type handlerSynced struct{ r *registration }

func (s handlerSynced) Done() <-chan struct{} { return s.r.synced.done() }

func (s handlerSynced) Name() string {
	return s.r.processor.options.informer.Name() + " + event handler " + s.r.name()
}

// unsyncedCause returns why the handler has not synced, nil if it has.
func (s handlerSynced) unsyncedCause() error {
	switch informer := s.r.processor.options.informer; {
	case s.r.synced.happened():
		return nil
	case s.r.exited.Load():
		return errHandlerExited
	case isClosed(s.r.done):
		return errHandlerEnded
	case !IsDone(informer):
		if why, ok := informer.(interface{ unsyncedCause() error }); ok {
			return why.unsyncedCause()
		}
		return errNotSynced
	default:
		return fmt.Errorf("%d changes not delivered yet", s.r.currentState().Lag)
	}
}

// run calls the handler until it is stopped.
func (r *registration) run() {
	returned := false
	defer func() { r.end(returned) }()
	r.deliverUntilStopped()
	returned = true
}

// deliverUntilStopped is run without cleaning up.
func (r *registration) deliverUntilStopped() {
	for {
		stopping := r.stopping.Load() // before next, so that nothing is missed that arrived before it
		if stopping == deliverNone {
			return
		}
		s := r.backlog.next()
		if s == nil {
			if stopping == deliverRest {
				return
			}
			<-r.wake
			continue
		}
		// What arrived after the removal must not be read: the others may be freeing it. And what
		// was not delivered is not done.
		if r.stopping.Load() == deliverNone {
			return
		}
		if r.processor.options.copies && len(s.events) > 0 {
			copied := s.copies.of(s.events)
			r.deliver(copied.events)
			runtime.KeepAlive(copied)
		} else {
			r.deliver(s.events)
		}
		if r.stopping.Load() == deliverNone {
			return
		}
		if s.marks&markResynced != 0 {
			r.resyncing.Store(false)
		}
		if s.marks&markSynced != 0 {
			r.synced.send()
		}
		r.backlog.done(s)
	}
}

// end cleans up when the goroutine ends: because it was stopped or, if it did not return, because the handler panics or
// calls runtime.Goexit.
func (r *registration) end(returned bool) {
	if !returned && !r.crashed {
		r.exited.Store(true)
		utilruntime.HandleErrorWithLogger(r.logger, errHandlerExited, "Event handler is not called any more", "handler", r.name())
	}
	r.processor.forget(r)
	r.backlog.release()
	close(r.done)
}

// deliver calls the handler for events, unless it is stopped.
func (r *registration) deliver(events []event) {
	for n := 0; n < len(events); {
		if r.crashed {
			r.pause(crashPause)
			r.crashed = false
		}
		if r.stopping.Load() == deliverNone {
			return
		}
		n += r.deliverUntilPanic(events[n:])
	}
}

// deliverUntilPanic returns how many of the events were delivered: up to and including one that
// made the handler panic.
func (r *registration) deliverUntilPanic(events []event) (n int) {
	if r.options.Panics == PanicIsolate {
		defer r.isolate()
	} else {
		defer utilruntime.HandleCrashWithLogger(r.logger, r.crash)
	}
	for n < len(events) && r.stopping.Load() != deliverNone {
		e := events[n].opened()
		n++
		r.call(&e)
		r.handled.Add(1)
	}
	return n
}

// call calls the handler for an event.
func (r *registration) call(e *event) {
	if detector := r.processor.options.detector; detector != nil {
		defer detector.end(detector.begin(r.name(), e))
	}
	switch e.kind {
	case eventAdd:
		r.handler.OnAdd(e.object, e.initial)
	case eventUpdate:
		r.handler.OnUpdate(e.old, e.object)
	case eventDelete:
		r.handler.OnDelete(e.object)
	case eventRelease:
		released(r.handler, e.object)
	}
}

// isolate ends a panic of the handler.
func (r *registration) isolate() {
	if cause := recover(); cause != nil {
		r.handled.Add(1)
		r.panics.Add(1)
		reportPanic(r.logger, cause)
	}
}

// crash is called for a panic of the handler that crashes the process, unless crashes are off.
func (r *registration) crash(context.Context, any) {
	r.handled.Add(1)
	r.panics.Add(1)
	r.crashed = true
}

// pause waits, at most until the handler is stopped.
func (r *registration) pause(d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	for r.stopping.Load() == deliverAll {
		select {
		case <-timer.C:
			return
		case <-r.wake:
		}
	}
}

// stop makes the goroutine end, and does not wait for it. Events that will not be delivered are
// freed, except those in the segment that is being delivered. The processor's lock is held.
func (r *registration) stop(how int32) {
	if how <= r.stopping.Load() {
		return
	}
	r.stopping.Store(how) // first, so that nothing that is freed is started
	switch {
	case how != deliverNone:
	case r.merge != nil:
		r.merge.leave()
	default:
		r.processor.log.leave(r.cursor)
	}
	r.poke()
}

// poke wakes the goroutine: there may be something to do.
func (r *registration) poke() {
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

func (r *registration) currentState() HandlerState {
	r.processor.mu.Lock()
	defer r.processor.mu.Unlock()
	return r.state(time.Now())
}

// state is called with the processor's lock held.
func (r *registration) state(now time.Time) HandlerState {
	s := HandlerState{
		Name:    r.name(),
		Synced:  r.synced.happened(),
		Handled: r.handled.Load(),
		Panics:  r.panics.Load(),
	}
	var oldest time.Time
	if r.merge != nil {
		s.Lag, oldest, s.Merged = r.merge.state()
	} else {
		s.Lag = r.processor.log.total + r.cursor.expected - int(s.Handled)
		oldest = r.cursor.oldest()
	}
	if s.Lag > 0 && !oldest.IsZero() {
		s.LagTime = now.Sub(oldest)
	}
	return s
}
