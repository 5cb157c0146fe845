package cache

// replacement is a list of all objects of a source, on its way into the store. It is
// made item by item and queued as one; what is not committed has no effect.
type replacement struct {
	source *queueSource
	items  []record
}

// startReplace begins a list of about sizeHint objects.
func (s *queueSource) startReplace(sizeHint int) *replacement {
	return &replacement{source: s, items: make([]record, 0, max(sizeHint, 0))}
}

// add appends an object. One that is known in this resource version already is not
// transformed, and the known one is taken in its place.
func (r *replacement) add(obj any) error {
	c := change{}
	if held, ok := r.held(obj); ok {
		obj = held
	}
	if err := r.source.fill(&c, obj); err != nil {
		return err
	}
	r.items = append(r.items, record{name: c.name, rv: c.rv, object: c.object})
	return nil
}

func (r *replacement) held(any) (any, bool) { return nil, false }

// keep appends an object that is there but cannot be read: what is known of it stays.
func (r *replacement) keep(name ObjectName) {
	r.items = append(r.items, record{name: name, keep: true})
}

// commit queues the list, which is as of rv. The replacement must not be used after.
func (r *replacement) commit(rv string) error {
	return r.source.queue.put(change{kind: changeReplace, source: r.source.index, rv: rv, replacement: r})
}
