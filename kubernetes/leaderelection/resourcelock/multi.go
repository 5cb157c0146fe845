package resourcelock

import (
	"bytes"
	"context"
	"encoding/json"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// UnknownLeader is the holder in the record of a [MultiLock] whose two locks have different holders.
//
// Deprecated: it is for MultiLock only.
const UnknownLeader = "leaderelection.k8s.io/unknown"

// MultiLock stores the record in two locks, so that an election can move from one to the other.
//
// Deprecated: it moved elections from ConfigMaps and Endpoints to Leases. Use [LeaseLock].
type MultiLock struct {
	Primary   Interface
	Secondary Interface
}

var _ Interface = (*MultiLock)(nil)

// Get returns the primary record. If the secondary lock has another holder, the holder is [UnknownLeader].
func (ml *MultiLock) Get(ctx context.Context) (*LeaderElectionRecord, []byte, error) {
	first, firstRaw, err := ml.Primary.Get(ctx)
	if err != nil {
		return nil, nil, err
	}
	second, secondRaw, err := ml.Secondary.Get(ctx)
	switch {
	case apierrors.IsNotFound(err) && first.HolderIdentity != ml.Identity():
		return first, firstRaw, nil // held by a participant that has only the primary lock
	case err != nil:
		return nil, nil, err
	case first.HolderIdentity != second.HolderIdentity:
		first.HolderIdentity = UnknownLeader
		if firstRaw, err = json.Marshal(first); err != nil {
			return nil, nil, err
		}
	}
	return first, ConcatRawRecord(firstRaw, secondRaw), nil
}

// Create creates both records. The primary one may exist.
func (ml *MultiLock) Create(ctx context.Context, ler LeaderElectionRecord) error {
	if err := ml.Primary.Create(ctx, ler); err != nil && !apierrors.IsAlreadyExists(err) {
		return err
	}
	return ml.Secondary.Create(ctx, ler)
}

// Update updates both records, and creates the secondary one if it does not exist.
func (ml *MultiLock) Update(ctx context.Context, ler LeaderElectionRecord) error {
	if err := ml.Primary.Update(ctx, ler); err != nil {
		return err
	}
	if _, _, err := ml.Secondary.Get(ctx); apierrors.IsNotFound(err) {
		return ml.Secondary.Create(ctx, ler)
	}
	return ml.Secondary.Update(ctx, ler)
}

// RecordEvent records an event about each lock.
func (ml *MultiLock) RecordEvent(text string) {
	ml.Primary.RecordEvent(text)
	ml.Secondary.RecordEvent(text)
}

// Describe names the primary lock.
func (ml *MultiLock) Describe() string { return ml.Primary.Describe() }

// Identity returns the identity of the primary lock.
func (ml *MultiLock) Identity() string { return ml.Primary.Identity() }

// ConcatRawRecord returns both encoded records, separated by a comma.
//
// Deprecated: it is for MultiLock only.
func ConcatRawRecord(primaryRaw, secondaryRaw []byte) []byte {
	return bytes.Join([][]byte{primaryRaw, secondaryRaw}, []byte(","))
}
