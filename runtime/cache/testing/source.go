package framework

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
)

// watchQueue is how many events a watcher may lag behind before changes wait for it.
const watchQueue = 100

// FakeControllerSource is a [cache.ListerWatcher] of objects in memory, of any kinds.
// Each change has a resource version, which counts up from 1. It is safe for
// concurrent use.
//
// A change returns once all watchers have room for it: a watcher with more than 100
// events that nobody reads stops changes, and with them lists.
//
// [cache.ListerWatcher]: https://pkg.go.dev/github.com/listwatch/listwatch/runtime/cache#ListerWatcher
type FakeControllerSource struct {
	lock sync.RWMutex // guards all but ListError

	// Items are the current objects.
	Items map[nnu]runtime.Object
	// Broadcaster sends events to the watchers.
	Broadcaster *watch.Broadcaster

	changes []watch.Event // since the last ResetWatch, oldest first, one a resource version; copies
	lastRV  int           // of the last change

	// ListError, if not nil, is what List returns.
	ListError error
}

// nnu identifies an object.
type nnu struct {
	namespace, name string
	uid             types.UID
}

// NewFakeControllerSource returns a source without objects.
func NewFakeControllerSource() *FakeControllerSource {
	s := &FakeControllerSource{}
	s.init()
	return s
}

func (f *FakeControllerSource) init() {
	f.Items = map[nnu]runtime.Object{}
	f.Broadcaster = newBroadcaster()
}

func newBroadcaster() *watch.Broadcaster {
	return watch.NewBroadcaster(watchQueue, watch.WaitIfChannelFull)
}

// ResetWatch ends all watches and forgets the changes, as after a long loss of connection: a watch
// from a resource version before the last one is rejected as expired.
func (f *FakeControllerSource) ResetWatch() {
	f.lock.Lock()
	defer f.lock.Unlock()
	f.Broadcaster.Shutdown()
	f.Broadcaster = newBroadcaster()
	f.changes = nil
}

// Add adds an object, sets its resource version, and notifies the watchers.
func (f *FakeControllerSource) Add(obj runtime.Object) {
	f.Change(watch.Event{Type: watch.Added, Object: obj}, 1)
}

// Modify replaces an object by obj, sets its resource version, and notifies the watchers.
func (f *FakeControllerSource) Modify(obj runtime.Object) {
	f.Change(watch.Event{Type: watch.Modified, Object: obj}, 1)
}

// Delete removes an object, given its last state, sets its resource version, and notifies the
// watchers.
func (f *FakeControllerSource) Delete(lastValue runtime.Object) {
	f.Change(watch.Event{Type: watch.Deleted, Object: lastValue}, 1)
}

// AddDropWatch is Add without notifying running watches.
func (f *FakeControllerSource) AddDropWatch(obj runtime.Object) {
	f.Change(watch.Event{Type: watch.Added, Object: obj}, 0)
}

// ModifyDropWatch is Modify without notifying running watches.
func (f *FakeControllerSource) ModifyDropWatch(obj runtime.Object) {
	f.Change(watch.Event{Type: watch.Modified, Object: obj}, 0)
}

// DeleteDropWatch is Delete without notifying running watches.
func (f *FakeControllerSource) DeleteDropWatch(lastValue runtime.Object) {
	f.Change(watch.Event{Type: watch.Deleted, Object: lastValue}, 0)
}

// Change makes a change, and sets the object's resource version to that of the change. Running
// watches get it with the given probability; watches from an earlier resource version that are
// started later always do. It panics if the object has no metadata.
func (f *FakeControllerSource) Change(e watch.Event, watchProbability float64) {
	f.lock.Lock()
	defer f.lock.Unlock()
	accessor, err := meta.Accessor(e.Object)
	if err != nil {
		panic(err) // the test cannot continue
	}
	f.lastRV++
	accessor.SetResourceVersion(strconv.Itoa(f.lastRV))

	key := nnu{accessor.GetNamespace(), accessor.GetName(), accessor.GetUID()}
	switch e.Type {
	case watch.Added, watch.Modified:
		f.Items[key] = e.Object
	case watch.Deleted:
		delete(f.Items, key)
	}
	// Changes of the object by clients or by the test must not change the recorded event.
	e.Object = e.Object.DeepCopyObject()
	f.changes = append(f.changes, e)
	if rand.Float64() < watchProbability {
		// It fails only after Shutdown, when there are no watchers.
		_ = f.Broadcaster.Action(e.Type, e.Object.DeepCopyObject())
	}
}

// List returns copies of all objects in a [metav1.List], in no order, regardless of the options.
func (f *FakeControllerSource) List(metav1.ListOptions) (runtime.Object, error) {
	f.lock.RLock()
	defer f.lock.RUnlock()
	if f.ListError != nil {
		return nil, f.ListError
	}
	list := &metav1.List{}
	list.ResourceVersion = strconv.Itoa(f.lastRV)
	for _, obj := range f.Items {
		list.Items = append(list.Items, runtime.RawExtension{Object: obj.DeepCopyObject()})
	}
	return list, nil
}

// Watch returns the changes after the resource version of the options. It fails if
// that is not a number, has not been reached yet, or is too old, as an expired one.
func (f *FakeControllerSource) Watch(options metav1.ListOptions) (watch.Interface, error) {
	f.lock.RLock()
	defer f.lock.RUnlock()
	from, err := strconv.Atoi(options.ResourceVersion)
	if err != nil {
		return nil, fmt.Errorf("resource version of a watch: %w", err)
	}
	missed := f.lastRV - from
	switch {
	case missed < 0:
		return nil, errors.New("resource version in the future not supported by this fake")
	case missed > len(f.changes):
		return nil, apierrors.NewResourceExpired(fmt.Sprintf("too old resource version: %d (%d)", from, f.lastRV-len(f.changes)))
	}
	var events []watch.Event
	for _, e := range f.changes[len(f.changes)-missed:] {
		events = append(events, watch.Event{Type: e.Type, Object: e.Object.DeepCopyObject()})
	}
	return f.Broadcaster.WatchWithPrefix(events)
}

// IsWatchListSemanticsUnSupported makes reflectors list and then watch.
func (f *FakeControllerSource) IsWatchListSemanticsUnSupported() bool { return true }

// Shutdown ends all watches, once their events are read or they are stopped. Later watches fail; lists and changes do not.
func (f *FakeControllerSource) Shutdown() {
	f.lock.Lock()
	defer f.lock.Unlock()
	f.Broadcaster.Shutdown()
}
