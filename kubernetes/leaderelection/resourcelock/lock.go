package resourcelock

import (
	"context"

	"k8s.io/apimachinery/pkg/runtime"
)

// Interface stores the record of an election. Package leaderelection calls its methods, one at a time.
type Interface interface {
	// Get returns the record, and its encoded form, which differs from the previous one after every renewal.
	// The error satisfies IsNotFound of apimachinery's errors package if there is no record.
	Get(ctx context.Context) (*LeaderElectionRecord, []byte, error)

	// Create stores the first record. It fails if there is one.
	Create(ctx context.Context, ler LeaderElectionRecord) error

	// Update replaces the record that the last successful call of any of these methods returned or stored. It
	// fails, with an error that satisfies IsConflict, if the record was changed since.
	Update(ctx context.Context, ler LeaderElectionRecord) error

	// RecordEvent records an event about the lock. The text follows the identity: "became leader".
	RecordEvent(text string)

	// Identity returns the identity that the participant has in records.
	Identity() string

	// Describe names the lock in logs.
	Describe() string
}

// EventRecorder records events; the recorders of package record implement it. Its methods must not block.
type EventRecorder interface {
	Eventf(obj runtime.Object, eventType, reason, message string, args ...any)
}

// ResourceLockConfig is what all kinds of locks have in common.
type ResourceLockConfig struct { //nolint:revive // the name in client-go
	// Identity distinguishes the participant from all others of the election.
	Identity string
	// EventRecorder records when the participant starts and stops leading. It is optional.
	EventRecorder EventRecorder
}
