package cache

import "time"

// Phase is how far an informer, or one of its sources, has got.
type Phase string

// The phases, in the order in which they are gone through. Stale and Failed are left
// for an earlier one when the cause is gone; Stopped is the end.
const (
	// PhaseStarting is before the first request: not started, or just now.
	PhaseStarting Phase = "starting"
	// PhaseListing is while the objects are listed.
	PhaseListing Phase = "listing"
	// PhaseSyncing is when all are listed and the store has still to be filled, or
	// handlers to be told of them.
	PhaseSyncing Phase = "syncing"
	// PhaseLive is when changes are watched and nothing is wrong.
	PhaseLive Phase = "live"
	// PhaseStale is when the store holds an older state, since lists or watches fail or stay silent.
	PhaseStale Phase = "stale"
	// PhaseFailed is when lists or watches fail and the store was never filled.
	PhaseFailed Phase = "failed"
	// PhaseStopped is when the informer does no more.
	PhaseStopped Phase = "stopped"
)

// State is what an informer is doing, as of one moment. It is a copy.
type State struct {
	// Name is the informer's name, empty if it has none; see [NewInformerName].
	Name string
	// Type describes the objects, such as "*v1.Boat" or a resource.
	Type string
	// Started says whether the informer was ever run.
	Started bool
	// Phase is the worst of the sources' phases, but syncing while these are live and
	// a handler has not been told of all objects of the first list.
	Phase Phase
	// Err is the last failure of a source while it has not been made up for, or nil.
	Err error
	// ResourceVersion is what the store is up to date with; the oldest of the sources'.
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
	// Err is the last failure, at LastErr, after Failures in a row; it stays when it
	// has been made up for, with Failures 0.
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
	// Lag is how many changes it has not yet been told of; LagTime is the age of the
	// oldest of them.
	Lag     int
	LagTime time.Duration
	// Handled counts the events that it was told of, Merged those that a bound merged.
	Handled, Merged int64
	// Panics counts its panics.
	Panics int64
}
