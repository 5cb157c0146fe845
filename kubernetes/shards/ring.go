package shards

import (
	"context"
	"sync"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/klog/v2"

	coordinationv1client "github.com/listwatch/listwatch/kubernetes/typed/coordination/v1"
)

// Ring is a membership in a ring. Its methods are safe for concurrent use.
type Ring struct {
	options Options // with defaults
	leases  coordinationv1client.LeaseInterface
	birth   time.Time
	news    chan struct{} // has an element if a step should begin early
	leaves  context.CancelFunc
	left    chan struct{} // closed when the membership has ended

	// The goroutine of run uses the fields below.
	own         *coordinationv1.Lease // the member's, as the last write of the term returned it; nil before
	reported    report                // in own
	former      string                // the term before
	replaces    string                // the term that the current one replaces, empty if it is unknown
	seen        *sightings            // of the ring's Lease, and of the member's while another process has it
	coordinator coordinator

	mu       sync.Mutex // guards the fields below, and those of terms and holdings
	term     *term
	holdings map[int]*holding
	leaving  bool
	changed  chan struct{} // closed, and replaced, when any of this changes
	leader   string        // the term of the coordinator

	watching  bool   // there is a watch of the members' Leases
	unchanged bool   // it has shown only renewals since they were listed
	err       error  // of the last step
	counts    Counts // only what accumulates
}

// Join makes the program a member of a ring until ctx is done or [Ring.Leave] is called. It returns at once; slots are
// gained later, see [Ring.Follow]. It returns an error if the options are invalid. Use the clientset's CoordinationV1; its
// user must be permitted to get, list, watch, create, update and delete Leases in the namespace.
func Join(ctx context.Context, client coordinationv1client.LeasesGetter, options Options) (*Ring, error) {
	options, err := options.withDefaults()
	if err != nil {
		return nil, err
	}
	r := &Ring{
		options: options, leases: client.Leases(options.Namespace), birth: options.Clock.Now(), news: make(chan struct{}, 1),
		left: make(chan struct{}), seen: newSightings(), coordinator: coordinator{seen: newSightings()}, holdings: map[int]*holding{}, changed: make(chan struct{}),
	}
	r.term = r.newTerm()
	stopping, stop := context.WithCancel(ctx)
	r.leaves = stop
	go r.run(context.WithoutCancel(ctx), stopping)
	return r, nil
}

// Leave ends the membership: running work ends as if its slots were given away, and other members get the slots as
// soon as it has ended. Leave returns when this is done, or ctx is.
func (r *Ring) Leave(ctx context.Context) error {
	r.leaves()
	select {
	case <-r.left:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// wake lets run and followers look at what has changed. It is called with mu.
func (r *Ring) wake() {
	close(r.changed)
	r.changed = make(chan struct{})
}

// run is the member's loop. It sends all requests, one after the other.
func (r *Ring) run(ctx, stopping context.Context) {
	defer close(r.left)
	defer r.leaves()
	listening, stopListening := context.WithCancel(ctx)
	var listener sync.WaitGroup
	listener.Go(func() { r.listen(listening) })
	defer listener.Wait()
	defer stopListening()
	stop := context.AfterFunc(stopping, func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.leaving = true
		for _, h := range r.holdings {
			r.lose(h)
		}
		r.wake()
	})
	defer stop()
	for {
		r.mu.Lock()
		ended := r.leaving && len(r.holdings) == 0
		r.mu.Unlock()
		if ended {
			r.resign(ctx)
			return
		}
		began := r.now()
		pause, err := r.step(ctx, began)
		if err != nil {
			klog.FromContext(ctx).V(2).Info("Failed to renew the membership, retrying", "ring", r.options.Name, "identity", r.options.Identity, "err", err)
			pause = r.options.retryPeriod()
		}
		r.mu.Lock()
		r.err = err
		r.mu.Unlock()
		r.sleep(pause-(r.now()-began), err != nil)
	}
}

// sleep waits for some time, or, unless the last step has failed, until there is something to report or there are news.
func (r *Ring) sleep(pause time.Duration, failed bool) {
	if pause <= 0 {
		return
	}
	timer, calm := r.options.Clock.NewTimer(pause), r.options.Clock.NewTimer(min(pause, r.options.calmPeriod()))
	defer timer.Stop()
	defer calm.Stop()
	var news <-chan struct{} // nil at first, so that many news cause few requests
	for {
		r.mu.Lock()
		changed, idle := r.changed, len(r.holdings) == 0
		ended := idle && (r.leaving || r.term.over)
		t, over := r.term, r.term.over
		r.mu.Unlock()
		if ended || !failed && !over && !r.report(t).equal(r.reported) {
			return
		}
		select {
		case <-timer.C():
			return
		case <-calm.C():
			if !failed {
				news = r.news
			}
		case <-news:
			return
		case <-changed:
		}
	}
}

// step renews the member's Lease and reads the ring's; the coordinator changes it. It returns how long after its
// beginning the next one is due.
func (r *Ring) step(ctx context.Context, began time.Duration) (time.Duration, error) {
	t := r.current()
	if t == nil {
		return r.options.RenewPeriod, nil // sleep ends when the work has ended
	}
	if err := r.renew(ctx, t); err != nil {
		return 0, err
	}
	sent := r.now()
	lease, err := r.readRing(ctx, t)
	if err != nil {
		return 0, err
	}
	// The term of the coordinator lasts only as long as it renews the ring's Lease, too: who replaces it need not wait
	// for the Lease of the member.
	coordinates := lease != nil && holderOf(lease) == t.name
	if coordinates && r.isLeaving() {
		_, err = r.writeRing(ctx, lease, "", nil) // another coordinates while work ends
		return 0, err
	}
	if !coordinates {
		if !r.extend(t, began) {
			return 0, nil
		}
		r.follow(t, assignmentOf(lease))
	}
	if due := r.untilCoordinator(t, lease, sent); due > 0 {
		return due, nil
	}
	next, due, err := r.coordinate(ctx, t, lease)
	if apierrors.IsConflict(err) || apierrors.IsAlreadyExists(err) || apierrors.IsNotFound(err) {
		return r.options.retryPeriod(), nil // another coordinator was faster, or the Lease was deleted
	}
	if err != nil {
		return 0, err
	}
	if coordinates && next != lease && !r.extend(t, began) {
		return 0, nil
	}
	r.follow(t, assignmentOf(next))
	return due, nil
}

func (r *Ring) isLeaving() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.leaving
}

// resign releases the Leases that the member has. Its work has ended.
func (r *Ring) resign(ctx context.Context) {
	r.mu.Lock()
	t := r.term
	if t.timer != nil {
		t.timer.Stop() // it has not lapsed
	}
	r.mu.Unlock()
	lease, err := r.get(ctx, r.options.leaseName())
	if err == nil && lease != nil && holderOf(lease) == t.name {
		released := report{Replaces: t.name, Slots: r.options.Slots, Key: r.options.Key}
		_, err = r.put(ctx, lease, lease.Name, "", map[string]string{memberAnnotation: encode(released)})
	}
	if err == nil {
		lease, err = r.get(ctx, r.options.Name)
	}
	if err == nil && lease != nil && holderOf(lease) == t.name {
		_, err = r.put(ctx, lease, lease.Name, "", nil)
	}
	if err != nil {
		klog.FromContext(ctx).Error(err, "Failed to release the Lease, it expires", "ring", r.options.Name, "identity", r.options.Identity)
	}
}
