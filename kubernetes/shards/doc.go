// Package shards lets the replicas of a controller share its objects. It needs Leases of coordination.k8s.io, and nothing
// else: no custom resources, webhooks, labels on objects, or components of its own.
//
// # Terms
//
// A ring is the replicas that share work; each is a member. A slot is one of 64 equal ranges of the FNV-1a hash of an
// object's UID or namespace, see [Key]. These are the ranges of Kubernetes' shard selectors (KEP-5866), so a member can
// list and watch its objects alone. The assignment maps slots to members; each change of it is an epoch. A term is the
// time for which a member works without interruption: it begins when the member takes its Lease, and is over when the
// member leaves or could not renew the Lease in time. Assignments name terms, not members. The coordinator is the member
// that writes assignments.
//
// # Operations
//
// [Join] makes a program a member. Two calls bind its work to the slots that it owns: workers reconcile through [Ring.Do],
// which drops keys of lost slots and whose contexts end when a slot is lost, and clients send requests through
// [Ring.Transport], which checks each write:
//
//	config.Wrap(ring.Transport)
//
//	err := ring.Do(ctx, ring.KeyOf(item), func(ctx context.Context) error { return reconcile(ctx, item.ObjectName) })
//	if err != nil {
//		queue.AddRateLimited(item)
//	}
//
// They consist of [Ring.Begin] and [Ring.Check], for other workers and clients. An [Item] is a key for queues that knows
// its slot; [Ring.Owns] filters events.
//
// A ring is a cache.Shards: informers of a factory with the option WithShards(ring) have the objects of the member
// alone. [Ring.Follow] iterates over the slots that are gained and lost, for other caches, and [Ring.Selector] makes
// requests for them. [Ring.State] is for logs, [Ring.ServeHTTP] serves it as a debug page, and [Ring.Counts] is for metrics.
// [Ring.Leave] hands all slots over.
//
// # Protocol
//
// A member's Lease is named after the ring and the member. Every RenewPeriod the member renews it, with a report in an
// annotation: the epoch that it follows, and the slots that it holds, which includes those whose work has not ended. It
// then reads the ring's Lease, which has the assignment in an annotation. If both succeed, its term lasts until
// RenewDeadline after the beginning of the first request. The coordinator renews the ring's Lease instead of reading it, as
// its last write has returned it: the write succeeds only if nobody has written or deleted the Lease since.
//
// The coordinator is the holder of the ring's Lease. It lists the Leases of the members when its watch shows more than
// renewals, or lacks one, and while members settle or slots are handed over. Then it writes the assignment that follows:
// slots whose owner's term is over are assigned at once; others are marked to be moved, and are assigned when their owner
// has acknowledged that. An owner does so by a report that follows the epoch of the mark, and does not hold the slot any
// more. Before that, it begins no work in the slot and waits for running work, whose context ends after HandOver. Shares
// differ by one slot at most, and as few slots as possible move. A process that is started again gets the slots of its
// former term.
//
// # Safety
//
// Two members never work in one slot, as long as work ends in time after its context has ended (see
// Options.RenewDeadline), and no clock runs faster than another by the ratio of LeaseDuration to RenewDeadline or more.
// Only rates of clocks matter: durations are measured by monotonic clocks, and times in Leases are not compared. The
// reasoning:
//
//   - Assignments are a sequence: each is written with the resource version of the one before as the precondition. It
//     therefore does not matter whether there are two coordinators for a moment, or one that was frozen.
//   - What a coordinator acts on is in a list of the members' Leases, never in a watch, which may lag: that tells only when
//     to list. It stays true as long as the assignment is the same. A term that is over does not come back: the next one has
//     another name, and gets slots by an assignment that names it. A released slot is not taken again unless another
//     assignment says so.
//   - A term is over when a report of the next one says so, or its Lease was released, or when a request shows the
//     Lease as another has shown it, whose response came LeaseDuration before the request was sent. The member has stopped
//     RenewDeadline after it sent its last renewal. A member whose Lease was deleted, or is another term's, stops as well.
//   - The same holds for the ring's Lease and the coordinator: if it has expired, the term of the coordinator is over.
//     Its successor therefore does not wait for the Lease of the former coordinator's member as well.
//   - A member takes a Lease of its identity that it does not know only after that has expired. Two processes with the
//     same identity do not work at once.
//   - If the ring's Lease is deleted, its next assignment has another ID. Members stop when they see that, or, at the
//     latest, RenewDeadline after they have read the old one; no slots are assigned for LeaseDuration. This is also so
//     when a ring is used for the first time.
//
// This is why there is no leader election of package leaderelection: it would send more requests, and safety does not
// depend on who coordinates. The coordinator is replaced when the ring's Lease has expired.
//
// # Cost
//
// A member sends two requests in each RenewPeriod, the coordinator as well; with the defaults, these are one request in
// six seconds. Each change of the assignment costs a member four more at most. Members watch the ring's Lease, and
// the coordinator watches all, so that slots are handed over within a few seconds, and those of a member that crashes, or of
// the coordinator, LeaseDuration and Settle after its last renewal. Without permission to watch, each step takes up to
// a RenewPeriod, and the coordinator sends three requests in each. If the coordinator and another member crash together,
// the slots of the latter are given away a LeaseDuration later: nobody has watched its Lease until then.
//
// # Limits
//
// A process that is suspended between the check and the write that follows writes when it goes on, and a request may arrive
// after its sender has stopped. Updates of objects with their resource version as the precondition are safe then too. A
// machine whose monotonic clock stops while it is suspended does not notice the end of its term; virtual machines
// that are paused can behave like that.
//
// Slots and Key of a ring cannot be changed while it has members: members with other options get no slots. A ring has at
// most as many working members as slots.
package shards
