package controllerruntime

import (
	"context"
	"errors"
	"strings"
	"sync"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	theircache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"
	"sigs.k8s.io/controller-runtime/pkg/log"

	ourcache "github.com/listwatch/listwatch/runtime/cache"
)

// logger is the parent of what the informers log.
var logger = log.Log.WithName("controller-runtime").WithName("cache")

// engine is a cache.Cache on listwatch's informers, one for each kind and form.
type engine struct {
	scheme    *runtime.Scheme
	mapper    meta.RESTMapper
	settings  *settings
	packed    map[schema.GroupVersionKind]ourcache.Compression // of kinds whose objects are packed
	shards    *sharding                                        // nil if the cache has the objects of all slots
	exempt    map[schema.GroupVersionKind]bool                 // kinds that are not sharded
	resources *resources
	strict    bool // reads create no informers
	onError   theircache.WatchErrorHandlerWithContext
	owner     string // of the informers, in states

	begun   chan struct{}  // closed when Start is called
	running sync.WaitGroup // of informers; added to with mu held, and not after ended is set

	mu        sync.RWMutex // guards the fields below
	informers map[key]*entry
	names     map[form]*names
	ctx       context.Context // of Start, nil before it
	ended     bool            // Start waits for the informers to stop
}

var _ cache.Cache = (*engine)(nil)

// key identifies an informer.
type key struct {
	gvk schema.GroupVersionKind
	as  form
}

// item returns the key of the objects in a list with this one.
func (k key) item() key {
	k.gvk.Kind = strings.TrimSuffix(k.gvk.Kind, "List")
	return k
}

// keyOf returns the key of the informer of an object.
func (e *engine) keyOf(obj runtime.Object) (key, error) {
	gvk, err := apiutil.GVKForObject(obj, e.scheme)
	return key{gvk, formOf(obj)}, err
}

// Start implements cache.Informers.
func (e *engine) Start(ctx context.Context) error {
	if err := e.start(logr.NewContext(ctx, logger)); err != nil {
		return err
	}
	<-ctx.Done()
	e.mu.Lock()
	e.ended = true
	for _, names := range e.names {
		names.release()
	}
	e.mu.Unlock()
	e.running.Wait()
	return nil
}

func (e *engine) start(ctx context.Context) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.ctx != nil {
		return errors.New("informer already started")
	}
	e.ctx = ctx
	for _, entry := range e.informers {
		e.run(entry)
	}
	if e.shards != nil {
		e.running.Go(func() { e.shards.follow(ctx) })
	}
	close(e.begun)
	return nil
}

// run runs an informer, unless the cache was not started or ends. e.mu is held.
func (e *engine) run(entry *entry) {
	if e.ctx == nil || e.ended {
		return
	}
	e.running.Go(func() { entry.run(e.ctx) })
}

// WaitForCacheSync implements cache.Informers. If an informer has not synced when ctx is done, it logs why, unless ctx was
// canceled.
func (e *engine) WaitForCacheSync(ctx context.Context) bool {
	err := e.waitForSync(ctx)
	if err != nil && !errors.Is(context.Cause(ctx), context.Canceled) {
		logger.Error(err, "Caches have not synced")
	}
	return err == nil
}

// waitForSync waits until the cache has started and all informers have synced.
func (e *engine) waitForSync(ctx context.Context) error {
	select {
	case <-e.begun:
	case <-ctx.Done():
		return errors.Join(&cache.ErrCacheNotStarted{}, context.Cause(ctx))
	}
	e.mu.RLock()
	var entries []*entry
	for _, entry := range e.informers {
		entries = append(entries, entry)
	}
	e.mu.RUnlock()
	var errs []error
	for _, entry := range entries {
		errs = append(errs, entry.all().waitUntilDone(ctx))
	}
	return errors.Join(errs...)
}

// WaitForSync waits until a cache of [NewCache] has started and all of its informers have synced. If ctx is
// done before, the error names the informers that have not, with their causes, such as that the server forbids
// a list. For other caches, it does what their method WaitForCacheSync does.
func WaitForSync(ctx context.Context, c cache.Cache) error {
	if e, ok := c.(*engine); ok {
		return e.waitForSync(ctx)
	}
	if !c.WaitForCacheSync(ctx) {
		return errors.Join(errors.New("caches have not synced"), context.Cause(ctx))
	}
	return nil
}

// find returns the informer of a key, and whether the cache has started. If there is no informer, it creates
// one, unless strict is set.
func (e *engine) find(k key, strict bool) (found *entry, started bool, err error) {
	e.mu.RLock()
	found, started = e.informers[k], e.ctx != nil
	e.mu.RUnlock()
	switch {
	case found != nil:
		return found, started, nil
	case strict:
		return nil, started, &cache.ErrResourceNotCached{GVK: k.gvk}
	}
	mapping, err := e.mapper.RESTMapping(k.gvk.GroupKind(), k.gvk.Version) // may request it
	if err != nil {
		return nil, started, err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if found = e.informers[k]; found == nil {
		if found, err = e.newEntry(k, mapping); err != nil {
			return nil, e.ctx != nil, err
		}
		e.informers[k] = found
		e.run(found)
	}
	return found, e.ctx != nil, nil
}

// GetInformer implements cache.Informers. If the cache has started, it waits until the informer has synced,
// unless opts say otherwise. It does not wait for a server that denies access: it returns the server's error,
// and the informer tries again.
func (e *engine) GetInformer(ctx context.Context, obj client.Object, opts ...cache.InformerGetOption) (cache.Informer, error) {
	k, err := e.keyOf(obj)
	if err != nil {
		return nil, err
	}
	return e.informer(ctx, k, opts)
}

// GetInformerForKind implements cache.Informers, for kinds of the scheme; see GetInformer.
func (e *engine) GetInformerForKind(ctx context.Context, gvk schema.GroupVersionKind, opts ...cache.InformerGetOption) (cache.Informer, error) {
	obj, err := e.scheme.New(gvk)
	if err != nil {
		return nil, err
	}
	return e.informer(ctx, key{gvk, formOf(obj)}, opts)
}

func (e *engine) informer(ctx context.Context, k key, opts []cache.InformerGetOption) (cache.Informer, error) {
	var options cache.InformerGetOptions
	for _, option := range opts {
		option(&options)
	}
	found, started, err := e.find(k, false)
	if err != nil {
		return nil, err
	}
	if started && isTrue(options.BlockUntilSynced, true) {
		if err := found.all().wait(ctx); err != nil {
			return nil, err
		}
	}
	return found.theirs, nil
}

// RemoveInformer implements cache.Informers.
func (e *engine) RemoveInformer(_ context.Context, obj client.Object) error {
	k, err := e.keyOf(obj)
	if err != nil {
		return err
	}
	e.mu.Lock()
	found := e.informers[k]
	delete(e.informers, k)
	e.mu.Unlock()
	if found != nil {
		found.remove()
		return nil
	}
	if e.settings.limits(k.gvk) { // as in controller-runtime, an unknown kind is an error
		_, err = apiutil.IsGVKNamespaced(k.gvk, e.mapper)
	}
	return err
}

// IndexField implements [client.FieldIndexer].
func (e *engine) IndexField(ctx context.Context, obj client.Object, field string, extract client.IndexerFunc) error {
	informer, err := e.GetInformer(ctx, obj, cache.BlockUntilSynced(false))
	if err != nil {
		return err
	}
	return informer.AddIndexers(theircache.Indexers{fieldIndex(field): fieldIndexFunc(extract)})
}

// NeedLeaderElection implements manager.LeaderElectionRunnable: the cache runs before a leader is elected.
func (e *engine) NeedLeaderElection() bool { return false }
