package shards

import (
	"context"
	"strings"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/klog/v2"
)

// listen watches the ring's Lease, and if the member is the coordinator, the Leases of the others, until ctx is done.
// Changes, other than renewals, let the next step begin early, and renewals are known when they happen. Nothing else
// depends on the watch: without permission for it, both are noticed a period later.
func (r *Ring) listen(ctx context.Context) {
	for ctx.Err() == nil {
		if err := r.listenOnce(ctx); err != nil {
			klog.FromContext(ctx).V(2).Info("Failed to watch Leases, polling", "ring", r.options.Name, "err", err)
			r.pause(ctx, 10*r.options.RenewPeriod)
		}
	}
}

// listenOnce returns without an error when the member has become, or is no longer, the coordinator.
func (r *Ring) listenOnce(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	coordinates, changed := r.role()
	options := metav1.ListOptions{FieldSelector: fields.OneTermEqualSelector("metadata.name", r.options.Name).String()}
	if coordinates {
		options = metav1.ListOptions{LabelSelector: labels.Set{ringLabel: r.options.Name}.String()}
	}
	w, err := r.leases.Watch(ctx, options)
	if err != nil {
		return err
	}
	defer w.Stop()
	r.setWatching(coordinates)
	defer r.setWatching(false)
	seen := map[string]string{}
	for {
		select {
		case event, open := <-w.ResultChan():
			if !open {
				r.pause(ctx, r.options.RenewPeriod)
				return nil
			}
			r.note(event)
			if r.isNews(seen, event) {
				r.setUnchanged(false)
				select {
				case r.news <- struct{}{}:
				default: // there are some already
				}
			}
		case <-changed:
			var now bool
			if now, changed = r.role(); now != coordinates {
				return nil
			}
		case <-ctx.Done():
			return nil
		}
	}
}

// note records when a Lease was renewed: how long it lasts then does not depend on when it is read next.
func (r *Ring) note(event watch.Event) {
	lease, ok := event.Object.(*coordinationv1.Lease)
	if !ok || event.Type == watch.Deleted {
		return
	}
	if lease.Name == r.options.Name {
		r.seen.note(theRing, versionOf(lease), r.now())
	} else if identity, ok := strings.CutPrefix(lease.Name, r.options.Name+"."); ok {
		r.coordinator.seen.note(memberLease(identity), versionOf(lease), r.now())
	}
}

// isNews reports whether an event is of more than a renewal.
func (r *Ring) isNews(seen map[string]string, event watch.Event) bool {
	lease, ok := event.Object.(*coordinationv1.Lease)
	if !ok || lease.Name == r.options.leaseName() {
		return false
	}
	state := "deleted"
	if event.Type != watch.Deleted {
		state = holderOf(lease) + lease.Annotations[assignmentAnnotation] + lease.Annotations[memberAnnotation]
	}
	if seen[lease.Name] == state {
		return false
	}
	seen[lease.Name] = state
	return true
}

// setWatching records whether there is a watch of the members' Leases.
func (r *Ring) setWatching(watching bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.watching, r.unchanged = watching, false
}

// setUnchanged records that the members' Leases are about to be listed, or that their watch has shown news.
func (r *Ring) setUnchanged(unchanged bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.unchanged = unchanged && r.watching
}

// role reports whether the member is the coordinator, and returns the channel that is closed when that may change.
func (r *Ring) role() (coordinates bool, changed <-chan struct{}) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.leader == r.term.name, r.changed
}

// pause waits until d has passed or ctx is done.
func (r *Ring) pause(ctx context.Context, d time.Duration) {
	timer := r.options.Clock.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C():
	case <-ctx.Done():
	}
}
