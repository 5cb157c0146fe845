package cache

// queueSource is the way into a queue for one source: a [ReflectorStore] that is told
// of bookmarks, too. A source's calls keep their order; it must not make two at a time.
type queueSource struct {
	queue     *changeQueue
	index     uint16
	namespace string // the one that its lists are of, empty for all
}

var (
	_ TransformingStore      = (*queueSource)(nil)
	_ ReflectorBookmarkStore = (*queueSource)(nil)
)

// Add queues an object that is new.
func (s *queueSource) Add(obj any) error { return s.set(obj, true) }

// Update queues an object that has changed.
func (s *queueSource) Update(obj any) error { return s.set(obj, false) }

func (s *queueSource) set(obj any, added bool) error {
	c := change{kind: changeSet, added: added, source: s.index}
	if err := s.fill(&c, obj); err != nil {
		return err
	}
	return s.queue.put(c)
}

// Delete queues that an object, or that of a tombstone, is gone.
func (s *queueSource) Delete(obj any) error {
	c := change{kind: changeDelete, source: s.index}
	if tombstone, ok := obj.(DeletedFinalStateUnknown); ok {
		c.name, c.object = nameOfKey(tombstone.Key), obj
	} else if err := s.fill(&c, obj); err != nil {
		return err
	}
	return s.queue.put(c)
}

// fill sets what c says of obj, after transforming it. The resource version is the one
// before, so that a transform may drop it.
func (s *queueSource) fill(c *change, obj any) (err error) {
	if m := metadataOf(obj); m != nil {
		c.rv = m.GetResourceVersion()
	}
	if transform := s.queue.transformer(); transform != nil {
		if obj, err = s.queue.transformed(transform, obj); err != nil {
			return err
		}
	}
	c.object = obj
	c.name, err = s.queue.namer.name(obj)
	return err
}

// Replace queues a list of all the source's objects, as one change.
func (s *queueSource) Replace(objs []any, rv string) error {
	r := s.startReplace(len(objs))
	for _, obj := range objs {
		if err := r.add(obj); err != nil {
			return err
		}
	}
	return r.commit(rv)
}

// Resync does nothing: handlers that want to be told again of what is known are told
// without the source.
func (s *queueSource) Resync() error { return nil }

// Bookmark queues that nothing has changed up to a resource version.
func (s *queueSource) Bookmark(rv string) error {
	return s.queue.put(change{kind: changeBookmark, source: s.index, rv: rv})
}

// Transformer returns what every object is transformed with on its way in.
func (s *queueSource) Transformer() TransformFunc { return s.queue.transformer() }
