package cache

import (
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/listwatch/listwatch/runtime/codec"
)

// Phase is how far an informer, or one of its sources, has got.
type Phase string

// The phases, in the order in which an informer goes through them. From Stale and Failed it
// returns to an earlier one when the cause is resolved; Stopped is final.
const (
	// PhaseStarting means that no request was made yet: the informer was not started, or
	// was started just now.
	PhaseStarting Phase = "starting"
	// PhaseListing means that the objects are being listed.
	PhaseListing Phase = "listing"
	// PhaseSyncing means that all objects were received, but the store does not
	// contain all of them yet, or a handler was not called for all of them yet.
	PhaseSyncing Phase = "syncing"
	// PhaseLive means that the store is complete and changes are being watched.
	PhaseLive Phase = "live"
	// PhaseStale means that the store contains objects of an earlier time and cannot be
	// updated: lists or watches fail, or are silent.
	PhaseStale Phase = "stale"
	// PhaseFailed means that lists or watches fail, and the store was never complete.
	PhaseFailed Phase = "failed"
	// PhaseStopped means that the informer has stopped. It does not run again.
	PhaseStopped Phase = "stopped"
)

// State describes what an informer is doing, as of one moment. It is a copy.
type State struct {
	// Name is the informer's name, empty if it has none; see [NewInformerName].
	Name string
	// Type describes the objects, such as "*v1.Boat" or a resource.
	Type string
	// Resource is the resource of the objects, empty if the informer's options do not
	// identify it.
	Resource schema.GroupVersionResource
	// Owner names what the informer belongs to, or the place that created it.
	Owner string
	// LabelSelector and FieldSelector select the objects; empty for all, and until the
	// first request is made.
	LabelSelector, FieldSelector string
	// Started reports whether the informer was ever run.
	Started bool
	// Synced reports whether the store was ever complete, as the informer's HasSynced does.
	Synced bool
	// Phase is the worst of the sources' phases. While all of these are live, it is
	// PhaseSyncing until every handler was called for all objects of the first list.
	Phase Phase
	// Released reports that the informer was stopped because it is no longer in use: reads of its
	// store return [ErrReleased].
	Released bool
	// Err is the last failure of the first source that has one and has not succeeded
	// since, or nil.
	Err error
	// ResourceVersion is the resource version that the store is up to date with, with
	// several sources the oldest of theirs; empty until each was listed.
	ResourceVersion string
	// Objects is the number of objects in the store.
	Objects int
	// Bytes is about how much memory the store takes, with its objects and indexes; parts that objects share count
	// once. Objects that only the queue, handlers or readers still have are not included. It is 0 for an informer of another package.
	Bytes int64
	// Largest is the stored object that takes most memory, LargestBytes, including the parts that it shares with others.
	Largest      ObjectName
	LargestBytes int64
	// Packed describes the packed objects; nil if objects are not packed.
	Packed *PackedState
	// QueueDepth is the number of objects that were received and are not yet in the store.
	QueueDepth int
	// LastEvent is the time of the last event, bookmarks included; zero if there was none.
	LastEvent time.Time
	// Sources are the informer's list/watch sources: one, or one per namespace.
	Sources []SourceState
	// Handlers are the event handlers.
	Handlers []HandlerState
	// IndexErrors are the objects missing from an index because its function failed.
	IndexErrors []IndexError
	// SlowFields are the fields of the objects that are decoded slowly, and why; see [codec.Explain].
	SlowFields []codec.SlowField
}

// SourceState describes what a reflector is doing, as of one moment.
type SourceState struct {
	// Namespace is the namespace that is listed and watched, empty for all.
	Namespace string
	// LabelSelector and FieldSelector are those of its requests, if they are known.
	LabelSelector, FieldSelector string
	// Synced reports whether the informer's store ever contained all objects of the source; false for a
	// reflector without an informer.
	Synced bool
	// Phase is how far the source has got, Since the time at which it got there.
	Phase Phase
	Since time.Time
	// Doing describes the phase in detail, such as "watch list" or "waiting 2s to list again".
	Doing string
	// Err is the last failure and LastErr its time. Failures is how many there were in a
	// row; it is 0 once a request has succeeded again, while Err stays for information.
	Err      error
	LastErr  time.Time
	Failures int
	// ResourceVersion is the last resource version that was received.
	ResourceVersion string
	// LastEvent is the time of the last event, bookmarks included; zero if there was none.
	LastEvent time.Time
	// Lists, Watches and Events count what was done and received.
	Lists, Watches, Events int64
	// Slots are those whose objects the store has, if the informer follows [Shards]; Gaining are those that are being
	// listed. Without Shards, and without slots, both are empty.
	Slots, Gaining []int
	// Quarantined are the objects whose current state could not be decoded. The store keeps
	// their last good state.
	Quarantined []QuarantinedObject
}

// QuarantinedObject is an object whose current state cannot be decoded.
type QuarantinedObject struct {
	Name  ObjectName
	Since time.Time
	Err   error
	uid   types.UID
}

// HandlerState describes how far an event handler has got, as of one moment.
type HandlerState struct {
	// Name describes the handler.
	Name string
	// Synced reports whether it was called for all objects of the first list.
	Synced bool
	// Lag is the number of events that it was not called for yet, a running call included;
	// for a handler with a bound the number that wait. LagTime is the age of the oldest.
	Lag     int
	LagTime time.Duration
	// Handled counts the events that it was called for, Merged those that a bound merged.
	Handled, Merged int64
	// Panics counts its panics.
	Panics int64
}
