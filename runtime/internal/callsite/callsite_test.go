package callsite_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/listwatch/listwatch/runtime/internal/callsite"
)

// call calls f in a function of another package than this one.
func call(f func()) {
	slices.SortFunc([]int{1, 2}, func(int, int) int { f(); return 0 })
}

func TestCallers(t *testing.T) {
	var innermost, beyond string
	call(func() { innermost, beyond = callsite.Innermost("none"), callsite.BeyondPackage("none") })
	if !strings.HasPrefix(innermost, "callsite/callsite_test.go:") {
		t.Errorf("innermost is %s, want a line of this file", innermost)
	}
	if !strings.HasPrefix(beyond, "slices/") {
		t.Errorf("beyond this package is %s, want a line of package slices", beyond)
	}
}
