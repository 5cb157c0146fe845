package store

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/apiserver/pkg/storage"
	"k8s.io/apiserver/pkg/storage/cacher/key"
	utilflowcontrol "k8s.io/apiserver/pkg/util/flowcontrol"
)

const (
	// resultBuffer is the number of events that a watch buffers for its reader. If the reader is slow, it
	// retains their objects after the history has discarded them.
	resultBuffer = 16
	// batch is the number of records that a watcher takes from the history at a time, and then retains.
	batch = 16
	// lastBookmark is the time before a watch's deadline at which it gets its last bookmark.
	lastBookmark = 2 * time.Second
)

// Watch implements storage.Interface. The objects of its events share their maps and slices
// with other readers.
func (r *Resource) Watch(ctx context.Context, prefix string, opts storage.ListOptions) (watch.Interface, error) {
	prefix, err := r.key(prefix, opts.Recursive)
	if err != nil {
		return nil, err
	}
	wanted, err := r.versioner.ParseResourceVersion(opts.ResourceVersion)
	if err != nil {
		return nil, err
	}
	if r.table.cached {
		if err := r.unready(); err != nil {
			return nil, err
		}
	}
	w := &watcher{
		resource:  r,
		prefix:    prefix,
		predicate: opts.Predicate,
		wake:      make(chan struct{}, 1),
		done:      make(chan struct{}),
		result:    make(chan watch.Event, resultBuffer),
	}
	if err := w.begin(wanted, opts); err != nil {
		return failedWatch(err), nil
	}
	go w.run(ctx)
	return w, nil
}

// watcher turns a table's records into the events of one watch.
type watcher struct {
	resource  *Resource
	prefix    string
	predicate storage.SelectionPredicate
	// initial are the objects with which the watch begins, if any.
	initial *snapshot
	// marked reports whether a bookmark follows the initial objects.
	marked bool
	// after is the version after which the watch begins.
	after uint64

	place uint64 // of the next record in the history; guarded by the table's mu

	wake   chan struct{} // has a token if there may be records, or if the watch must end
	ending atomic.Bool   // the watch ends when there are no more records
	stop   sync.Once
	done   chan struct{} // closed by Stop
	result chan watch.Event
}

// begin determines where the watch starts and adds it to the table.
func (w *watcher) begin(wanted uint64, opts storage.ListOptions) error {
	t := w.resource.table
	t.mu.Lock()
	defer t.mu.Unlock()
	s := t.snapshotLocked()
	sendInitial := opts.SendInitialEvents != nil && *opts.SendInitialEvents
	w.after, w.place = wanted, t.history.end
	switch {
	case sendInitial:
		if wanted > s.version {
			return tooLarge(wanted, s.version)
		}
		w.initial, w.marked, w.after = &s, opts.Predicate.AllowWatchBookmarks, s.version
	case wanted == 0 && opts.SendInitialEvents == nil:
		w.initial, w.after = &s, s.version
	case wanted == 0:
		w.after = s.version
	case wanted < max(t.floor, t.started):
		return watchExpired(wanted, max(t.floor, t.started))
	default:
		w.place = t.history.behind(wanted)
		w.wake <- struct{}{}
	}
	t.watchers[w] = struct{}{}
	if w.resource.closed.Load() {
		w.Stop()
	}
	return nil
}

// notice notifies the watcher of the record that was just added. The caller holds the table's mu.
func (w *watcher) notice(changed string) {
	if !key.HasPathPrefix(changed, w.prefix) {
		if w.place == w.resource.table.history.end-1 {
			w.place++
		}
		return
	}
	w.rouse()
}

// end ends the watch after the delivery of all events so far.
func (w *watcher) end() {
	w.ending.Store(true)
	w.rouse()
}

// rouse makes run check for records.
func (w *watcher) rouse() {
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

// next takes the next records. If there are none, it returns none and the version that the watcher
// has thereby reached.
func (w *watcher) next(buffer []*record) (records []*record, version uint64, err error) {
	t := w.resource.table
	t.mu.RLock()
	defer t.mu.RUnlock()
	h := &t.history
	if w.place < h.start {
		return nil, 0, watchExpired(w.after, t.floor)
	}
	for w.place < h.end && len(buffer) < cap(buffer) {
		buffer = append(buffer, h.at(w.place))
		w.place++
	}
	return buffer, t.backend.version.Load(), nil
}

// run sends events until the watch ends.
func (w *watcher) run(ctx context.Context) {
	defer close(w.result)
	defer w.leave()
	if !w.sendInitial(ctx) {
		return
	}
	utilflowcontrol.WatchInitialized(ctx)
	bookmarks := w.bookmarks(ctx)
	defer bookmarks.stop()
	buffer := make([]*record, 0, batch)
	due := false // a bookmark
	for {
		ending := w.ending.Load()
		records, version, err := w.next(buffer)
		if err != nil {
			w.fail(ctx, err)
			return
		}
		for _, rec := range records {
			if !w.sendRecord(ctx, rec) {
				return
			}
		}
		if len(records) > 0 {
			clear(records)
			continue
		}
		if ending {
			return
		}
		if due {
			if !w.bookmark(ctx, version, false) {
				return
			}
			due = false
			bookmarks.schedule()
		}
		select {
		case <-w.wake:
		case <-bookmarks.due():
			due = true // the version may have increased by writes that did not wake the watcher
		case <-w.done:
			return
		case <-ctx.Done():
			return
		}
	}
}

// leave removes the watcher from the table.
func (w *watcher) leave() {
	w.resource.table.mu.Lock()
	defer w.resource.table.mu.Unlock()
	delete(w.resource.table.watchers, w)
}

// sendInitial sends the initial objects.
func (w *watcher) sendInitial(ctx context.Context) bool {
	if w.initial == nil {
		return true
	}
	going := true
	w.initial.each(w.resource.prefix, "", func(rec *record) bool {
		if key.HasPathPrefix(rec.key, w.prefix) {
			going = w.sendIf(ctx, watch.Added, rec)
		}
		return going
	})
	version := w.initial.version
	w.initial = nil
	if going && w.marked {
		going = w.bookmark(ctx, version, true)
	}
	return going
}

// sendIf sends an event about a record's object if the watch selects it.
func (w *watcher) sendIf(ctx context.Context, event watch.EventType, rec *record) bool {
	d, matches, err := w.look(rec)
	if err != nil {
		return w.fail(ctx, err)
	}
	return !matches || w.send(ctx, watch.Event{Type: event, Object: d.share()})
}

// errEnd ends a watch without an event.
var errEnd = errors.New("the watch ends")

// look decodes a record and reports whether the watch selects it. A watch ends at an object that cannot be read: a
// server's watch cache ends all watches half a minute after it, and can then not be filled.
func (w *watcher) look(rec *record) (*decoded, bool, error) {
	d, err := w.resource.decode(rec)
	if err != nil {
		return nil, false, errEnd
	}
	matches, err := d.matches(&w.predicate)
	return d, matches, err
}

// sendRecord sends the event of a record for the watch, if any.
func (w *watcher) sendRecord(ctx context.Context, rec *record) bool {
	switch {
	case rec.version <= w.after || !key.HasPathPrefix(rec.key, w.prefix):
		return true
	case rec.created:
		return w.sendIf(ctx, watch.Added, rec)
	case rec.deleted:
		return w.sendIf(ctx, watch.Deleted, rec)
	case w.predicate.Empty():
		return w.sendIf(ctx, watch.Modified, rec)
	}
	prev := rec.prev.Load()
	if prev == nil {
		return w.fail(ctx, watchExpired(rec.version-1, rec.version))
	}
	before, matched, err := w.look(prev)
	if err != nil {
		return w.fail(ctx, err)
	}
	if !matched {
		return w.sendIf(ctx, watch.Added, rec)
	}
	_, matches, err := w.look(rec)
	if err != nil {
		return w.fail(ctx, err)
	}
	if matches {
		return w.sendIf(ctx, watch.Modified, rec)
	}
	return w.sendAt(ctx, before, rec.version)
}

// sendAt sends the deletion, at a version, of an object that the watch no longer selects.
func (w *watcher) sendAt(ctx context.Context, last *decoded, version uint64) bool {
	obj := last.object.DeepCopyObject()
	if err := w.resource.versioner.UpdateObject(obj, version); err != nil {
		return w.fail(ctx, err)
	}
	return w.send(ctx, watch.Event{Type: watch.Deleted, Object: obj})
}

// bookmark sends a bookmark with the version that the watch has reached.
func (w *watcher) bookmark(ctx context.Context, version uint64, endOfInitial bool) bool {
	if !endOfInitial && version <= w.after {
		return true
	}
	obj := w.resource.newFunc()
	if err := w.resource.versioner.UpdateObject(obj, version); err != nil {
		return w.fail(ctx, err)
	}
	if endOfInitial {
		if err := storage.AnnotateInitialEventsEndBookmark(obj); err != nil {
			return w.fail(ctx, err)
		}
	}
	return w.send(ctx, watch.Event{Type: watch.Bookmark, Object: obj})
}

// fail ends the watch with an error.
func (w *watcher) fail(ctx context.Context, err error) bool {
	if !errors.Is(err, errEnd) {
		w.send(ctx, errorEvent(err))
	}
	return false
}

// send sends an event to the reader, and reports whether the watch continues.
func (w *watcher) send(ctx context.Context, event watch.Event) bool {
	select {
	case <-w.done: // the order of events must not depend on which channel is ready
		return false
	default:
	}
	select {
	case w.result <- event:
		return true
	case <-w.done:
	case <-ctx.Done():
	}
	return false
}

// Stop implements watch.Interface.
func (w *watcher) Stop() { w.stop.Do(func() { close(w.done) }) }

// ResultChan implements watch.Interface.
func (w *watcher) ResultChan() <-chan watch.Event { return w.result }

// bookmarks schedules the bookmarks of a watch. The zero value schedules none.
type bookmarks struct {
	interval time.Duration
	deadline time.Time // zero means none
	timer    *time.Timer
}

func (w *watcher) bookmarks(ctx context.Context) *bookmarks {
	b := &bookmarks{interval: w.resource.table.backend.bookmarkInterval}
	b.deadline, _ = ctx.Deadline()
	if w.predicate.AllowWatchBookmarks {
		b.timer = time.NewTimer(b.interval)
		b.schedule()
	}
	return b
}

// schedule sets the time of the next bookmark.
func (b *bookmarks) schedule() {
	next := b.interval
	if !b.deadline.IsZero() {
		last := time.Until(b.deadline) - lastBookmark
		if last <= 0 {
			b.timer.Stop()
			return
		}
		next = min(next, last)
	}
	b.timer.Reset(next)
}

func (b *bookmarks) due() <-chan time.Time {
	if b.timer == nil {
		return nil
	}
	return b.timer.C
}

func (b *bookmarks) stop() {
	if b.timer != nil {
		b.timer.Stop()
	}
}

// failedWatch returns a watch that consists of an error.
func failedWatch(err error) watch.Interface {
	events := make(chan watch.Event, 1)
	events <- errorEvent(err)
	close(events)
	return watch.NewProxyWatcher(events)
}
