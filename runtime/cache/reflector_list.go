package cache

import (
	"cmp"
	"context"
	"fmt"
	"sync/atomic"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/klog/v2"

	"github.com/listwatch/listwatch/runtime/cache/internal/shards"
	"github.com/listwatch/listwatch/runtime/codec"
)

const (
	// pageSize is the default number of objects in a page.
	pageSize = 500
	// defaultListDeadline is how long a list that is decoded object by object may be silent. API
	// servers end requests after a minute.
	defaultListDeadline = 2 * time.Minute
)

// listed is a list, as far as it was received.
type listed struct {
	expected  int              // objects, about
	selection *shards.Selector // others are dropped; nil selects all
	objects   objectList
	isolated  map[ObjectName]QuarantinedObject
	count     atomic.Int64 // objects that came in, for others to see
	version   string
	paged     bool // in more than one page
}

// list gets all objects by a list. If ctx ends, it changes nothing.
func (r *Reflector) list(ctx context.Context, how string) error {
	start := r.clock.Now()
	r.record.listing(how, start)
	version := r.listVersion()
	l, err := r.listFrom(ctx, version)
	if err != nil && !r.unavailable && (isExpired(err) || isTooLarge(err)) {
		r.unavailable = true
		l, err = r.listFrom(ctx, r.listVersion())
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	r.metrics.list(r.clock.Since(start))
	if err != nil {
		return r.fail(fmt.Errorf("failed to list %v: %w", r.typeDescription, err))
	}
	r.unavailable = false
	if version == "0" && l.paged {
		// It did not come from the server's memory, which ignores limits.
		r.paginated = true
	}
	return r.commit(ctx, l, start)
}

// commit passes a list, started at start, to the store.
func (r *Reflector) commit(ctx context.Context, l *listed, start time.Time) error {
	r.listed = l.objects.Len()
	if err := l.objects.Commit(l.version); err != nil {
		return r.fail(fmt.Errorf("failed to store the list of %v: %w", r.typeDescription, err))
	}
	now := r.clock.Now()
	r.record.fill(l.version, l.isolated, now)
	r.metrics.listed(r.listed, l.version)
	klog.FromContext(ctx).V(2).Info("Caches populated", "resourceVersion", l.version, "objects", r.listed, "duration", now.Sub(start))
	return nil
}

// listVersion returns the resource version that a list must not be older than: the last that was
// received, or "", the newest, if there is none or it is unavailable. For the first list it is "0",
// any version, if that is allowed.
func (r *Reflector) listVersion() string {
	if r.unavailable {
		return ""
	}
	if version := r.reached(); version != "" || !r.staleFirstList {
		return version
	}
	return "0"
}

// limit returns the page size of a list from version; 0 means no pages.
func (r *Reflector) limit(version string) int64 {
	switch {
	case r.WatchListPageSize != 0:
		return r.WatchListPageSize
	case r.paginated:
		return pageSize
	case version != "" && version != "0":
		// The server can answer this from memory, but does so only without a limit.
		return 0
	default:
		return pageSize
	}
}

// listFrom lists, without storing anything. It returns when the list is complete or fails, ctx
// ends, or the list is silent for too long.
func (r *Reflector) listFrom(ctx context.Context, version string) (*listed, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	l := &listed{expected: r.listed, selection: r.selection}
	options := metav1.ListOptions{ResourceVersion: version, Limit: r.limit(version)}
	shards.SetSelector(&options, l.selection)
	done := callInBackground(func() (*listed, error) { return l, r.pages(ctx, l, options) })

	// Silence can only be detected in a list that is decoded object by object.
	var silent <-chan time.Time
	deadline := cmp.Or(r.progressDeadline, defaultListDeadline)
	timer := r.clock.NewTimer(deadline)
	defer timer.Stop()
	if r.streamer != nil {
		silent = timer.C()
	}
	for seen := int64(0); ; {
		select {
		case <-silent:
			n := l.count.Load()
			if n == seen {
				return nil, &silentError{deadline}
			}
			seen = n
			timer.Reset(deadline)
		case <-ctx.Done():
			return nil, ctx.Err()
		case o := <-done:
			return o.result()
		}
	}
}

// pages gets the pages of a list into l. It must not use fields of r that change: it may run on
// after nobody waits for it.
func (r *Reflector) pages(ctx context.Context, l *listed, options metav1.ListOptions) error {
	p := pages{
		lister:   r.listerWatcher,
		streamer: r.streamer,
		begin:    func() { l.begin(r.store) },
		each:     func(obj runtime.Object) error { return r.addListed(l, obj) },
	}
	var err error
	l.version, l.paged, err = p.list(withSelection(ctx, l.selection), options)
	return err
}

// begin empties l for a new list.
func (l *listed) begin(store ReflectorStore) {
	l.objects, l.isolated = newObjectList(store, l.expected), map[ObjectName]QuarantinedObject{}
}

// addListed adds an object to a list.
func (r *Reflector) addListed(l *listed, obj runtime.Object) error {
	l.count.Add(1)
	if l.selection != nil && !l.selects(obj) {
		return nil
	}
	u, ok := obj.(*codec.Undecodable)
	if !ok {
		return l.objects.Add(obj)
	}
	q := r.quarantined(u)
	l.isolated[q.Name] = q
	return l.objects.Keep(q.Name)
}

// quarantined describes an object that cannot be decoded.
func (r *Reflector) quarantined(u *codec.Undecodable) QuarantinedObject {
	return QuarantinedObject{
		Name:  ObjectName{Namespace: u.GetNamespace(), Name: u.GetName()},
		Since: r.clock.Now(),
		Err:   u.Err,
		uid:   u.GetUID(),
	}
}
