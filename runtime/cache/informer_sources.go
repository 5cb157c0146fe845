package cache

import (
	"errors"
	"fmt"
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
	if len(sources) > 1 && seen[""] {
		return fmt.Errorf("%w: one is of all namespaces, and not the only one", ErrSourcesOverlap)
	}
	return nil
}
