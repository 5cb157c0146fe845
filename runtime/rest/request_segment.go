package rest

import (
	"fmt"
	"slices"
	"strings"
)

// NameMayNotBe are the names that cannot be a segment of a path.
var NameMayNotBe = []string{".", ".."}

// NameMayNotContain are what a name cannot hold that is a segment of a path.
var NameMayNotContain = []string{"/", "%"}

// IsValidPathSegmentName returns why a name cannot be a segment of a path, nothing where it can.
func IsValidPathSegmentName(name string) []string {
	if slices.Contains(NameMayNotBe, name) {
		return []string{fmt.Sprintf(`may not be '%s'`, name)}
	}
	return IsValidPathSegmentPrefix(name)
}

// IsValidPathSegmentPrefix returns why no name that begins so can be a segment of a path, nothing where
// one can.
func IsValidPathSegmentPrefix(name string) []string {
	var reasons []string
	for _, part := range NameMayNotContain {
		if strings.Contains(name, part) {
			reasons = append(reasons, fmt.Sprintf(`may not contain '%s'`, part))
		}
	}
	return reasons
}

// ValidatePathSegmentName is [IsValidPathSegmentPrefix] if prefix is true, else [IsValidPathSegmentName].
func ValidatePathSegmentName(name string, prefix bool) []string {
	if prefix {
		return IsValidPathSegmentPrefix(name)
	}
	return IsValidPathSegmentName(name)
}
