package flowcontrol_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	clock "k8s.io/utils/clock/testing"

	"github.com/listwatch/listwatch/runtime/flowcontrol"
)

func TestTryAccept(t *testing.T) {
	now := clock.NewFakeClock(time.Unix(1000, 0))
	for name, limiter := range map[string]flowcontrol.PassiveRateLimiter{
		"active":  flowcontrol.NewTokenBucketRateLimiterWithClock(2, 3, now),
		"passive": flowcontrol.NewTokenBucketPassiveRateLimiterWithClock(2, 3, now),
	} {
		t.Run(name, func(t *testing.T) {
			now.SetTime(time.Unix(1000, 0))
			for _, step := range []struct {
				after time.Duration
				want  int
			}{{0, 3}, {0, 0}, {499 * time.Millisecond, 0}, {time.Millisecond, 1}, {time.Second, 2}, {time.Hour, 3}} {
				now.Step(step.after)
				got := 0
				for limiter.TryAccept() {
					got++
				}
				if got != step.want {
					t.Errorf("%d requests after %v, want %d", got, step.after, step.want)
				}
			}
			if limiter.QPS() != 2 {
				t.Errorf("QPS is %v", limiter.QPS())
			}
			limiter.Stop()
		})
	}
}

func TestRealTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		limiter := flowcontrol.NewTokenBucketRateLimiter(4, 2)
		start := time.Now()
		for range 6 {
			limiter.Accept()
		}
		if got := time.Since(start); got != time.Second {
			t.Errorf("6 requests took %v, want 1s", got)
		}
		if err := limiter.Wait(t.Context()); err != nil || time.Since(start) != 1250*time.Millisecond {
			t.Errorf("%v after %v", err, time.Since(start))
		}
		passive := flowcontrol.NewTokenBucketPassiveRateLimiter(4, 1)
		if !passive.TryAccept() || passive.TryAccept() {
			t.Error("not one request was let through")
		}
	})
}

func TestWaitEndsWithContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		limiter := flowcontrol.NewTokenBucketRateLimiter(0.001, 1)
		limiter.Accept()
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- limiter.Wait(ctx) }()
		synctest.Wait()
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Errorf("error is %v", err)
		}
		// A deadline that is too early is detected immediately.
		ctx, cancel = context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		start := time.Now()
		if err := limiter.Wait(ctx); err == nil || time.Since(start) != 0 {
			t.Errorf("%v after %v", err, time.Since(start))
		}
	})
}

func TestFakeLimiters(t *testing.T) {
	always := flowcontrol.NewFakeAlwaysRateLimiter()
	always.Accept()
	if err := always.Wait(t.Context()); err != nil || !always.TryAccept() || always.QPS() != 1 {
		t.Error("always: it refuses")
	}
	always.Stop()

	never := flowcontrol.NewFakeNeverRateLimiter()
	if err := never.Wait(t.Context()); err == nil || never.TryAccept() || never.QPS() != 1 {
		t.Error("never: it accepts")
	}
	synctest.Test(t, func(t *testing.T) {
		never := flowcontrol.NewFakeNeverRateLimiter()
		done := make(chan struct{})
		go func() {
			never.Accept()
			close(done)
		}()
		synctest.Wait()
		select {
		case <-done:
			t.Error("never: it accepts")
		default:
		}
		never.Stop()
		never.Stop()
		<-done
	})
}
