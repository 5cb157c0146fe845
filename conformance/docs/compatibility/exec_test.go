package compatibility_test

import (
	"errors"
	"testing"

	theirs "k8s.io/client-go/util/exec"
	utilexec "k8s.io/utils/exec"

	ours "github.com/listwatch/listwatch/streaming/exec"
)

// The errors of commands are other types than client-go's, and look the same.
func TestExitErrors(t *testing.T) {
	cause := errors.New("command terminated with exit code 7")
	for name, err := range map[string]error{"ours": ours.CodeExitError{Err: cause, Code: 7}, "client-go's": theirs.CodeExitError{Err: cause, Code: 7}} {
		var exit utilexec.ExitError
		if !errors.As(err, &exit) || err.Error() != cause.Error() || exit.String() != cause.Error() || !exit.Exited() || exit.ExitStatus() != 7 {
			t.Errorf("%s: %#v", name, err)
		}
		if isOurs := errors.As(err, &ours.CodeExitError{}); isOurs != (name == "ours") {
			t.Errorf("%s: errors.As for our type: %v", name, isOurs)
		}
	}
}
