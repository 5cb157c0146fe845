package cache

import (
	"fmt"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
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
	// add adds an object.
	add(obj any) error
	// drop takes out the object of that name, if it was added.
	drop(name ObjectName)
	// keep adds an object of which the store is to keep what it has, if anything.
	keep(name ObjectName) error
	// len is how many there are.
	len() int
	// commit has the store take the list, which is of resource version rv.
	commit(rv string) error
}

// newObjectList begins a list of about n objects for a store.
func newObjectList(store ReflectorStore, n int) objectList {
	if s, ok := store.(*queueSource); ok {
		return queuedList{s.startReplace(n)}
	}
	return &heldList{store: store, objects: make([]any, 0, n)}
}

// queuedList is a list for a queue of ours.
type queuedList struct{ *replacement }

func (l queuedList) keep(name ObjectName) error {
	l.replacement.keep(name)
	return nil
}

// heldList is a list for any other store: it is held until it is complete.
type heldList struct {
	store   ReflectorStore
	objects []any
}

func (l *heldList) add(obj any) error {
	l.objects = append(l.objects, obj)
	return nil
}

func (l *heldList) drop(name ObjectName) {
	l.objects = slices.DeleteFunc(l.objects, func(obj any) bool {
		m, ok := obj.(metav1.Object)
		return ok && m.GetNamespace() == name.Namespace && m.GetName() == name.Name
	})
}

func (l *heldList) keep(name ObjectName) error {
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

func (l queuedList) len() int { return len(l.items) }

func (l *heldList) len() int { return len(l.objects) }

func (l *heldList) commit(rv string) error { return l.store.Replace(l.objects, rv) }
