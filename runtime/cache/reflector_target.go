package cache

import (
	"fmt"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/runtime/cache/internal/delta"
	"github.com/listwatch/listwatch/runtime/cache/internal/deltaqueue"
)

// ReflectorStore is kept up to date by a [Reflector]. It is called from one goroutine at a
// time. The store owns the objects that it receives.
type ReflectorStore interface {
	// Add stores a new object.
	Add(obj any) error
	// Update stores a changed object.
	Update(obj any) error
	// Delete deletes an object. obj may be a [DeletedFinalStateUnknown].
	Delete(obj any) error
	// Replace replaces all objects, as of a resource version. The store owns the slice from
	// then on.
	Replace(objects []any, resourceVersion string) error
	// Resync is called every [ReflectorOptions].ResyncPeriod.
	Resync() error
}

// TransformingStore is a [ReflectorStore] that transforms each object that it receives, once.
type TransformingStore interface {
	ReflectorStore
	// Transformer returns the function, nil if there is none.
	Transformer() TransformFunc
}

// ReflectorBookmarkStore is implemented by a [ReflectorStore] to receive bookmarks, after
// everything that arrived before them. A [Store] receives them too.
type ReflectorBookmarkStore interface {
	Bookmark(resourceVersion string) error
}

// ResourceVersionUpdater is implemented by a [ReflectorStore] to receive each resource version
// that a watch reaches.
type ResourceVersionUpdater interface {
	UpdateResourceVersion(resourceVersion string)
}

// objectList is a list of all objects on its way into a store.
type objectList interface {
	// Add adds an object.
	Add(obj any) error
	// Drop removes the object of that name, if it was added.
	Drop(name ObjectName)
	// Keep adds an object whose state in the store, if there is one, stays.
	Keep(name ObjectName) error
	// Len returns the number of objects.
	Len() int
	// Commit passes the list, whose resource version is rv, to the store.
	Commit(rv string) error
}

// newObjectList starts a list of about n objects for a store.
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

func (l queuedList) Len() int { return l.List.Len() }

// collectedList is a list for any other store, which receives it when it is complete.
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
		return fmt.Errorf("store of type %T cannot return its state of %s: it has no GetByKey", l.store, name)
	}
	known, found, err := getter.GetByKey(name.String())
	if found && err == nil {
		l.objects = append(l.objects, known)
	}
	return err
}

func (l *collectedList) Len() int { return len(l.objects) }

func (l *collectedList) Commit(rv string) error { return l.store.Replace(l.objects, rv) }
