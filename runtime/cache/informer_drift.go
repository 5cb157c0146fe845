package cache

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/listwatch/listwatch/runtime/cache/internal/delta"
	"github.com/listwatch/listwatch/runtime/cache/internal/objectstore"
	"github.com/listwatch/listwatch/runtime/cache/internal/packing"
	"github.com/listwatch/listwatch/runtime/cache/internal/shards"
	"github.com/listwatch/listwatch/runtime/codec"
)

// DriftError reports how the store of an informer differs from the server at the same resource
// version. The names are sorted.
type DriftError struct {
	// Type describes the objects, as [State] does.
	Type string
	// Missing are on the server and not in the store.
	Missing []ObjectName
	// Stale are in the store with another resource version than on the server, usually an
	// older one.
	Stale []ObjectName
	// Different are in the store with the same resource version as on the server but with other
	// content: the server returns something else without a write, for instance because a CRD got a
	// default.
	Different []ObjectName
	// Deleted are in the store, and deleted on the server.
	Deleted []ObjectName
	// ServerVersion is the server's resource version if that is older than StoreVersion,
	// which the store had reached before: the server was restored from a backup, or replaced.
	// Objects are not compared then. Otherwise both are empty.
	ServerVersion, StoreVersion string
}

// Error names a few of the objects.
func (e *DriftError) Error() string {
	var parts []string
	if e.ServerVersion != "" {
		parts = append(parts, fmt.Sprintf("server is at resource version %s, store at %s", e.ServerVersion, e.StoreVersion))
	}
	for _, part := range []struct {
		what  string
		names []ObjectName
	}{{"missing", e.Missing}, {"stale", e.Stale}, {"different", e.Different}, {"deleted on the server", e.Deleted}} {
		if len(part.names) > 0 {
			parts = append(parts, fmt.Sprintf("%d %s (%s)", len(part.names), part.what, someNames(part.names)))
		}
	}
	return fmt.Sprintf("store of %s differs from the server: %s", e.Type, strings.Join(parts, ", "))
}

// none reports whether no objects differ.
func (e *DriftError) none() bool {
	return len(e.Missing)+len(e.Stale)+len(e.Different)+len(e.Deleted) == 0
}

// someNames returns the first few names.
func someNames(names []ObjectName) string {
	const few = 3
	var some []string
	for _, name := range names[:min(few, len(names))] {
		some = append(some, name.String())
	}
	if len(names) > few {
		some = append(some, "...")
	}
	return strings.Join(some, ", ")
}

// CheckDrift lists all objects and compares them with the informer's store. It returns nil if
// there is no difference, and a [*DriftError] if there is one. A correct informer has none; use
// it to check that of a running program, with everything between it and the server, from time
// to time:
//
//	go wait.UntilWithContext(ctx, func(ctx context.Context) {
//		if err := cache.CheckDrift(ctx, informer); err != nil {
//			logger.Error(err, "Checked the cache")
//		}
//	}, time.Hour)
//
// Objects with the same UID and resource version are compared by their content, after the
// informer's transform, which must return the same for the same object; TypeMeta is ignored.
// What changes meanwhile is not a difference. The list costs the server and the network as
// much as a first one; its names and resource versions are kept in memory, and objects whose
// state differs from the store's. If there are differences, the informer must reach the resource
// version of the list first, which may take until the next bookmark, about a minute. Quarantined
// objects are ignored.
//
// An informer that follows [Shards] is compared with the objects of the slots that it has; if these change meanwhile and
// there are differences, that is an error.
//
// It returns other errors if the list or [WaitForResourceVersion] fails, if ctx ends, or if the
// informer is of another package, so that its lists are not known.
func CheckDrift(ctx context.Context, informer SharedInformer) error {
	s, ok := ownInformer(informer)
	if !ok {
		return fmt.Errorf("cannot check %T for drift: its lists are not known", informer)
	}
	if refused := s.refusal(); refused != nil {
		return refused
	}
	c, err := s.census(ctx)
	if err != nil {
		return err
	}
	drift, err := c.compare(s.store.View())
	if err != nil || drift.none() {
		return err
	}
	if !s.hasSlots(c.slots) {
		return errMoved
	}
	if err = WaitForResourceVersion(ctx, s, c.newest); err != nil {
		return fmt.Errorf("the store differs from the server, and may not have received the latest changes: %w", err)
	}
	if drift, err = c.compare(s.store.View()); err != nil {
		return err
	}
	// An object that is not stored may have been deleted since the list. If it has not,
	// and was not changed either, it has been there all the time.
	if suspects := drift.Missing; len(suspects) > 0 {
		again, err := s.census(ctx)
		if err != nil {
			return err
		}
		drift.Missing = slices.DeleteFunc(suspects, func(name ObjectName) bool {
			return again.objects[name].version != c.objects[name].version
		})
	}
	if drift.none() {
		return nil
	}
	if !s.hasSlots(c.slots) {
		return errMoved
	}
	drift.Type = s.description
	return drift
}

// census is what the server has.
type census struct {
	objects map[ObjectName]counted
	unknown map[ObjectName]bool // objects that cannot be decoded
	oldest  string              // resource version of the lists
	newest  string
	slots   [][]int // whose objects were counted, by source; nil without Shards
}

// errMoved reports that a store could not be compared.
var errMoved = errors.New("shards have changed during the check")

// slots returns the slots whose objects the store has, by source; nil if it has all.
func (s *sharedInformer) slots() (slots [][]int) {
	if s.shards == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range s.sources {
		slots = append(slots, nil)
		if s.started {
			slots[i] = s.reflectors[i].state().Slots
		}
	}
	return slots
}

// hasSlots reports whether slots returns these.
func (s *sharedInformer) hasSlots(slots [][]int) bool {
	return slices.EqualFunc(s.slots(), slots, slices.Equal)
}

// counted is an object of a census.
type counted struct {
	version string // as the server has it: a transform may remove it from the object
	object  any    // transformed; the store's, if that has it in the same state
}

// census lists all objects. If the server's version is older than one that the store had reached, the error is a
// [*DriftError].
func (s *sharedInformer) census(ctx context.Context) (*census, error) {
	c := &census{objects: map[ObjectName]counted{}, unknown: map[ObjectName]bool{}, slots: s.slots()}
	listing := ctx
	if s.options.Undecodable == QuarantineUndecodable {
		listing = codec.WithUndecodable(ctx)
	}
	for i, source := range s.sources {
		var selection *shards.Selector
		if c.slots != nil {
			if len(c.slots[i]) == 0 {
				continue
			}
			var err error
			if selection, err = shards.Parse(s.shards.Selector(c.slots[i])); err != nil {
				return nil, err
			}
		}
		p := pages{lister: ToListerWithContext(source.ListerWatcher)}
		p.streamer, _ = source.ListerWatcher.(ListStreamer)
		found := map[ObjectName]counted{}
		p.begin = func() { clear(found) }
		p.each = func(obj runtime.Object) error {
			if selection != nil && !inShard(selection, obj) {
				return nil
			}
			return s.count(c, found, i, obj)
		}
		reached := s.applier.progress.reached(i)
		options := metav1.ListOptions{Limit: pageSize}
		shards.SetSelector(&options, selection)
		version, _, err := p.list(shards.WithSelection(s.withTexts(listing, i), selection), options)
		if err != nil {
			return nil, fmt.Errorf("failed to list %s for comparison: %w", s.description, err)
		}
		if order(version, reached) < 0 {
			return nil, &DriftError{Type: s.description, ServerVersion: version, StoreVersion: reached}
		}
		maps.Copy(c.objects, found)
		if c.oldest == "" {
			c.oldest = version
		}
		c.newest = version
	}
	return c, nil
}

// count adds an object of a source to found, or to the unknown ones.
func (s *sharedInformer) count(c *census, found map[ObjectName]counted, source int, obj runtime.Object) error {
	m, err := meta.Accessor(obj)
	if err != nil {
		return err
	}
	name := MetaObjectToName(m)
	if _, bad := obj.(*codec.Undecodable); bad {
		c.unknown[name] = true
		return nil
	}
	one := counted{version: m.GetResourceVersion(), object: obj}
	s.mu.Lock()
	transform := s.transformOf(source).apply
	s.mu.Unlock()
	if one.object, err = s.queue.Transformed(transform, obj); err != nil {
		return err
	}
	stored, ok := s.store.Held(delta.Name(name))
	if pack := s.packFunc(); pack != nil {
		if one.object, err = pack(one.object, stored); err != nil {
			return err
		}
	} else if ok && delta.SameState(stored, one.object) {
		one.object = stored
	}
	found[name] = one
	return nil
}

// compare compares the store's objects. The result is drift if they are as of the census or later. Missing ones may have been
// deleted since.
func (c *census) compare(stored objectstore.View) (*DriftError, error) {
	drift := &DriftError{}
	seen := make(map[ObjectName]bool, stored.Len())
	for i := range stored.Len() {
		obj := stored.At(i)
		if packed, ok := obj.(*packing.Object); ok {
			if name := ObjectName(nameOfObject(obj)); c.objects[name].object == obj {
				seen[name] = true // in the same state, and need not be decoded
				continue
			}
			obj = packing.Open(packed)
		}
		m, err := meta.Accessor(obj)
		if err != nil {
			return nil, err
		}
		name := MetaObjectToName(m)
		seen[name] = true
		listed, exists := c.objects[name]
		switch {
		case c.unknown[name]:
		case exists && c.differs(m.GetResourceVersion(), listed.version):
			drift.Stale = append(drift.Stale, name)
		case exists && isOtherContent(stored.At(i), listed.object):
			drift.Different = append(drift.Different, name)
		case !exists && order(m.GetResourceVersion(), c.oldest) < 0:
			drift.Deleted = append(drift.Deleted, name)
		}
	}
	for name := range c.objects {
		if !seen[name] {
			drift.Missing = append(drift.Missing, name)
		}
	}
	for _, names := range [][]ObjectName{drift.Missing, drift.Stale, drift.Different, drift.Deleted} {
		slices.SortFunc(names, func(a, b ObjectName) int { return strings.Compare(a.String(), b.String()) })
	}
	return drift, nil
}

// differs reports whether a stored version cannot follow on the listed one: it is older, or
// newer and yet not newer than the list. If a transform has removed the stored one, they count
// as equal.
func (c *census) differs(stored, listed string) bool {
	o := order(stored, listed)
	return o < 0 || o > 0 && order(stored, c.oldest) <= 0
}

// isOtherContent reports whether two objects are the same by UID and resource version only.
func isOtherContent(a, b any) bool {
	x, y := delta.MetadataOf(packing.Open(a)), delta.MetadataOf(packing.Open(b))
	return x != nil && y != nil && delta.SameVersion(x, y) && !delta.SameState(a, b)
}
