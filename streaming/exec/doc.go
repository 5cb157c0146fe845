// Package exec contains the errors of commands that have run and failed.
//
// They are the types of k8s.io/utils/exec, so that commands in containers and local commands can be handled
// alike. The types of client-go's util/exec are others: errors.As with one of those does not find ours.
package exec

import utilexec "k8s.io/utils/exec"

// ExitError is the error of a command that has run: Exited is true, and ExitStatus its exit code.
type ExitError = utilexec.ExitError

// CodeExitError is the [ExitError] of a command that ended with the exit code Code. Executors return it as a value,
// not as a pointer.
type CodeExitError = utilexec.CodeExitError
