package deltaqueue

import "github.com/listwatch/listwatch/runtime/cache/internal/delta"

// List is a list of all objects of a source, or of some, that is built item by item and queued as one
// delta. Without a Commit or Join it has no effect. It must be used by one goroutine.
type List struct {
	delta.List // its items have at least one piece
	source     *Source
	transform  func(obj any) (any, error) // or nil
}

// StartList starts a list of about sizeHint objects.
func (s *Source) StartList(sizeHint int) *List {
	return &List{
		List:      delta.List{Scope: s.scope, Items: delta.Items{make([]delta.Item, 0, max(sizeHint, 0))}},
		source:    s,
		transform: s.queue.Transformer(int(s.index)),
	}
}

// most is the number of items up to which their memory grows. More are in other pieces: growing
// leaves several times of what the items take to the garbage collector.
const most = 1024

// append appends an item.
func (l *List) append(item delta.Item) {
	last := len(l.Items) - 1
	if n := len(l.Items[last]); n == cap(l.Items[last]) && n >= most {
		l.Items = append(l.Items, make([]delta.Item, 0, most))
		last++
	}
	l.Items[last] = append(l.Items[last], item)
}

// Len returns the number of items.
func (l *List) Len() int { return l.Items.Len() }

// Add appends an object, transformed. If the store has it in the same state, the stored one
// is used, and the new one can be freed.
func (l *List) Add(obj any) (err error) {
	q := l.source.queue
	item := delta.Item{RV: delta.VersionOf(obj)}
	if item.Object, err = q.Transformed(l.transform, obj); err != nil {
		return err
	}
	if item.Name, err = q.options.Name(item.Object); err != nil {
		return err
	}
	var stored any
	if q.options.Known != nil {
		stored, _ = q.options.Known.Held(item.Name)
	}
	switch {
	case q.options.Pack != nil:
		if item.Object, err = q.options.Pack(item.Object, stored); err != nil {
			return err
		}
		item.Own()
	case stored != nil && delta.SameState(stored, item.Object):
		item.Object = stored
	}
	l.append(item)
	return nil
}

// Keep appends an object that exists but cannot be decoded: its stored state is retained, and it
// does not count as deleted.
func (l *List) Keep(name delta.Name) {
	l.append(delta.Item{Name: name, Keep: true})
}

// Drop removes the items that were appended for an object.
func (l *List) Drop(name delta.Name) {
	l.append(delta.Item{Name: name, Dropped: true})
}

// Commit queues the list, whose resource version is rv. If an object was appended several
// times, its last item counts. The list must not be used after that.
func (l *List) Commit(rv string) error {
	l.dedupe()
	return l.source.queue.Put(delta.Delta{Kind: delta.ReplaceAll, Source: l.source.index, RV: rv, List: &l.List})
}

// Join queues the list as objects that the source did not have before: others stay. rv is the version up to which
// the source has received everything, with the list.
func (l *List) Join(rv string) error {
	l.dedupe()
	return l.source.queue.Put(delta.Delta{Kind: delta.Join, Source: l.source.index, RV: rv, List: &l.List})
}

// dedupe removes all items of each object except the last, and this one too if it is dropped.
func (l *List) dedupe() {
	if l.ascends() {
		return
	}
	last := make(map[delta.Name]int, l.Len())
	for i, item := range l.Items.All() {
		last[item.Name] = i
	}
	var unique []delta.Item
	for i, item := range l.Items.All() {
		if last[item.Name] == i && !item.Dropped {
			unique = append(unique, *item)
		}
	}
	l.Items = delta.Items{unique}
}

// ascends reports whether the items are sorted by key, as servers list them, so that no two
// are of the same object.
func (l *List) ascends() bool {
	var previous *delta.Item
	for _, item := range l.Items.All() {
		if item.Dropped || previous != nil && !previous.Name.Precedes(item.Name) {
			return false
		}
		previous = item
	}
	return true
}
