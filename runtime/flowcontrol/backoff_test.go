package flowcontrol_test

import (
	"sync"
	"testing"
	"time"

	clock "k8s.io/utils/clock/testing"

	"github.com/listwatch/listwatch/runtime/flowcontrol"
)

func TestDelaysGrow(t *testing.T) {
	now := clock.NewFakeClock(time.Unix(0, 0))
	b := flowcontrol.NewFakeBackOff(time.Second, 10*time.Second, now)
	for i, want := range []time.Duration{0, 1, 2, 4, 8, 10, 10} {
		if i > 0 {
			b.Next("a", now.Now())
		}
		if got := b.Get("a"); got != want*time.Second {
			t.Errorf("after %d failures: %v, want %v", i, got, want*time.Second)
		}
		now.Step(time.Second)
	}
	if got := b.Get("b"); got != 0 {
		t.Errorf("another item has %v", got)
	}
	b.Reset("a")
	if got := b.Get("a"); got != 0 {
		t.Errorf("after Reset: %v", got)
	}
	b.Next("a", now.Now())
	b.DeleteEntry("a")
	if got := b.Get("a"); got != 0 {
		t.Errorf("after DeleteEntry: %v", got)
	}
}

func TestItemGetsWell(t *testing.T) {
	for _, test := range []struct {
		name    string
		expired func(event, last time.Time, max time.Duration) bool
		after   time.Duration
		want    time.Duration // the next delay
		kept    bool          // by GC
	}{
		{"not yet", nil, 20 * time.Second, 4 * time.Second, true},
		{"well", nil, 20*time.Second + 1, time.Second, false},
		{"function returns false", func(time.Time, time.Time, time.Duration) bool { return false }, time.Hour, 4 * time.Second, true},
		{"function returns true", func(_, _ time.Time, max time.Duration) bool { return max == 10*time.Second }, 0, time.Second, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			now := clock.NewFakeClock(time.Unix(0, 0))
			b := flowcontrol.NewFakeBackOff(time.Second, 10*time.Second, now)
			b.Next("a", now.Now())
			b.Next("a", now.Now())
			b.HasExpiredFunc = test.expired
			now.Step(test.after)
			b.GC()
			if kept := b.Get("a") != 0; kept != test.kept {
				t.Errorf("GC kept it: %t", kept)
			}
			b = flowcontrol.NewFakeBackOff(time.Second, 10*time.Second, now)
			b.Next("a", now.Now())
			b.Next("a", now.Now())
			b.HasExpiredFunc = test.expired
			now.Step(test.after)
			if b.Next("a", now.Now()); b.Get("a") != test.want {
				t.Errorf("next delay is %v, want %v", b.Get("a"), test.want)
			}
		})
	}
}

func TestInBackOff(t *testing.T) {
	start := time.Unix(1000, 0)
	for _, test := range []struct {
		name              string
		now               time.Duration // after the delay of 2 s was set
		event             time.Duration // the same
		since, sinceUpdat bool
	}{
		{"event of now", 0, 0, true, true},
		{"event in the delay", time.Second, time.Second, true, true},
		{"long ago", 3 * time.Second, 0, false, true},
		{"event after the delay", 3 * time.Second, 2 * time.Second, true, false},
		{"event when it is well", 30 * time.Second, 25 * time.Second, false, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			now := clock.NewFakeClock(start)
			b := flowcontrol.NewFakeBackOff(2*time.Second, 10*time.Second, now)
			b.Next("a", start)
			now.SetTime(start.Add(test.now))
			event := start.Add(test.event)
			if got := b.IsInBackOffSince("a", event); got != test.since {
				t.Errorf("IsInBackOffSince is %t", got)
			}
			if got := b.IsInBackOffSinceUpdate("a", event); got != test.sinceUpdat {
				t.Errorf("IsInBackOffSinceUpdate is %t", got)
			}
			if b.IsInBackOffSince("b", event) || b.IsInBackOffSinceUpdate("b", event) {
				t.Error("an item that never failed is in back-off")
			}
		})
	}
}

func TestJitter(t *testing.T) {
	now := clock.NewFakeClock(time.Unix(0, 0))
	b := flowcontrol.NewFakeBackOffWithJitter(time.Second, 5*time.Second, now, 0.5)
	differs := false
	for range 100 {
		b.Reset("a")
		b.Next("a", now.Now())
		first := b.Get("a")
		b.Next("a", now.Now())
		second := b.Get("a")
		if first < time.Second || first > 1500*time.Millisecond || second < 2*first || second > 2*first+first/2 {
			t.Fatalf("delays are %v, %v", first, second)
		}
		differs = differs || first != time.Second
		for range 3 {
			b.Next("a", now.Now())
		}
		if got := b.Get("a"); got != 5*time.Second {
			t.Fatalf("longest delay is %v", got)
		}
	}
	if !differs {
		t.Error("there is no jitter")
	}
}

func TestBackoffOfManyGoroutines(t *testing.T) {
	b := flowcontrol.NewBackOffWithJitter(time.Second, time.Minute, 1)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 100 {
				b.Next("a", b.Clock.Now())
				b.Get("a")
				b.IsInBackOffSince("a", b.Clock.Now())
				b.GC()
				b.Reset("a")
			}
		})
	}
	wg.Wait()
	if flowcontrol.NewBackOff(time.Second, time.Minute).Get("a") != 0 {
		t.Error("an item that never failed has a delay")
	}
}
