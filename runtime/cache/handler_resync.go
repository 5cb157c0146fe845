package cache

import (
	"context"
	"slices"
	"time"

	"github.com/listwatch/listwatch/runtime/cache/internal/delta"
)

// minimumResyncPeriod is the shortest resync period of a handler of a shared informer.
const minimumResyncPeriod = time.Second

// resyncCheck is an informer's unit of resync periods: those of its handlers are multiples of it.
// It is the informer's own period, or a shorter one that a handler requested before the start; 0
// disables resync.
type resyncCheck time.Duration

func newResyncCheck(period, shortest time.Duration) resyncCheck {
	if period <= 0 {
		return 0
	}
	return resyncCheck(max(period, shortest))
}

// round returns the period of a handler that requests requested. c is not 0.
func (c resyncCheck) round(requested time.Duration) time.Duration {
	unit := time.Duration(c)
	return (requested + unit - 1) / unit * unit
}

// resyncPlan is when a handler is resynced, for all objects or those of a source.
type resyncPlan struct {
	source    *Source       // nil for all objects
	requested time.Duration // 0 means never
	period    time.Duration // requested, rounded to what the informer supports
	next      time.Time     // zero before sync
}

func (r *resyncPlan) plan(now time.Time) {
	r.next = time.Time{}
	if r.period > 0 {
		r.next = now.Add(r.period)
	}
}

func (r *resyncPlan) due(now time.Time) bool {
	return !r.next.IsZero() && !now.Before(r.next)
}

// requestResync sets how often r is resynced: for all objects or, if it requests no period and sources have their
// own, for those of each source. p.mu is held.
func (p *processor) requestResync(r *registration, requested time.Duration) {
	if r.options.ResyncPeriod != nil || len(p.options.sources) == 0 {
		r.resyncs = []resyncPlan{{requested: p.supported(r, requested)}}
	} else {
		for i := range p.options.sources {
			source := &p.options.sources[i]
			period := requested
			if source.ResyncPeriod != nil {
				period = *source.ResyncPeriod
			}
			r.resyncs = append(r.resyncs, resyncPlan{source: source, requested: p.supported(r, period)})
		}
	}
	r.roundResyncs(p.resyncs)
}

// roundResyncs sets the periods of the plans that have one.
func (r *registration) roundResyncs(unit resyncCheck) {
	for i := range r.resyncs {
		if plan := &r.resyncs[i]; plan.requested > 0 {
			plan.period = unit.round(plan.requested)
		}
	}
}

// supported returns the resync period of a handler that requests one, 0 for none. Before the start, it may make
// the informer's period shorter. p.mu is held.
func (p *processor) supported(r *registration, requested time.Duration) time.Duration {
	if requested <= 0 {
		return 0
	}
	if p.resyncs == 0 {
		r.logger.Info("Informer has no resync, ignoring the handler's resync period", "handler", klogName{r}, "resyncPeriod", requested)
		return 0
	}
	if shortest := p.options.minResync; requested < shortest {
		r.logger.Info("Resync period of the handler is too short, using the minimum", "handler", klogName{r}, "resyncPeriod", requested, "minimum", shortest)
		requested = shortest
	}
	switch {
	case requested >= time.Duration(p.resyncs):
	case p.started:
		r.logger.Info("Resync period of the handler is shorter than the running informer's, using the latter", "handler", klogName{r}, "resyncPeriod", requested, "informer", time.Duration(p.resyncs))
	default:
		p.resyncs = resyncCheck(requested)
		for _, other := range p.handlers {
			other.roundResyncs(p.resyncs)
		}
	}
	return requested
}

// planResyncs plans all resyncs of a handler that has synced. p.mu is held.
func (r *registration) planResyncs(now time.Time) {
	for i := range r.resyncs {
		r.resyncs[i].plan(now)
	}
}

// klogName computes a handler's name when it is logged.
type klogName struct{ r *registration }

func (n klogName) String() string { return n.r.name() }

// replanResyncs wakes runResyncs: plans have changed.
func (p *processor) replanResyncs() {
	select {
	case p.resyncsChanged <- struct{}{}:
	default:
	}
}

// runResyncs resyncs handlers when they are due, until ctx is done.
func (p *processor) runResyncs(ctx context.Context) {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		timer.Stop()
		if next := p.nextResync(); !next.IsZero() {
			timer.Reset(time.Until(next))
		}
		select {
		case <-ctx.Done():
			return
		case <-p.resyncsChanged:
		case <-timer.C:
			p.options.locked(p.resyncDue)
		}
	}
}

// nextResync returns when the first handler is due, zero if no handler is resynced.
func (p *processor) nextResync() (next time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, r := range p.handlers {
		for i := range r.resyncs {
			if t := r.resyncs[i].next; !t.IsZero() && (next.IsZero() || t.Before(next)) {
				next = t
			}
		}
	}
	return next
}

// resyncDue resyncs the handlers that are due, except those that have not completed their last
// resync. The applier's lock is held.
func (p *processor) resyncDue() {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	var whole []*registration
	var objects []any // when they are needed
	for _, r := range p.handlers {
		due := r.dueResyncs(now, time.Duration(p.resyncs))
		if len(due) == 0 {
			continue
		}
		if objects == nil {
			objects = p.options.snapshot()
		}
		if len(due) == len(r.resyncs) {
			whole = append(whole, r)
			continue
		}
		p.address([]*registration{r}, ofSources(objects, due), resyncUpdate, markResynced, now)
	}
	if len(whole) > 0 {
		p.address(whole, objects, resyncUpdate, markResynced, now)
	}
}

// dueResyncs returns the plans of a handler that are due, and plans the next resyncs. While the last resync has not
// completed, it returns none; with several plans they are due again after pause, so that none is left out each time.
func (r *registration) dueResyncs(now time.Time, pause time.Duration) (due []*resyncPlan) {
	for i := range r.resyncs {
		if plan := &r.resyncs[i]; plan.due(now) {
			plan.plan(now)
			due = append(due, plan)
		}
	}
	if len(due) == 0 || r.resyncing.CompareAndSwap(false, true) {
		return due
	}
	if len(r.resyncs) > 1 {
		for _, plan := range due {
			plan.next = now.Add(pause)
		}
	}
	return nil
}

// ofSources returns the objects of the sources of some plans.
func ofSources(objects []any, plans []*resyncPlan) (out []any) {
	for _, obj := range objects {
		namespace, ok := delta.NamespaceOf(obj)
		if ok && slices.ContainsFunc(plans, func(p *resyncPlan) bool { return p.source.has(namespace) }) {
			out = append(out, obj)
		}
	}
	return out
}

func resyncUpdate(obj any) event { return event{kind: eventUpdate, object: obj, old: obj} }
