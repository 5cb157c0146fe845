// Package leaderelection converts locks of leader election between listwatch and client-go, so that one election can
// be run by code of either: controller-runtime's manager, for example, takes client-go's form as
// LeaderElectionResourceLockInterface.
//
// Both modules store the same record, so replicas with electors of either can take part in one election. The bounds that
// the documentation of our electors promises hold if all replicas have them.
//
// Recorders of events need no conversion; see the documentation of package clientgo.
package leaderelection

import (
	"context"

	theirs "k8s.io/client-go/tools/leaderelection/resourcelock"

	"github.com/listwatch/listwatch/kubernetes/leaderelection/resourcelock"
)

// ToLock returns one of our locks in client-go's form. Nil stays nil.
func ToLock(lock resourcelock.Interface) theirs.Interface {
	switch lock := lock.(type) {
	case nil:
		return nil
	case lockFrom:
		return lock.Interface
	}
	return lockTo{lock}
}

// FromLock returns one of client-go's locks in our form. Nil stays nil.
func FromLock(lock theirs.Interface) resourcelock.Interface {
	switch lock := lock.(type) {
	case nil:
		return nil
	case lockTo:
		return lock.Interface
	}
	return lockFrom{lock}
}

// lockTo is a lock of ours in client-go's form.
type lockTo struct{ resourcelock.Interface }

func (l lockTo) Get(ctx context.Context) (*theirs.LeaderElectionRecord, []byte, error) {
	record, raw, err := l.Interface.Get(ctx)
	return (*theirs.LeaderElectionRecord)(record), raw, err
}

func (l lockTo) Create(ctx context.Context, record theirs.LeaderElectionRecord) error {
	return l.Interface.Create(ctx, resourcelock.LeaderElectionRecord(record))
}

func (l lockTo) Update(ctx context.Context, record theirs.LeaderElectionRecord) error {
	return l.Interface.Update(ctx, resourcelock.LeaderElectionRecord(record))
}

// lockFrom is a lock of client-go's in our form.
type lockFrom struct{ theirs.Interface }

func (l lockFrom) Get(ctx context.Context) (*resourcelock.LeaderElectionRecord, []byte, error) {
	record, raw, err := l.Interface.Get(ctx)
	return (*resourcelock.LeaderElectionRecord)(record), raw, err
}

func (l lockFrom) Create(ctx context.Context, record resourcelock.LeaderElectionRecord) error {
	return l.Interface.Create(ctx, theirs.LeaderElectionRecord(record))
}

func (l lockFrom) Update(ctx context.Context, record resourcelock.LeaderElectionRecord) error {
	return l.Interface.Update(ctx, theirs.LeaderElectionRecord(record))
}
