package cache

import (
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Phase is how far an informer, or one of its sources, has got.
type Phase string

// The phases, in the order in which an informer goes through them. From Stale and Failed it
// goes back to an earlier one when the cause is gone; Stopped is the end.
const (
	// PhaseStarting means that no request was made yet: the informer was not started, or
	// just now.
	PhaseStarting Phase = "starting"
	// PhaseListing means that the objects are being listed.
	PhaseListing Phase = "listing"
	// PhaseSyncing means that all objects were received, but the store does not hold all
	// of them yet, or a handler was not called for all of them yet.
	PhaseSyncing Phase = "syncing"
	// PhaseLive means that the store is full and changes are being watched.
	PhaseLive Phase = "live"
	// PhaseStale means that the store holds objects of an earlier time, and cannot be
	// brought up to date: lists or watches fail, or are silent.
	PhaseStale Phase = "stale"
	// PhaseFailed means that lists or watches fail, and the store was never filled.
	PhaseFailed Phase = "failed"
	// PhaseStopped means that the informer has stopped. It does not run again.
	PhaseStopped Phase = "stopped"
)

// State is what an informer is doing, as of one moment. It is a copy.
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
	// Started says whether the informer was ever run.
	Started bool
	// Phase is the worst of the sources' phases. While all of these are live, it is
	// PhaseSyncing until every handler was called for all objects of the first list.
	Phase Phase
	// Released says that the informer has stopped since nobody needed it any more, so that
	// readers of its store get [ErrReleased].
	Released bool
	// Err is the last failure of the first source that has one and has not succeeded
	// since, or nil.
	Err error
	// ResourceVersion is the one that the store is up to date with, with several sources
	// the oldest of theirs; empty until each was listed.
	ResourceVersion string
	// Objects is how many the store holds.
	Objects int
	// QueueDepth is how many changes were received and are not yet in the store.
	QueueDepth int
	// LastEvent is when the last event came in, a bookmark included; zero if none did.
	LastEvent time.Time
	// Sources are what the informer lists and watches: one, or one a namespace.
	Sources []SourceState
	// Handlers are the event handlers.
	Handlers []HandlerState
	// IndexErrors are the objects missing from an index since its function failed.
	IndexErrors []IndexError
}

// SourceState is what a reflector is doing, as of one moment.
type SourceState struct {
	// Namespace is the one that is listed and watched, empty for all.
	Namespace string
	// Phase is how far the source has got, and Since since when.
	Phase Phase
	Since time.Time
	// Doing says more than the phase, such as "watch list" or "waiting 2s to list again".
	Doing string
	// Err is the last failure and LastErr its time. Failures is how many there were in a
	// row; once a request has succeeded again it is 0, and Err stays for information.
	Err      error
	LastErr  time.Time
	Failures int
	// ResourceVersion is the last that was received.
	ResourceVersion string
	// LastEvent is when the last event came in, a bookmark included; zero if none did.
	LastEvent time.Time
	// Lists, Watches and Events count what was done and received.
	Lists, Watches, Events int64
	// Quarantined are the objects that could not be decoded and whose last good state
	// is kept.
	Quarantined []QuarantinedObject
}

// QuarantinedObject is an object whose current state cannot be decoded.
type QuarantinedObject struct {
	Name  ObjectName
	Since time.Time
	Err   error
}

// HandlerState is how far an event handler has got, as of one moment.
type HandlerState struct {
	// Name describes the handler.
	Name string
	// Synced says whether it has been told of all objects of the first list.
	Synced bool
	// Lag is how many changes it has not yet been told of, the one at hand included; for a
	// handler with a bound that is how many are held. LagTime is the age of the oldest.
	Lag     int
	LagTime time.Duration
	// Handled counts the events that it was told of, Merged those that a bound merged.
	Handled, Merged int64
	// Panics counts its panics.
	Panics int64
}
