package cache

import (
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/klog/v2"
)

// SharedIndexInformerOptions say how an informer works. All fields are optional.
type SharedIndexInformerOptions struct {
	// ResyncPeriod is the resync period of handlers that have none of their own, and the
	// shortest one that a handler can have that is added while the informer runs. With 0
	// no handler is resynced.
	ResyncPeriod time.Duration

	// Indexers are the indexes of the store.
	Indexers Indexers

	// ObjectDescription says in logs and states what the objects are. If it is
	// empty, the type of the example object does.
	ObjectDescription string

	// Identifier identifies the informer in metrics and states. Without it there are
	// no metrics.
	Identifier InformerNameAndResource

	// Owner names what the informer belongs to, in states. If it is empty, it is the place
	// that created the informer, such as "boats/main.go:42".
	Owner string

	// Selectors, if not nil, returns the label and field selectors of the informer's
	// requests, for states. It may be called at any time and concurrently.
	Selectors func() (labels, fields string)

	// InformerMetricsProvider makes the metrics, nil for the one that
	// [SetInformerMetricsProvider] sets.
	InformerMetricsProvider InformerMetricsProvider

	// Sources are what is listed and watched in place of the informer's ListerWatcher,
	// for instance one a namespace. No object may come from two of them: sources that
	// break that rule of [Source] are refused with [ErrSources].
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

	// AllowStaleFirstList has the first list ask for any state that the server has, which
	// may be an old one: see [ReflectorOptions]. If it is false, it is a consistent read.
	AllowStaleFirstList bool

	// OnMutation, if set, is called with each object of the store that somebody has
	// changed, within seconds, in a goroutine of the informer's. It is for tests: to find
	// changes, the informer keeps a copy of each object. If it is nil and the environment
	// variable KUBE_CACHE_MUTATION_DETECTOR has a true value, the informer panics when it
	// finds a change.
	OnMutation func(Mutation)

	// DrainOnStop says what a stopping informer does with what it has received but not
	// yet handed on. If it is true, the store takes it, the handlers are called for it,
	// and Run returns after that. If it is false, it is dropped, and Run waits only for
	// calls that have begun.
	DrainOnStop bool
}

// Source is something that an informer lists and watches.
type Source struct {
	// Namespace is the one that all objects of the source are in, empty if they may
	// be in any. It keeps a list of this source from deleting objects of another. Each
	// source of an informer has another namespace, and one for all namespaces is alone.
	Namespace string

	// ListerWatcher lists and watches the objects.
	ListerWatcher ListerWatcher
}

// InformerOptions say how an informer of [NewInformerWithOptions] works. ListerWatcher is
// needed, the rest is optional.
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
