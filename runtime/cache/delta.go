package cache

// DeltaType is what a delta is about.
type DeltaType string

// The types of deltas.
const (
	Added       DeltaType = "Added"
	Updated     DeltaType = "Updated"
	Deleted     DeltaType = "Deleted"
	Replaced    DeltaType = "Replaced"
	ReplacedAll DeltaType = "ReplacedAll"
	Sync        DeltaType = "Sync"
	SyncAll     DeltaType = "SyncAll"
	Bookmark    DeltaType = "Bookmark"
)

// Delta is a change of an object, and its state after it; of a deletion the last
// state before it.
type Delta struct {
	Type   DeltaType
	Object any
}

// Deltas are changes of one object, oldest first.
type Deltas []Delta
