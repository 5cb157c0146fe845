package cache

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/listwatch/listwatch/runtime/cache/internal/delta"
)

// ErrSourcesOverlap reports that two sources of an informer may list the same objects, so that
// each would delete what only the other has. The constructor cannot fail; instead the informer
// never runs, [State] shows the error from the start, and all methods and functions that can
// return it do, those that wait for the informer included.
var ErrSourcesOverlap = errors.New("sources overlap")

// checkSources returns ErrSourcesOverlap, with the namespaces, if sources may have objects in
// common.
func checkSources(sources []Source) error {
	seen := map[string]bool{}
	for _, source := range sources {
		switch {
		case seen[source.Namespace] && source.Namespace == "":
			return fmt.Errorf("%w: two are of all namespaces", ErrSourcesOverlap)
		case seen[source.Namespace]:
			return fmt.Errorf("%w: two are of namespace %s", ErrSourcesOverlap, source.Namespace)
		}
		seen[source.Namespace] = true
	}
	for _, all := range sources {
		for _, other := range sources {
			if all.Namespace == "" && other.Namespace != "" && all.has(other.Namespace) {
				return fmt.Errorf("%w: one is of all namespaces, without the exception of %s", ErrSourcesOverlap, other.Namespace)
			}
		}
	}
	return nil
}

// scope returns the part of the store that the source's lists replace.
func (s Source) scope() delta.Scope {
	return delta.Scope{Namespace: s.Namespace, Except: s.Except}
}

// has reports whether an object in namespace may come from the source.
func (s Source) has(namespace string) bool {
	if s.Namespace == "" {
		return !slices.Contains(s.Except, namespace)
	}
	return s.Namespace == namespace
}

// ownResyncs returns sources if one of them has its own resync period.
func ownResyncs(sources []Source) []Source {
	if slices.ContainsFunc(sources, func(s Source) bool { return s.ResyncPeriod != nil }) {
		return sources
	}
	return nil
}

// shortestResync returns the shortest resync period of an informer and its sources, 0 if there is none.
func shortestResync(informer time.Duration, sources []Source) time.Duration {
	shortest := informer
	for _, source := range sources {
		if own := source.ResyncPeriod; own != nil && *own > 0 && (shortest <= 0 || *own < shortest) {
			shortest = *own
		}
	}
	return shortest
}
