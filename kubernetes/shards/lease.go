package shards

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"sync"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// errOccupied reports that the Lease of the identity is another process's, or of one that ended without leaving.
var errOccupied = errors.New("the Lease of this identity has not expired")

// sightings tell when Leases expire: a version expires when a request that was sent the lease duration after a response
// or an event had shown it still shows it. Only the rate of the observer's monotonic clock matters.
type sightings struct {
	mu   sync.Mutex // guards last
	last map[string]sighting
}

type sighting struct {
	version string
	at      time.Duration // when it was first shown
}

func newSightings() *sightings { return &sightings{last: map[string]sighting{}} }

// see records that a response to a request shows a version of what name stands for, and returns how long it still
// lasts, which is negative or 0 if it has expired.
func (s *sightings) see(name, version string, sent, received, lasts time.Duration) time.Duration {
	last := s.note(name, version, received)
	if last.at == received {
		return lasts
	}
	return lasts - (sent - last.at)
}

// note records that a response or an event shows a version, and returns when it was first shown. An event may be older
// than what a response has shown: the version of that then counts from its next sighting.
func (s *sightings) note(name, version string, received time.Duration) sighting {
	s.mu.Lock()
	defer s.mu.Unlock()
	last, ok := s.last[name]
	if !ok || last.version != version {
		last = sighting{version, received}
		s.last[name] = last
	}
	return last
}

// of returns the last sighting of what name stands for.
func (s *sightings) of(name string) (sighting, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	last, ok := s.last[name]
	return last, ok
}

// oldest returns when the version was first shown that has been the last one for longest, now if there are none.
func (s *sightings) oldest(now time.Duration) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	oldest := now
	for _, last := range s.last {
		oldest = min(oldest, last.at)
	}
	return oldest
}

// retain forgets all names except some.
func (s *sightings) retain(names map[string]bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	maps.DeleteFunc(s.last, func(name string, _ sighting) bool { return !names[name] })
}

// renew writes the member's report to its Lease; a term begins with the first success.
func (r *Ring) renew(ctx context.Context, t *term) error {
	rep := r.report(t)
	rep.Replaces = r.replaces
	write := func() error {
		lease, err := r.put(ctx, r.own, r.options.leaseName(), t.name, map[string]string{memberAnnotation: encode(rep)})
		if err == nil {
			r.own, r.reported = lease, rep
		}
		return err
	}
	if r.own != nil {
		err := write()
		if err == nil || !apierrors.IsConflict(err) && !apierrors.IsNotFound(err) {
			return err
		}
	}
	sent := r.now()
	lease, err := r.get(ctx, r.options.leaseName())
	if err != nil {
		return err
	}
	isMine := lease != nil && holderOf(lease) == t.name
	if r.own != nil && !isMine {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.lapse(t)
		return ErrLapsed
	}
	if r.own == nil && !isMine && !r.mayOccupy(lease, sent) {
		return errOccupied
	}
	if !isMine {
		r.replaces = replacedBy(lease, r.former)
	}
	r.own, rep.Replaces = lease, r.replaces
	if err = write(); err != nil && !isMine {
		r.own = nil
	}
	return err
}

// mayOccupy reports whether the member may take its Lease: nobody else uses its identity.
func (r *Ring) mayOccupy(lease *coordinationv1.Lease, sent time.Duration) bool {
	const self = "" // in sightings
	if lease == nil {
		last, ok := r.seen.of(self)
		return !ok || sent-last.at >= r.options.LeaseDuration
	}
	holder := holderOf(lease)
	return holder == "" || holder == r.former || r.seen.see(self, versionOf(lease), sent, r.now(), durationOf(lease)) <= 0
}

// replacedBy returns the term that is certainly over when a member takes a Lease that it may occupy. If the Lease was deleted,
// that is the member's own former term; another process with its identity may still work.
func replacedBy(lease *coordinationv1.Lease, former string) string {
	if lease == nil {
		return former
	}
	if holder := holderOf(lease); holder != "" {
		return holder
	}
	return reportOf(lease).Replaces
}

// put creates a Lease, or updates what is known of it, and returns the new one.
func (r *Ring) put(ctx context.Context, known *coordinationv1.Lease, name, holder string, annotations map[string]string) (*coordinationv1.Lease, error) {
	ctx, cancel := r.withTimeout(ctx)
	defer cancel()
	lease := &coordinationv1.Lease{ObjectMeta: metav1.ObjectMeta{Namespace: r.options.Namespace, Name: name}}
	if known != nil {
		lease = known.DeepCopy()
	}
	if lease.Labels == nil {
		lease.Labels = map[string]string{}
	}
	if lease.Annotations == nil {
		lease.Annotations = map[string]string{}
	}
	if name != r.options.Name {
		lease.Labels[ringLabel] = r.options.Name
	}
	for key, value := range annotations {
		lease.Annotations[key] = value
	}
	now, seconds := metav1.NewMicroTime(r.options.Clock.Now()), int32(r.options.LeaseDuration/time.Second)
	if known == nil || holderOf(lease) != holder {
		lease.Spec.AcquireTime = &now
		transitions := int32(0)
		if last := lease.Spec.LeaseTransitions; last != nil {
			transitions = *last + 1
		}
		lease.Spec.LeaseTransitions = &transitions
	}
	lease.Spec.HolderIdentity, lease.Spec.RenewTime, lease.Spec.LeaseDurationSeconds = &holder, &now, &seconds
	if known == nil {
		return r.leases.Create(ctx, lease, metav1.CreateOptions{})
	}
	return r.leases.Update(ctx, lease, metav1.UpdateOptions{})
}

// get returns a Lease, nil if there is none.
func (r *Ring) get(ctx context.Context, name string) (*coordinationv1.Lease, error) {
	ctx, cancel := r.withTimeout(ctx)
	defer cancel()
	lease, err := r.leases.Get(ctx, name, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read Lease %s/%s: %w", r.options.Namespace, name, err)
	}
	return lease, nil
}

// withTimeout returns a context that ends early enough for another attempt.
func (r *Ring) withTimeout(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	timer := r.options.Clock.AfterFunc(r.options.RenewDeadline/4, func() { cancel(context.DeadlineExceeded) })
	return ctx, func() {
		timer.Stop()
		cancel(context.Canceled)
	}
}

func holderOf(lease *coordinationv1.Lease) string {
	if lease.Spec.HolderIdentity == nil {
		return ""
	}
	return *lease.Spec.HolderIdentity
}

func durationOf(lease *coordinationv1.Lease) time.Duration {
	if lease.Spec.LeaseDurationSeconds == nil {
		return 0
	}
	return time.Duration(*lease.Spec.LeaseDurationSeconds) * time.Second
}

// versionOf differs between all states that a Lease has had, even if it was deleted in between.
func versionOf(lease *coordinationv1.Lease) string {
	return string(lease.UID) + "/" + lease.ResourceVersion
}
