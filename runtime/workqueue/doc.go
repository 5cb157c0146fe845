// Package workqueue provides deduplicating queues of object keys for controllers.
//
// A queue has three guarantees. It is fair: items come out in the order in which they were added. It
// deduplicates: an item that is added again before it came out is queued once, and no item is handed to two
// workers at a time. And it loses nothing: an item that is added while a worker processes it comes out again
// when that worker is done.
//
// # Terminology
//
// An item is dirty from [Typed.Add] until [Typed.Get] returns it, and being processed from then until
// [Typed.Done]. It can be both; Done then queues it again.
//
// # Kinds of queues
//
// [Typed] is the plain queue. [NewTypedDelayingQueue] returns one that can also add items after a delay, with
// AddAfter, and [NewTypedRateLimitingQueue] one whose [TypedRateLimiter] determines the delay, with
// AddRateLimited. [NewTypedPriorityQueue] returns a queue that does all this, and hands out items in the order of
// their priorities instead; [TypedPriorityInterface] documents how it stays fair. All are safe for concurrent use.
//
// The names without Typed belong to queues of any, kept for older code.
package workqueue
