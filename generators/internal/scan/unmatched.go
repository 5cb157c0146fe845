package scan

import (
	"go/token"
	"maps"
	"slices"
	"strings"

	"github.com/listwatch/listwatch/generators/internal/marker"
)

// unmatched reports flag values for kinds and versions that do not exist.
func (s *scanner) unmatched() {
	for _, kind := range slices.Sorted(maps.Keys(s.PluralExceptions)) {
		if !slices.Contains(s.kinds, kind) {
			s.Diags.Suspectf(token.Position{}, "--plural-exceptions=%s:%s: unknown kind %s%s", kind, s.PluralExceptions[kind], kind, didYouMean(kind, s.kinds))
		}
	}
	for _, version := range slices.Sorted(maps.Keys(s.IncludedTypes)) {
		if !slices.Contains(s.names, version) {
			s.Diags.Suspectf(token.Position{}, "--included-types-overrides=%s/...: no input package has this group and version%s",
				strings.TrimSuffix(version, "/"), didYouMean(version, s.names))
		}
	}
}

func didYouMean(word string, candidates []string) string {
	if best := marker.Nearest(word, candidates); best != "" {
		return "; did you mean " + best + "?"
	}
	return ""
}
