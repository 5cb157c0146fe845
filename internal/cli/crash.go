package cli

import (
	"fmt"
	"io"
	"runtime/debug"
)

// protect, when deferred, turns a panic into an error, so that a run that fails by a bug ends like one that fails by
// its input. It prints the stack.
func protect(stderr io.Writer, err *error) {
	if value := recover(); value != nil {
		fmt.Fprintf(stderr, "panic: %v\n\n%s", value, debug.Stack())
		*err = fmt.Errorf("internal error: %v; please report it with the stack that was printed", value)
	}
}
