package flowcontrol

import (
	"context"
	"time"

	"golang.org/x/time/rate"
	"k8s.io/utils/clock"
)

// PassiveRateLimiter lets requests through or refuses them at once.
type PassiveRateLimiter interface {
	// TryAccept takes a token and returns true, or returns false where there is none now.
	TryAccept() bool
	// Stop ends the limiter. Those of this package that hold tokens have nothing to end.
	Stop()
	// QPS is how many requests are let through in a second.
	QPS() float32
}

// RateLimiter lets requests through, now or later.
type RateLimiter interface {
	PassiveRateLimiter
	// Accept takes a token, and waits until there is one.
	Accept()
	// Wait takes a token, and waits until there is one. It returns an error when the context is done,
	// or would be before a token is there.
	Wait(ctx context.Context) error
}

// Clock is the time of a [RateLimiter].
type Clock interface {
	clock.PassiveClock
	Sleep(time.Duration)
}

// bucket holds up to burst tokens and gains qps tokens a second.
type bucket struct {
	tokens *rate.Limiter
	qps    float32
	clock  clock.PassiveClock
}

// waitingBucket is a bucket that one can wait at. Its clock is the bucket's.
type waitingBucket struct {
	bucket
	clock Clock
}

// NewTokenBucketRateLimiter returns a limiter that lets qps requests through in a second, and up to burst of
// them at once after it was idle. It starts with burst tokens.
func NewTokenBucketRateLimiter(qps float32, burst int) RateLimiter {
	return NewTokenBucketRateLimiterWithClock(qps, burst, clock.RealClock{})
}

// NewTokenBucketRateLimiterWithClock is [NewTokenBucketRateLimiter] with a clock for TryAccept and Accept.
// Wait goes by the real time, as contexts do.
func NewTokenBucketRateLimiterWithClock(qps float32, burst int, c Clock) RateLimiter {
	return &waitingBucket{bucket: newBucket(qps, burst, c), clock: c}
}

// NewTokenBucketPassiveRateLimiter is [NewTokenBucketRateLimiter] for those who do not wait.
func NewTokenBucketPassiveRateLimiter(qps float32, burst int) PassiveRateLimiter {
	return NewTokenBucketPassiveRateLimiterWithClock(qps, burst, clock.RealClock{})
}

// NewTokenBucketPassiveRateLimiterWithClock is [NewTokenBucketPassiveRateLimiter] with a clock.
func NewTokenBucketPassiveRateLimiterWithClock(qps float32, burst int, c clock.PassiveClock) PassiveRateLimiter {
	b := newBucket(qps, burst, c)
	return &b
}

func newBucket(qps float32, burst int, c clock.PassiveClock) bucket {
	return bucket{tokens: rate.NewLimiter(rate.Limit(qps), burst), qps: qps, clock: c}
}

func (b *bucket) TryAccept() bool { return b.tokens.AllowN(b.clock.Now(), 1) }

func (b *bucket) Stop() {}

func (b *bucket) QPS() float32 { return b.qps }

func (b *waitingBucket) Accept() {
	now := b.clock.Now()
	b.clock.Sleep(b.tokens.ReserveN(now, 1).DelayFrom(now))
}

func (b *waitingBucket) Wait(ctx context.Context) error { return b.tokens.Wait(ctx) }
