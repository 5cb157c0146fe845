package perturb

import (
	"testing"
	"time"
)

// ReplayReport is [Replay], but returns its report.
var ReplayReport = replay

// BoundRuns lets runs in bubbles of a test have less real time.
func BoundRuns(t *testing.T, bound time.Duration) {
	t.Helper()
	before := virtualPace.bound
	virtualPace.bound = bound
	t.Cleanup(func() { virtualPace.bound = before })
}
