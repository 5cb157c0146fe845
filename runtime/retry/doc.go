// Package retry retries functions that fail temporarily, mainly updates that conflict with another client's.
//
// [RetryOnConflict] retries an update while the server responds with 409 Conflict; [OnError] retries while a
// function reports that the error is retriable. Both wait between attempts according to a backoff, give up
// after its steps, and then return the last error. Neither takes a context; if you have one, use the wait
// package of apimachinery.
package retry
