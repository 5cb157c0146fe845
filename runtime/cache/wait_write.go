package cache

import (
	"context"
	"fmt"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/resourceversion"

	"github.com/listwatch/listwatch/runtime/cache/internal/delta"
)

// WaitForObject waits until the informer's store is up to date with a write; obj is the result of
// Create, Update, Patch or Apply. A read after that returns this state of the object or a later
// one, or none if it was deleted since or is not selected. Only the object's namespace, name and
// resource version matter.
//
// If the informer has several sources, only the source of the namespace is waited for. It is up to
// date once it has received the object; a source that does not select the object may learn only
// from the next bookmark, about a minute later, that it is.
//
// It fails if the resource version cannot be compared with others (it is not a number), if no
// source has the namespace, if the informer has stopped, or when ctx is done. The error names the
// source that lags behind, by its namespace, and its resource version; it wraps the cause of the
// context's end and, if requests of that source fail, their error. Informers of other packages are
// polled every 50 ms.
func WaitForObject(ctx context.Context, informer SharedInformer, obj metav1.Object) error {
	return awaited{version: obj.GetResourceVersion(), object: obj}.wait(ctx, informer)
}

// WaitForDeletion waits until the informer's store shows that obj was deleted, after a Delete
// that succeeded: a read after that returns no object of its name, or another one (with another
// UID), or this one with a deletion timestamp, which it has until its finalizers are removed and
// its grace period is over.
//
// A server does not report at which resource version it deletes an object. So obj is an earlier
// state of it, from a lister or a request. The store has to be up to date with that as in
// [WaitForObject], and then to show the deletion; an object that is no longer selected counts as
// deleted. WaitForDeletion fails as WaitForObject does.
func WaitForDeletion(ctx context.Context, informer SharedInformer, obj metav1.Object) error {
	return awaited{version: obj.GetResourceVersion(), object: obj, deleted: true}.wait(ctx, informer)
}

// WaitForResourceVersion waits until all sources of the informer are up to date with a
// resource version. Sources without changes, and sources with selectors, may learn only from the
// next bookmark, about a minute later, that they are: use [WaitForObject] to read your own write.
// WaitForResourceVersion fails as WaitForObject does.
func WaitForResourceVersion(ctx context.Context, informer SharedInformer, rv string) error {
	return awaited{version: rv}.wait(ctx, informer)
}

// awaited describes what to wait for.
type awaited struct {
	version string        // that sources must reach
	object  metav1.Object // whose source must reach it; nil for all sources
	deleted bool          // and the store must show its deletion
}

func (a awaited) wait(ctx context.Context, informer SharedInformer) error {
	s, own := ownInformer(informer)
	if own && s.refused != nil {
		return s.refused
	}
	if _, err := resourceversion.CompareResourceVersion(a.version, a.version); err != nil {
		return fmt.Errorf("wait for resource version: %w", err)
	}
	if own {
		return a.waitForSources(ctx, s)
	}
	return a.waitForStore(ctx, informer)
}

// waitForSources waits for the sources of an informer that must reach the version.
func (a awaited) waitForSources(ctx context.Context, s *sharedInformer) error {
	var sources []int
	for i, source := range s.sources {
		if a.object == nil || source.has(a.object.GetNamespace()) {
			sources = append(sources, i)
		}
	}
	if len(sources) == 0 {
		return fmt.Errorf("no source of %s has namespace %q", s.description, a.object.GetNamespace())
	}
	err := s.applier.progress.wait(ctx, func(applied []string) bool {
		for _, i := range sources {
			if !reached(applied[i], a.version) {
				return false
			}
		}
		return a.shows(s.store)
	})
	if err == nil {
		return nil
	}
	return a.behind(s, sources, err)
}

// behind returns an error that names the sources that lag behind, with the reason if it is known.
func (a awaited) behind(s *sharedInformer, sources []int, err error) error {
	applied, state := s.applier.progress.versions(), s.state()
	var late []string
	for _, i := range sources {
		if reached(applied[i], a.version) {
			continue
		}
		at := fmt.Sprintf("is at resource version %q", applied[i])
		source := state.Sources[i]
		if source.Namespace != "" {
			at = fmt.Sprintf("in namespace %s %s", source.Namespace, at)
		}
		late = append(late, at)
		if source.Failures > 0 && source.Err != nil {
			err = fmt.Errorf("%w: %w", err, source.Err)
		}
	}
	switch {
	case len(late) > 0:
		return fmt.Errorf("%s %s, want %q: %w", s.description, strings.Join(late, " and "), a.version, err)
	case a.shows(s.store): // it got there after all
		return nil
	}
	return fmt.Errorf("%s %s is still stored: %w", s.description, MetaObjectToName(a.object), err)
}

// waitForStore waits for the store of an informer of another package.
func (a awaited) waitForStore(ctx context.Context, informer SharedInformer) error {
	for {
		store := informer.GetStore()
		version := store.LastStoreSyncResourceVersion()
		there := reached(version, a.version) || a.object != nil && reached(delta.VersionOf(a.stored(store)), a.version)
		if there && a.shows(store) {
			return nil
		}
		var err error
		select {
		case <-time.After(longestPause):
			if !informer.IsStopped() {
				continue
			}
			err = errStopped
		case <-ctx.Done():
			err = context.Cause(ctx)
		}
		if there {
			return fmt.Errorf("%T: %s is still stored: %w", informer, MetaObjectToName(a.object), err)
		}
		return fmt.Errorf("%T is at resource version %q, want %q: %w", informer, version, a.version, err)
	}
}

// stored returns the object of that name in a store, or nil.
func (a awaited) stored(store Store) any {
	held, _, _ := store.GetByKey(MetaObjectToName(a.object).String())
	return held
}

// shows reports whether a store shows the object's deletion, if that is waited for.
func (a awaited) shows(store Store) bool {
	if !a.deleted {
		return true
	}
	held := delta.MetadataOf(a.stored(store))
	return held == nil || held.GetDeletionTimestamp() != nil ||
		held.GetUID() != "" && a.object.GetUID() != "" && held.GetUID() != a.object.GetUID()
}
