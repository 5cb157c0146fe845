package cache_test

import (
	"context"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/runtime/cache"
	"github.com/listwatch/listwatch/runtime/packed"
)

// newModelInformer returns the informer of a world.
func newModelInformer(w *modelWorld) cache.SharedIndexInformer {
	options := cache.SharedIndexInformerOptions{
		ResyncPeriod: w.config.resync,
		Indexers:     cache.Indexers{colorIndex: indexByColor},
		DrainOnStop:  w.config.drain,
	}
	if w.config.server.unreadable {
		options.Undecodable = cache.QuarantineUndecodable
	}
	if w.config.server.paged {
		options.PageSize = 3
	}
	var lw cache.ListerWatcher
	for _, source := range w.server.sources {
		lw = source
		if w.config.server.streams {
			lw = streamingSource{source}
		}
		options.Sources = append(options.Sources, cache.Source{Namespace: source.namespace, ListerWatcher: lw})
	}
	if len(options.Sources) == 1 {
		options.Sources = nil
	}
	if w.config.packed {
		options.Packed = packed.S2
		if w.config.seed%4 > 0 { // otherwise it is metadata of an unknown kind, which has no dictionary
			options.Identifier = (*cache.InformerName)(nil).WithResource(boats)
		}
		return cache.NewPackedInformer(lw, &modelObject{}, options, 1+int(w.config.seed%5))
	}
	return cache.NewSharedIndexInformerWithOptions(lw, &modelObject{}, options)
}

// addModelHandler adds a handler in its form and with its options.
func addModelHandler(informer cache.SharedIndexInformer, h *modelHandler) (cache.ResourceEventHandlerRegistration, error) {
	options := cache.HandlerOptions{Name: h.name(), ResyncPeriod: &h.config.Resync, Bound: h.config.Bound, Panics: cache.PanicIsolate}
	switch h.config.As {
	case asFuncs:
		return informer.AddEventHandlerWithOptions(cache.ResourceEventHandlerDetailedFuncs{
			AddFunc: h.OnAdd, UpdateFunc: h.OnUpdate, DeleteFunc: h.OnDelete,
		}, options)
	case asTyped:
		typed := cache.NewTypedSharedIndexInformer[*modelObject](informer)
		return typed.AddTypedEventHandler(typedModelHandler{h}, options)
	default:
		return informer.AddEventHandlerWithOptions(h, options)
	}
}

// typedModelHandler is a typed handler of the model.
type typedModelHandler struct{ h *modelHandler }

func (t typedModelHandler) OnAdd(obj *modelObject, isInInitialList bool) {
	t.h.OnAdd(obj, isInInitialList)
}

func (t typedModelHandler) OnUpdate(oldObj, newObj *modelObject) { t.h.OnUpdate(oldObj, newObj) }

func (t typedModelHandler) OnDelete(obj cache.DeletedObject[*modelObject]) {
	if name := nameOf(obj.OptionalObj); obj.GetObjectName() != name {
		t.h.fail("deleted %s with the last state of %s", obj.GetObjectName(), name)
	}
	if obj.FinalStateUnknown != nil {
		t.h.OnDelete(*obj.FinalStateUnknown)
		return
	}
	t.h.OnDelete(obj.OptionalObj)
}

// readModelState checks that an informer's state is possible.
func readModelState(w *modelWorld) {
	state := cache.StateOf(w.informer)
	if state.Started != w.started {
		w.fail("the state has started=%v", state.Started)
	}
	if packed := state.Packed; (packed != nil) != w.config.packed || packed != nil && packed.Whole > 0 {
		w.fail("the state of the packed objects is %+v", packed)
	}
	if state.QueueDepth < 0 || state.Objects < 0 {
		w.fail("the state has %d objects and a queue of %d", state.Objects, state.QueueDepth)
	}
	for _, h := range state.Handlers {
		if h.Lag < 0 || h.LagTime < 0 {
			w.fail("the state has %s lag by %d and %v", h.Name, h.Lag, h.LagTime)
		}
	}
}

// checkModelState compares the state of an informer that has settled with the truth.
func checkModelState(w *modelWorld, objects int, unreadable []cache.ObjectName, rv string) {
	state := cache.StateOf(w.informer)
	if state.Phase != cache.PhaseLive || state.Err != nil {
		w.fail("the state is %s (%v)", state.Phase, state.Err)
	}
	if state.Objects != objects || state.QueueDepth != 0 || state.ResourceVersion != rv {
		w.fail("the state has %d objects and a queue of %d at %s, want %d at %s", state.Objects, state.QueueDepth, state.ResourceVersion, objects, rv)
	}
	var quarantined []cache.ObjectName
	for _, source := range state.Sources {
		for _, q := range source.Quarantined {
			quarantined = append(quarantined, q.Name)
		}
	}
	slices.SortFunc(quarantined, byName)
	if !slices.Equal(quarantined, unreadable) {
		w.fail("the state has %v quarantined, want %v", quarantined, unreadable)
	}
	active := map[string]*modelHandler{}
	for _, h := range w.handlers {
		if !h.removed && !h.over.Load() {
			active[h.name()] = h
		}
	}
	if len(state.Handlers) != len(active) {
		w.fail("the state has %d handlers, want %d", len(state.Handlers), len(active))
	}
	for _, told := range state.Handlers {
		h := active[told.Name]
		switch {
		case h == nil:
			w.fail("the state has an unknown handler %q", told.Name)
		case !told.Synced:
			h.fail("has not synced according to the state")
		case told.Lag != 0 && w.resyncPeriod(h) == 0: // others may just be resynced
			h.fail("lags by %d according to the state", told.Lag)
		}
	}
	broken := 0
	for _, obj := range w.informer.GetStore().List() {
		if failsIndex(obj.(*modelObject).Labels[colorLabel]) {
			broken += 1 + len(w.indexes)
		}
	}
	if len(state.IndexErrors) != broken {
		w.fail("the state has %d index errors, want %d", len(state.IndexErrors), broken)
	}
}

// awaitModelWrite waits for its own write, in one of two ways.
func awaitModelWrite(ctx context.Context, w *modelWorld, name cache.ObjectName, rv int64) error {
	if rv%2 == 0 {
		return cache.WaitForResourceVersion(ctx, w.informer, formatRV(rv))
	}
	return cache.WaitForObject(ctx, w.informer, &metav1.ObjectMeta{Namespace: name.Namespace, Name: name.Name, ResourceVersion: formatRV(rv)})
}
