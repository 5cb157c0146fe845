package cache

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/listwatch/listwatch/runtime/cache/internal/delta"
)

// errStopped reports that nothing more will be applied.
var errStopped = errors.New("informer has stopped")

// progress records which resource version of each source was applied to the store.
type progress struct {
	mu      sync.Mutex // guards the fields below
	applied []string   // by source, empty before the first list
	stopped bool
	changed chan struct{} // closed when applied, stopped or anything that waits are about changes; nil without waiters
}

func newProgress(sources int) *progress {
	return &progress{applied: make([]string, sources)}
}

// advance records that deltas, oldest first, were applied, and wakes waiters.
func (p *progress) advance(changes []delta.Delta) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i := range changes {
		if c := &changes[i]; c.RV != "" {
			p.applied[c.Source] = c.RV
		}
	}
	p.wake()
}

// notify wakes waiters because something else has changed than what was applied.
func (p *progress) notify() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.wake()
}

// wake wakes waiters. p.mu is held.
func (p *progress) wake() {
	if p.changed != nil {
		close(p.changed)
		p.changed = nil
	}
}

// stop ends all waiting.
func (p *progress) stop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stopped = true
	p.wake()
}

// oldest returns the oldest of the sources' resource versions, empty until each was listed.
func (p *progress) oldest() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return oldestVersion(p.applied)
}

// reached returns the resource version that a source has reached, empty before its first list.
func (p *progress) reached(source int) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.applied[source]
}

// oldestVersion returns the oldest of resource versions, empty if there are none or one of them is
// empty. Versions that cannot be compared are ignored, except the first.
func oldestVersion(versions []string) (oldest string) {
	for _, rv := range versions {
		if rv == "" {
			return ""
		}
		if oldest == "" || order(rv, oldest) < 0 {
			oldest = rv
		}
	}
	return oldest
}

// order compares resource versions. It also returns 0 if they cannot be compared.
func order(a, b string) int {
	order, err := delta.CompareVersions(a, b)
	if err != nil {
		return 0
	}
	return order
}

// wait waits until done returns true. done is called with the applied versions by source, now and
// whenever something was applied; it must not block, nor retain the slice.
func (p *progress) wait(ctx context.Context, done func(applied []string) bool) error {
	for {
		p.mu.Lock()
		if done(p.applied) {
			p.mu.Unlock()
			return nil
		}
		if p.stopped {
			p.mu.Unlock()
			return errStopped
		}
		if p.changed == nil {
			p.changed = make(chan struct{})
		}
		changed := p.changed
		p.mu.Unlock()
		select {
		case <-changed:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// versions returns the applied versions, by source.
func (p *progress) versions() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.applied)
}

// reached reports whether the version applied is rv or later.
func reached(applied, rv string) bool {
	c, err := delta.CompareVersions(applied, rv)
	return err == nil && c >= 0
}
