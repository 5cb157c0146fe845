package cache_test

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// seed is a bug: in a file, a snippet that occurs once is replaced.
type seed struct {
	name, file, snippet, replacement string
}

// seeds are bugs of the kinds that informers have had.
var seeds = []seed{
	{"a deletion found by a list is not delivered", "internal/objectstore/replace.go",
		`		if !more(delta.Delta{Kind: delta.Delete`, `		if last == nil && !more(delta.Delta{Kind: delta.Delete`},
	{"a list deletes nothing", "internal/objectstore/replace.go",
		`if c.generation != s.generation && scope.Contains(c.key()) {`, `if c.generation > s.generation && scope.Contains(c.key()) {`},
	{"a list of one namespace deletes objects of others", "internal/objectstore/replace.go",
		`if c.generation != s.generation && scope.Contains(c.key()) {`, `if c.generation != s.generation {`},
	{"a tombstone has the key of another form", "internal/objectstore/replace.go",
		`d.tombstone(key`, `d.tombstone("/" + key`},
	{"a new state in a list is taken for the old one", "internal/delta/state.go",
		`&& SameVersion(x, y) && sameContent(a, b)`, `&& x.GetUID() == y.GetUID()`},
	{"objects unchanged by a list are delivered again", "internal/objectstore/replace.go",
		`c != nil && !s.options.EachListed && delta.SameState(c.object(), item.Object)`, `c != nil && c.object() == nil`},
	{"a long list drops the objects of other namespaces", "internal/objectstore/replace.go",
		`if c.generation == s.generation || !scope.Contains(c.key()) {`, `if c.generation == s.generation {`},
	{"an index is not updated", "internal/objectstore/contents.go",
		`		if !match(c.refs[from:to], values[i].values) {`, `		if len(c.refs) == 0 && !match(c.refs[from:to], values[i].values) {`},
	{"a moved object is not found in its index", "internal/objectstore/contents.go",
		`			r.move(moved.pos)`, `			_ = r`},
	{"an index retains deleted objects", "internal/objectstore/contents.go",
		`	for _, r := range c.refs {
		r.unlink(t.cells)
	}
	for _, x`, `	for _, x`},
	{"an empty bucket stays", "internal/objectstore/index.go", `	if last == 0 {`, `	if last < 0 {`},
	{"an index error stays", "internal/objectstore/index.go", `delete(x.failed, c); len`, `len`},
	{"readers see half of a transaction", "internal/objectstore/write.go",
		`	defer s.writing.Unlock()
	s.applyAtOnce(deltas, func(last string) string { return last })`, `	defer s.writing.Unlock()
	for i := range deltas {
		s.applyAtOnce(deltas[i:i+1], func(last string) string { return last })
	}`},

	{"the last of a chunk is lost", "internal/deltaqueue/queue.go", `	chunk := q.chunks[0]`, `	chunk := q.chunks[0][:max(1, len(q.chunks[0])-1)]`},
	{"the newest chunk is taken out first", "internal/deltaqueue/queue.go",
		`	q.chunks[n-1] = append(q.chunks[n-1], d)`, `	q.chunks[n-1] = append([]delta.Delta{d}, q.chunks[n-1]...)`},
	{"objects of a list are not transformed", "internal/deltaqueue/list.go", `	if item.Object, err = q.Transformed(l.transform, obj); err != nil {
		return err
	}`, `	if item.Object = obj; l.Len() == 0 {
		if item.Object, err = q.Transformed(l.transform, obj); err != nil {
			return err
		}
	}`},
	{"an object is reused in an old state", "internal/deltaqueue/list.go",
		`stored != nil && delta.SameState(stored, item.Object)`, `stored != nil && delta.MetadataOf(stored).GetUID() == delta.MetadataOf(item.Object).GetUID()`},
	{"bookmarks do not count", "queue_apply.go", `	a.progress.advance([]delta.Delta{*d})
	a.setVersion()`, `	a.setVersion()`},
	{"a version counts as stored before it is", "queue_apply.go",
		`	a.mu.Lock()
	for len(deltas) > 0 {`, `	for i := range deltas {
		if rv := deltas[i].RV; rv != "" {
			a.progress.advance([]delta.Delta{{Source: deltas[i].Source, RV: rv + "0"}})
		}
	}
	a.mu.Lock()
	for len(deltas) > 0 {`},
	{"one source is enough for sync", "queue_apply.go", `a.open--; a.open == 0 {`, `a.open--; a.open == len(a.listed)-1 {`},
	{"the sync marker precedes the objects", "queue_apply.go",
		`	diff := a.store.ApplyList(`, `	if !isClosed(a.synced) && a.open == 1 {
		a.sink.markSynced()
	}
	diff := a.store.ApplyList(`},
	{"objects of the first list are not initial", "queue_apply.go", `d.Source, first`, `d.Source, false`},

	{"a late handler receives the stored objects twice", "handler_processor.go",
		`		p.address([]*registration{r}, initial, initialAdd, marks, now)`,
		`		p.address([]*registration{r}, append(initial[:len(initial):len(initial)], initial...), initialAdd, marks, now)`},
	{"a late handler has synced before its calls", "handler_processor.go",
		`		p.address([]*registration{r}, initial, initialAdd, marks, now)`,
		`		p.address([]*registration{r}, nil, initialAdd, marks, now)
		p.address([]*registration{r}, initial, initialAdd, 0, now)`},
	{"a late handler misses events while it joins", "handler_processor.go",
		`	p.handlers = append(p.handlers, r)`, `	p.handlers = append(p.handlers, r)
	if r.cursor != nil {
		defer func() { r.cursor.after.Store(p.log.tail) }()
	}`},
	{"a handler is woken only if it is the first", "handler_processor.go",
		`			r.merge.publish(changes, now)
		}
		r.poke()`, `			r.merge.publish(changes, now)
		}
		if r == p.handlers[0] {
			r.poke()
		}`},
	{"a cursor is off by one", "handler_registration.go", `	for n := 0; n < len(events); {`, `	for n := len(events) / 8; n < len(events); {`},
	{"the rest of a batch after a panic is lost", "handler_registration.go",
		`		n += r.deliverUntilPanic(events[n:])`, `		r.deliverUntilPanic(events[n:])
		n = len(events)`},
	{"an event is delivered again after a panic", "handler_registration.go",
		`		n++
		r.call(&e)`, `		r.call(&e)
		n++`},
	{"a handler that is removed is not stopped", "handler_processor.go", `	r.stop(deliverNone)
	if known`, `	if known`},
	{"the end does not wait for handlers", "handler_processor.go", `	p.readers.Wait()`, ``},
	{"a drain drops", "informer_shared.go", `!s.options.DrainOnStop)`, `true)`},
	{"a resync is delivered to all", "handler_resync.go", `			whole = append(whole, r)`, `			whole = append(whole, p.handlers...)`},
	{"there is one resync only", "handler_registration.go", `			r.resyncing.Store(false)`, ``},
	{"a resync period is not rounded", "handler_resync.go", `(requested + unit - 1) / unit * unit`, `requested/unit*unit + unit`},
	{"merging forgets what the handler has received", "handler_merge.go",
		`		return event{kind: eventUpdate, object: b.object, old: a.old}`, `		return b`},
	{"merging delivers the deletion of an object that was never delivered", "handler_merge.go",
		`		return event{}
	case a.old == nil:`, `		return b
	case a.old == nil:`},
	{"events that merge to nothing are kept", "handler_merge.go", `			q.remove(pending)`, ``},
	{"merging modifies the event of a running call", "handler_merge.go",
		`		delete(q.latest, e.name) // what`, `		_ = q.latest[e.name] // what`},

	{"a list that broke is taken", "reflector_pages.go",
		`	if err != nil {
		return nil, err
	}
	m, err := meta.ListAccessor(list)`, `	if err != nil {
		list = &metav1.List{ListMeta: metav1.ListMeta{ResourceVersion: "1000000"}}
	}
	m, err := meta.ListAccessor(list)`},
	{"only the first page is taken", "reflector_pages.go", `options.Continue = list.GetContinue(); options.Continue == ""`, `options.Continue = ""; options.Continue == ""`},
	{"a watch starts where the first started", "reflector_watch.go",
		`		r.record.event(version, w.at)`, `		r.record.event("", w.at)`},
	{"an expired version is requested repeatedly", "reflector_watch.go",
		`		case isExpired(err):
			logger.V(4).Info("Watch expired", "err", err)
			return nil`, `		case isExpired(err):
			if !r.pause(ctx, err, "watch") {
				return nil
			}`},
	{"a watch list is complete without its end", "reflector_stream.go",
		`			l.version = m.GetResourceVersion()
			return nil
		}`, `			l.version = m.GetResourceVersion()
			return nil
		}
		if l.version = m.GetResourceVersion(); l.objects.Len() > 5 {
			return nil
		}`},
}

// plant returns the file with the bug.
func (s seed) plant(t *testing.T) string {
	t.Helper()
	source, err := os.ReadFile(s.file)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(source), s.snippet); n != 1 {
		t.Fatalf("the snippet is %d times in %s", n, s.file)
	}
	return strings.Replace(string(source), s.snippet, s.replacement, 1)
}

// TestSeedsFit checks that the bugs can be seeded in the current code. Checking that they are found
// takes long: the tests with the build tag seeded do.
func TestSeedsFit(t *testing.T) {
	for _, s := range slices.Concat(seeds, shardSeeds) {
		t.Run(strings.ReplaceAll(s.name, " ", "_"), func(t *testing.T) {
			s.plant(t)
		})
	}
}
