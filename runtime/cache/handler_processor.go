package cache

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"k8s.io/klog/v2"

	"github.com/listwatch/listwatch/runtime/cache/internal/delta"
)

// processor delivers events to the handlers of an informer, each at its own pace. Events are stored
// once, in a log; see [handlerLog]. A handler with a bound has its own queue; see [mergeQueue].
type processor struct {
	options processorOptions

	resyncsChanged chan struct{}  // one element: the next resync may be due at another time
	readers        sync.WaitGroup // the handlers' goroutines

	mu       sync.Mutex // guards the fields below; locked after the applier's lock, if both are taken
	log      handlerLog
	handlers []*registration // in the order in which they were added
	resyncs  resyncCheck
	logger   klog.Logger // the informer's, once it runs
	started  bool
	synced   bool
	stopped  bool
}

// processorOptions configure a processor.
type processorOptions struct {
	// informer is done when the informer has synced.
	informer DoneChecker
	// resync is the informer's resync period; 0 disables resync for all handlers. No period is
	// shorter than minResync.
	resync, minResync time.Duration
	// sources are those of the informer if one of them has its own resync period, otherwise none.
	sources []Source
	// locked calls f while nothing can be published, and snapshot then returns the
	// objects of the store; both are for resyncs.
	locked   func(f func())
	snapshot func() []any
	// copies are what handlers get in place of the objects.
	copies bool
	// detector finds modifications by handlers; nil if none are looked for.
	detector *mutationDetector
	// drain delivers all published events at the end. Otherwise only running calls are waited for.
	drain bool
}

func newProcessor(o processorOptions) *processor {
	return &processor{
		options:        o,
		resyncsChanged: make(chan struct{}, 1),
		log:            newHandlerLog(o.copies),
		resyncs:        newResyncCheck(o.resync, o.minResync),
		logger:         klog.Background(),
	}
}

// publish delivers deltas, which the store has applied, to the handlers. It does not retain the
// slice. The applier's lock is held.
func (p *processor) publish(changes []delta.Delta) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.stopped || len(p.handlers) == 0 {
		return
	}
	now := time.Now()
	p.log.append(changes, now)
	for _, r := range p.handlers {
		if r.merge != nil {
			r.merge.publish(changes, now)
		}
		r.poke()
	}
}

// markSynced marks the end of the initial objects: handlers that were called for everything up to
// here have synced. The applier's lock is held.
func (p *processor) markSynced() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.synced || p.stopped {
		return
	}
	p.synced = true
	now := time.Now()
	p.log.mark(markSynced, now)
	for _, r := range p.handlers {
		if r.merge != nil {
			r.merge.mark(markSynced, now)
		}
		r.planResyncs(now)
		r.poke()
	}
	p.replanResyncs()
}

// add adds a handler, which is called for the initial objects first and then for what is published
// from now on. resync is its requested resync period, 0 for none. The applier's lock is held, so
// that initial are the objects of the store now. A handler that is added to a stopped processor is
// never called.
func (p *processor) add(h ResourceEventHandler, o HandlerOptions, resync time.Duration, initial []any) *registration {
	r := newRegistration(p, h, o)
	p.mu.Lock()
	defer p.mu.Unlock()
	r.logger = p.logger
	if o.Logger != nil {
		r.logger = *o.Logger
	}
	if o.Bound > 0 {
		r.merge = newMergeQueue(o.Bound)
		r.backlog = r.merge
	} else {
		r.cursor = p.log.join()
		r.backlog = r.cursor
	}
	p.handlers = append(p.handlers, r)
	if p.stopped {
		r.stop(deliverNone)
		p.drop(r)
		r.backlog.release()
		close(r.done)
		return r
	}
	now := time.Now()
	var marks mark
	if p.synced {
		marks = markSynced
	}
	if len(initial) > 0 || marks != 0 {
		p.address([]*registration{r}, initial, initialAdd, marks, now)
	}
	p.requestResync(r, resync)
	if p.synced {
		r.planResyncs(now)
		p.replanResyncs()
	}
	if p.started {
		p.readers.Go(r.run)
	}
	return r
}

// addInitial delivers objects to all handlers that did not get them when they were added, because
// the processor was not running. The applier's lock is held.
func (p *processor) addInitial(objects []any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(objects) > 0 && len(p.handlers) > 0 {
		p.address(slices.Clone(p.handlers), objects, initialAdd, 0, time.Now())
	}
}

func initialAdd(obj any) event { return event{kind: eventAdd, initial: true, object: obj} }

// address delivers events to some handlers only. p.mu is held.
func (p *processor) address(to []*registration, objects []any, as func(any) event, marks mark, at time.Time) {
	var cursors []*cursor
	for _, r := range to {
		if r.merge != nil {
			r.merge.address(objects, as, marks, at)
		} else {
			cursors = append(cursors, r.cursor)
		}
	}
	if len(cursors) > 0 {
		p.log.address(cursors, objects, as, marks, at)
	}
	for _, r := range p.handlers { // all, since idle ones would retain segments that are not theirs
		r.poke()
	}
}

// remove removes a handler: only a running call of it continues. done is closed when that has
// returned, or immediately if the handler does not belong to this processor, or no longer. A
// handler may be removed by its own methods, and more than once.
func (p *processor) remove(handle ResourceEventHandlerRegistration) (done <-chan struct{}, err error) {
	r, ok := handle.(*registration)
	if !ok {
		return nil, fmt.Errorf("registration of type %T does not belong to this informer", handle)
	}
	if r.processor != p {
		nothing := make(chan struct{})
		close(nothing)
		return nothing, nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	known := p.drop(r)
	r.stop(deliverNone)
	if known && !p.started {
		r.backlog.release()
		close(r.done)
	}
	return r.done, nil
}

// forget removes a handler whose goroutine ends by itself.
func (p *processor) forget(r *registration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	r.stop(deliverNone)
	if !p.stopped {
		p.drop(r)
	}
}

// drop removes r from the handlers and reports whether it was one of them. p.mu is held.
func (p *processor) drop(r *registration) bool {
	i := slices.Index(p.handlers, r)
	if i < 0 {
		return false
	}
	p.handlers = slices.Delete(p.handlers, i, i+1)
	return true
}

// run runs the handlers until ctx is done, and returns when the rest is delivered, if the options
// say so, and all calls have returned. It is called once.
func (p *processor) run(ctx context.Context) {
	p.start(klog.FromContext(ctx))
	p.runResyncs(ctx)
	p.stop()
	p.readers.Wait()
}

func (p *processor) start(logger klog.Logger) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.started = true
	p.logger = logger
	for _, r := range p.handlers {
		if r.options.Logger == nil {
			r.logger = logger
		}
		p.readers.Go(r.run)
	}
}

func (p *processor) stop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stopped = true
	how := int32(deliverNone)
	if p.options.drain {
		how = deliverRest
	}
	for _, r := range p.handlers {
		r.stop(how)
	}
}

// names returns the handlers' names, in the order in which the handlers were added.
func (p *processor) names() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	names := make([]string, len(p.handlers))
	for i, r := range p.handlers {
		names[i] = r.name()
	}
	return names
}

// states returns the handlers' states, in the order in which the handlers were added.
func (p *processor) states() []HandlerState {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	states := make([]HandlerState, len(p.handlers))
	for i, r := range p.handlers {
		states[i] = r.state(now)
	}
	return states
}
