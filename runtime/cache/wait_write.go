package cache

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/runtime/cache/internal/delta"
)

// WaitForObject waits until the informer's store is up to date with a write; obj is the result of
// Create, Update, Patch or Apply. A read after that returns this state of the object or a later
// one, or none if it was deleted since or is not selected. Only the object's namespace, name, UID and
// resource version matter.
//
// If the informer has several sources, only the source of the namespace is waited for. It is up to
// date once it has received the object; a source that does not select the object may learn only
// from the next bookmark, about a minute later, that it is. An object that is another replica's, or
// becomes it (see [Shards]), is not waited for, unless an earlier state of it is still stored.
//
// It fails if the resource version cannot be compared with others (it is not a number), if no
// source has the namespace, if the informer has stopped, or when ctx is done. The error names the
// source that lags behind, by its namespace, and its resource version; it wraps the cause of the
// context's end and, if requests of that source fail, their error. Informers of other packages are
// polled every 50 ms.
func WaitForObject(ctx context.Context, informer SharedInformer, obj metav1.Object) error {
	return awaitedObject(obj).wait(ctx, informer)
}

// WaitForDeletion waits until the informer's store shows that obj was deleted, after a Delete
// that succeeded: a read after that returns no object of its name, or another one (with another
// UID or, if the stored object has none because a transform removes it, another time of creation),
// or this one with a deletion timestamp, which it has until its finalizers are removed and its grace
// period is over.
//
// A server does not report at which resource version it deletes an object. So obj is an earlier
// state of it, from a lister or a request. The store has to be up to date with that as in
// [WaitForObject], and then to show the deletion; an object that is no longer selected, or of
// another replica by now (see [Shards]), counts as deleted. WaitForDeletion fails as WaitForObject does.
func WaitForDeletion(ctx context.Context, informer SharedInformer, obj metav1.Object) error {
	a := awaitedObject(obj)
	a.deleted = true
	return a.wait(ctx, informer)
}

// WaitForResourceVersion waits until all sources of the informer are up to date with a
// resource version. Sources without changes, and sources with selectors, may learn only from the
// next bookmark, about a minute later, that they are: use [WaitForObject] to read your own write.
// WaitForResourceVersion fails as WaitForObject does.
func WaitForResourceVersion(ctx context.Context, informer SharedInformer, rv string) error {
	return awaited{version: rv}.wait(ctx, informer)
}

// WaitForResourceVersionIn is [WaitForResourceVersion] for the objects of one namespace: it waits only for the
// source that has it. An empty namespace is that of objects without one.
func WaitForResourceVersionIn(ctx context.Context, informer SharedInformer, namespace, rv string) error {
	return awaited{version: rv, in: &namespace}.wait(ctx, informer)
}

// awaited describes what to wait for.
type awaited struct {
	version    string        // that sources must reach
	anyVersion bool          // sources need not reach one
	in         *string       // the namespace whose source must reach it; nil for all sources
	object     metav1.Object // what the fields below are about, nil if they are false
	deleted    bool          // the store must show the object's deletion
	gone       bool          // a deletion timestamp does not suffice for that
	absent     bool          // it suffices that the object is not stored
}

// awaitedObject is the state of an object.
func awaitedObject(obj metav1.Object) awaited {
	namespace := obj.GetNamespace()
	return awaited{version: obj.GetResourceVersion(), in: &namespace, object: obj}
}

func (a awaited) wait(ctx context.Context, informer SharedInformer) error {
	s, own := ownInformer(informer)
	if own && s.refusal() != nil {
		return s.refusal()
	}
	if _, err := delta.CompareVersions(a.version, a.version); err != nil && !a.anyVersion {
		return fmt.Errorf("wait for resource version: %w", err)
	}
	if own {
		return a.waitForSources(ctx, s)
	}
	return a.waitForStore(ctx, informer)
}

// waitForSources waits for the sources of an informer that must reach the version.
func (a awaited) waitForSources(ctx context.Context, s *sharedInformer) error {
	sources := a.sources(s)
	if len(sources) == 0 {
		return fmt.Errorf("no source of %s has namespace %q", s.description, *a.in)
	}
	err := s.applier.progress.wait(ctx, func(applied []string) bool { return a.ended(s, sources, applied) })
	if err == nil {
		return nil
	}
	return a.behind(s, sources, err)
}

// sources returns which sources of an informer must reach the version.
func (a awaited) sources(s *sharedInformer) (out []int) {
	for i, source := range s.sources {
		if a.in == nil || source.has(*a.in) {
			out = append(out, i)
		}
	}
	return out
}

// ended reports whether a wait for sources of an informer has ended.
func (a awaited) ended(s *sharedInformer, sources []int, applied []string) bool {
	return a.arrived(sources, applied, s.store) || a.object != nil && s.excludes(a.object)
}

// arrived reports whether nothing is left to wait for. applied are the versions that all sources have reached.
func (a awaited) arrived(sources []int, applied []string, store Store) bool {
	late := slices.ContainsFunc(sources, func(i int) bool { return !a.reached(applied[i]) })
	return (!late || a.absent && a.stored(store) == nil) && a.shows(store)
}

// reached reports whether a source that has reached the version applied has reached the one that it must.
func (a awaited) reached(applied string) bool { return a.anyVersion || reached(applied, a.version) }

// behind returns an error that names the sources that lag behind, with the reason if it is known, and with what they do
// about it.
func (a awaited) behind(s *sharedInformer, sources []int, err error) error {
	applied, state := s.applier.progress.versions(), s.state()
	var late []string
	for _, i := range sources {
		source, reached := state.Sources[i], a.reached(applied[i])
		if !reached {
			at := fmt.Sprintf("is at resource version %q", applied[i])
			if source.Namespace != "" {
				at = fmt.Sprintf("in namespace %s %s", source.Namespace, at)
			}
			late = append(late, at)
		}
		if (!reached || a.deleted) && source.Failures > 0 && source.Err != nil {
			err = fmt.Errorf("%w: %w (%s)", err, source.Err, source.Doing)
		}
	}
	switch {
	case a.ended(s, sources, applied): // it got there after all
		return nil
	case len(late) > 0:
		return fmt.Errorf("%s %s, want %q: %w", s.description, strings.Join(late, " and "), a.version, err)
	}
	return a.stillStored(s.description, s.store, err)
}

// waitForStore waits for the store of an informer of another package.
func (a awaited) waitForStore(ctx context.Context, informer SharedInformer) error {
	for {
		store := informer.GetStore()
		version := store.LastStoreSyncResourceVersion()
		there := a.reached(version) || a.object != nil && a.reached(delta.VersionOf(a.stored(store)))
		if (there || a.absent && a.stored(store) == nil) && a.shows(store) {
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
			return a.stillStored(fmt.Sprintf("%T:", informer), store, err)
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
	return held == nil || held.GetDeletionTimestamp() != nil && !a.gone || a.isOther(held)
}

// isOther reports whether a stored object is another one of the same name: it has another UID or, if one of both has no UID,
// another time of creation.
func (a awaited) isOther(held metav1.Object) bool {
	if held.GetUID() != "" && a.object.GetUID() != "" {
		return held.GetUID() != a.object.GetUID()
	}
	created, before := held.GetCreationTimestamp(), a.object.GetCreationTimestamp()
	return !created.IsZero() && !before.IsZero() && !created.Equal(&before)
}

// stillStored returns the error of a deletion that a store does not show.
func (a awaited) stillStored(description string, store Store, err error) error {
	doubt := ""
	if held := delta.MetadataOf(a.stored(store)); held != nil && held.GetUID() == "" {
		doubt = ", or was created again: the stored object has no UID"
	}
	return fmt.Errorf("%s %s is still stored%s: %w", description, MetaObjectToName(a.object), doubt, err)
}
