package resourcelock

import (
	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// LeaderElectionRecordAnnotationKey is the annotation that contained the record before there were Leases.
const LeaderElectionRecordAnnotationKey = "control-plane.alpha.kubernetes.io/leader"

// LeaderElectionRecord is the state of an election.
type LeaderElectionRecord struct {
	// HolderIdentity is the identity of the holder. Empty means that the holder has released the lease, and
	// that anyone may acquire it.
	HolderIdentity string `json:"holderIdentity"`
	// LeaseDurationSeconds is how long others wait, since they last saw the record change, before they
	// acquire the lease of a holder.
	LeaseDurationSeconds int `json:"leaseDurationSeconds"`
	// AcquireTime and RenewTime are times of the holder's clock. They are information for people: clocks
	// differ, so electors only compare whether a record has changed.
	AcquireTime metav1.Time `json:"acquireTime"`
	RenewTime   metav1.Time `json:"renewTime"`
	// LeaderTransitions is the number of the holder's term. It grows with each term.
	LeaderTransitions int `json:"leaderTransitions"`
	// Strategy and PreferredHolder belong to coordinated leader election. A preferred holder asks the holder
	// to stop renewing.
	Strategy        coordinationv1.CoordinatedLeaseStrategy `json:"strategy"`
	PreferredHolder string                                  `json:"preferredHolder"`
}

// LeaseSpecToLeaderElectionRecord returns the record in the spec of a Lease. Missing fields are zero.
func LeaseSpecToLeaderElectionRecord(spec *coordinationv1.LeaseSpec) *LeaderElectionRecord {
	return &LeaderElectionRecord{
		HolderIdentity:       value(spec.HolderIdentity),
		LeaseDurationSeconds: int(value(spec.LeaseDurationSeconds)),
		AcquireTime:          metav1.Time{Time: value(spec.AcquireTime).Time},
		RenewTime:            metav1.Time{Time: value(spec.RenewTime).Time},
		LeaderTransitions:    int(value(spec.LeaseTransitions)),
		Strategy:             value(spec.Strategy),
		PreferredHolder:      value(spec.PreferredHolder),
	}
}

// LeaderElectionRecordToLeaseSpec returns the spec of a Lease with a record, which it does not share. Strategy
// and preferred holder are missing from it if they are empty.
func LeaderElectionRecordToLeaseSpec(ler *LeaderElectionRecord) coordinationv1.LeaseSpec {
	record := *ler
	seconds, transitions := int32(record.LeaseDurationSeconds), int32(record.LeaderTransitions)
	spec := coordinationv1.LeaseSpec{
		HolderIdentity:       &record.HolderIdentity,
		LeaseDurationSeconds: &seconds,
		AcquireTime:          &metav1.MicroTime{Time: record.AcquireTime.Time},
		RenewTime:            &metav1.MicroTime{Time: record.RenewTime.Time},
		LeaseTransitions:     &transitions,
	}
	if record.Strategy != "" {
		spec.Strategy = &record.Strategy
	}
	if record.PreferredHolder != "" {
		spec.PreferredHolder = &record.PreferredHolder
	}
	return spec
}

// value returns what p points to, the zero value if p is nil.
func value[T any](p *T) T {
	if p == nil {
		var zero T
		return zero
	}
	return *p
}
