package clientgo

import (
	"context"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	theirs "k8s.io/client-go/tools/cache"

	"github.com/listwatch/listwatch/runtime/cache"
)

// NewInformer returns one of our informers in the form of client-go's. It has the type of
// controller-runtime's cache.Options.NewInformer.
func NewInformer(source theirs.ListerWatcher, example runtime.Object, resync time.Duration, indexers theirs.Indexers) theirs.SharedIndexInformer {
	return ToInformer(cache.NewSharedIndexInformer(source, example, resync, fromIndexers(indexers)))
}

// ToInformer returns one of our informers in the form of client-go's. Both can be used at the
// same time; they have the same handlers and the same store, whose objects are shared.
//
// Handlers receive client-go's DeletedFinalStateUnknown. A watch error handler receives a
// reflector of client-go that has the name and type of ours and does nothing. Errors are
// those of our informer.
func ToInformer(informer cache.SharedIndexInformer) theirs.SharedIndexInformer {
	if from, ok := informer.(*fromInformer); ok {
		return from.informer
	}
	return &toInformer{informer: informer}
}

// toInformer implements client-go's interface by an informer of ours.
type toInformer struct{ informer cache.SharedIndexInformer }

var _ theirs.SharedIndexInformer = (*toInformer)(nil)

func (i *toInformer) AddEventHandler(handler theirs.ResourceEventHandler) (theirs.ResourceEventHandlerRegistration, error) {
	return toRegistration(i.informer.AddEventHandler(fromHandler(handler)))
}

func (i *toInformer) AddEventHandlerWithResyncPeriod(handler theirs.ResourceEventHandler, period time.Duration) (theirs.ResourceEventHandlerRegistration, error) {
	return toRegistration(i.informer.AddEventHandlerWithResyncPeriod(fromHandler(handler), period))
}

func (i *toInformer) AddEventHandlerWithOptions(handler theirs.ResourceEventHandler, options theirs.HandlerOptions) (theirs.ResourceEventHandlerRegistration, error) {
	return toRegistration(i.informer.AddEventHandlerWithOptions(fromHandler(handler), cache.HandlerOptions{
		Logger:       options.Logger,
		ResyncPeriod: options.ResyncPeriod,
	}))
}

func (i *toInformer) RemoveEventHandler(handle theirs.ResourceEventHandlerRegistration) error {
	registered, ok := handle.(registrationTo)
	if !ok {
		return fmt.Errorf("registration %T is not one of this informer", handle)
	}
	return i.informer.RemoveEventHandler(registered.ours)
}

func (i *toInformer) GetStore() theirs.Store     { return i.informer.GetStore() }
func (i *toInformer) GetIndexer() theirs.Indexer { return ToIndexer(i.informer.GetIndexer()) }
func (i *toInformer) GetController() theirs.Controller {
	return toController{i.informer.GetController()}
}

func (i *toInformer) AddIndexers(indexers theirs.Indexers) error {
	return i.informer.AddIndexers(fromIndexers(indexers))
}

func (i *toInformer) Run(stop <-chan struct{})             { i.informer.Run(stop) }
func (i *toInformer) RunWithContext(ctx context.Context)   { i.informer.RunWithContext(ctx) }
func (i *toInformer) HasSynced() bool                      { return i.informer.HasSynced() }
func (i *toInformer) HasSyncedChecker() theirs.DoneChecker { return i.informer.HasSyncedChecker() }
func (i *toInformer) LastSyncResourceVersion() string      { return i.informer.LastSyncResourceVersion() }
func (i *toInformer) IsStopped() bool                      { return i.informer.IsStopped() }
func (i *toInformer) SetTransform(f theirs.TransformFunc) error {
	return i.informer.SetTransform(cache.TransformFunc(f))
}

func (i *toInformer) SetWatchErrorHandler(handler theirs.WatchErrorHandler) error {
	return i.informer.SetWatchErrorHandler(func(r *cache.Reflector, err error) {
		handler(toReflector(r), err)
	})
}

func (i *toInformer) SetWatchErrorHandlerWithContext(handler theirs.WatchErrorHandlerWithContext) error {
	return i.informer.SetWatchErrorHandlerWithContext(func(ctx context.Context, r *cache.Reflector, err error) {
		handler(ctx, toReflector(r), err)
	})
}

// toReflector returns a reflector that identifies r in messages. It cannot run.
func toReflector(r *cache.Reflector) *theirs.Reflector {
	return theirs.NewReflectorWithOptions(nil, nil, nil, theirs.ReflectorOptions{
		Name: r.Name(), TypeDescription: r.TypeDescription(),
	})
}

// registrationTo is a registration of ours in client-go's form.
type registrationTo struct {
	ours cache.ResourceEventHandlerRegistration
}

func (r registrationTo) HasSynced() bool                      { return r.ours.HasSynced() }
func (r registrationTo) HasSyncedChecker() theirs.DoneChecker { return r.ours.HasSyncedChecker() }

func toRegistration(ours cache.ResourceEventHandlerRegistration, err error) (theirs.ResourceEventHandlerRegistration, error) {
	if err != nil {
		return nil, err
	}
	return registrationTo{ours}, nil
}

// toController is a controller of ours in client-go's form.
type toController struct{ cache.Controller }

func (c toController) HasSyncedChecker() theirs.DoneChecker { return c.Controller.HasSyncedChecker() }
