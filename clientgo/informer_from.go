package clientgo

import (
	"context"
	"errors"
	"fmt"
	"time"

	theirs "k8s.io/client-go/tools/cache"

	"github.com/listwatch/listwatch/runtime/cache"
)

// FromInformer returns an informer of client-go in the form of ours. Both can be used at the
// same time; they have the same handlers and the same store, whose objects are shared.
// If informer is one of ours that [ToInformer] or [NewInformer] returned, the result is that
// one, with its full state.
//
// Handlers receive our DeletedFinalStateUnknown. A watch error handler receives a reflector of
// ours that has the name and type of theirs and does nothing. [cache.StateOf] reports of the
// result what client-go's methods do: whether it has synced and stopped, its resource version
// and the number of objects. The options Bound and Panics of a handler are an error, since
// client-go has none.
func FromInformer(informer theirs.SharedIndexInformer) cache.SharedIndexInformer {
	if to, ok := informer.(*toInformer); ok {
		return to.informer
	}
	return &fromInformer{informer: informer}
}

// fromInformer implements our interface by an informer of client-go.
type fromInformer struct{ informer theirs.SharedIndexInformer }

var errOptions = errors.New("an informer of client-go supports neither Bound nor Panics")

func (i *fromInformer) AddEventHandler(handler cache.ResourceEventHandler) (cache.ResourceEventHandlerRegistration, error) {
	return fromRegistration(i.informer.AddEventHandler(toHandler(handler)))
}

func (i *fromInformer) AddEventHandlerWithResyncPeriod(handler cache.ResourceEventHandler, period time.Duration) (cache.ResourceEventHandlerRegistration, error) {
	return fromRegistration(i.informer.AddEventHandlerWithResyncPeriod(toHandler(handler), period))
}

func (i *fromInformer) AddEventHandlerWithOptions(handler cache.ResourceEventHandler, options cache.HandlerOptions) (cache.ResourceEventHandlerRegistration, error) {
	var none cache.HandlerOptions
	if options.Bound != none.Bound || options.Panics != none.Panics {
		return nil, errOptions
	}
	return fromRegistration(i.informer.AddEventHandlerWithOptions(toHandler(handler), theirs.HandlerOptions{
		Logger:       options.Logger,
		ResyncPeriod: options.ResyncPeriod,
	}))
}

func (i *fromInformer) RemoveEventHandler(handle cache.ResourceEventHandlerRegistration) error {
	registered, ok := handle.(registrationFrom)
	if !ok {
		return fmt.Errorf("registration %T is not one of this informer", handle)
	}
	return i.informer.RemoveEventHandler(registered.theirs)
}

func (i *fromInformer) GetStore() cache.Store     { return i.informer.GetStore() }
func (i *fromInformer) GetIndexer() cache.Indexer { return FromIndexer(i.informer.GetIndexer()) }
func (i *fromInformer) GetController() cache.Controller {
	return fromController{i.informer.GetController()}
}

func (i *fromInformer) AddIndexers(indexers cache.Indexers) error {
	return i.informer.AddIndexers(toIndexers(indexers))
}

func (i *fromInformer) Run(stop <-chan struct{})            { i.informer.Run(stop) }
func (i *fromInformer) RunWithContext(ctx context.Context)  { i.informer.RunWithContext(ctx) }
func (i *fromInformer) HasSynced() bool                     { return i.informer.HasSynced() }
func (i *fromInformer) HasSyncedChecker() cache.DoneChecker { return i.informer.HasSyncedChecker() }
func (i *fromInformer) LastSyncResourceVersion() string     { return i.informer.LastSyncResourceVersion() }
func (i *fromInformer) IsStopped() bool                     { return i.informer.IsStopped() }
func (i *fromInformer) SetTransform(f cache.TransformFunc) error {
	return i.informer.SetTransform(theirs.TransformFunc(f))
}

func (i *fromInformer) SetWatchErrorHandler(handler cache.WatchErrorHandler) error {
	return i.informer.SetWatchErrorHandler(func(r *theirs.Reflector, err error) {
		handler(fromReflector(r), err)
	})
}

func (i *fromInformer) SetWatchErrorHandlerWithContext(handler cache.WatchErrorHandlerWithContext) error {
	return i.informer.SetWatchErrorHandlerWithContext(func(ctx context.Context, r *theirs.Reflector, err error) {
		handler(ctx, fromReflector(r), err)
	})
}

// fromReflector returns a reflector that identifies r in messages. It cannot run.
func fromReflector(r *theirs.Reflector) *cache.Reflector {
	return cache.NewReflectorWithOptions(nil, nil, nil, cache.ReflectorOptions{
		Name: r.Name(), TypeDescription: r.TypeDescription(),
	})
}

// registrationFrom is a registration of client-go's in our form.
type registrationFrom struct {
	theirs theirs.ResourceEventHandlerRegistration
}

func (r registrationFrom) HasSynced() bool                     { return r.theirs.HasSynced() }
func (r registrationFrom) HasSyncedChecker() cache.DoneChecker { return r.theirs.HasSyncedChecker() }

func fromRegistration(theirs theirs.ResourceEventHandlerRegistration, err error) (cache.ResourceEventHandlerRegistration, error) {
	if err != nil {
		return nil, err
	}
	return registrationFrom{theirs}, nil
}

// fromController is a controller of client-go's in our form.
type fromController struct{ theirs.Controller }

func (c fromController) HasSyncedChecker() cache.DoneChecker { return c.Controller.HasSyncedChecker() }
