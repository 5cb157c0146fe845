package embedded

import (
	"slices"

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
)

// pauseIndex is the handler of apimachinery that pauses after errors in quick succession, until a millisecond after the
// last one. The time of the last one is the process's, so that a bubble, whose clock starts in the year 2000, would
// pause until the time of another bubble, or until today.
const pauseIndex = 1

// The handler is removed before any goroutine can call it.
func init() {
	if len(utilruntime.ErrorHandlers) > pauseIndex {
		utilruntime.ErrorHandlers = slices.Delete(slices.Clone(utilruntime.ErrorHandlers), pauseIndex, pauseIndex+1)
	}
}
