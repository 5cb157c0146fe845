package cache

import (
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/klog/v2"
	"k8s.io/utils/clock"
)

// ReflectorOptions configure a [Reflector]. The zero value uses the defaults.
type ReflectorOptions struct {
	// Logger is used, with the reflector's name; nil uses the context's.
	Logger *klog.Logger

	// Name is the reflector's name in logs, errors and metrics. If it is empty, the name is
	// the file and line outside of this module's runtime that created the reflector, or the
	// type description if that is not known.
	Name string

	// TypeDescription describes the objects in logs and errors. If it is empty, the group,
	// version and kind that the expected object has set do, or its Go type.
	TypeDescription string

	// Namespace is the namespace that is listed and watched, empty for all. It is only
	// reported in the reflector's state: it does not restrict the lister.
	Namespace string

	// ResyncPeriod is how often the store is resynced, if [Reflector.ShouldResync] returns
	// true; 0 disables resync.
	ResyncPeriod time.Duration

	// MinWatchTimeout is the shortest timeout of a watch request; each has a random timeout
	// between this and twice as much. To spare the server, anything below 5 minutes means 5
	// minutes.
	MinWatchTimeout time.Duration

	// ProgressDeadline is how long a watch, or a list that is decoded object by object, may
	// be silent before it counts as broken and is restarted. API servers send a bookmark
	// about every minute, so that 3 minutes is a good choice for them. If 0, lists may be
	// silent for 2 minutes, and watches until half a minute after the server should have
	// ended them.
	ProgressDeadline time.Duration

	// WatchListDeadline is how long a WatchList may be silent before the objects are listed
	// instead; 0 means 10 seconds. They must be complete within twelve times that.
	WatchListDeadline time.Duration

	// AllowStaleFirstList makes the first list request any state that the server has
	// (resourceVersion=0), which may be older than what was written or read before, for
	// instance by this program before a restart. If it is false, the first list is a
	// consistent read. Servers before 1.31 read that from etcd, in pages, which costs them
	// more. It has no effect with WatchList, which starts with a consistent state.
	AllowStaleFirstList bool

	// Undecodable is the policy for objects that cannot be decoded.
	Undecodable UndecodablePolicy

	// Clock is for tests; nil uses the real clock.
	Clock clock.Clock

	// Backoff is how long to wait after a failure: Duration first, Factor times as long each
	// time up to Cap, and up to Jitter times that more at random. It restarts after 2 minutes
	// without failure. If nil, waits are from 0.8 s up to 30 s, with a jitter of 1.
	Backoff *wait.Backoff
}

// UndecodablePolicy is what to do when an object cannot be decoded into its type.
type UndecodablePolicy int

const (
	// FailUndecodable ends the list or the watch with an error that names object and field;
	// it is retried until the object can be decoded.
	FailUndecodable UndecodablePolicy = iota

	// QuarantineUndecodable continues without the object: it counts as existing, its last
	// state that could be decoded stays in the store, if there is one, and [SourceState]
	// lists it. Its deletion is delivered as usual. This needs a [ListerWatcher] that
	// decodes with this module; others fail.
	QuarantineUndecodable
)
