// Package callsite finds the code outside of this module's runtime that called it.
package callsite

import (
	"fmt"
	"path"
	"runtime"
	"strings"
)

// runtimePackages is how the names of functions of this module's runtime begin.
const runtimePackages = "github.com/listwatch/listwatch/runtime/"

// Innermost returns file and line of the innermost caller outside of the runtime, such as "boats/main.go:42", or
// otherwise if this goroutine has none.
func Innermost(otherwise string) string {
	for _, frame := range outside() {
		return place(frame)
	}
	return otherwise
}

// BeyondPackage is [Innermost] without the callers in the innermost caller's own package: the code that calls
// generated code, if that is what calls the runtime.
func BeyondPackage(otherwise string) string {
	frames := outside()
	for _, frame := range frames {
		if packageOf(frame.Function) != packageOf(frames[0].Function) {
			return place(frame)
		}
	}
	return Innermost(otherwise)
}

// outside returns the callers outside of the runtime and of Go's own package runtime, the innermost first.
func outside() []runtime.Frame {
	const depth = 32
	var callers [depth]uintptr
	frames := runtime.CallersFrames(callers[:runtime.Callers(3, callers[:])])
	var all []runtime.Frame
	for {
		frame, more := frames.Next()
		if frame.Function != "" && !strings.HasPrefix(frame.Function, "runtime.") && !isRuntime(frame.Function) {
			all = append(all, frame)
		}
		if !more {
			return all
		}
	}
}

func place(frame runtime.Frame) string {
	return fmt.Sprintf("%s:%d", path.Join(path.Base(path.Dir(frame.File)), path.Base(frame.File)), frame.Line)
}

// isRuntime reports whether a function belongs to this module's runtime, tests excepted.
func isRuntime(function string) bool {
	return strings.HasPrefix(function, runtimePackages) && !strings.HasSuffix(packageOf(function), "_test")
}

// packageOf returns the import path of a function's package.
func packageOf(function string) string {
	folder, name := path.Split(function)
	pkg, _, _ := strings.Cut(name, ".")
	return folder + pkg
}
