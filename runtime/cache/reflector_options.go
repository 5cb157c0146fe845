package cache

import (
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/klog/v2"
	"k8s.io/utils/clock"
)

// ReflectorOptions says how a [Reflector] works. The zero value is a good one.
type ReflectorOptions struct {
	// Logger, if not nil, is used instead of the context's. The reflector's name is
	// added.
	Logger *klog.Logger

	// Name is the reflector's name in logs, errors and metrics. If empty it is
	// the file and line outside of this module's runtime that made the reflector, or
	// the type description if that is not known.
	Name string

	// TypeDescription is how the objects are called in logs and errors. If empty it is
	// the group, version and kind that the expected object has set, else its Go type.
	TypeDescription string

	// Namespace is the one that is listed and watched, empty for all. It is only
	// told in the reflector's state: the lister knows by itself.
	Namespace string

	// ResyncPeriod is how often the store is told to resync, if [Reflector.ShouldResync]
	// agrees; 0 is never.
	ResyncPeriod time.Duration

	// MinWatchTimeout is how long the server is asked to keep a watch open, at least; the
	// time of each watch is chosen at random between that and twice as much. To spare the
	// server, less than 5 minutes counts as 5 minutes.
	MinWatchTimeout time.Duration

	// ProgressDeadline is how long a watch, or a list that comes in object by object,
	// may be silent before it is taken for broken and begun anew. API servers send a
	// bookmark about every minute, so that 3 minutes is a good choice for them.
	// If 0, lists may be silent for 2 minutes, and watches until half a minute after
	// the server should have ended them.
	ProgressDeadline time.Duration

	// WatchListDeadline is how long a watch that begins with all objects (WatchList) may
	// be silent before the objects are listed instead; 0 is 10 seconds. They must be
	// complete within twelve times that.
	WatchListDeadline time.Duration

	// AllowStaleFirstList has the first list ask for any state that the server has
	// (resourceVersion=0), which may be from before what was written, or seen, earlier: by
	// this program before it was restarted, for instance. If it is false, the first list
	// is a consistent read. Servers before 1.31 answer that from etcd, in pages, which
	// costs them more. It makes no difference where objects come by a watch (WatchList),
	// which begins with a consistent state.
	AllowStaleFirstList bool

	// Undecodable says what happens to objects that cannot be decoded.
	Undecodable UndecodablePolicy

	// Clock is used instead of the real one, by tests.
	Clock clock.Clock

	// Backoff says how long to wait after a failure: Duration first, Factor times as
	// long each time up to Cap, and up to Jitter times that more at random. It begins
	// anew after 2 minutes without failure. If nil, waits are from 0.8 s up to 30 s,
	// with a jitter of 1.
	Backoff *wait.Backoff
}

// UndecodablePolicy says what happens when an object cannot be decoded into its type.
type UndecodablePolicy int

const (
	// FailUndecodable ends the list or the watch with an error that names object
	// and field; it is tried again until the object can be decoded.
	FailUndecodable UndecodablePolicy = iota

	// QuarantineUndecodable goes on without the object: it counts as existing, the
	// last state of it that could be decoded, if any, stays in the store, and it is
	// listed in [SourceState]. Its deletion is told as ever. It takes a
	// [ListerWatcher] that decodes by this module; others fail.
	QuarantineUndecodable
)
