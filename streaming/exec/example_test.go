package exec_test

import (
	"errors"
	"fmt"

	"github.com/listwatch/listwatch/streaming/exec"
)

// The error of a command that failed has its exit code.
func ExampleCodeExitError() {
	run := func() error { // as executors of package remotecommand do
		return exec.CodeExitError{Err: errors.New("command terminated with exit code 3"), Code: 3}
	}

	err := run()
	var exit exec.CodeExitError
	if errors.As(err, &exit) {
		fmt.Println(exit.ExitStatus(), err)
	}
	// Output: 3 command terminated with exit code 3
}
