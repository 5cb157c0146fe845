package remotecommand

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/remotecommand"

	"github.com/listwatch/listwatch/streaming/exec"
)

// versions are the subprotocols, the oldest first.
var versions = []string{
	remotecommand.StreamProtocolV1Name,
	remotecommand.StreamProtocolV2Name,
	remotecommand.StreamProtocolV3Name,
	remotecommand.StreamProtocolV4Name,
	remotecommand.StreamProtocolV5Name,
}

// version is the number of a subprotocol. Each adds to the one before it: 2 waits for the result, 3 has terminal
// sizes, 4 has exit codes, and 5 has a message that closes a WebSocket's channel.
type version int

// parseVersion returns the version that a server chose. A server that did not choose any has version 1.
func parseVersion(protocol string) (version, error) {
	if protocol == "" {
		return 1, nil
	}
	i := slices.Index(versions, protocol)
	if i < 0 {
		return 0, fmt.Errorf("server chose unknown protocol %q", protocol)
	}
	return version(i + 1), nil
}

func (v version) waitsForResult() bool { return v >= 2 }
func (v version) hasResize() bool      { return v >= 3 }
func (v version) hasExitCode() bool    { return v >= 4 }
func (v version) hasClose() bool       { return v >= 5 }

// isWhole reports whether a message may be all that the stream of results was to contain. From version 4 on, that is a
// Status; before, an empty one means success, of which a connection that broke off says nothing.
func (v version) isWhole(message []byte) bool {
	if v.hasExitCode() {
		return json.Valid(message)
	}
	return len(message) > 0
}

// decode returns the error that the stream of results contained, nil for a success.
func (v version) decode(message []byte) error {
	switch {
	case len(message) == 0:
		return nil
	case !v.hasExitCode():
		return fmt.Errorf("error executing remote command: %s", message)
	}
	var status metav1.Status
	if err := json.Unmarshal(message, &status); err != nil {
		return fmt.Errorf("error stream protocol error: %w in %q", err, message)
	}
	switch {
	case status.Status == metav1.StatusSuccess:
		return nil
	case status.Status != metav1.StatusFailure:
		return errors.New("error stream protocol error: unknown error")
	case status.Reason == remotecommand.NonZeroExitCodeReason:
		return exitCode(status.Details)
	}
	return errors.New(status.Message)
}

// exitCode returns the error of a command that has failed.
func exitCode(details *metav1.StatusDetails) error {
	if details == nil {
		return errors.New("error stream protocol error: details must be set")
	}
	for _, cause := range details.Causes {
		if cause.Type != remotecommand.ExitCodeCauseType {
			continue
		}
		code, err := strconv.ParseUint(cause.Message, 10, 8)
		if err != nil {
			return fmt.Errorf("error stream protocol error: invalid exit code value %q", cause.Message)
		}
		return exec.CodeExitError{Err: fmt.Errorf("command terminated with exit code %d", code), Code: int(code)}
	}
	return fmt.Errorf("error stream protocol error: no %s cause given", remotecommand.ExitCodeCauseType)
}
