package cache

import (
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/klog/v2"
)

// SharedIndexInformerOptions configure an informer. All fields are optional.
type SharedIndexInformerOptions struct {
	// ResyncPeriod is the resync period of handlers without their own, and the shortest
	// period of handlers that are added while the informer runs. 0 disables resync for all
	// handlers.
	ResyncPeriod time.Duration

	// Indexers are the indexes of the store.
	Indexers Indexers

	// ObjectDescription describes the objects in logs and states. If it is empty, the type
	// of the example object does.
	ObjectDescription string

	// Identifier identifies the informer in metrics and states. Without it there are
	// no metrics.
	Identifier InformerNameAndResource

	// Owner names what the informer belongs to, in states. If it is empty, it is the file and
	// line that created the informer, such as "boats/main.go:42".
	Owner string

	// Selectors, if not nil, returns the label and field selectors of the informer's
	// requests, for states and [Writes]. It may be called at any time and concurrently.
	Selectors func() (labels, fields string)

	// InformerMetricsProvider creates the metrics; nil uses the provider of
	// [SetInformerMetricsProvider].
	InformerMetricsProvider InformerMetricsProvider

	// Sources are listed and watched in place of the informer's ListerWatcher, for instance
	// one for each namespace. No object may come from two of them: sources that break that
	// rule of [Source] are refused with [ErrSourcesOverlap].
	Sources []Source

	// Backoff is how long to wait before a failed list or watch is retried; nil uses a
	// default with jitter.
	Backoff *wait.Backoff

	// Undecodable is the policy for objects that cannot be decoded.
	Undecodable UndecodablePolicy

	// ProgressDeadline is how long a watch may be silent before its connection counts as
	// dead; 0 uses a default: see [ReflectorOptions].
	ProgressDeadline time.Duration

	// PageSize is the number of objects requested in one list request; 0 lets the server's
	// cache return all in one response.
	PageSize int64

	// AllowStaleFirstList makes the first list request any state that the server has, which
	// may be old: see [ReflectorOptions]. If it is false, the list is a consistent read.
	AllowStaleFirstList bool

	// OnMutation, if set, is called with each stored object that was modified outside of the
	// informer, within seconds, in one of the informer's goroutines. It is for tests: to find
	// modifications, the informer keeps a copy of each object, with which it also compares the
	// objects of each call of a handler. If it is nil and the environment variable
	// KUBE_CACHE_MUTATION_DETECTOR has a true value, the informer panics when it finds one.
	OnMutation func(Mutation)

	// Share lets equal maps, slices and structs of different objects be one in memory, while they are decoded: for
	// programs in which nobody changes an object of the store without copying it first, since that would change others,
	// too. If it is false, only equal strings and texts of FieldsV1 are one; a change is then of one object, as in
	// client-go. Objects that [Keep] has cut, and those of views, share equal parts in either case.
	Share bool

	// CopyForHandlers makes handlers get copies of the objects, so that a handler that changes one changes none in the
	// store. Handlers may get the same copy, and so must not change it while others read it. It costs a deep copy of
	// each object of an event, and is for Share.
	CopyForHandlers bool

	// Packed, if set, has the store hold objects as compressed texts, a tenth to a twentieth of their memory: see package packed,
	// which has a Compression. An object is decoded when it is read or delivered, unless it is one of about 1,024 that were delivered
	// or read last: then its readers get the same one. Built-in kinds that come by protobuf are not decoded before that. Name, namespace, labels and index values are not compressed, so that lists
	// with a selector and by index decode only what matches. A list of everything decodes everything.
	//
	// Objects are shared as ever: do not modify them. Empty maps and slices may come back as nil, if their type leaves
	// them out when it is encoded. An object that cannot be encoded so that decoding gives it back is stored as it is,
	// and counted in [PackedState]; if a transform made it so, it is rejected with an error, as the informer's lists
	// and events are then. Nothing of a Secret is used to compress others, and nothing of others to compress it. If
	// nil, objects are stored decoded. OnMutation has all objects stay decoded, too.
	Packed Compression

	// Shards, if set, determines which objects are this replica's: the informer has only those. Objects of slots that
	// are gained are listed alone and delivered by OnAdd, as in an initial list; those of slots that are lost leave the
	// store without OnDelete: see [ReleaseHandler]. The informer has synced when it has all objects that it should
	// have, which may be none. While gained slots are listed, the others are up to date; the resource version may go
	// back when they have been listed. Transforms must keep UID or namespace, by which objects are distributed, and the
	// resource version. Requests have a ShardSelector, if the Kubernetes libraries know it (v0.36): what servers
	// without that feature send of others is dropped here. If nil, the informer has all objects.
	Shards Shards

	// DrainOnStop makes a stopping informer process what it has received: it is stored, the
	// handlers are called for it, and then Run returns. If it is false, this is dropped, and
	// Run waits only for running calls.
	DrainOnStop bool
}

// Source is a list/watch source of an informer.
type Source struct {
	// Namespace is the namespace of all objects of the source, empty if they may be in any.
	// It keeps a list of this source from deleting objects of another. The namespaces of an
	// informer's sources must differ, and a source for all namespaces must except those of the others.
	Namespace string

	// Except are namespaces whose objects the source does not have, if Namespace is empty: its
	// ListerWatcher must not return any, for instance by a field selector metadata.namespace!=a.
	// They are the namespaces of other sources.
	Except []string

	// ListerWatcher lists and watches the objects.
	ListerWatcher ListerWatcher

	// Transform changes the objects of this source before they are stored, in place of the
	// informer's function; nil uses the latter.
	Transform TransformFunc

	// ResyncPeriod is the resync period of the source's objects for handlers without their own; 0
	// disables resync, nil uses the informer's. The periods of handlers are multiples of the shortest.
	ResyncPeriod *time.Duration

	// Selectors returns the label and field selectors of the source's requests, in place of the
	// informer's function; nil uses the latter.
	Selectors func() (labels, fields string)

	// KeepsParts promises that Transform changes only fields of an object itself, and nothing in its maps and slices
	// or behind its pointers. Then Share of the informer's options applies to its objects, as without a transform.
	// False shares no parts if there is a Transform, except [DropManagedFields] and [Keep].
	KeepsParts bool
}

// InformerOptions configure an informer of [NewInformerWithOptions]. Only ListerWatcher is
// required.
type InformerOptions struct {
	// Logger is used instead of the context's; nil uses the latter.
	Logger *klog.Logger

	// ListerWatcher lists and watches the objects.
	ListerWatcher ListerWatcher

	// ObjectType is an example of the objects; nil allows any type.
	ObjectType runtime.Object

	// Handler receives the events.
	Handler ResourceEventHandler

	// ResyncPeriod is how often the handler is called again for all objects, as updates; 0
	// disables resync.
	ResyncPeriod time.Duration

	// MinWatchTimeout is the shortest timeout of a watch request; anything below 5 minutes
	// means 5 minutes.
	MinWatchTimeout time.Duration

	// Indexers are the indexes of the store; nil means no indexes.
	Indexers Indexers

	// Transform changes objects before they are stored; nil changes nothing.
	Transform TransformFunc

	// Packed has the store hold objects as compressed texts: see [SharedIndexInformerOptions]. If nil, objects are stored decoded.
	Packed Compression

	// Identifier identifies the informer in metrics and states. Without it there are
	// no metrics.
	Identifier InformerNameAndResource

	// InformerMetricsProvider creates the metrics; nil uses the provider of
	// [SetInformerMetricsProvider].
	InformerMetricsProvider InformerMetricsProvider

	// Shards determines which objects the store has: see [SharedIndexInformerOptions]. If nil, it has all.
	Shards Shards
}
