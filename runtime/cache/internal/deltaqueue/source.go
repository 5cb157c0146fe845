package deltaqueue

import "github.com/listwatch/listwatch/runtime/cache/internal/delta"

// Source puts the deltas of one list/watch source into a queue: it is the cache.ReflectorStore of a
// reflector. The order of its calls is preserved, and they must not overlap.
type Source struct {
	queue *Queue
	index uint16
	scope delta.Scope // of its lists

	behind bool // what is added may be older than what the store has from a joined list
}

// SetBehind sets whether objects that are added from now on may be older than those of the same names that were joined.
func (s *Source) SetBehind(behind bool) { s.behind = behind }

// Release queues that the source does not have the objects any more that match selects. applied is called when the store
// has dropped them; it is not called if the queue is closed before.
func (s *Source) Release(match func(obj any) bool, applied func()) error {
	list := &delta.List{Scope: s.scope, Match: match, Applied: applied}
	return s.queue.Put(delta.Delta{Kind: delta.Release, Source: s.index, List: list})
}

// Add queues a new object.
func (s *Source) Add(obj any) error { return s.set(obj, true) }

// Update queues a changed object.
func (s *Source) Update(obj any) error { return s.set(obj, false) }

func (s *Source) set(obj any, added bool) error {
	d := delta.Delta{Kind: delta.Set, Added: added, Source: s.index, Behind: s.behind}
	err := s.describe(&d, obj)
	if pack := s.queue.options.Pack; err == nil && pack != nil {
		d.Object, err = pack(d.Object, nil)
	}
	if err != nil {
		return err
	}
	return s.queue.Put(d)
}

// Delete queues the deletion of an object, or of a tombstone's object.
func (s *Source) Delete(obj any) error {
	d := delta.Delta{Kind: delta.Delete, Source: s.index, Behind: s.behind}
	if key, ok := s.tombstoneKey(obj); ok {
		d.Name, d.Object = delta.NameOfKey(key), obj
	} else if err := s.describe(&d, obj); err != nil {
		return err
	}
	return s.queue.Put(d)
}

func (s *Source) tombstoneKey(obj any) (string, bool) {
	if f := s.queue.options.TombstoneKey; f != nil {
		return f(obj)
	}
	return "", false
}

// describe transforms obj and sets the fields of d that describe it. The resource version is
// read before, so that a transform may remove it.
func (s *Source) describe(d *delta.Delta, obj any) (err error) {
	d.RV = delta.VersionOf(obj)
	if d.Object, err = s.queue.Transformed(s.queue.Transformer(int(s.index)), obj); err != nil {
		return err
	}
	d.Name, err = s.queue.options.Name(d.Object)
	return err
}

// Replace queues a list of all objects of the source, as one delta.
func (s *Source) Replace(objs []any, rv string) error {
	l := s.StartList(len(objs))
	for _, obj := range objs {
		if err := l.Add(obj); err != nil {
			return err
		}
	}
	return l.Commit(rv)
}

// Resync does nothing: handlers are resynced without the source.
func (s *Source) Resync() error { return nil }

// Bookmark queues the information that nothing else changed up to a resource version.
func (s *Source) Bookmark(rv string) error {
	return s.queue.Put(delta.Delta{Kind: delta.Bookmark, Source: s.index, RV: rv})
}
