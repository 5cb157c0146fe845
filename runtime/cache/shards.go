package cache

import (
	"context"
	"iter"
)

// Shards determines which objects are a replica's, for informers of replicas that share the objects of a resource: each
// has only its own. A *shards.Ring of package kubernetes/shards is one.
//
// Objects belong to slots, numbers from 0, by the hash of their UID or namespace; which slots are the replica's changes.
// Methods are called concurrently.
type Shards interface {
	// Follow iterates over the changes of the replica's slots until ctx is done. The first change comes at once and
	// has what the replica has already, which may be nothing. When the loop asks for the next change, the objects of
	// lost slots have left the store, and the slots can be handed over. Several loops are independent.
	Follow(ctx context.Context) iter.Seq[ShardChange]
	// Selector returns the shard selector of slots, which are in ascending order and not none, as
	// metav1.ListOptions documents it (KEP-5866); empty if these are all slots.
	Selector(slots []int) string
}

// ShardChange is a change of a replica's slots. Lost comes first: a slot that is in both was another replica's
// meanwhile.
type ShardChange struct {
	// Lost are slots that are not the replica's any more, in ascending order.
	Lost []int
	// Gained are slots that are the replica's, in ascending order.
	Gained []int
}

// AllShards has all objects. As an option of one type it exempts that from the [Shards] of all types: for objects that
// every replica needs.
var AllShards Shards = allShards{}

type allShards struct{}

func (allShards) Follow(context.Context) iter.Seq[ShardChange] {
	return func(yield func(ShardChange) bool) { yield(ShardChange{Gained: []int{0}}) }
}

func (allShards) Selector([]int) string { return "" }

// someShards returns s, or nil if it has all objects.
func someShards(s Shards) Shards {
	if _, all := s.(allShards); all {
		return nil
	}
	return s
}
