// Package workqueue provides queues for the keys of objects that a controller has yet to look at.
//
// A queue keeps three promises. It is fair: items come out in the order in which they went in. It is
// stingy: an item that is added again before it came out is there once, and no item is handed to two
// workers at a time. And nothing gets lost: an item that is added while a worker has it comes
// out again once that worker is done.
//
// # Terminology
//
// An item is dirty from [Typed.Add] until [Typed.Get] hands it out, and being processed from then until
// [Typed.Done]. It may be both, and is then put back in line by Done.
//
// # Kinds of queues
//
// A [Typed] queue is the plain one. [NewTypedDelayingQueue] makes one that also takes items for later, with
// AddAfter, and [NewTypedRateLimitingQueue] one that asks a [TypedRateLimiter] how much later, with
// AddRateLimited. All of them may be used by any number of goroutines at once.
//
// The names without Typed are those of queues of any, kept for older code.
package workqueue
