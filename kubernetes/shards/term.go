package shards

import (
	"crypto/rand"
	"slices"
	"strings"
	"time"

	"k8s.io/utils/clock"
)

// term is the time for which a member works without interruption. Assignments name terms, so that slots of a former
// term are never taken for those of the next.
type term struct {
	name string // the holder in the member's Lease

	// Ring.mu guards the fields below.
	over   bool
	begun  bool          // a step has succeeded
	synced time.Duration // when the last one began
	timer  clock.Timer   // ends the term RenewDeadline after that
	id     string        // of the assignment that is followed; empty before the first
	epoch  int
	last   *assignment
}

func (r *Ring) newTerm() *term { return &term{name: r.options.Identity + "_" + rand.Text()[:10]} }

// identityOf returns the identity of the member of a term.
func identityOf(term string) string {
	if i := strings.LastIndexByte(term, '_'); i >= 0 {
		return term[:i]
	}
	return term
}

// now returns the monotonic time since Join.
func (r *Ring) now() time.Duration { return r.options.Clock.Since(r.birth) }

// inTerm reports whether the member may work. It must not be called with mu: it asks for the time after what it
// compares.
func (r *Ring) inTerm() bool {
	r.mu.Lock()
	t := r.term
	works, synced := t.begun && !t.over, t.synced
	r.mu.Unlock()
	return works && r.now()-synced < r.options.RenewDeadline
}

// extend lets a term last until RenewDeadline after the beginning of a step that has succeeded. It reports false if the
// term has ended before.
func (r *Ring) extend(t *term, began time.Duration) bool {
	now := r.now()
	r.mu.Lock()
	defer r.mu.Unlock()
	deadline := r.options.RenewDeadline
	if t.over || now-began >= deadline || t.begun && now-t.synced >= deadline {
		r.lapse(t)
		return false
	}
	t.begun, t.synced = true, began
	if t.timer != nil {
		t.timer.Stop()
	}
	t.timer = r.options.Clock.AfterFunc(deadline-(now-began), func() { r.expire(t) })
	return true
}

// expire ends a term if its deadline has passed.
func (r *Ring) expire(t *term) {
	now := r.now()
	r.mu.Lock()
	defer r.mu.Unlock()
	if now-t.synced >= r.options.RenewDeadline {
		r.lapse(t)
	}
}

// lapse ends a term and all its work. It is called with mu.
func (r *Ring) lapse(t *term) {
	if t.over {
		return
	}
	t.over = true
	r.counts.Lapsed++
	if t.timer != nil {
		t.timer.Stop()
	}
	for _, h := range r.holdings {
		r.end(h, ErrLapsed)
	}
	r.wake()
}

// current returns the term, after a new one has begun if the former is over. It returns nil while work of the former
// goes on.
func (r *Ring) current() *term {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.term.over {
		if len(r.holdings) > 0 {
			return nil
		}
		r.former, r.term, r.reported = r.term.name, r.newTerm(), report{}
		r.own = nil
	}
	return r.term
}

// follow adjusts what the member holds to the newest assignment. A term whose assignment has been lost ends.
func (r *Ring) follow(t *term, a *assignment) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case t.over:
		return
	case a == nil:
		if t.id != "" {
			r.lapse(t)
		}
		return
	case t.id == "":
		t.id = a.ID
	case a.ID != t.id, a.Epoch < t.epoch:
		r.lapse(t)
		return
	}
	t.epoch, t.last = a.Epoch, a
	var mine slotSet
	if !r.leaving && a.Slots == r.options.Slots && a.Key == r.options.Key {
		mine = a.of(t.name)
	}
	for slot, h := range r.holdings {
		if !mine.has(slot) {
			r.lose(h)
		}
	}
	for _, slot := range mine {
		if r.holdings[slot] == nil {
			r.gain(slot)
		}
	}
}

// report returns what the member's Lease has to say.
func (r *Ring) report(t *term) report {
	r.mu.Lock()
	defer r.mu.Unlock()
	rep := report{Follows: t.id, Epoch: t.epoch, Leaving: r.leaving, Slots: r.options.Slots, Key: r.options.Key}
	for slot := range r.holdings {
		rep.Holds = append(rep.Holds, slot)
	}
	slices.Sort(rep.Holds)
	return rep
}
