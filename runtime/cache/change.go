package cache

// changeKind says what a [change] does.
type changeKind uint8

const (
	changeSet      changeKind = iota // the object is now in the state object: an add or an update
	changeDelete                     // the object is gone; object is its last state or a tombstone
	changeReplace                    // a source's objects are now exactly those of replacement
	changeBookmark                   // nothing changed up to rv
	changeResync                     // all that is known is to be told of again; in a [DeltaFIFO] only
)

// change is what happened to one object, or a list of all, on its way from the
// queue through the store to the handlers. Accessors are resolved once, when
// it is made.
type change struct {
	kind    changeKind
	added   bool   // a set that the source called an add
	initial bool   // of the first list of its source
	source  uint16 // which of the informer's sources it came from
	name    ObjectName
	rv      string // resource version; of a replacement that of the list
	object  any
	old     any // filled in by the store: what it held before, nil if nothing

	replacement *replacement // for changeReplace only
}

// record is an object of a replacement.
type record struct {
	name   ObjectName
	rv     string
	object any
	keep   bool // the object is there, but what is held of it is to be kept
	gone   bool // what was said of it before is void; not in a replacement that is queued
}
