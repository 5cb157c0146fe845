// Package flowcontrol keeps a client from asking too much of a server.
//
// A [RateLimiter] lets through so many requests a second (QPS), and so many at once (burst); who can
// only refuse, but not wait, takes a [PassiveRateLimiter]. A [Backoff] remembers for each of many items how
// long to leave it alone: longer each time it fails, up to a maximum, and from the beginning when it has
// been left alone long enough.
//
// All of them may be used by many goroutines at once. A Backoff forgets nothing by itself: who uses
// many items calls [Backoff.GC] from time to time.
package flowcontrol
