// Package flowcontrol limits the rate of requests.
//
// A [RateLimiter] admits a number of requests per second (QPS), and a number at once (burst). A
// [PassiveRateLimiter] rejects requests instead of delaying them. A [Backoff] stores a delay per item: it
// doubles each time the item fails, up to a maximum, and starts again from the initial delay after the item has
// not failed for long enough.
//
// All types are safe for concurrent use. A Backoff does not remove items by itself: with many items, call
// [Backoff.GC] periodically.
package flowcontrol
