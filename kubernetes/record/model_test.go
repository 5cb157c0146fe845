package record_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	testclock "k8s.io/utils/clock/testing"

	"github.com/listwatch/listwatch/kubernetes/record"
)

// Settings of the model, with which all sums are exact in floating point.
const (
	modelMaxEvents = 4
	modelInterval  = 100 // seconds
	modelBurst     = 12
	modelRefill    = 64 // seconds for one event
)

// model says what a correlator does by reading the whole history of events.
type model struct {
	history []occurrence
}

type occurrence struct {
	second   int
	object   string
	reason   string
	message  string
	combined bool
}

// correlate returns whether the next event is combined with others, its count, and whether it is spam.
func (m *model) correlate(o occurrence) (combined bool, count int, spam bool) {
	o.combined = m.combines(o)
	m.history = append(m.history, o)
	count = m.count(o)
	return o.combined, count, m.isSpam(o)
}

// combines goes back to the begin of the group of similar events, and counts its different messages that are left
// as they are.
func (m *model) combines(o occurrence) bool {
	last, single := o.second, []string{}
	for _, before := range slices.Backward(m.history) {
		if before.object != o.object || before.reason != o.reason {
			continue
		}
		if last-before.second > modelInterval {
			break
		}
		last = before.second
		if !before.combined && !slices.Contains(single, before.message) {
			single = append(single, before.message)
		}
	}
	return !slices.Contains(single, o.message) && len(single)+1 >= modelMaxEvents
}

func (m *model) count(o occurrence) int {
	n := 0
	for _, h := range m.history {
		if h.object == o.object && h.reason == o.reason && h.combined == o.combined && (o.combined || h.message == o.message) {
			n++
		}
	}
	return n
}

// isSpam replays the events about an object.
func (m *model) isSpam(o occurrence) bool {
	left, since := modelBurst*modelRefill, 0 // in seconds of refill
	spam := false
	for _, h := range m.history {
		if h.object != o.object {
			continue
		}
		left, since = min(left+h.second-since, modelBurst*modelRefill), h.second
		if spam = left < modelRefill; !spam {
			left -= modelRefill
		}
	}
	return spam
}

func TestCorrelatorModel(t *testing.T) {
	for seed := range uint64(20) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			random := rand.New(rand.NewPCG(seed, 0))
			start := time.Unix(1_000_000, 0)
			clock := testclock.NewFakePassiveClock(start)
			correlator := record.NewEventCorrelatorWithOptions(record.CorrelatorOptions{
				BurstSize: modelBurst, QPS: 1. / modelRefill,
				MaxEvents: modelMaxEvents, MaxIntervalInSeconds: modelInterval,
				Clock: clock,
			})
			m, second := model{}, 0
			names := map[string]string{} // of events, by what they have in common
			for step := range 300 {
				second += []int{0, 1, 5, 30, modelInterval, modelInterval + 1}[random.IntN(6)]
				clock.SetTime(start.Add(time.Duration(second) * time.Second))
				o := occurrence{
					second:  second,
					object:  string("ab"[random.IntN(2)]),
					reason:  string("XYZ"[random.IntN(3)]),
					message: string("123456"[random.IntN(6)]),
				}
				event := &corev1.Event{
					ObjectMeta:     metav1.ObjectMeta{Namespace: "library", Name: fmt.Sprint("e", step)},
					InvolvedObject: corev1.ObjectReference{Name: o.object},
					Reason:         o.reason, Message: o.message, Type: corev1.EventTypeNormal, Count: 1,
					FirstTimestamp: metav1.NewTime(clock.Now()), LastTimestamp: metav1.NewTime(clock.Now()),
				}
				before := event.DeepCopy()
				result, err := correlator.EventCorrelate(event)
				if err != nil {
					t.Fatal(err)
				}
				if event.String() != before.String() {
					t.Fatalf("step %d: event was modified", step)
				}
				combined, count, spam := m.correlate(o)
				if result.Skip != spam {
					t.Fatalf("step %d: %+v: skipped %t, want %t", step, o, result.Skip, spam)
				}
				key := fmt.Sprint(o.object, o.reason, combined)
				if !combined {
					key += o.message
				}
				if spam {
					delete(names, key) // if this was the first one, its name is unknown
					continue
				}
				got := result.Event
				if int(got.Count) != count {
					t.Fatalf("step %d: %+v: count %d, want %d", step, o, got.Count, count)
				}
				if is := strings.HasPrefix(got.Message, "(combined from similar events): "); is != combined {
					t.Fatalf("step %d: %+v: message %q, want combined %t", step, o, got.Message, combined)
				}
				if name := names[key]; name != "" && got.Name != name {
					t.Fatalf("step %d: %+v: name %q, want %q", step, o, got.Name, name)
				}
				names[key] = got.Name
				checkPatch(t, result)
				correlator.UpdateState(got)
			}
		})
	}
}

// checkPatch checks that the patch of an event that occurred before sets what has changed.
func checkPatch(t *testing.T, result *record.EventCorrelateResult) {
	t.Helper()
	if result.Event.Count == 1 {
		if result.Patch != nil {
			t.Errorf("patch %s for a new event", result.Patch)
		}
		return
	}
	var patch struct {
		Count         int32
		LastTimestamp metav1.Time
		Message       string
	}
	if err := json.Unmarshal(result.Patch, &patch); err != nil {
		t.Fatalf("patch %s: %v", result.Patch, err)
	}
	e := result.Event
	if patch.Count != e.Count || patch.Message != e.Message || !patch.LastTimestamp.Equal(&e.LastTimestamp) {
		t.Errorf("patch %s for %+v", result.Patch, e)
	}
}

func TestCorrelatorKeepsEventsApart(t *testing.T) {
	correlator := record.NewEventCorrelator(testclock.NewFakePassiveClock(time.Unix(0, 0)))
	for _, source := range []corev1.EventSource{{Component: "ab", Host: "c"}, {Component: "a", Host: "bc"}} {
		result, err := correlator.EventCorrelate(&corev1.Event{Source: source, Count: 1})
		if err != nil || result.Event.Count != 1 {
			t.Errorf("source %v: %v, count %d, want 1", source, err, result.Event.Count)
		}
	}
}

func TestCorrelatorNil(t *testing.T) {
	if _, err := record.NewEventCorrelatorWithOptions(record.CorrelatorOptions{}).EventCorrelate(nil); err == nil {
		t.Error("no error for a nil event")
	}
}

func TestCorrelatorForgets(t *testing.T) {
	correlator := record.NewEventCorrelatorWithOptions(record.CorrelatorOptions{LRUCacheSize: 2, BurstSize: 1000})
	for i, want := range []int32{1, 1, 1, 1, 1, 2} {
		result, err := correlator.EventCorrelate(&corev1.Event{Message: fmt.Sprint("012010"[i]), Reason: fmt.Sprint("012010"[i]), Count: 1})
		if err != nil || result.Event.Count != want {
			t.Errorf("event %d: %v, count %d, want %d", i, err, result.Event.Count, want)
		}
	}
}
