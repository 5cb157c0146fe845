package cache

// replacement is a list of all objects of a source, on its way into the store. It is
// made item by item and queued as one; what is not committed has no effect. It is used
// by one goroutine.
type replacement struct {
	source    *queueSource
	transform TransformFunc // or nil
	items     []record
}

// startReplace begins a list of about sizeHint objects.
func (s *queueSource) startReplace(sizeHint int) *replacement {
	return &replacement{
		source:    s,
		transform: s.queue.transformer(),
		items:     make([]record, 0, max(sizeHint, 0)),
	}
}

// add appends an object, transformed. For one that is held already in the same state the
// held one is taken, and the new one can be freed.
func (r *replacement) add(obj any) (err error) {
	q := r.source.queue
	item := record{}
	if m := metadataOf(obj); m != nil {
		item.rv = m.GetResourceVersion()
	}
	if r.transform != nil {
		if obj, err = q.transformed(r.transform, obj); err != nil {
			return err
		}
	}
	item.object = obj
	if item.name, err = q.namer.name(obj); err != nil {
		return err
	}
	if q.known != nil {
		if held, ok := q.known.get(item.name); ok && sameState(held, obj) {
			item.object = held
		}
	}
	r.items = append(r.items, item)
	return nil
}

// keep appends an object that is there but cannot be read: what is held of it stays, and
// it is not taken for deleted.
func (r *replacement) keep(name ObjectName) {
	r.items = append(r.items, record{name: name, keep: true})
}

// drop takes back what was appended of an object.
func (r *replacement) drop(name ObjectName) {
	r.items = append(r.items, record{name: name, gone: true})
}

// commit queues the list, whose resource version is rv. Of an object that was appended
// several times the last counts. The replacement must not be used after that.
func (r *replacement) commit(rv string) error {
	r.settle()
	return r.source.queue.put(change{kind: changeReplace, source: r.source.index, rv: rv, replacement: r})
}

// settle leaves the last item of each object, and none where that says that it is gone.
func (r *replacement) settle() {
	if r.ascends() {
		return
	}
	last := make(map[ObjectName]int, len(r.items))
	for i := range r.items {
		last[r.items[i].name] = i
	}
	settled := r.items[:0]
	for i, item := range r.items {
		if last[item.name] == i && !item.gone {
			settled = append(settled, item)
		}
	}
	clear(r.items[len(settled):])
	r.items = settled
}

// ascends says whether the items are in the order of their keys, as servers list them, so
// that there are none of the same object.
func (r *replacement) ascends() bool {
	for i := range r.items {
		if r.items[i].gone || i > 0 && !precedes(r.items[i-1].name, r.items[i].name) {
			return false
		}
	}
	return true
}

// precedes says whether a's key sorts before b's.
func precedes(a, b ObjectName) bool {
	if a.Namespace == b.Namespace {
		return a.Name < b.Name
	}
	return a.Namespace+"/" < b.Namespace+"/"
}
