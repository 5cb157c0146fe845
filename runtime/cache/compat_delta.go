package cache

// DeltaType is the type of a [Delta].
type DeltaType string

// The types of deltas.
const (
	// Added, Updated and Deleted are what happened to one object.
	Added   DeltaType = "Added"
	Updated DeltaType = "Updated"
	Deleted DeltaType = "Deleted"
	// Replaced is for an object of a list of all objects.
	Replaced DeltaType = "Replaced"
	// ReplacedAll is for such a list as a whole; its object is a [ReplacedAllInfo].
	ReplacedAll DeltaType = "ReplacedAll"
	// Sync is for an object that is delivered again by a resync.
	Sync DeltaType = "Sync"
	// SyncAll is for a resync as a whole; its object is a [SyncAllInfo].
	SyncAll DeltaType = "SyncAll"
	// Bookmark is for a resource version up to which nothing else changed; its object is a
	// [BookmarkInfo].
	Bookmark DeltaType = "Bookmark"
)

// Delta is a change of an object, with its state after that; for a deletion the last state before
// it, or a [DeletedFinalStateUnknown].
type Delta struct {
	Type   DeltaType
	Object any
}

// Deltas are deltas of one object, oldest first.
type Deltas []Delta

// Oldest returns the first delta, nil if there is none.
func (d Deltas) Oldest() *Delta {
	if len(d) == 0 {
		return nil
	}
	return &d[0]
}

// Newest returns the last delta, nil if there is none.
func (d Deltas) Newest() *Delta {
	if len(d) == 0 {
		return nil
	}
	return &d[len(d)-1]
}

// ReplacedAllInfo is the object of a [ReplacedAll] delta.
type ReplacedAllInfo struct {
	// ResourceVersion is the list's.
	ResourceVersion string
	// Objects are all objects, transformed.
	Objects []any
}

// SyncAllInfo is the object of a [SyncAll] delta.
type SyncAllInfo struct{}

// BookmarkInfo is the object of a [Bookmark] delta.
type BookmarkInfo struct {
	// ResourceVersion is the resource version up to which nothing else changed.
	ResourceVersion string
}
