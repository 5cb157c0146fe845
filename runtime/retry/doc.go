// Package retry repeats what may fail for a moment, above all updates that conflict with another's.
//
// [RetryOnConflict] repeats an update as long as the server answers 409 Conflict; [OnError] repeats
// anything as long as a function says so. Both wait between attempts as their backoff says, give up after its
// steps, and then return the last error. They know no context: who has one uses the wait
// package of apimachinery.
package retry
