package cache

import (
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/klog/v2"
)

// SharedIndexInformerOptions are what an informer is made with. The zero value is a
// plain one.
type SharedIndexInformerOptions struct {
	// ResyncPeriod is the resync period of handlers that say nothing of it, and the
	// shortest one of handlers added while the informer runs; 0 is no resync.
	ResyncPeriod time.Duration

	// Indexers are the indexes of the store.
	Indexers Indexers

	// ObjectDescription says in logs and states what the objects are. If it is
	// empty, the type of the example object does.
	ObjectDescription string

	// Identifier identifies the informer in metrics and states. Without it there are
	// no metrics.
	Identifier InformerNameAndResource

	// InformerMetricsProvider makes the metrics, nil for the one that
	// [SetInformerMetricsProvider] sets.
	InformerMetricsProvider InformerMetricsProvider

	// Sources are what is listed and watched in place of the informer's ListerWatcher,
	// for instance one a namespace. No object may come from two of them.
	Sources []Source

	// Backoff is how long to wait before a failed list or watch is tried again, nil
	// for a default with jitter.
	Backoff *wait.Backoff

	// Undecodable says what happens to objects that cannot be decoded.
	Undecodable UndecodablePolicy

	// ProgressDeadline is how long a watch may stay silent before it is taken for
	// dead, 0 for a default: see [ReflectorOptions].
	ProgressDeadline time.Duration

	// PageSize is how many objects are asked for in one list request; 0 lets the
	// server's cache answer in one.
	PageSize int64

	// OnMutation, if it is not nil, makes the informer look out for objects that were
	// changed by somebody who was only to read them, and is told of them, within
	// seconds, in a goroutine of the informer's. It is for tests: each object is kept
	// twice. If it is nil, the environment variable KUBE_CACHE_MUTATION_DETECTOR with
	// a true value makes every informer look out, and panic.
	OnMutation func(Mutation)

	// DrainOnStop makes the informer hand on what it has received when it is stopped,
	// to the store and to all handlers, and wait for them. Otherwise that is dropped,
	// and only calls that have begun are waited for.
	DrainOnStop bool
}

// Source is something that an informer lists and watches.
type Source struct {
	// Namespace is the one that all objects of the source are in, empty if they may
	// be in any. It keeps a list of this source from deleting objects of another.
	Namespace string

	// ListerWatcher lists and watches the objects.
	ListerWatcher ListerWatcher
}

// InformerOptions are what [NewInformerWithOptions] makes an informer with.
type InformerOptions struct {
	// Logger is used instead of the context's, if it is not nil.
	Logger *klog.Logger

	// ListerWatcher lists and watches the objects.
	ListerWatcher ListerWatcher

	// ObjectType is an example of the objects, nil if they may be anything.
	ObjectType runtime.Object

	// Handler is told of changes.
	Handler ResourceEventHandler

	// ResyncPeriod is how often the handler is told of all objects again, as updates;
	// 0 is never.
	ResyncPeriod time.Duration

	// MinWatchTimeout is the least time that a watch request lasts; 5 minutes if it is
	// less.
	MinWatchTimeout time.Duration

	// Indexers are the indexes of the store, if it is not nil.
	Indexers Indexers

	// Transform changes objects before they are stored, if it is not nil.
	Transform TransformFunc

	// Identifier identifies the informer in metrics and states. Without it there are
	// no metrics.
	Identifier InformerNameAndResource

	// InformerMetricsProvider makes the metrics, nil for the one that
	// [SetInformerMetricsProvider] sets.
	InformerMetricsProvider InformerMetricsProvider
}
