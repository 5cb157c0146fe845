package record

import (
	"strings"
	"testing"

	v1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/utils/clock"

	. "github.com/listwatch/listwatch/kubernetes/record"
)

// Documented limits and defaults.
const (
	maxQueuedEvents                   = 1000
	defaultAggregateMaxEvents         = 10
	defaultAggregateIntervalInSeconds = 600
	defaultSpamBurst                  = 25
)

// recorderWithFakeClock returns a recorder with the real clock: tests only compare whether times differ.
func recorderWithFakeClock(t *testing.T, source v1.EventSource, broadcaster EventBroadcaster, _ clock.Clock) EventRecorder {
	return broadcaster.NewRecorder(scheme.Scheme, source)
}

// getEventKey returns what repetitions of an event have in common.
func getEventKey(e *v1.Event) string {
	aggregate, local := EventAggregatorByReasonFunc(e)
	return strings.Join([]string{aggregate, local, e.InvolvedObject.FieldPath}, "\x00")
}
