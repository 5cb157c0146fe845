package cache

import (
	"context"
	"errors"
	"slices"
	"sync"

	"k8s.io/apimachinery/pkg/util/resourceversion"

	"github.com/listwatch/listwatch/runtime/cache/internal/delta"
)

// errStopped says that nothing more will be applied.
var errStopped = errors.New("informer has stopped")

// progress is which resource version of each source was applied to the store.
type progress struct {
	mu      sync.Mutex
	applied []string // by source, empty before the first list
	stopped bool
	changed chan struct{} // closed when applied or stopped changes; nil when nobody waits
}

func newProgress(sources int) *progress {
	return &progress{applied: make([]string, sources)}
}

// advance notes that changes, oldest first, were applied, and wakes those who wait.
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

// wake wakes those who wait. p.mu is held.
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

// oldest returns the oldest of the sources' resource versions, empty if a source was
// not listed yet.
func (p *progress) oldest() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return oldestVersion(p.applied)
}

// of returns the resource version that a source has reached, empty before its first list.
func (p *progress) of(source int) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.applied[source]
}

// oldestVersion returns the oldest of resource versions, empty if there is none or one of
// them is empty. Versions that cannot be compared are left out, but for the first.
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

// order compares resource versions. It returns 0 too where they cannot be compared.
func order(a, b string) int {
	order, err := resourceversion.CompareResourceVersion(a, b)
	if err != nil {
		return 0
	}
	return order
}

// wait waits until done says yes. It is asked, with the versions that were applied by source,
// now and whenever something was applied; it must not block, nor keep the versions.
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

// versions returns what was applied, by source.
func (p *progress) versions() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.applied)
}

// reached says whether something that is at a resource version has got to rv.
func reached(applied, rv string) bool {
	c, err := resourceversion.CompareResourceVersion(applied, rv)
	return err == nil && c >= 0
}
