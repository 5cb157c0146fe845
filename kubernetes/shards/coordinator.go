package shards

import (
	"context"
	"crypto/rand"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/klog/v2"
)

// coordinator is what a coordinator remembers from step to step.
type coordinator struct {
	seen     *sightings    // of Leases by name, and of assignments by ID
	replaced string        // the term of the coordinator before, which is over; empty if it released the ring's Lease
	members  string        // the live ones
	quiet    time.Duration // since when they are these
	restless time.Duration // since when slots have not been balanced for them
	wrote    time.Duration // when the ring's Lease was written last

	lease *coordinationv1.Lease // the ring's, as the last write returned it; nil if it has to be read
	calm  bool                  // nothing followed from the last list of members' Leases, or will if they are renewed
}

// The names of sightings of Leases.
const theRing = "ring"

func memberLease(identity string) string { return "lease " + identity }

// settle returns how much longer members must not come or go before slots are balanced, 0 or less if it is time.
func (c *coordinator) settle(members string, now time.Duration, o *Options) time.Duration {
	if members != c.members {
		if c.unsettled(now, o) <= 0 {
			c.restless = now
		}
		c.members, c.quiet = members, now
	}
	return c.unsettled(now, o)
}

func (c *coordinator) unsettled(now time.Duration, o *Options) time.Duration {
	return min(c.quiet+o.Settle-now, c.restless+10*o.Settle-now)
}

// untilCoordinator returns 0 if the member is the coordinator, or may become it, which is when the ring's Lease was
// released or has expired; otherwise, when to look again. The term of a coordinator whose Lease has expired is over. There may be
// two coordinators for a moment: only one of two writes that follow the same assignment succeeds.
func (r *Ring) untilCoordinator(t *term, lease *coordinationv1.Lease, sent time.Duration) time.Duration {
	received := r.now()
	r.mu.Lock()
	defer r.mu.Unlock()
	leader := ""
	if lease != nil {
		leader = holderOf(lease)
	}
	if leader != r.leader {
		r.leader = leader
		r.wake()
	}
	if r.leaving {
		return r.options.RenewPeriod
	}
	if leader == "" || leader == t.name {
		return 0
	}
	left := r.seen.see(theRing, versionOf(lease), sent, received, r.options.LeaseDuration)
	if left <= 0 {
		r.coordinator.replaced = leader
		return 0
	}
	return min(r.options.RenewPeriod, left+r.turn(t))
}

// turn is how long after the ring's Lease has expired the member tries to become the coordinator: it differs between
// members, so that they do not all try at once. It is called with mu.
func (r *Ring) turn(t *term) time.Duration {
	if t.last == nil {
		return r.options.RenewPeriod
	}
	place, _ := slices.BinarySearch(t.last.terms(), t.name)
	return time.Duration(place+1) * r.options.calmPeriod()
}

// coordinate writes the assignment that follows from the members' Leases into the ring's Lease, which it renews. It
// returns the new one, and how long after the beginning of the step the next step is due.
func (r *Ring) coordinate(ctx context.Context, t *term, lease *coordinationv1.Lease) (*coordinationv1.Lease, time.Duration, error) {
	began := r.now()
	a := assignmentOf(lease)
	if a == nil {
		a = &assignment{ID: rand.Text()[:10], Epoch: 1, Slots: r.options.Slots, Key: r.options.Key, Fresh: true}
		first, err := r.writeRing(ctx, lease, t.name, map[string]string{assignmentAnnotation: encode(a)})
		return first, 0, err
	}
	var next *assignment
	var members map[string]*coordinationv1.Lease
	var f facts
	var err error
	c, wait := &r.coordinator, r.untilExpiry(began)
	if wait == 0 {
		c.calm = false
		if members, err = r.list(ctx, a); err != nil {
			return nil, 0, err
		}
		f, wait = r.facts(a, members, began)
		next = a.next(f)
		c.calm = next == nil && f.settled && len(a.Moves) == 0 && len(members) == len(f.live)
	}
	if next == nil {
		next = a
		if holderOf(lease) == t.name && began-c.wrote < r.options.RenewPeriod/2 {
			return lease, min(r.options.RenewPeriod-(began-c.wrote), wait), nil // renewed recently
		}
	} else {
		klog.FromContext(ctx).V(2).Info("Changing the assignment of slots", "ring", r.options.Name, "epoch", next.Epoch, "members", len(f.live), "moves", len(next.Moves))
	}
	lease, err = r.writeRing(ctx, lease, t.name, map[string]string{assignmentAnnotation: encode(next)})
	if err != nil {
		return nil, 0, err
	}
	c.wrote = began
	r.collect(ctx, next, members, f)
	return lease, min(r.options.RenewPeriod, wait), nil
}

// readRing returns the ring's Lease, nil if there is none. The coordinator knows it from its last write: its next one
// succeeds only if nobody has written or deleted it since.
func (r *Ring) readRing(ctx context.Context, t *term) (*coordinationv1.Lease, error) {
	c := &r.coordinator
	if c.lease != nil && holderOf(c.lease) == t.name {
		return c.lease, nil
	}
	c.calm = false
	return r.get(ctx, r.options.Name)
}

// writeRing is put for the ring's Lease.
func (r *Ring) writeRing(ctx context.Context, known *coordinationv1.Lease, holder string, annotations map[string]string) (lease *coordinationv1.Lease, err error) {
	lease, err = r.put(ctx, known, r.options.Name, holder, annotations)
	if r.coordinator.lease = lease; err != nil {
		r.coordinator.lease = nil
	}
	return lease, err
}

// untilExpiry returns how long after now a Lease of a member expires if none is renewed, or 0 if they have to be listed. That
// is not so while the watch has shown the renewals of all, and nothing else, since a list from which nothing followed. It
// is only about when: what a coordinator acts on is always in a list.
func (r *Ring) untilExpiry(now time.Duration) time.Duration {
	r.mu.Lock()
	unchanged := r.unchanged
	r.mu.Unlock()
	age := now - r.coordinator.seen.oldest(now)
	if !unchanged || !r.coordinator.calm || age >= r.options.RenewPeriod*3/2 {
		return 0
	}
	return r.options.LeaseDuration - age
}

// list returns the Leases of members by identity. Leases of owners are read separately if they lack the label.
func (r *Ring) list(ctx context.Context, a *assignment) (map[string]*coordinationv1.Lease, error) {
	bounded, cancel := r.withTimeout(ctx)
	defer cancel()
	r.setUnchanged(true)
	list, err := r.leases.List(bounded, metav1.ListOptions{LabelSelector: labels.Set{ringLabel: r.options.Name}.String()})
	if err != nil {
		return nil, fmt.Errorf("list Leases of ring %s: %w", r.options.Name, err)
	}
	members := map[string]*coordinationv1.Lease{}
	for i := range list.Items {
		if identity, ok := strings.CutPrefix(list.Items[i].Name, r.options.Name+"."); ok {
			members[identity] = &list.Items[i]
		}
	}
	for _, term := range a.terms() {
		identity := identityOf(term)
		if members[identity] != nil {
			continue
		}
		lease, err := r.get(ctx, r.options.Name+"."+identity)
		if err != nil {
			return nil, err
		}
		if lease != nil {
			members[identity] = lease
		}
	}
	return members, nil
}

// facts returns what Leases show that were requested at a time, and how long later they may show more even if they do
// not change.
func (r *Ring) facts(a *assignment, members map[string]*coordinationv1.Lease, sent time.Duration) (facts, time.Duration) {
	received, c, o := r.now(), &r.coordinator, &r.options
	wait, used := o.LeaseDuration, map[string]bool{}
	hasExpired := func(name, version string, lasts time.Duration) bool {
		used[name] = true
		left := c.seen.see(name, version, sent, received, lasts)
		if left > 0 {
			wait = min(wait, left)
		}
		return left <= 0
	}

	f, over, live, terms := facts{}, map[string]bool{}, map[string]string{}, ""
	for _, identity := range slices.Sorted(maps.Keys(members)) {
		lease := members[identity]
		term, rep := holderOf(lease), reportOf(lease)
		if term == "" {
			continue
		}
		over[term] = hasExpired(memberLease(identity), versionOf(lease), durationOf(lease)) || term == c.replaced
		if !over[term] && !rep.Leaving && rep.Slots == a.Slots && rep.Key == a.Key && (rep.Follows == "" || rep.Follows == a.ID) {
			f.live = append(f.live, term)
			live[identity] = term
			terms += term + " "
		}
	}
	for _, term := range a.terms() {
		lease := members[identityOf(term)]
		switch {
		case lease == nil:
			over[term] = term == c.replaced || hasExpired("term "+term, "", o.LeaseDuration)
		case holderOf(lease) != term:
			over[term] = term == c.replaced || reportOf(lease).Replaces == term || hasExpired("term "+term, "", o.LeaseDuration)
		}
	}
	f.over = func(term string) bool { return over[term] }
	f.successor = func(term string) string { return live[identityOf(term)] }
	f.released = func(term string, m move) bool {
		lease := members[identityOf(term)]
		if lease == nil || holderOf(lease) != term {
			return false
		}
		rep := reportOf(lease)
		return rep.Follows == a.ID && rep.Epoch >= m.Epoch && !rep.Holds.has(m.Slot)
	}
	left := c.settle(terms, received, o)
	f.settled = left <= 0
	if left > 0 {
		wait = min(wait, left)
	}
	if a.Fresh && !hasExpired("assignment "+a.ID, "", o.LeaseDuration) {
		f.settled = false
	}
	c.seen.retain(used)
	return f, wait
}

// collect deletes a Lease of a member that is over and owns nothing. There is one request for each step at most.
func (r *Ring) collect(ctx context.Context, a *assignment, members map[string]*coordinationv1.Lease, f facts) {
	for identity, lease := range members {
		term := holderOf(lease)
		if term != "" && !f.over(term) || slices.ContainsFunc(a.terms(), func(term string) bool { return identityOf(term) == identity }) {
			continue
		}
		bounded, cancel := r.withTimeout(ctx)
		defer cancel()
		err := r.leases.Delete(bounded, lease.Name, metav1.DeleteOptions{Preconditions: &metav1.Preconditions{UID: &lease.UID, ResourceVersion: &lease.ResourceVersion}})
		if err != nil {
			klog.FromContext(ctx).V(2).Info("Failed to delete the Lease of a former member", "ring", r.options.Name, "lease", lease.Name, "err", err)
		}
		return
	}
}
