package cache

import (
	"context"
	"time"
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

// resyncPlan is when a handler is resynced.
type resyncPlan struct {
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

// requestResync sets how often r is resynced. p.mu is held.
func (p *processor) requestResync(r *registration, requested time.Duration) {
	if requested <= 0 {
		return
	}
	if p.resyncs == 0 {
		r.logger.Info("Informer has no resync, ignoring the handler's resync period", "handler", klogName{r}, "resyncPeriod", requested)
		return
	}
	if shortest := p.options.minResync; requested < shortest {
		r.logger.Info("Resync period of the handler is too short, using the minimum", "handler", klogName{r}, "resyncPeriod", requested, "minimum", shortest)
		requested = shortest
	}
	r.resync.requested = requested
	switch {
	case requested >= time.Duration(p.resyncs):
	case p.started:
		r.logger.Info("Resync period of the handler is shorter than the running informer's, using the latter", "handler", klogName{r}, "resyncPeriod", requested, "informer", time.Duration(p.resyncs))
	default:
		p.resyncs = resyncCheck(requested)
		for _, other := range p.handlers {
			other.resync.period = p.resyncs.round(other.resync.requested)
		}
	}
	r.resync.period = p.resyncs.round(requested)
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
		if t := r.resync.next; !t.IsZero() && (next.IsZero() || t.Before(next)) {
			next = t
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
	var due []*registration
	for _, r := range p.handlers {
		if r.resync.due(now) {
			r.resync.plan(now)
			if r.resyncing.CompareAndSwap(false, true) {
				due = append(due, r)
			}
		}
	}
	if len(due) > 0 {
		p.address(due, p.options.snapshot(), resyncUpdate, markResynced, now)
	}
}

func resyncUpdate(obj any) event { return event{kind: eventUpdate, object: obj, old: obj} }
