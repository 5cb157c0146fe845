package cache

// ObjectName says which object of a resource is meant. Namespace is empty for
// objects of the cluster scope.
type ObjectName struct {
	Namespace string
	Name      string
}

// KeyFunc computes an object's key: a string by which a store knows it.
type KeyFunc func(obj any) (string, error)

// DeletedFinalStateUnknown is a tombstone. It stands for an object whose deletion
// was not seen, but concluded from a later list: Obj is the last state that was
// known and may be stale.
type DeletedFinalStateUnknown struct {
	Key string
	Obj any
}
