package fault

import (
	"context"
	"slices"
)

// watch is a watch that is being served.
type watch struct {
	asked  asked
	cancel context.CancelFunc
}

// watch returns the context for serving a watch. The caller must call done afterwards.
func (i *Injector) watch(ctx context.Context, a asked) (_ context.Context, done func()) {
	ctx, cancel := context.WithCancel(ctx)
	w := &watch{asked: a, cancel: cancel}
	i.mu.Lock()
	defer i.mu.Unlock()
	i.watches[w] = struct{}{}
	return ctx, func() {
		cancel()
		i.mu.Lock()
		defer i.mu.Unlock()
		delete(i.watches, w)
	}
}

// DropWatches ends the watches that any of the matches selects, or all without matches, and returns
// their number. Clients see a normal end of the stream, as when a watch times out.
func (i *Injector) DropWatches(matches ...Match) int {
	i.mu.Lock()
	defer i.mu.Unlock()
	dropped := 0
	for w := range i.watches {
		if len(matches) == 0 || slices.ContainsFunc(matches, func(m Match) bool { return m.matches(w.asked) }) {
			w.cancel()
			delete(i.watches, w)
			dropped++
		}
	}
	return dropped
}
