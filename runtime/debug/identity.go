package debug

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/listwatch/listwatch/runtime/cache"
)

const (
	// namedNamespaces is how many namespaces a heading names; it counts further ones.
	namedNamespaces = 3
	// unfoldedSources is how many sources the page shows; further ones are folded.
	unfoldedSources = 5
)

// Subject names the objects of an informer: the resource, or the type if the resource is unknown.
func (i informer) Subject() string { return cmp.Or(i.Resource.Resource, i.Type) }

// GroupVersion returns the resource's group and version, or nothing if the resource is unknown.
func (i informer) GroupVersion() string {
	if i.Resource.Group == "" {
		return i.Resource.Version
	}
	return i.Resource.Group + "/" + i.Resource.Version
}

// Scope describes which objects of the resource an informer has: namespaces and selectors. It returns nothing for
// all objects.
func (i informer) Scope() []string {
	var scope []string
	var namespaces []string
	for _, s := range i.Sources {
		if s.Namespace != "" {
			namespaces = append(namespaces, s.Namespace)
		}
	}
	switch more := len(namespaces) - namedNamespaces; {
	case len(namespaces) == 1:
		scope = append(scope, "namespace "+namespaces[0])
	case len(namespaces) > 1 && more <= 0:
		scope = append(scope, "namespaces "+strings.Join(namespaces, ", "))
	case more > 0:
		scope = append(scope, fmt.Sprintf("namespaces %s and %d more", strings.Join(namespaces[:namedNamespaces], ", "), more))
	}
	if i.LabelSelector != "" {
		scope = append(scope, "labels "+i.LabelSelector)
	}
	if i.FieldSelector != "" {
		scope = append(scope, "fields "+i.FieldSelector)
	}
	return scope
}

// Owners returns the informer's name and what it belongs to, as far as they are known.
func (i informer) Owners() []string {
	return slices.DeleteFunc([]string{i.Name, i.Owner}, func(s string) bool { return s == "" })
}

// heading returns the text of an informer's heading without the number that tells equal ones apart.
func (i informer) heading() string {
	return strings.Join(append(append([]string{i.Subject(), i.GroupVersion()}, i.Scope()...), i.Owners()...), "\x00")
}

// Shown returns the sources that the page shows unfolded: all, or the first that are not live if
// there are many.
func (i informer) Shown() []source {
	if len(i.Sources) <= unfoldedSources {
		return i.Sources
	}
	return i.fromWorst()[:i.unfolded()]
}

// Folded returns the other sources, the worst first.
func (i informer) Folded() []source {
	if len(i.Sources) <= unfoldedSources {
		return nil
	}
	return i.fromWorst()[i.unfolded():]
}

// unfolded returns the number of sources shown unfolded if there are many.
func (i informer) unfolded() int {
	n := 0
	for _, s := range i.Sources {
		if s.Phase != cache.PhaseLive {
			n++
		}
	}
	return min(n, unfoldedSources)
}

// fromWorst returns the sources ordered by their phases.
func (i informer) fromWorst() []source {
	return slices.SortedStableFunc(slices.Values(i.Sources), func(a, b source) int {
		return cmp.Compare(slices.Index(fromWorst, a.Phase), slices.Index(fromWorst, b.Phase))
	})
}

// FoldedSummary counts the folded sources by phase.
func (i informer) FoldedSummary() string {
	folded := i.Folded()
	var phases []string
	for _, phase := range fromWorst {
		n := 0
		for _, s := range folded {
			if s.Phase == phase {
				n++
			}
		}
		if n > 0 {
			phases = append(phases, fmt.Sprintf("%d %s", n, phase))
		}
	}
	more := ""
	if i.unfolded() > 0 {
		more = "more "
	}
	return fmt.Sprintf("%d %snamespaces: %s", len(folded), more, strings.Join(phases, ", "))
}
