// Package cache keeps copies of API objects up to date and notifies event handlers of changes.
//
// # The way of an object
//
//	ListWatch -> Reflector -> queue -> store -> event handlers
//	                                      \-> listers
//
// A [ListWatch] (any [ListerWatcher]) lists the objects of a resource and watches them from
// there. A [Reflector] runs it: it fills a store from a list, keeps it up to date by a watch, and
// restarts when either fails. A queue stores what it receives in order of arrival; one goroutine
// applies that to the store and then passes it to the handlers. An [Indexer] is a [Store] of
// objects by key, namespace/name, with indexes. An informer ([SharedIndexInformer]) is all of
// these together with any number of handlers ([ResourceEventHandler]). A lister reads the
// informer's Indexer.
//
// [DeltaFIFO], [FIFO], [Controller], [MutationCache], [ExpirationCache] and [FakeCustomStore] exist
// for code that is written for client-go: few programs use them, but those would not compile
// without. Informers do not use them. DeltaFIFO is a face of the same queue that hands out deltas
// one by one, while informers take out many at once and leave it to the store to find what a list
// changes.
//
// # Glossary
//
//   - delta: what happened to one object, or a list of all objects of a source, in the queue.
//   - event: what one handler is called for: an add, an update or a deletion.
//   - source: something that an informer lists and watches, usually all objects or a namespace's.
//   - list and relist: to request all objects of a source from the server; again.
//   - resync: to call a handler again for all objects, as updates, from memory.
//   - synced: all objects of the first list are stored; of a handler: it was called for them.
//   - resource version: the server's counter of changes.
//   - bookmark: an event of a watch that brings only a resource version.
//   - tombstone: [DeletedFinalStateUnknown], in place of an object whose deletion was not watched
//     but follows from a list; it contains the last known state.
//   - quarantined: said of an object whose current state cannot be decoded and whose last good
//     state stays in the store.
//   - slot: a range of hashes of UIDs or namespaces, whose objects belong to one replica.
//   - lag: the events that a handler was not called for yet.
//
// # Operations
//
// Most programs use informers through generated factories and listers, and handlers through
// [ResourceEventHandlerFuncs]. Without a factory:
//
//	informer := cache.NewSharedIndexInformer(cache.ListWatchFor(client, nil), &v1.Book{}, 0, nil)
//	informer.AddEventHandler(handler)
//	go informer.RunWithContext(ctx)
//	if err := cache.WaitForSync(ctx, informer); err != nil {
//		return err // with the reason: "*v1.Book has not synced: ... books.library.dev is forbidden ..."
//	}
//
// [SharedInformer] documents what an informer guarantees to its handlers, and [Reflector] how it
// handles each kind of failure.
//
//   - Waiting: [WaitForSync] and [WaitFor] wait without polling until the first list is stored or
//     a handler was called for it; [WaitForCacheSync] polls. [WaitForObject] and
//     [WaitForDeletion] wait for your own write, [WaitForResourceVersion] for all sources to
//     reach a version. With [Writes], reads wait for your writes, not the writes themselves.
//   - Inspecting: [StateOf] returns what an informer is doing and what is wrong, [All] the
//     informers of the process; [CheckDrift] compares a store with the server.
//   - Types: [NewTypedSharedIndexInformer], [TypedResourceEventHandlerFuncs] and [TypedIndexers]
//     make type assertions in handlers and index functions unnecessary, also with informers of
//     other packages; [ListObjects] and [GetObject] do so for reads.
//   - Sharing: informers of several replicas that share the objects of a resource follow [Shards], and then have only
//     those of their replica.
//   - Options: [SharedIndexInformerOptions] has indexes, several namespaces, backoff, and the
//     policy for objects that cannot be decoded; [HandlerOptions] has names, bounds, and the
//     policy for panics.
//
// # Limits
//
// Objects are shared by the store, all handlers and all readers. Do not modify them: make a
// DeepCopy first. SharedIndexInformerOptions.OnMutation finds code that does.
//
// A store lags behind the server by what is in flight, and by more while lists or watches fail;
// [State] reports that. Handlers are not called for every state of an object, but always for the
// last.
//
// Keys are namespace/name. Functions passed to a store or an informer (key, index, transform)
// block its writers while they run: they should return soon, and must not write to it.
package cache
