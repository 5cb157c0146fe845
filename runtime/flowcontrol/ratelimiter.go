package flowcontrol

import (
	"context"
	"time"

	"golang.org/x/time/rate"
	"k8s.io/utils/clock"
)

// PassiveRateLimiter admits or rejects requests immediately.
type PassiveRateLimiter interface {
	// TryAccept takes a token and returns true, or returns false if none is available.
	TryAccept() bool
	// Stop ends the limiter. It does nothing for this package's token buckets.
	Stop()
	// QPS returns the number of requests admitted per second.
	QPS() float32
}

// RateLimiter admits requests, now or later.
type RateLimiter interface {
	PassiveRateLimiter
	// Accept takes a token, waiting until one is available.
	Accept()
	// Wait takes a token, waiting until one is available. It returns an error if the context is done, or would
	// be before a token is available.
	Wait(ctx context.Context) error
}

// Clock is the clock of a [RateLimiter].
type Clock interface {
	clock.PassiveClock
	Sleep(time.Duration)
}

// bucket stores up to burst tokens and gains qps tokens per second.
type bucket struct {
	tokens *rate.Limiter
	qps    float32
	clock  clock.PassiveClock
}

// waitingBucket is a bucket whose callers can wait for tokens. It uses the bucket's clock.
type waitingBucket struct {
	bucket
	clock Clock
}

// NewTokenBucketRateLimiter returns a limiter that admits qps requests per second, and up to burst of them at
// once after idle time. It starts with burst tokens.
func NewTokenBucketRateLimiter(qps float32, burst int) RateLimiter {
	return NewTokenBucketRateLimiterWithClock(qps, burst, clock.RealClock{})
}

// NewTokenBucketRateLimiterWithClock is [NewTokenBucketRateLimiter] with a clock for TryAccept and Accept. Wait
// uses the real time, as contexts do.
func NewTokenBucketRateLimiterWithClock(qps float32, burst int, c Clock) RateLimiter {
	return &waitingBucket{bucket: newBucket(qps, burst, c), clock: c}
}

// NewTokenBucketPassiveRateLimiter is [NewTokenBucketRateLimiter] without waiting.
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
