// Package exec contains the errors of commands that have run and failed.
//
// [CodeExitError] has the methods of the ExitError interface of k8s.io/utils/exec as well, so that commands in
// containers and local commands can be handled alike. It is another type than client-go's: errors.As with one does
// not find the other.
package exec

// ExitError is the error of a command.
type ExitError interface {
	String() string
	Error() string
	// Exited reports whether the command has run and ended.
	Exited() bool
	// ExitStatus returns the exit code of a command for which Exited returns true.
	ExitStatus() int
}

// CodeExitError is the [ExitError] of a command that ended with an exit code. Executors return it as a value, not as
// a pointer.
type CodeExitError struct {
	Err  error
	Code int
}

var _ ExitError = CodeExitError{}

// Error returns the text of Err.
func (e CodeExitError) Error() string { return e.Err.Error() }

// String returns the text of Err.
func (e CodeExitError) String() string { return e.Err.Error() }

// Exited returns true.
func (e CodeExitError) Exited() bool { return true }

// ExitStatus returns Code.
func (e CodeExitError) ExitStatus() int { return e.Code }
