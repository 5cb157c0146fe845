// Package resourcelock stores the record of a leader election in a Lease.
//
// # Terms
//
// A record, [LeaderElectionRecord], names the holder of the lease and how long the lease lasts without a
// renewal. LeaderTransitions numbers the holder's term. [Interface] is a place that stores the record, and
// [LeaseLock] the one that stores it in the spec of a Lease of coordination.k8s.io/v1.
//
// # Operations
//
// [New], [NewWithLabels] and [NewFromKubeconfig] return a lock for package leaderelection, which calls its
// methods. [LeaseSpecToLeaderElectionRecord] reads the record of a Lease that a program has by other means.
//
// # Limits
//
// A lock belongs to one elector and is not safe for concurrent use. Locks in Endpoints and ConfigMaps, which
// Kubernetes removed in 1.28, are refused.
package resourcelock
