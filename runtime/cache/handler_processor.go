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

// processor tells the handlers of an informer of changes, each at its own pace. What
// they are told is stored once, in a log; see [handlerLog]. A handler with a bound
// has a queue of its own; see [mergeQueue].
type processor struct {
	options processorOptions

	resyncsChanged chan struct{}  // one element: the next resync may be due at another time
	readers        sync.WaitGroup // the handlers' goroutines

	mu       sync.Mutex // guards what follows; after the applier's lock, if both are taken
	log      handlerLog
	handlers []*registration // in the order in which they were added
	resyncs  resyncCheck
	logger   klog.Logger // the informer's, once it runs
	started  bool
	synced   bool
	stopped  bool
}

// processorOptions says how a processor works.
type processorOptions struct {
	// informer is done when the informer has synced.
	informer DoneChecker
	// resync is the informer's own resync period; 0 is no resyncs at all. No period is
	// shorter than minResync.
	resync, minResync time.Duration
	// locked calls f while nothing can be published, and snapshot then returns the
	// objects of the store; both are for resyncs.
	locked   func(f func())
	snapshot func() []any
	// drain says that at the end handlers are told of all that was published, instead
	// of no more than the event they are at.
	drain bool
}

func newProcessor(o processorOptions) *processor {
	return &processor{
		options:        o,
		resyncsChanged: make(chan struct{}, 1),
		log:            newHandlerLog(),
		resyncs:        newResyncCheck(o.resync, o.minResync),
		logger:         klog.Background(),
	}
}

// publish tells the handlers of changes, which the store has been through. It does
// not keep the slice. The applier's lock is held.
func (p *processor) publish(changes []delta.Delta) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.stopped || len(p.handlers) == 0 {
		return
	}
	now := time.Now()
	p.log.publish(changes, now)
	for _, r := range p.handlers {
		if r.merge != nil {
			r.merge.publish(changes, now)
		}
		r.poke()
	}
}

// markSynced says that what was published up to now are the initial objects. Handlers
// that have been told of them have synced. The applier's lock is held.
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
		r.resync.plan(now)
		r.poke()
	}
	p.replanResyncs()
}

// add adds a handler, which is told of the initial objects first and then of what is
// published from now on. resync is how often it wants to be told of all objects, 0 is
// never. The applier's lock is held, so that initial is what the store holds now.
// A handler that is added to a stopped processor is told nothing.
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
		r.stop(tellNone)
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
		r.resync.plan(now)
		p.replanResyncs()
	}
	if p.started {
		p.readers.Go(r.run)
	}
	return r
}

// addInitial tells all handlers of objects that they were not told of when they were
// added, as nothing ran. The applier's lock is held.
func (p *processor) addInitial(objects []any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(objects) > 0 && len(p.handlers) > 0 {
		p.address(slices.Clone(p.handlers), objects, initialAdd, 0, time.Now())
	}
}

func initialAdd(obj any) event { return event{kind: eventAdd, initial: true, object: obj} }

// address tells some handlers only. p.mu is held.
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
	for _, r := range p.handlers { // all, since idle ones would hold what is not for them
		r.poke()
	}
}

// remove removes a handler: it is told no more than the event it is at. done is closed
// when it has returned from that, or at once if the handler is not, or no longer, one
// of this processor. A handler may be removed from inside of its own methods, and
// more than once.
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
	r.stop(tellNone)
	if known && !p.started {
		r.backlog.release()
		close(r.done)
	}
	return r.done, nil
}

// forget removes a handler whose goroutine ends, if it ends on its own.
func (p *processor) forget(r *registration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	r.stop(tellNone)
	if !p.stopped {
		p.drop(r)
	}
}

// drop takes r off the handlers and says whether it was one of them. p.mu is held.
func (p *processor) drop(r *registration) bool {
	i := slices.Index(p.handlers, r)
	if i < 0 {
		return false
	}
	p.handlers = slices.Delete(p.handlers, i, i+1)
	return true
}

// run tells the handlers until ctx is done, and returns when they have been told the
// rest, as the options say, and have returned. It is called once.
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
	how := int32(tellNone)
	if p.options.drain {
		how = tellRest
	}
	for _, r := range p.handlers {
		r.stop(how)
	}
}

// states returns the handlers' states, in the order in which they were added.
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
