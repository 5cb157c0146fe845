package rest

import (
	"fmt"
	"slices"
	"strings"
)

// NameMayNotBe contains the names that are invalid as a segment of a path.
var NameMayNotBe = []string{".", ".."}

// NameMayNotContain contains the strings that are invalid in a segment of a path.
var NameMayNotContain = []string{"/", "%"}

// IsValidPathSegmentName returns the reasons why name is invalid as a segment of a path, or nil if it is valid.
func IsValidPathSegmentName(name string) []string {
	if slices.Contains(NameMayNotBe, name) {
		return []string{fmt.Sprintf(`may not be '%s'`, name)}
	}
	return IsValidPathSegmentPrefix(name)
}

// IsValidPathSegmentPrefix returns the reasons why a segment of a path cannot start with name, or nil if it
// can.
func IsValidPathSegmentPrefix(name string) []string {
	var reasons []string
	for _, part := range NameMayNotContain {
		if strings.Contains(name, part) {
			reasons = append(reasons, fmt.Sprintf(`may not contain '%s'`, part))
		}
	}
	return reasons
}

// ValidatePathSegmentName calls [IsValidPathSegmentPrefix] if prefix is true, otherwise
// [IsValidPathSegmentName].
func ValidatePathSegmentName(name string, prefix bool) []string {
	if prefix {
		return IsValidPathSegmentPrefix(name)
	}
	return IsValidPathSegmentName(name)
}
