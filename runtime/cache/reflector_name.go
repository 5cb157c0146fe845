package cache

import (
	"fmt"
	"path"
	"runtime"
	"strings"
)

// runtimePackages is how the names of functions of this module's runtime begin.
const runtimePackages = "github.com/listwatch/listwatch/runtime/"

// callSite returns file and line of the innermost caller outside of this module's
// runtime, such as "boats/main.go:42", or otherwise if there is none in this goroutine.
func callSite(otherwise string) string {
	const depth = 32
	var callers [depth]uintptr
	frames := runtime.CallersFrames(callers[:runtime.Callers(2, callers[:])])
	for {
		frame, more := frames.Next()
		if frame.Function != "" && !strings.HasPrefix(frame.Function, "runtime.") && !isRuntime(frame.Function) {
			return fmt.Sprintf("%s:%d", path.Join(path.Base(path.Dir(frame.File)), path.Base(frame.File)), frame.Line)
		}
		if !more {
			return otherwise
		}
	}
}

// isRuntime says whether a function is one of this module's runtime, tests excepted.
func isRuntime(function string) bool {
	rest, ok := strings.CutPrefix(function, runtimePackages)
	pkg, _, _ := strings.Cut(rest, ".")
	return ok && !strings.HasSuffix(pkg, "_test")
}
