package remotecommand

import (
	"errors"
	"testing"

	"github.com/listwatch/listwatch/streaming/exec"
)

// FuzzDecode decodes what servers report in all versions: exit codes are 0 to 255, and nothing is no error.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		"", "text", "{}", "null", "[]", `{"status":"Success"}`, `{"status":"Failure","message":"m"}`,
		`{"status":"Failure","reason":"NonZeroExitCode"}`,
		`{"status":"Failure","reason":"NonZeroExitCode","details":{"causes":[{"reason":"ExitCode","message":"7"}]}}`,
		`{"status":"Failure","reason":"NonZeroExitCode","details":{"causes":[{"reason":"ExitCode","message":"-1"}]}}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, message string) {
		for v := version(1); int(v) <= len(versions); v++ {
			err := v.decode([]byte(message))
			if message == "" && err != nil || message != "" && err == nil && !v.hasExitCode() {
				t.Errorf("version %d: %q is %v", v, message, err)
			}
			var exit exec.CodeExitError
			if errors.As(err, &exit) && (!v.hasExitCode() || exit.Code < 0 || exit.Code > 255) {
				t.Errorf("version %d: %q is exit code %d", v, message, exit.Code)
			}
		}
	})
}

func TestVersions(t *testing.T) {
	for i, protocol := range append([]string{""}, versions...) {
		if got, err := parseVersion(protocol); err != nil || int(got) != max(i, 1) {
			t.Errorf("%q: version %d, %v", protocol, got, err)
		}
	}
	if _, err := parseVersion("v6.channel.k8s.io"); err == nil {
		t.Error("an unknown version is accepted")
	}
}
