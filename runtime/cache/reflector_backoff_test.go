package cache

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/utils/clock"
)

func TestBackoff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBackoff(nil, clock.RealClock{})
		step := func(err error, least, most time.Duration) {
			t.Helper()
			d := b.delay(err)
			if d < least || d > most {
				t.Errorf("waits %v, want %v to %v", d, least, most)
			}
			time.Sleep(d)
		}
		failed := errors.New("failed")
		for _, least := range []time.Duration{800, 1600, 3200, 6400, 12800, 25600, 30000, 30000, 30000} {
			step(failed, least*time.Millisecond, 2*least*time.Millisecond)
		}
		// Waits, however long, do not count as time without failure.
		for range 20 {
			step(failed, 30*time.Second, time.Minute)
		}
		time.Sleep(backoffReset)
		step(failed, 30*time.Second, time.Minute)
		time.Sleep(backoffReset + 1)
		step(failed, 800*time.Millisecond, 1600*time.Millisecond)
	})
}

func TestBackoffAsked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tests := []struct {
			name        string
			err         error
			least, most time.Duration
		}{
			{"nothing", nil, time.Second, time.Second},
			{"less", apierrors.NewTooManyRequests("", 1), time.Second, time.Second},
			{"more", apierrors.NewTooManyRequests("", 60), time.Minute, 61 * time.Second},
			{"far too much", apierrors.NewTooManyRequests("", 1<<30), 5 * time.Minute, 301 * time.Second},
			{"nonsense", apierrors.NewTooManyRequests("", -5), time.Second, time.Second},
		}
		for _, test := range tests {
			b := newBackoff(&wait.Backoff{Duration: time.Second}, clock.RealClock{})
			seen := map[time.Duration]bool{}
			for range 20 {
				d := b.delay(test.err)
				seen[d] = true
				if d < test.least || d > test.most {
					t.Errorf("%s: waits %v, want %v to %v", test.name, d, test.least, test.most)
				}
			}
			if test.least != test.most && len(seen) == 1 {
				t.Errorf("%s: all clients return at the same time", test.name)
			}
		}
	})
}

func TestWindow(t *testing.T) {
	start := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
	type failure struct {
		after time.Duration
		open  bool
	}
	tests := []struct {
		name     string
		limit    time.Duration
		failures []failure
	}{
		{"limit of zero", 0, []failure{{0, false}, {time.Second, false}}},
		{"within the limit", time.Minute, []failure{{0, true}, {30 * time.Second, true}, {time.Minute, true}, {61 * time.Second, false}}},
		{"again after it was closed", time.Minute, []failure{{0, true}, {50 * time.Second, true}, {100 * time.Second, false}, {101 * time.Second, true}}},
		{"far apart", time.Minute, []failure{{0, true}, {time.Minute, true}, {2 * time.Minute, true}, {3 * time.Minute, true}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var w window
			for _, f := range test.failures {
				if open := w.open(start.Add(f.after), test.limit); open != f.open {
					t.Errorf("after %v: %t, want %t", f.after, open, f.open)
				}
			}
		})
	}
}
