package delta

import (
	"fmt"
	"strings"
)

// CompareVersions compares two resource versions of one resource: the result is negative if a is
// older than b, and positive if it is newer. A version that is not a positive decimal number without
// leading zeros, such as "" and "0", is an error. Versions have no maximum.
func CompareVersions(a, b string) (int, error) {
	for _, rv := range []string{a, b} {
		if !IsVersion(rv) {
			return 0, fmt.Errorf("resource version is not well formed: %s", rv)
		}
	}
	if len(a) != len(b) {
		return len(a) - len(b), nil
	}
	return strings.Compare(a, b), nil
}

// IsVersion reports whether a resource version can be compared with others.
func IsVersion(rv string) bool {
	if rv == "" || rv[0] == '0' {
		return false
	}
	for i := range len(rv) {
		if rv[i] < '0' || rv[i] > '9' {
			return false
		}
	}
	return true
}
