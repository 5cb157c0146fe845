package cache

import "strings"

// Object is the type of objects in the typed parts of the package, usually a pointer. Its zero
// value stands for no object. The constraint is a plain method set: with comparable in it,
// the compiler would compile all generic code separately for every kind.
type Object interface {
	GetName() string
	GetNamespace() string
}

// TypedResourceEventHandler is a [ResourceEventHandler] for objects of type T.
type TypedResourceEventHandler[T Object] interface {
	OnAdd(obj T, isInInitialList bool)
	OnUpdate(oldObj, newObj T)
	OnDelete(obj DeletedObject[T])
}

// DeletedObject is an object that was deleted. Its methods work whether or not the
// last state is known.
type DeletedObject[T Object] struct {
	// OptionalObj is the last known state: the state at the deletion, or, if
	// FinalStateUnknown is set, an older one, or the zero value if there is none.
	OptionalObj T

	// FinalStateUnknown is set if the deletion was not watched but follows from a list. It
	// contains the object in OptionalObj, and the key.
	FinalStateUnknown *DeletedFinalStateUnknown
}

// GetObjectName returns the object's namespace and name, in a tombstone as its key
// has them.
func (d DeletedObject[T]) GetObjectName() ObjectName {
	if d.FinalStateUnknown != nil {
		namespace, name, found := strings.Cut(d.FinalStateUnknown.Key, "/")
		if !found {
			return ObjectName{Name: d.FinalStateUnknown.Key}
		}
		return ObjectName{Namespace: namespace, Name: name}
	}
	var none T
	if any(d.OptionalObj) == any(none) {
		return ObjectName{}
	}
	return ObjectName{Namespace: d.OptionalObj.GetNamespace(), Name: d.OptionalObj.GetName()}
}

// GetName returns the object's name.
func (d DeletedObject[T]) GetName() string { return d.GetObjectName().Name }

// GetNamespace returns the object's namespace, empty for the cluster scope.
func (d DeletedObject[T]) GetNamespace() string { return d.GetObjectName().Namespace }

// GetKey returns the key that the object was stored under.
func (d DeletedObject[T]) GetKey() string {
	if d.FinalStateUnknown != nil {
		return d.FinalStateUnknown.Key
	}
	return d.GetObjectName().String()
}

// TypedResourceEventHandlerFuncs is a [ResourceEventHandlerFuncs] for objects of type T.
type TypedResourceEventHandlerFuncs[T Object] struct {
	AddFunc    func(obj T)
	UpdateFunc func(oldObj, newObj T)
	DeleteFunc func(obj DeletedObject[T])
}

// OnAdd calls AddFunc.
func (r TypedResourceEventHandlerFuncs[T]) OnAdd(obj T, _ bool) {
	if r.AddFunc != nil {
		r.AddFunc(obj)
	}
}

// OnUpdate calls UpdateFunc.
func (r TypedResourceEventHandlerFuncs[T]) OnUpdate(oldObj, newObj T) {
	if r.UpdateFunc != nil {
		r.UpdateFunc(oldObj, newObj)
	}
}

// OnDelete calls DeleteFunc.
func (r TypedResourceEventHandlerFuncs[T]) OnDelete(obj DeletedObject[T]) {
	if r.DeleteFunc != nil {
		r.DeleteFunc(obj)
	}
}

func (r TypedResourceEventHandlerFuncs[T]) callbacks() []any {
	return []any{r.AddFunc, r.UpdateFunc, r.DeleteFunc}
}

// TypedResourceEventHandlerDetailedFuncs is a [ResourceEventHandlerDetailedFuncs] for
// objects of type T.
type TypedResourceEventHandlerDetailedFuncs[T Object] struct {
	AddFunc    func(obj T, isInInitialList bool)
	UpdateFunc func(oldObj, newObj T)
	DeleteFunc func(obj DeletedObject[T])
}

// OnAdd calls AddFunc.
func (r TypedResourceEventHandlerDetailedFuncs[T]) OnAdd(obj T, isInInitialList bool) {
	if r.AddFunc != nil {
		r.AddFunc(obj, isInInitialList)
	}
}

// OnUpdate calls UpdateFunc.
func (r TypedResourceEventHandlerDetailedFuncs[T]) OnUpdate(oldObj, newObj T) {
	if r.UpdateFunc != nil {
		r.UpdateFunc(oldObj, newObj)
	}
}

// OnDelete calls DeleteFunc.
func (r TypedResourceEventHandlerDetailedFuncs[T]) OnDelete(obj DeletedObject[T]) {
	if r.DeleteFunc != nil {
		r.DeleteFunc(obj)
	}
}

func (r TypedResourceEventHandlerDetailedFuncs[T]) callbacks() []any {
	return []any{r.AddFunc, r.UpdateFunc, r.DeleteFunc}
}

// TypedFilteringResourceEventHandler is a [FilteringResourceEventHandler] for objects
// of type T. For a deletion, FilterFunc is called with [DeletedObject.OptionalObj], which may be
// the zero value.
type TypedFilteringResourceEventHandler[T Object] struct {
	FilterFunc func(obj T) bool
	Handler    TypedResourceEventHandler[T]
}

// OnAdd passes on the add of an accepted object.
func (r TypedFilteringResourceEventHandler[T]) OnAdd(obj T, isInInitialList bool) {
	if r.FilterFunc(obj) {
		r.Handler.OnAdd(obj, isInInitialList)
	}
}

// OnUpdate passes on an update, an add, a deletion or nothing, depending on which states are
// accepted.
func (r TypedFilteringResourceEventHandler[T]) OnUpdate(oldObj, newObj T) {
	switch passes, passed := r.FilterFunc(newObj), r.FilterFunc(oldObj); {
	case passes && passed:
		r.Handler.OnUpdate(oldObj, newObj)
	case passes:
		r.Handler.OnAdd(newObj, false)
	case passed:
		r.Handler.OnDelete(DeletedObject[T]{OptionalObj: oldObj})
	}
}

// OnDelete passes on the deletion if the last state is accepted.
func (r TypedFilteringResourceEventHandler[T]) OnDelete(obj DeletedObject[T]) {
	if r.FilterFunc(obj.OptionalObj) {
		r.Handler.OnDelete(obj)
	}
}

// OnReleased passes on the release of an accepted object to a handler that has the method.
func (r TypedFilteringResourceEventHandler[T]) OnReleased(obj T) {
	if h, ok := r.Handler.(typedReleaseHandler[T]); ok && r.FilterFunc(obj) {
		h.OnReleased(obj)
	}
}

// typedReleaseHandler is a [ReleaseHandler] for objects of type T.
type typedReleaseHandler[T Object] interface{ OnReleased(obj T) }

func (r TypedFilteringResourceEventHandler[T]) unwrap() any { return r.Handler }

// untypedHandler returns handler as a [ResourceEventHandler]. Objects must be of type T, except
// tombstones; otherwise the handler panics.
func untypedHandler[T Object](handler TypedResourceEventHandler[T]) ResourceEventHandler {
	return typedHandlerAdapter[T]{handler}
}

type typedHandlerAdapter[T Object] struct {
	handler TypedResourceEventHandler[T]
}

func (a typedHandlerAdapter[T]) OnAdd(obj any, isInInitialList bool) {
	a.handler.OnAdd(obj.(T), isInInitialList)
}

func (a typedHandlerAdapter[T]) OnUpdate(oldObj, newObj any) {
	a.handler.OnUpdate(oldObj.(T), newObj.(T))
}

func (a typedHandlerAdapter[T]) OnDelete(obj any) {
	if tombstone, ok := obj.(DeletedFinalStateUnknown); ok {
		a.handler.OnDelete(deletedByTombstone[T](tombstone))
		return
	}
	a.handler.OnDelete(DeletedObject[T]{OptionalObj: obj.(T)})
}

func (a typedHandlerAdapter[T]) OnReleased(obj any) {
	if h, ok := a.handler.(typedReleaseHandler[T]); ok {
		h.OnReleased(obj.(T))
	}
}

func deletedByTombstone[T Object](tombstone DeletedFinalStateUnknown) DeletedObject[T] {
	deleted := DeletedObject[T]{FinalStateUnknown: &tombstone}
	if tombstone.Obj != nil {
		deleted.OptionalObj = tombstone.Obj.(T)
	}
	return deleted
}

func (a typedHandlerAdapter[T]) unwrap() any { return a.handler }
