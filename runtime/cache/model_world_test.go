package cache_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing/synctest"
	"time"

	"github.com/listwatch/listwatch/runtime/cache"
)

const (
	transformedAnnotation = "transformed"
	colorIndex            = "color"
)

// modelWorld is a server, an informer of it, and its handlers.
type modelWorld struct {
	config   worldConfig
	server   *modelServer
	informer cache.SharedIndexInformer
	handlers []*modelHandler // all that were ever added
	indexes  []string        // by color, under other names
	floods   int

	started  bool
	stopped  bool
	stop     context.CancelFunc
	ran      chan struct{} // closed when the informer has stopped
	finished chan struct{} // closed when the sequence is over

	awaiting atomic.Int64 // running waits for a write
	failure  atomic.Pointer[error]
}

func (w *modelWorld) fail(format string, args ...any) {
	err := fmt.Errorf(format, args...)
	w.failure.CompareAndSwap(nil, &err)
}

func (w *modelWorld) err() error {
	if err := w.failure.Load(); err != nil {
		return *err
	}
	return nil
}

func (w *modelWorld) sourceOf(name cache.ObjectName) *modelSource {
	for _, source := range w.server.sources {
		if source.serves(name) {
			return source
		}
	}
	w.fail("%s is in no namespace that is watched", name)
	return w.server.sources[0]
}

// served returns those of the objects that are in a watched namespace.
func (w *modelWorld) served(objects map[cache.ObjectName]write) map[cache.ObjectName]write {
	served := map[cache.ObjectName]write{}
	for name, state := range objects {
		if slices.ContainsFunc(w.server.sources, func(s *modelSource) bool { return s.serves(name) }) {
			served[name] = state
		}
	}
	return served
}

func (w *modelWorld) stored(name cache.ObjectName) (*modelObject, bool) {
	obj, ok, err := w.informer.GetStore().GetByKey(name.String())
	if err != nil {
		w.fail("get %s: %v", name, err)
	}
	if !ok || err != nil {
		return nil, false
	}
	return obj.(*modelObject), true
}

// transformations returns the mark of a correctly transformed object.
func (w *modelWorld) transformations() string {
	if w.config.transform {
		return "x"
	}
	return ""
}

// runModel performs a sequence of operations in a bubble with its own time, and returns the first
// failure.
func runModel(config worldConfig, ops []op) error {
	w := &modelWorld{
		config:   config,
		server:   newModelServer(config.server, rand.New(rand.NewPCG(config.seed, 2)), config.namespaces),
		ran:      make(chan struct{}),
		finished: make(chan struct{}),
	}
	defer close(w.finished)
	w.informer = newModelInformer(w)
	if config.transform {
		if err := w.informer.SetTransform(modelTransform); err != nil {
			return err
		}
	}
	w.watchSync()
	for _, handler := range config.early {
		w.addHandler(handler)
	}
	for i, o := range ops {
		if !w.started && i >= config.startAfter {
			w.start()
		}
		w.do(o)
		if o.quiet {
			synctest.Wait()
			w.checkBounds()
		}
		if err := w.err(); err != nil {
			w.end()
			return fmt.Errorf("operation %d, %v: %w", i, o, err)
		}
	}
	if !w.started {
		w.start()
	}
	if !w.stopped {
		w.settle()
		w.burst(op{times: 30, seed: config.seed})
		for range config.seed % 64 {
			runtime.Gosched() // so that some of it arrives
		}
	}
	w.end()
	return w.err()
}

func (w *modelWorld) start() {
	w.started = true
	ctx, cancel := context.WithCancel(context.Background())
	w.stop = cancel
	go func() {
		defer close(w.ran)
		w.informer.RunWithContext(ctx)
	}()
	synctest.Wait() // so that handlers added now are added after the start
}

// end stops the informer and checks that nothing is running.
func (w *modelWorld) end() {
	w.server.heal()
	for _, h := range w.handlers {
		h.block(false)
	}
	if !w.started {
		w.start()
	}
	w.stop()
	select {
	case <-w.ran:
	case <-time.After(10 * time.Minute):
		w.fail("the informer does not stop")
		return
	}
	synctest.Wait() // watches record what was not received
	for _, h := range w.handlers {
		h.over.Store(true)
	}
	if w.stopped {
		return
	}
	w.stopped = true
	if w.config.drain {
		w.checkDrained()
	}
	if !w.informer.IsStopped() {
		w.fail("a stopped informer reports that it is not")
	}
	if _, err := w.informer.AddEventHandler(cache.ResourceEventHandlerFuncs{}); err == nil {
		w.fail("a handler was added to an informer that was stopped")
	}
}

// checkDrained checks that everything that was received is in the store, and was delivered to all
// handlers.
func (w *modelWorld) checkDrained() {
	held := map[cache.ObjectName]write{}
	for name, rv := range w.versions() {
		held[name] = write{name: name, rv: rv}
	}
	for _, h := range w.active() {
		h.checkView(held)
	}
	for _, source := range w.server.sources {
		if source.listing() {
			continue // it may have been stopped while it had the complete list
		}
		for name, state := range source.readable() {
			if held[name].rv != state.rv {
				w.fail("after a drain %s is at %d, received at %d", name, held[name].rv, state.rv)
			}
		}
	}
}

func (w *modelWorld) do(o op) {
	name, color := modelNames[o.object], modelColors[o.color]
	switch o.kind {
	case opPut:
		w.server.put(name, color)
	case opRemove:
		w.server.remove(name)
	case opRecreate:
		w.server.remove(name)
		w.server.put(name, color)
	case opBurst:
		w.burst(o)
	case opBookmark:
		w.server.bookmark()
	case opCut:
		w.server.cut(nil)
	case opBreak:
		w.server.cut(o.fault.err("1"))
	case opExpire:
		w.server.compact()
		w.server.cut(nil)
	case opMiss:
		w.server.cut(nil)
		w.burst(o)
		w.server.compact()
	case opFlood:
		w.server.cut(nil)
		w.flood(o)
		w.server.compact()
	case opMute:
		w.server.mute(true)
	case opUnmute:
		w.server.mute(false)
	case opFailLists, opFailWatches:
		w.server.fail(o.kind == opFailLists, o.fault, o.times)
	case opAddHandler:
		if !w.stopped && len(w.active()) < 8 {
			w.addHandler(o.config)
		}
	case opRemoveHandler, opShutDown:
		w.removeHandler(o.handler, o.kind == opShutDown)
	case opBlock, opUnblock:
		if active := w.active(); o.handler < len(active) {
			active[o.handler].block(o.kind == opBlock)
		}
	case opAddIndexer:
		w.addIndexer()
	case opRead:
		w.read()
	case opAwait:
		w.await(name, color)
	case opSleep:
		time.Sleep(o.wait)
	case opSettle:
		if w.started && !w.stopped {
			w.settle()
		}
	case opStop:
		if w.started && !w.stopped {
			w.end()
		}
	}
}

func (w *modelWorld) burst(o op) {
	random := rand.New(rand.NewPCG(o.seed, 3))
	for range o.times {
		name := modelNames[random.IntN(len(modelNames))]
		if random.IntN(3) == 0 {
			w.server.remove(name)
		} else {
			w.server.put(name, modelColors[random.IntN(len(modelColors))])
		}
	}
}

// flood creates hundreds of objects, and the next time deletes or changes them.
func (w *modelWorld) flood(o op) {
	random := rand.New(rand.NewPCG(o.seed, 6))
	w.floods++
	for i := range o.times {
		if w.floods%3 == 0 || random.IntN(3) == 0 {
			w.server.remove(crowdName(i))
		} else {
			w.server.put(crowdName(i), modelColors[random.IntN(len(modelColors))])
		}
	}
}

// active returns the handlers that were not removed.
func (w *modelWorld) active() []*modelHandler {
	return slices.DeleteFunc(slices.Clone(w.handlers), func(h *modelHandler) bool { return h.removed || h.config.Quits > 0 })
}

func (w *modelWorld) addHandler(config handlerConfig) {
	h := newModelHandler(w, len(w.handlers), config)
	if w.started {
		_, h.joined = w.server.state()
	}
	before := w.versions()
	registration, err := addModelHandler(w.informer, h)
	if err != nil {
		w.fail("add %s: %v", h, err)
		return
	}
	after := w.versions()
	h.registration.Store(&registration)
	w.handlers = append(w.handlers, h)

	go func() {
		select {
		case <-registration.HasSyncedChecker().Done():
		case <-w.finished:
			return
		}
		if !registration.HasSynced() {
			h.fail("has synced by its channel only")
		}
		for name, rv := range before {
			if after[name] == rv {
				h.checkTold(map[cache.ObjectName]write{name: {name: name, rv: rv}})
			}
		}
		for _, source := range w.server.sources {
			first := source.first()
			if first == nil {
				h.fail("reports sync before anything was listed")
			}
			if h.joined == 0 {
				h.checkTold(first)
			}
		}
	}()
}

// versions returns the versions of the stored objects.
func (w *modelWorld) versions() map[cache.ObjectName]int64 {
	versions := map[cache.ObjectName]int64{}
	for _, obj := range w.informer.GetStore().List() {
		o := obj.(*modelObject)
		versions[nameOf(o)] = parseRV(o.ResourceVersion)
	}
	return versions
}

func (w *modelWorld) removeHandler(i int, wait bool) {
	active := w.active()
	if i >= len(active) {
		return
	}
	h := active[i]
	h.removed = true
	registration := *h.registration.Load()
	if !wait {
		if err := w.informer.RemoveEventHandler(registration); err != nil {
			h.fail("remove: %v", err)
		}
		h.block(false)
		return
	}
	h.block(false)
	done := make(chan error, 1)
	go func() { done <- cache.ShutDownEventHandler(w.informer, registration) }()
	select {
	case err := <-done:
		if err != nil {
			h.fail("shut down: %v", err)
		}
		h.over.Store(true)
	case <-time.After(10 * time.Minute):
		h.fail("does not shut down")
	}
}

// watchSync checks that the informer reports sync correctly.
func (w *modelWorld) watchSync() {
	checker := w.informer.HasSyncedChecker()
	go func() {
		select {
		case <-checker.Done():
		case <-w.finished:
			return
		}
		if !w.informer.HasSynced() {
			w.fail("the informer has synced by its channel only")
		}
		for _, source := range w.server.sources {
			first := source.first()
			if first == nil {
				w.fail("the informer reports sync before anything was listed")
			}
			for name, state := range first {
				stored, ok := w.stored(name)
				if (!ok || parseRV(stored.ResourceVersion) < state.rv) && !w.server.goneAfter(name, state.rv) {
					w.fail("the informer reports sync without %s", name)
				}
			}
		}
	}()
}

func (w *modelWorld) addIndexer() {
	if w.stopped || len(w.indexes) > 3 {
		return
	}
	name := fmt.Sprint(colorIndex, len(w.indexes))
	if err := w.informer.AddIndexers(cache.Indexers{name: indexByColor}); err != nil {
		w.fail("add indexer: %v", err)
		return
	}
	w.indexes = append(w.indexes, name)
}

// read checks that a single read is consistent.
func (w *modelWorld) read() {
	seen := map[cache.ObjectName]bool{}
	for _, obj := range w.informer.GetStore().List() {
		name := nameOf(obj.(*modelObject))
		if seen[name] {
			w.fail("listed %s twice", name)
		}
		seen[name] = true
	}
	for _, color := range []string{"white", "black", "blue"} {
		objects, err := w.informer.GetIndexer().ByIndex(colorIndex, color)
		if missing(err) < 0 {
			w.fail("by index: %v", err)
		}
		for _, obj := range objects {
			if o := obj.(*modelObject); !slices.Contains(colorsOf(o), color) {
				w.fail("%s is found under %s and is %q", nameOf(o), color, o.Labels[colorLabel])
			}
		}
	}
	readModelState(w)
}

// await writes, and checks that the store contains the write after waiting for it.
func (w *modelWorld) await(name cache.ObjectName, color string) {
	if !w.started || w.stopped || len(w.served(map[cache.ObjectName]write{name: {}})) == 0 {
		return
	}
	rv := w.server.put(name, color)
	w.awaiting.Add(1)
	go func() {
		defer w.awaiting.Add(-1)
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
		defer cancel()
		if err := awaitModelWrite(ctx, w, name, rv); err != nil || w.config.server.unreadable {
			return // stopped; or the state may be one that cannot be stored
		}
		if stored, ok := w.stored(name); (!ok || parseRV(stored.ResourceVersion) < rv) && !w.server.goneAfter(name, rv) {
			w.fail("waited for %s at %d in vain", name, rv)
		}
	}()
}

func modelTransform(obj any) (any, error) {
	o, ok := obj.(*modelObject)
	if !ok {
		return obj, nil
	}
	if o.Annotations == nil {
		o.Annotations = map[string]string{}
	}
	o.Annotations[transformedAnnotation] += "x"
	return o, nil
}

// colorsOf returns the values of an object in the index; none if its function fails.
func colorsOf(o *modelObject) []string {
	switch color := o.Labels[colorLabel]; color {
	case "", colorFails, colorPanics:
		return nil
	default:
		return strings.Split(color, ",")
	}
}

// missing returns how many objects are missing from an index according to the error of reading it,
// or -1 for another error.
func missing(err error) int {
	var incomplete *cache.IncompleteIndexError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &incomplete) && incomplete.Missing > 0:
		return incomplete.Missing
	default:
		return -1
	}
}

// failsIndex reports whether the index function fails for objects of a color.
func failsIndex(color string) bool { return color == colorFails || color == colorPanics }

func indexByColor(obj any) ([]string, error) {
	o := obj.(*modelObject)
	switch o.Labels[colorLabel] {
	case colorFails:
		return nil, errors.New("the model wants it")
	case colorPanics:
		panic("the model wants it")
	}
	return colorsOf(o), nil
}
