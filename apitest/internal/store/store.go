// Package store keeps the objects of a test server in memory, as etcd and the watch cache do for a real one.
//
// # Terms
//
// A [Backend] has one counter of resource versions, and a table for each resource. A table maps keys such as
// "/example.com/widgets/default/a" to records. A record is the encoded state after one write; it refers to the
// previous record, so that the table can be read as of earlier versions. A table's history is its latest
// records in the order of writing; earlier ones are below its floor and discarded. A [Resource] is a view of a
// table through the codec of one registry; a table can have several views, such as those of the versions of a
// custom resource.
//
// # Operations
//
// [Backend.RESTOptions] connects a backend to a registry, which then reads and writes through the
// storage.Interface of a Resource. Errors equal those of a kube-apiserver, including their text. Reads are
// always up to date: a server waits three seconds for a resource version that it has not seen yet, while here
// no wait is needed.
//
// A [Snapshot] is a copy of all tables, which shares their nodes. Restoring it writes the objects that
// differ, as any client would, so that watches see the changes: versions never go back.
//
// Objects are decoded once for each Resource that reads or watches them. Results of GetList and Watch share maps and slices with other
// readers, as in a server: they must not be modified. The caller owns the results of Get, Create,
// GuaranteedUpdate and Delete.
//
// If a Resource cannot decode an object, it refuses lists and watches, like a server whose watch cache cannot be filled,
// until the object is deleted or can be decoded.
//
// # Limits
//
// A slow watcher stores only its position in the history; when that is discarded, its watch ends with 410 Gone.
// A table's history goes back five minutes, like etcd's, or less if it takes more than 256 MiB: the states
// that its records replaced, and half a kilobyte for each record. Older records are discarded by the next
// write. Nothing is written to disk.
package store

import (
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/registry/generic"
	"k8s.io/apiserver/pkg/storage"
	"k8s.io/apiserver/pkg/storage/storagebackend"
	"k8s.io/apiserver/pkg/storage/storagebackend/factory"
	"k8s.io/client-go/tools/cache"

	"github.com/listwatch/listwatch/apitest/internal/clock"
)

// Options of a backend. Zero values select the defaults.
type Options struct {
	// History bounds the number of changes of a resource for which watches and consistent lists can
	// go back. By default only their age and their size are bounded.
	History int
	// BookmarkInterval is the time between the bookmarks of a watch that requests them. The default
	// is a minute.
	BookmarkInterval time.Duration
	// Pace is the time that a write takes before it is applied.
	Pace time.Duration
	// Clock is the time by which objects are created, and objects and history expire. The default is
	// the system's. Tick must be called when it was moved.
	Clock *clock.Clock
}

const defaultBookmarkInterval = time.Minute

// Backend stores the objects of all resources, encoded, under one counter of resource versions. It
// outlives a server that is restarted. It is safe for concurrent use.
type Backend struct {
	history          int
	bookmarkInterval time.Duration
	pace             time.Duration
	journal          journal
	clock            *clock.Clock

	// version is the version of the last change. It is increased while a table is locked, so a
	// goroutine that holds a table's lock has seen all of its changes up to version.
	version atomic.Uint64

	// mu guards the fields below. A table's lock may be taken while it is held.
	mu             sync.Mutex
	tables         map[string]*table
	floor, started uint64 // of tables that do not exist yet
}

// NewBackend returns an empty backend.
func NewBackend(opts Options) *Backend {
	b := &Backend{
		history:          max(opts.History, 0),
		bookmarkInterval: opts.BookmarkInterval,
		pace:             opts.Pace,
		clock:            opts.Clock,
		tables:           map[string]*table{},
	}
	if b.clock == nil {
		b.clock = clock.New()
	}
	if b.bookmarkInterval <= 0 {
		b.bookmarkInterval = defaultBookmarkInterval
	}
	b.version.Store(1)
	return b
}

// RESTOptions returns how registries store their objects here, encoded by codec. Keys begin with
// the group and the resource, or with the resource alone if the group is "".
func (b *Backend) RESTOptions(codec runtime.Codec) generic.RESTOptionsGetter {
	return restOptions{b, codec}
}

type restOptions struct {
	backend *Backend
	codec   runtime.Codec
}

// GetRESTOptions implements generic.RESTOptionsGetter.
func (o restOptions) GetRESTOptions(resource schema.GroupResource, _ runtime.Object) (generic.RESTOptions, error) {
	prefix := resource.Resource
	if resource.Group != "" {
		prefix = resource.Group + "/" + resource.Resource
	}
	return generic.RESTOptions{
		StorageConfig:           (&storagebackend.Config{Codec: o.codec}).ForResource(resource),
		Decorator:               o.backend.decorate,
		EnableGarbageCollection: true,
		DeleteCollectionWorkers: 1,
		ResourcePrefix:          prefix,
	}, nil
}

// decorate is a generic.StorageDecorator: it opens a resource for a registry.
func (b *Backend) decorate(config *storagebackend.ConfigForResource, prefix string,
	_ func(runtime.Object) (string, error), newFunc, _ func() runtime.Object, attrs storage.AttrFunc,
	_ storage.IndexerFuncs, _ *cache.Indexers) (storage.Interface, factory.DestroyFunc, error) {
	prefix = "/" + strings.Trim(prefix, "/") + "/"
	r := newResource(b.table(prefix, !isEvents(config.GroupResource)), config.GroupResource, config.Codec, prefix, newFunc, attrs)
	return r, r.close, nil
}

// isEvents reports whether a resource is events, the only one that a server does not cache in
// memory.
func isEvents(resource schema.GroupResource) bool {
	return resource.Resource == "events" && (resource.Group == "" || resource.Group == "events.k8s.io")
}

// table returns the table of the resource with a prefix, creating it if necessary.
func (b *Backend) table(prefix string, cached bool) *table {
	b.mu.Lock()
	defer b.mu.Unlock()
	t := b.tables[prefix]
	if t == nil {
		t = newTable(b, cached)
		b.tables[prefix] = t
	}
	return t
}

// ResourceVersion returns the resource version of the last change.
func (b *Backend) ResourceVersion() uint64 { return b.version.Load() }

// Changed returns the resource version of the last change of a resource's objects, or 0 if there was none.
func (b *Backend) Changed(resource schema.GroupResource) uint64 {
	prefix := "/" + resource.Resource + "/"
	if resource.Group != "" {
		prefix = "/" + resource.Group + prefix
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if t := b.tables[prefix]; t != nil {
		return t.changed.Load()
	}
	return 0
}

// ExpireHistory discards everything before now: requests for older resource versions, and continue
// tokens, get 410 Gone. Watches that have seen all changes continue.
func (b *Backend) ExpireHistory() { b.expireHistory(b.version.Load()) }

func (b *Backend) expireHistory(version uint64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.floor = max(b.floor, version)
	for _, t := range b.tables {
		t.expireHistory(version)
	}
}

// Clock returns the clock by which objects expire.
func (b *Backend) Clock() *clock.Clock { return b.clock }

// Tick deletes the objects and discards the history whose time is over, after the clock was moved.
func (b *Backend) Tick() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, t := range b.tables {
		t.expire()
		t.age(b.clock.Now())
	}
}

// Restart ends all watches, and prevents watches from beginning before now, as when a server is
// restarted: its watch cache has no earlier events. Lists can still go back, and so can watches of
// Kubernetes' events.
func (b *Backend) Restart() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.started = b.version.Load()
	for _, t := range b.tables {
		t.restart(b.started)
	}
}
