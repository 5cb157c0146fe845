package cache

// LowPriority is the priority of objects that did not change; changed ones have 0. It is
// controller-runtime's value.
const LowPriority = -100

// EnqueueKeys returns a handler that calls add with the name of every object that was added,
// updated or deleted. With a workqueue.TypedInterface of type [ObjectName] it is the queue's Add:
//
//	informer.AddTypedEventHandler(cache.EnqueueKeys[*v1.Book](queue.Add))
func EnqueueKeys[T Object](add func(ObjectName)) TypedResourceEventHandler[T] {
	return EnqueueFor(func(name ObjectName, _ T) { add(name) })
}

// EnqueueFor returns a handler that calls enqueue with every object that was added, updated or
// deleted: in its new state if it was updated, in its last known state if it was deleted. If that
// is unknown, obj is the zero value; the name is always set. Handlers that map an object to other keys,
// such as its owner's, use it.
func EnqueueFor[T Object](enqueue func(name ObjectName, obj T)) TypedResourceEventHandler[T] {
	return EnqueueWithPriority(func(name ObjectName, obj T, _ int) { enqueue(name, obj) })
}

// EnqueueWithPriority is [EnqueueFor] for a queue with priorities. The priority is [LowPriority] if
// the object is in the initial list or is redelivered by a resync, and 0 otherwise, so
// that changes are not delayed by what has not changed:
//
//	informer.AddTypedEventHandler(cache.EnqueueWithPriority(func(name cache.ObjectName, _ *v1.Book, priority int) {
//		queue.AddWithOpts(workqueue.AddOpts{Priority: &priority}, name)
//	}))
func EnqueueWithPriority[T Object](enqueue func(name ObjectName, obj T, priority int)) TypedResourceEventHandler[T] {
	return TypedResourceEventHandlerDetailedFuncs[T]{
		AddFunc: func(obj T, isInInitialList bool) {
			enqueue(nameOf(obj), obj, priorityOf(isInInitialList))
		},
		UpdateFunc: func(oldObj, newObj T) {
			enqueue(nameOf(newObj), newObj, priorityOf(any(oldObj) == any(newObj)))
		},
		DeleteFunc: func(obj DeletedObject[T]) {
			enqueue(obj.GetObjectName(), obj.OptionalObj, priorityOf(false))
		},
	}
}

func priorityOf(unchanged bool) int {
	if unchanged {
		return LowPriority
	}
	return 0
}

func nameOf[T Object](obj T) ObjectName {
	return ObjectName{Namespace: obj.GetNamespace(), Name: obj.GetName()}
}
