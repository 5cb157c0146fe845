package flowcontrol_test

import (
	"fmt"
	"time"

	clocktesting "k8s.io/utils/clock/testing"

	"github.com/listwatch/listwatch/runtime/flowcontrol"
)

// A token bucket admits some requests at once, and then as many per second as it was created for.
func Example() {
	clock := clocktesting.NewFakeClock(time.Unix(0, 0)) // in a program, NewTokenBucketPassiveRateLimiter
	limiter := flowcontrol.NewTokenBucketPassiveRateLimiterWithClock(1, 2, clock)
	fmt.Println(limiter.TryAccept(), limiter.TryAccept(), limiter.TryAccept())
	clock.Step(time.Second)
	fmt.Println(limiter.TryAccept(), limiter.TryAccept())
	// Output:
	// true true false
	// true false
}

// A Backoff delays the next attempt of each item, longer after each failure.
func ExampleBackoff() {
	clock := clocktesting.NewFakeClock(time.Unix(0, 0)) // in a program, NewBackOff
	backoff := flowcontrol.NewFakeBackOff(time.Second, time.Minute, clock)
	for range 3 {
		backoff.Next("image", clock.Now()) // it failed
		fmt.Println(backoff.Get("image"), backoff.IsInBackOffSinceUpdate("image", clock.Now()))
	}
	clock.Step(5 * time.Second)
	fmt.Println(backoff.IsInBackOffSinceUpdate("image", clock.Now()))
	// Output:
	// 1s true
	// 2s true
	// 4s true
	// false
}
