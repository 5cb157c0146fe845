// Package leaderelection elects one leader among the replicas of a program.
//
// # Terms
//
// The replicas of an election share a lock, see package resourcelock, with a record: the lease. An elector is
// one of them. A term begins when an elector acquires the lease, and lasts as long as it renews the lease. Each
// term has a number, LeaderTransitions in the record, which grows from term to term. A replica is the leader
// during its term; the context of OnStartedLeading is cancelled when the term ends.
//
// # Operations
//
// [RunOrDie], or [NewLeaderElector] and [LeaderElector.Run], take part in an election until a term has ended. A
// program usually exits then, and is started again.
//
// [FencingToken] returns the number of a term from its context. [HealthzAdaptor] reports a leader that goes on
// after its lease. [SetProvider] measures who leads. [NewCandidate] announces a replica to coordinated leader
// election, in which Kubernetes chooses the leader.
//
// # Safety
//
// There are never two leaders at once as long as no replica's clock runs faster than another's by the ratio of
// LeaseDuration to RenewDeadline or more. Only the rates of clocks matter: an elector measures durations by its
// monotonic clock, and never compares a time in the record with its own. Clocks may therefore differ, and may be
// set at any time. The reasoning:
//
//   - The leader stops RenewDeadline after it sent its last successful renewal, even if a request hangs.
//   - The others acquire the lease LeaseDuration after they saw the record change, which is not before that
//     renewal reached the server. The server accepts only one of several updates of the same record.
//   - A leader that sees another record, or a released one, stops at once.
//
// A process that is suspended does not notice the end of its term until it goes on, and a request that it sent
// may arrive later still. To be safe then too, send the token with each write, and let the receiver refuse
// tokens lower than the highest that it has seen. If the receiver is a Kubernetes object, store the token
// in it, and update it with its resource version as the precondition.
//
// # Differences from client-go
//
//   - RenewDeadline counts from the last successful renewal. In client-go it counts from the next attempt, so
//     that two leaders are possible if LeaseDuration is less than RenewDeadline plus RetryPeriod, or if a
//     response is slow. With the module client-go in the place of client-go, it is as there.
//   - A leader that sees another holder stops at once, and not after RenewDeadline.
//   - LeaseDurationSeconds in the record is rounded up. Rounded down, it lets the others acquire the lease too
//     early.
//   - A term has its own number even if the same identity held the lease before.
//   - If the Lease is deleted, the others wait until it would have ended, and the number of the term is kept.
//   - RenewTime grows with each renewal even if the wall clock is set back, so that the others see a change.
//   - A candidate also tries when the lease that it saw ends.
//   - The lease is released after OnStartedLeading has returned, and not if it has to expire; see
//     ReleaseOnCancel.
//
// # Limits
//
// Do not delete the Lease of a running election: a new replica, which has not seen it, becomes leader while the
// former one goes on for up to RetryPeriod, and numbers of terms start again.
//
// Identities must be unique. If two replicas have the same one, each takes the lease from the other.
package leaderelection
