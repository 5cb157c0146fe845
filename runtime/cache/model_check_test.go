package cache_test

import (
	"slices"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/listwatch/listwatch/runtime/cache"
)

// settle ends all faults, waits, and compares everything with the truth.
func (w *modelWorld) settle() {
	w.server.heal()
	for _, h := range w.handlers {
		h.block(false)
	}
	time.Sleep(2 * time.Minute)
	for range 3 { // because a watch may just be ending normally
		w.server.bookmark()
		time.Sleep(time.Second)
		synctest.Wait()
		if _, rv := w.server.state(); w.informer.LastSyncResourceVersion() == formatRV(rv) {
			break
		}
	}
	w.checkAll()
	w.checkResyncs()
}

func (w *modelWorld) checkAll() {
	objects, rv := w.server.state()
	truth, unreadable := w.readable(w.served(objects))
	if !w.informer.HasSynced() {
		w.fail("the informer has not synced")
	}
	versions := w.versions()
	for name, state := range truth {
		if got, ok := versions[name]; !ok || got != state.rv {
			w.fail("the store has %s at %d, which is at %d", name, got, state.rv)
		}
	}
	for name := range versions {
		if _, ok := truth[name]; !ok {
			w.fail("the store still has %s", name)
		}
	}
	if got := w.informer.LastSyncResourceVersion(); got != formatRV(rv) {
		w.fail("the informer is at %s, the server at %d", got, rv)
	}
	w.checkIndex(truth)
	for _, h := range w.active() {
		if !(*h.registration.Load()).HasSynced() {
			h.fail("has not synced")
		}
		h.checkView(truth)
	}
	if n := w.awaiting.Load(); n > 0 {
		w.fail("%d still wait for their writes", n)
	}
	checkModelState(w, len(truth), unreadable, formatRV(rv))
}

// readable replaces undecodable states with the ones before, if any, and returns the objects
// concerned.
func (w *modelWorld) readable(objects map[cache.ObjectName]write) (map[cache.ObjectName]write, []cache.ObjectName) {
	var unreadable []cache.ObjectName
	truth := map[cache.ObjectName]write{}
	for _, state := range sorted(objects) {
		if state.color == colorUnreadable {
			unreadable = append(unreadable, state.name)
			var ok bool
			if state, ok = w.sourceOf(state.name).readable()[state.name]; !ok {
				continue
			}
		}
		truth[state.name] = state
	}
	return truth, unreadable
}

// checkIndex compares the indexes with the objects.
func (w *modelWorld) checkIndex(truth map[cache.ObjectName]write) {
	indexer := w.informer.GetIndexer()
	want, broken := map[string][]string{}, 0
	for name, state := range truth {
		if failsIndex(state.color) {
			broken++
		}
		for _, color := range colorsOf(state.object()) {
			want[color] = append(want[color], name.String())
		}
	}
	for _, index := range append([]string{colorIndex}, w.indexes...) {
		for color, names := range want {
			slices.Sort(names)
			keys, err := indexer.IndexKeys(index, color)
			slices.Sort(keys)
			if missing(err) != broken || !slices.Equal(keys, names) {
				w.fail("index %s has %v under %s, want %v (%v)", index, keys, color, names, err)
			}
			objects, err := indexer.ByIndex(index, color)
			if missing(err) != broken || len(objects) != len(names) {
				w.fail("index %s finds %d objects under %s, want %d (%v)", index, len(objects), color, len(names), err)
			}
			for _, obj := range objects {
				stored, _ := w.stored(nameOf(obj.(*modelObject)))
				if same := stored == obj || w.config.packed && cmp.Equal(any(stored), obj); !same {
					w.fail("index %s finds another %s than the store has", index, nameOf(obj.(*modelObject)))
				}
			}
		}
		for _, value := range indexer.ListIndexFuncValues(index) {
			if len(want[value]) == 0 {
				w.fail("index %s still has the value %q", index, value)
			}
		}
	}
}

// checkResyncs checks that during a quiet time each handler is called again for all objects as
// often as requested.
func (w *modelWorld) checkResyncs() {
	longest := time.Duration(0)
	counts := map[*modelHandler]map[cache.ObjectName]int{}
	for _, h := range w.active() {
		longest = max(longest, w.resyncPeriod(h))
		counts[h] = h.resyncs()
	}
	if longest == 0 {
		return
	}
	spent := 6*longest + 10*time.Second // a slow handler needs more time
	time.Sleep(spent)
	synctest.Wait()
	for h, before := range counts {
		for name, n := range h.resyncs() {
			n -= before[name]
			wants := w.resyncPeriod(h)
			switch {
			case wants == 0:
				if n > 0 {
					h.fail("got %s %d times again without requesting it", name, n)
				}
			case n < int(spent/wants)-2 && h.config.Slow == 0, h.config.Bound == 0 && n > int(spent/wants)+1:
				h.fail("got %s %d times again in %v, requested every %v", name, n, spent, wants)
			}
		}
	}
}

// resyncPeriod is how often a handler must be resynced: never if the informer has no resyncs,
// otherwise at multiples of the shortest period that was known at its start.
func (w *modelWorld) resyncPeriod(h *modelHandler) time.Duration {
	if h.config.Resync == 0 || w.config.resync == 0 {
		return 0
	}
	wanted := max(h.config.Resync, time.Second)
	unit := w.leastResync()
	return (max(wanted, unit) + unit - 1) / unit * unit
}

// leastResync is the shortest period that was requested before the start.
func (w *modelWorld) leastResync() time.Duration {
	least := w.config.resync
	for _, h := range w.handlers {
		if h.joined == 0 && h.config.Resync > 0 {
			least = min(least, max(h.config.Resync, time.Second))
		}
	}
	return least
}

// resyncs counts the resyncs of the handler for each of its objects.
func (h *modelHandler) resyncs() map[cache.ObjectName]int {
	h.mu.Lock()
	defer h.mu.Unlock()
	counts := map[cache.ObjectName]int{}
	for name := range h.view {
		counts[name] = h.resynced[name]
	}
	return counts
}

// checkBounds checks that, while everything is idle, at most the bound plus the number of objects
// in the handler or the store are queued for a handler, and that its lag equals the number.
func (w *modelWorld) checkBounds() {
	for _, h := range w.active() {
		if h.config.Bound == 0 || w.stopped {
			continue
		}
		events, marks, lag := cache.HeldFor(*h.registration.Load())
		objects := w.versions()
		h.mu.Lock()
		for name := range h.view {
			objects[name] = 0
		}
		h.mu.Unlock()
		most := h.config.Bound + len(objects) + 1 // a deletion that is being delivered
		if events > most || events != lag || marks > 2 {
			h.fail("has %d events and %d markers queued and lags by %d, with %d objects", events, marks, lag, len(objects))
		}
	}
}
