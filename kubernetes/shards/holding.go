package shards

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"maps"
	"slices"

	"k8s.io/utils/clock"

	"github.com/listwatch/listwatch/runtime/cache"
)

// The causes of the end of a work's context, and errors of Begin and Check.
var (
	// ErrNotOwned reports that the object's slot is another member's, or will be.
	ErrNotOwned = errors.New("the slot of the object is not owned by this member")
	// ErrLapsed reports that the member could not renew its Lease in time, or that a Lease was deleted or is another's.
	// The member owns nothing until it has a new term.
	ErrLapsed = errors.New("the term of this member has ended")
)

// holding is a slot on which the member may work.
type holding struct {
	slot   int
	ctx    context.Context // of work
	cancel context.CancelCauseFunc

	// Ring.mu guards the fields below.
	users  int  // running work, and followers that were told of the slot
	losing bool // no more work begins
	timer  clock.Timer
}

// gain begins a holding. It is called with mu.
func (r *Ring) gain(slot int) {
	h := &holding{slot: slot}
	h.ctx, h.cancel = context.WithCancelCause(context.Background())
	r.holdings[slot] = h
	r.counts.Gained++
	r.wake()
}

// lose lets running work of a slot end; its context ends after HandOver. It is called with mu.
func (r *Ring) lose(h *holding) {
	if h.losing {
		return
	}
	h.losing = true
	r.wake()
	switch {
	case h.users == 0:
		r.release(h)
	case r.options.HandOver < 0:
		r.end(h, ErrNotOwned)
	default:
		h.timer = r.options.Clock.AfterFunc(r.options.HandOver, func() {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.end(h, ErrNotOwned)
		})
	}
}

// end ends the contexts of a slot's work, and releases the slot after the grace even if the work goes on. It is called
// with mu.
func (r *Ring) end(h *holding, cause error) {
	h.losing = true
	if r.holdings[h.slot] != h || h.ctx.Err() != nil {
		return
	}
	h.cancel(cause)
	r.wake()
	if h.users == 0 {
		r.release(h)
		return
	}
	if h.timer != nil {
		h.timer.Stop()
	}
	h.timer = r.options.Clock.AfterFunc(r.options.grace(), func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.release(h)
	})
}

// release ends a holding. It is called with mu.
func (r *Ring) release(h *holding) {
	if r.holdings[h.slot] != h {
		return
	}
	delete(r.holdings, h.slot)
	r.counts.Lost++
	h.cancel(ErrNotOwned)
	if h.timer != nil {
		h.timer.Stop()
	}
	r.wake()
}

// leave ends a use. It is called with mu.
func (r *Ring) leave(h *holding) {
	h.users--
	if h.users == 0 && h.losing {
		r.release(h)
	}
}

// Slot returns the slot of a value of the ring's key: the UID of an object, or a namespace.
func (r *Ring) Slot(key string) int { return slotOf(key, r.options.Slots) }

// Owns reports whether work on objects with a value of the key may begin.
func (r *Ring) Owns(key string) bool {
	r.mu.Lock()
	h := r.holdings[r.Slot(key)]
	owns := h != nil && !h.losing
	r.mu.Unlock()
	return owns && r.inTerm()
}

// Begin begins work on an object. The context of the work ends when ctx does, and HandOver after the slot was given to
// another member, and at the end of the member's term; its cause is then [ErrNotOwned] or [ErrLapsed]. The caller must
// call done when the work has ended, which is when the slot can be handed over. Begin returns ErrNotOwned or ErrLapsed
// if the work may not begin.
func (r *Ring) Begin(ctx context.Context, key string) (work context.Context, done func(), err error) {
	if !r.inTerm() {
		return nil, nil, ErrLapsed
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	h := r.holdings[r.Slot(key)]
	if h == nil || h.losing {
		return nil, nil, ErrNotOwned
	}
	h.users++
	work, cancel := context.WithCancelCause(context.WithValue(ctx, holdingKey{r}, h))
	detach := context.AfterFunc(h.ctx, func() { cancel(context.Cause(h.ctx)) })
	var ended bool // guarded by mu
	return work, func() {
		detach()
		cancel(context.Canceled)
		r.mu.Lock()
		defer r.mu.Unlock()
		if !ended {
			ended = true
			r.leave(h)
		}
	}, nil
}

type holdingKey struct{ of *Ring }

// Check returns an error if the member may not write an object now: call it before each write, with the context of
// [Ring.Begin]. Work that began before its slot was given away may write until its context ends. With other contexts, Check
// returns an error as soon as Owns is false.
func (r *Ring) Check(ctx context.Context, key string) error {
	h := r.holdingOf(ctx)
	if h != nil && h.slot == r.Slot(key) {
		return r.check(ctx, h)
	}
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case h != nil || !r.Owns(key):
		return ErrNotOwned
	}
	return nil
}

// holdingOf returns the holding in which the work with a context began, nil if there is none.
func (r *Ring) holdingOf(ctx context.Context) *holding {
	h, _ := ctx.Value(holdingKey{r}).(*holding)
	return h
}

// check returns an error if work in a holding may not write now.
func (r *Ring) check(ctx context.Context, h *holding) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	r.mu.Lock()
	owned := r.holdings[h.slot] == h && h.ctx.Err() == nil
	r.mu.Unlock()
	switch {
	case !owned:
		return ErrNotOwned
	case !r.inTerm(): // the last question, because the time goes on
		return ErrLapsed
	}
	return nil
}

// Change is what a follower of a ring has to do, first with Lost, then with Gained; a slot may be in both.
type Change = cache.ShardChange

var _ cache.Shards = (*Ring)(nil)

// Follow iterates over the changes of the slots that the member owns. The first comes at once, with what it owns already,
// which may be nothing. A lost slot is not handed over before the loop has finished with the change, or bounds have passed
// as for running work. The iteration ends when ctx is done, or after the member has left. Several loops are independent.
func (r *Ring) Follow(ctx context.Context) iter.Seq[Change] {
	return func(yield func(Change) bool) {
		told := map[int]*holding{}
		defer func() { r.finish(slices.Collect(maps.Values(told))) }()
		for first := true; ctx.Err() == nil; first = false {
			lost, gained, changed := r.compare(told)
			if first || len(lost)+len(gained) > 0 {
				more := yield(Change{Lost: slotsOf(lost), Gained: slotsOf(gained)})
				r.finish(lost)
				if !more {
					return
				}
				continue
			}
			select {
			case <-changed:
			case <-r.left:
				if len(told) == 0 {
					return
				}
			case <-ctx.Done():
			}
		}
	}
}

// compare updates what a follower was told. Gained holdings are in use until they are finished with.
func (r *Ring) compare(told map[int]*holding) (lost, gained []*holding, changed <-chan struct{}) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for slot, h := range told {
		if h.losing {
			lost = append(lost, h)
			delete(told, slot)
		}
	}
	for slot, h := range r.holdings {
		if !h.losing && told[slot] == nil {
			h.users++
			gained = append(gained, h)
			told[slot] = h
		}
	}
	return lost, gained, r.changed
}

func (r *Ring) finish(all []*holding) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, h := range all {
		r.leave(h)
	}
}

func slotsOf(all []*holding) []int {
	var slots []int
	for _, h := range slices.SortedFunc(slices.Values(all), func(x, y *holding) int { return cmp.Compare(x.slot, y.slot) }) {
		slots = append(slots, h.slot)
	}
	return slots
}

// Selector returns the shard selector of slots, which must be in ascending order, for list and watch requests
// (KEP-5866). It is empty for all slots of the ring, and must not be used for none.
func (r *Ring) Selector(slots []int) string { return selector(r.options.Key, slots, r.options.Slots) }
