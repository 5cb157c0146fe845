package cache

// EnqueueKeys returns a handler that calls add with the name of every object that was added,
// updated or deleted. With workqueue.TypedInterface[cache.ObjectName] it is the queue's Add:
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
	return TypedResourceEventHandlerFuncs[T]{
		AddFunc:    func(obj T) { enqueue(nameOf(obj), obj) },
		UpdateFunc: func(_, obj T) { enqueue(nameOf(obj), obj) },
		DeleteFunc: func(obj DeletedObject[T]) { enqueue(obj.GetObjectName(), obj.OptionalObj) },
	}
}

func nameOf[T Object](obj T) ObjectName {
	return ObjectName{Namespace: obj.GetNamespace(), Name: obj.GetName()}
}
