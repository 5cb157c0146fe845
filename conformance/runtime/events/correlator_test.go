package events_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	theirs "k8s.io/client-go/tools/record"
	testclock "k8s.io/utils/clock/testing"

	ours "github.com/listwatch/listwatch/kubernetes/record"
)

func TestCorrelators(t *testing.T) {
	for seed := range uint64(200) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			random := rand.New(rand.NewPCG(seed, 1))
			clock := testclock.NewFakePassiveClock(time.Unix(1_700_000_000, 0))
			options := ours.CorrelatorOptions{Clock: clock}
			if seed%4 > 0 {
				options.LRUCacheSize = []int{0, 3, 100}[random.IntN(3)]
				options.BurstSize = random.IntN(40)
				options.QPS = []float32{0, 1, 1. / 60}[random.IntN(3)]
				options.MaxEvents = random.IntN(6)
				options.MaxIntervalInSeconds = random.IntN(3) * 100
			}
			our := ours.NewEventCorrelatorWithOptions(options)
			their := theirs.NewEventCorrelatorWithOptions(theirs.CorrelatorOptions{
				Clock: clock, LRUCacheSize: options.LRUCacheSize, BurstSize: options.BurstSize, QPS: options.QPS,
				MaxEvents: options.MaxEvents, MaxIntervalInSeconds: options.MaxIntervalInSeconds,
			})
			for step := range 400 {
				clock.SetTime(clock.Now().Add(time.Duration(random.ExpFloat64() * float64(20*time.Second))))
				event := randomEvent(random, step, clock.Now())
				mine, myErr := our.EventCorrelate(event.DeepCopy())
				your, yourErr := their.EventCorrelate(event)
				if myErr != nil || yourErr != nil {
					t.Fatalf("step %d: errors %v, %v", step, yourErr, myErr)
				}
				if diff := cmp.Diff((*ours.EventCorrelateResult)(your), mine); diff != "" {
					t.Fatalf("step %d: %v\nclient-go's - ours +\n%s", step, event, diff)
				}
				if !mine.Skip && random.IntN(5) > 0 { // otherwise the write failed
					your.Event.ResourceVersion = fmt.Sprint(step)
					mine.Event.ResourceVersion = fmt.Sprint(step)
					our.UpdateState(mine.Event)
					their.UpdateState(your.Event)
				}
			}
		})
	}
}

// randomEvent returns one of some events that are repeated, or one of similar ones whose message is unique.
func randomEvent(random *rand.Rand, step int, now time.Time) *corev1.Event {
	message, reason := fmt.Sprint("unique ", step), "Unique"
	if random.IntN(3) > 0 {
		// Of one message each, because even two of them would be combined from the second on.
		message = ""
		reason = fmt.Sprint("Repeated", random.IntN(4))
		if random.IntN(2) > 0 {
			reason, message = reason+"Text", "\"text\" <&> \u2028 ä"
		}
	}
	return &corev1.Event{
		ObjectMeta:     metav1.ObjectMeta{Namespace: "library", Name: fmt.Sprint("e.", step), Annotations: map[string]string{"step": fmt.Sprint(step)}},
		InvolvedObject: corev1.ObjectReference{Kind: "Desk", Name: string("ab"[random.IntN(2)]), FieldPath: []string{"", "spec"}[random.IntN(2)]},
		Type:           []string{corev1.EventTypeNormal, corev1.EventTypeWarning}[random.IntN(2)],
		Source:         corev1.EventSource{Component: "librarian"}, ReportingController: "librarian",
		Reason: reason, Message: message, Count: 1,
		FirstTimestamp: metav1.NewTime(now), LastTimestamp: metav1.NewTime(now),
	}
}
