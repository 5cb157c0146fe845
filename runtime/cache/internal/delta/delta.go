// Package delta describes what happens to objects on their way from a list/watch source, through
// the queue and the store, to the handlers. It contains only data: no locks, no goroutines.
package delta

import (
	"iter"
	"strings"
)

// Kind is the kind of a [Delta].
type Kind uint8

// The kinds of deltas.
const (
	Set        Kind = iota // the object now has this state: an add or an update
	Delete                 // the object was deleted; Object is its last state or a tombstone
	ReplaceAll             // List contains all objects of a source
	Bookmark               // nothing else changed up to RV
	Resync                 // all known objects are delivered again; only in cache.DeltaFIFO
	Join                   // List contains objects of a source that it did not have before; the others stay
	Release                // the source does not have the objects any more that List.Match selects
)

// Delta is a change of one object, or a list of all objects of a source. Metadata is read once,
// when a delta is created.
type Delta struct {
	Kind    Kind
	Added   bool   // for Set: the source reported an add
	Initial bool   // part of the first list of its source, or of a join
	Behind  bool   // the store may have a later state, of another list; it then stays
	Lost    bool   // for Delete: the object exists, but is not the source's any more
	Source  uint16 // the index of the source it came from
	Name    Name
	RV      string // resource version; for ReplaceAll the list's
	Object  any
	Old     any // set by the store: the object it replaces or deletes, nil if there is none

	List *List // for ReplaceAll, Join and Release only
}

// Weight returns the number of objects that d concerns.
func (d *Delta) Weight() int {
	if d.List != nil {
		return d.List.Items.Len()
	}
	return 1
}

// List is a list of all objects of a source, or of some that it gains or loses.
type List struct {
	Scope Scope // of the objects
	Items Items

	Match   func(obj any) bool // for Release: selects objects of the scope
	Applied func()             // for Release: is called when the store has dropped them
}

// Items are the objects of a [List], in pieces: a long list is never copied.
type Items [][]Item

// Len returns the number of items.
func (i Items) Len() (n int) {
	for _, piece := range i {
		n += len(piece)
	}
	return n
}

// All returns the items with their positions.
func (i Items) All() iter.Seq2[int, *Item] {
	return func(yield func(int, *Item) bool) {
		n := 0
		for _, piece := range i {
			for k := range piece {
				if !yield(n+k, &piece[k]) {
					return
				}
			}
			n += len(piece)
		}
	}
}

// Item is an object of a [List].
type Item struct {
	Name    Name
	RV      string
	Object  any
	Keep    bool // the object exists, and its stored state stays unchanged; Object is nil
	Dropped bool // earlier items of this name do not count; never in a queued list
}

// Own copies the strings of an item whose object was packed, so that they do not retain the memory of the decoded object, of
// which they may be parts.
func (i *Item) Own() {
	i.Name = Name{Namespace: strings.Clone(i.Name.Namespace), Name: strings.Clone(i.Name.Name)}
	i.RV = strings.Clone(i.RV)
}
