package cache

import (
	"fmt"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/runtime/cache/internal/delta"
	"github.com/listwatch/listwatch/runtime/cache/internal/deltaqueue"
)

// ReflectorStore is what a [Reflector] keeps up to date. It is called from one goroutine
// at a time. Objects belong to the store once it has them.
type ReflectorStore interface {
	// Add stores an object that is new.
	Add(obj any) error
	// Update stores an object that has changed.
	Update(obj any) error
	// Delete removes an object. It may be given a [DeletedFinalStateUnknown] instead.
	Delete(obj any) error
	// Replace makes objects, as of a resource version, all that is stored. The slice
	// belongs to the store then.
	Replace(objects []any, resourceVersion string) error
	// Resync does what a store does from time to time; see [ReflectorOptions].ResyncPeriod.
	Resync() error
}

// TransformingStore is a [ReflectorStore] that transforms each object that it is given,
// once. The reflector leaves that to it.
type TransformingStore interface {
	ReflectorStore
	// Transformer returns the function, nil if there is none.
	Transformer() TransformFunc
}

// ReflectorBookmarkStore is what a [ReflectorStore] may also be: one that is told of
// bookmarks, after all that came before them. So is a [Store].
type ReflectorBookmarkStore interface {
	Bookmark(resourceVersion string) error
}

// ResourceVersionUpdater is what a [ReflectorStore] may also be: one that is told of each
// resource version that a watch has got to.
type ResourceVersionUpdater interface {
	UpdateResourceVersion(resourceVersion string)
}

// objectList is a list of all objects on its way into a store.
type objectList interface {
	// Add adds an object.
	Add(obj any) error
	// Drop takes out the object of that name, if it was added.
	Drop(name ObjectName)
	// Keep adds an object of which the store is to keep what it has, if anything.
	Keep(name ObjectName) error
	// Len is how many there are.
	Len() int
	// Commit has the store take the list, which is of resource version rv.
	Commit(rv string) error
}

// newObjectList begins a list of about n objects for a store.
func newObjectList(store ReflectorStore, n int) objectList {
	if s, ok := store.(*deltaqueue.Source); ok {
		return queuedList{s.StartList(n)}
	}
	return &collectedList{store: store, objects: make([]any, 0, n)}
}

// queuedList is a list for a queue of this package.
type queuedList struct{ *deltaqueue.List }

func (l queuedList) Keep(name ObjectName) error {
	l.List.Keep(delta.Name(name))
	return nil
}

func (l queuedList) Drop(name ObjectName) { l.List.Drop(delta.Name(name)) }

func (l queuedList) Len() int { return len(l.Items) }

// heldList is a list for any other store: it is held until it is complete.
type collectedList struct {
	store   ReflectorStore
	objects []any
}

func (l *collectedList) Add(obj any) error {
	l.objects = append(l.objects, obj)
	return nil
}

func (l *collectedList) Drop(name ObjectName) {
	l.objects = slices.DeleteFunc(l.objects, func(obj any) bool {
		m, ok := obj.(metav1.Object)
		return ok && m.GetNamespace() == name.Namespace && m.GetName() == name.Name
	})
}

func (l *collectedList) Keep(name ObjectName) error {
	getter, ok := l.store.(KeyGetter)
	if !ok {
		return fmt.Errorf("store of type %T cannot say what it has of %s", l.store, name)
	}
	known, found, err := getter.GetByKey(name.String())
	if found && err == nil {
		l.objects = append(l.objects, known)
	}
	return err
}

func (l *collectedList) Len() int { return len(l.objects) }

func (l *collectedList) Commit(rv string) error { return l.store.Replace(l.objects, rv) }
