package kinds

import (
	"go/token"
	"maps"
	"slices"
	"strings"

	"github.com/listwatch/listwatch/generators/internal/marker"
)

// unmatched reports flag values for kinds and versions that do not exist.
func (r *reader) unmatched() {
	for _, kind := range slices.Sorted(maps.Keys(r.PluralExceptions)) {
		if !slices.Contains(r.kinds, kind) {
			r.Diags.Suspectf(token.Position{}, "--plural-exceptions=%s:%s: unknown kind %s%s", kind, r.PluralExceptions[kind], kind, didYouMean(kind, r.kinds))
		}
	}
	for _, version := range slices.Sorted(maps.Keys(r.IncludedTypes)) {
		if !slices.Contains(r.names, version) {
			r.Diags.Suspectf(token.Position{}, "--included-types-overrides=%s/...: no input package has this group and version%s",
				strings.TrimSuffix(version, "/"), didYouMean(version, r.names))
		}
	}
}

func didYouMean(word string, candidates []string) string {
	if best := marker.Nearest(word, candidates); best != "" {
		return "; did you mean " + best + "?"
	}
	return ""
}
