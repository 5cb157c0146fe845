package cache

import (
	"k8s.io/klog/v2"

	"github.com/listwatch/listwatch/runtime/cache"
)

// fifo is embedded by its unexported name.
type fifo = cache.DeltaFIFO

// RealFIFO is a [Queue] of deltas in order of arrival. It is a [DeltaFIFO], which keeps this order too.
type RealFIFO struct{ *fifo }

var _ Queue = &RealFIFO{}

// RealFIFOOptions configure a [RealFIFO].
type RealFIFOOptions struct {
	// Logger is used for messages; nil uses klog's.
	Logger *klog.Logger

	// Name is used in logs and by the queue's HasSyncedChecker; "RealFIFO" if empty. The name of Identifier takes
	// precedence.
	Name string

	// KeyFunction computes the objects' keys; [MetaNamespaceKeyFunc] if nil.
	KeyFunction KeyFunc

	// KnownObjects are the objects that the consumer knows: those that are not in a list are deleted. It is required
	// without AtomicEvents, and must be nil with it.
	KnownObjects KeyListerGetter

	// Transformer is called for every object that is put in, before it is queued.
	Transformer TransformFunc

	// AtomicEvents makes a list, and a resync, one delta.
	AtomicEvents bool

	// UnlockWhileProcessing lets objects be queued while others are processed. They always may be.
	UnlockWhileProcessing bool

	// Identifier names the queue.
	Identifier InformerNameAndResource

	// MetricsProvider is not used: the queue of an informer has metrics, this one has none.
	MetricsProvider InformerMetricsProvider

	// EmitDeltaTypeBookmark makes bookmarks deltas. It needs AtomicEvents.
	EmitDeltaTypeBookmark bool
}

// NewRealFIFO returns an empty queue.
//
// Deprecated: use [NewRealFIFOWithOptions].
func NewRealFIFO(keyFunc KeyFunc, knownObjects KeyListerGetter, transformer TransformFunc) *RealFIFO {
	return NewRealFIFOWithOptions(RealFIFOOptions{KeyFunction: keyFunc, KnownObjects: knownObjects, Transformer: transformer})
}

// NewRealFIFOWithOptions returns an empty queue. Options that exclude each other are a panic.
func NewRealFIFOWithOptions(opts RealFIFOOptions) *RealFIFO {
	switch {
	case opts.AtomicEvents && opts.KnownObjects != nil:
		panic("RealFIFO: KnownObjects must be nil with AtomicEvents")
	case !opts.AtomicEvents && opts.KnownObjects == nil:
		panic("RealFIFO: KnownObjects is required without AtomicEvents")
	case opts.UnlockWhileProcessing && !opts.AtomicEvents:
		panic("RealFIFO: UnlockWhileProcessing needs AtomicEvents")
	case opts.EmitDeltaTypeBookmark && !opts.AtomicEvents:
		panic("RealFIFO: EmitDeltaTypeBookmark needs AtomicEvents")
	}
	name := opts.Identifier.Name()
	if name == "" {
		name = opts.Name
	}
	if name == "" {
		name = "RealFIFO"
	}
	return &RealFIFO{cache.NewDeltaFIFOWithOptions(cache.DeltaFIFOOptions{
		Logger:                opts.Logger,
		Name:                  name,
		KeyFunction:           opts.KeyFunction,
		KnownObjects:          opts.KnownObjects,
		EmitDeltaTypeReplaced: true,
		Transformer:           opts.Transformer,
		AtomicEvents:          opts.AtomicEvents,
		EmitDeltaTypeBookmark: opts.EmitDeltaTypeBookmark,
	})}
}
