package controllerruntime

import (
	"context"
	"errors"
	"fmt"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	theircache "k8s.io/client-go/tools/cache"

	"github.com/listwatch/listwatch/clientgo"
	"github.com/listwatch/listwatch/runtime/cache"
)

// entry is an informer of a cache.
type entry struct {
	key
	namespaced bool
	scopes     scopes
	informer   cache.SharedIndexInformer
	theirs     theircache.SharedIndexInformer // the same
	identity   cache.InformerNameAndResource
	writes     *writes // by clients of NewClient

	removed chan struct{} // closed by remove

	mu     sync.Mutex    // guards denied
	denied chan struct{} // closed when the server denies access the next time
}

// newEntry creates an informer. e.mu is held.
func (e *engine) newEntry(k key, mapping *meta.RESTMapping) (*entry, error) {
	example, list, err := e.resources.kind(mapping, k.as)
	if err != nil {
		return nil, err
	}
	n := &entry{
		key:        k,
		namespaced: mapping.Scope.Name() == meta.RESTScopeNameNamespace,
		removed:    make(chan struct{}),
		denied:     make(chan struct{}),
	}
	n.scopes = e.settings.scopes(k.gvk, n.namespaced)
	n.identity = e.identity(k.as, mapping.Resource)
	options := cache.SharedIndexInformerOptions{
		Indexers:          cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc},
		ObjectDescription: k.String(),
		Identifier:        n.identity,
		Owner:             e.owner,
		Selectors:         n.selectors,
		Packed:            e.packed[k.gvk],
	}
	options.Share = options.Packed == nil && n.sharesParts()
	options.CopyForHandlers = options.Share
	var sharded *sharding
	if e.shards != nil && !e.exempt[k.gvk] {
		sharded = e.shards
		options.Shards = sharded.ring
	}
	for i := range n.scopes {
		options.Sources = append(options.Sources, n.scopes[i].source(list, k))
	}
	n.informer = cache.NewSharedIndexInformerWithOptions(nil, example, options)
	n.theirs = clientgo.ToInformer(n.informer)
	if sharded != nil && !sharded.byNamespace {
		n.theirs = noting{n.theirs, func(obj metav1.Object) { sharded.deleted(k, obj) }}
	}
	n.writes = newWrites(n, sharded)
	if err := n.watchErrors(e.onError, example); err != nil {
		return nil, err
	}
	return n, nil
}

// String describes the objects, in states and errors.
func (k key) String() string {
	text := k.gvk.GroupVersion().String() + ", Kind=" + k.gvk.Kind
	if k.as != structured {
		text += " (" + string(k.as) + ")"
	}
	return text
}

// selectors returns the selectors of an informer with one scope.
func (n *entry) selectors() (labels, fields string) {
	if len(n.scopes) == 1 {
		labels, fields = n.scopes[0].selectors()
	}
	return labels, fields
}

// watchErrors sets what the informer of objects like example does when it fails: it calls own, or logs if that is nil.
func (n *entry) watchErrors(own theircache.WatchErrorHandlerWithContext, example runtime.Object) error {
	return n.informer.SetWatchErrorHandlerWithContext(func(ctx context.Context, r *cache.Reflector, err error) {
		n.note(err)
		if own == nil {
			cache.DefaultWatchErrorHandler(ctx, r, err)
			return
		}
		own(ctx, theircache.NewReflectorWithOptions(nil, example, nil, theircache.ReflectorOptions{Name: r.Name()}), err)
	})
}

func (n *entry) note(err error) {
	if !isDenied(err) {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	close(n.denied)
	n.denied = make(chan struct{})
}

// nextDenial returns a channel that is closed when the server denies access the next time.
func (n *entry) nextDenial() <-chan struct{} {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.denied
}

// isDenied reports whether the server refused a request because of its user.
func isDenied(err error) bool { return apierrors.IsForbidden(err) || apierrors.IsUnauthorized(err) }

// run runs the informer until ctx is done or it is removed.
func (n *entry) run(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer n.identity.Release()
	stop := make(chan struct{})
	defer close(stop)
	go func() {
		select {
		case <-n.removed:
			cancel()
		case <-stop:
		}
	}()
	n.informer.RunWithContext(ctx)
}

// remove stops the informer.
func (n *entry) remove() {
	n.identity.Release()
	close(n.removed)
}

// awaited is an informer, or one of its scopes, that has to sync.
type awaited struct {
	*entry
	scope  int // its index, whole for the informer
	synced cache.DoneChecker
}

const whole = -1

// in returns what has to sync for reads of objects in a namespace. The informer has a scope of it.
func (n *entry) in(namespace string) awaited {
	if len(n.scopes) == 1 {
		return n.all()
	}
	return awaited{n, n.scopes.indexOf(namespace), cache.SyncedIn(n.informer, namespace)}
}

// all returns what has to sync for reads of all namespaces.
func (n *entry) all() awaited { return awaited{n, whole, n.informer.HasSyncedChecker()} }

// wait waits until it has synced. If the server denies access to it, it returns the server's error at once.
func (a awaited) wait(ctx context.Context) error {
	for !cache.IsDone(a.synced) {
		denied := a.nextDenial() // before its cause is read
		if cause := a.cause(); isDenied(cause) {
			return fmt.Errorf("informer of %s has not synced: %w", a.key, cause)
		}
		select {
		case <-denied:
		case <-a.synced.Done():
		case <-a.removed:
			return a.waitUntilDone(ctx)
		case <-ctx.Done():
			return a.waitUntilDone(ctx)
		}
	}
	return nil
}

// waitUntilDone waits until it has synced or the informer was removed, or ctx is done.
func (a awaited) waitUntilDone(ctx context.Context) error {
	select {
	case <-a.synced.Done():
		return nil
	case <-a.removed:
	case <-ctx.Done():
	}
	if cache.IsDone(a.synced) {
		return nil
	}
	return &notSynced{key: a.key, cause: errors.Join(a.cause(), context.Cause(ctx))}
}

// cause returns why it has not synced, nil if it has.
func (a awaited) cause() error {
	state := cache.StateOf(a.informer)
	if !state.Started && state.Err == nil && state.Phase != cache.PhaseStopped {
		return errStarting
	}
	if a.scope == whole || !state.Started || state.Phase == cache.PhaseStopped {
		return state.Unsynced()
	}
	return state.Sources[a.scope].Unsynced()
}

var errStarting = errors.New("informer is starting")

// notSynced reports that an informer did not sync in time. Like controller-runtime's error, it is a timeout in
// the sense of apierrors.IsTimeout.
type notSynced struct {
	key   key
	cause error
}

func (e *notSynced) Error() string {
	return fmt.Sprintf("failed waiting for %s Informer to sync: %v", e.key, e.cause)
}

func (e *notSynced) Unwrap() error { return e.cause }

// Status implements apierrors.APIStatus.
func (e *notSynced) Status() metav1.Status {
	return apierrors.NewTimeoutError(e.Error(), 0).Status()
}
