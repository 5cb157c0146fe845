// Package cache keeps copies of a server's objects up to date in memory and tells event
// handlers of their changes.
//
// # Terms
//
// A ListWatch (any [ListerWatcher]) lists the objects of a resource and watches them from
// there. A [Reflector] runs one: it fills a store by a list, keeps it up to date by a
// watch, and begins again when either fails. What it receives are deltas, each an object
// and what happened to it; a queue ([DeltaFIFO]) holds them in order of arrival until
// they are applied. An [Indexer] is a [Store] of objects by key, namespace/name, with
// indexes over them. An informer ([SharedIndexInformer]) is all of these together with
// any number of handlers ([ResourceEventHandler]). A lister reads the informer's Indexer.
//
//	ListWatch -> Reflector -> queue -> Indexer -> event handlers
//	                                      \-> listers
//
// A tombstone ([DeletedFinalStateUnknown]) is what handlers are given for an object whose
// deletion was concluded from a list, not seen: its last known state. A resync tells a
// handler of all objects again, as updates, from memory; a relist asks the server for all
// of them again. A resource version is the server's counter of changes, and a bookmark an
// event that carries nothing else.
//
// # Operations
//
// Most programs use informers through emitted factories and listers, and handlers through
// [ResourceEventHandlerFuncs]. Without a factory:
//
//	informer := cache.NewSharedIndexInformer(cache.ListWatchFor(client, nil), &v1.Boat{}, 0, nil)
//	informer.AddEventHandler(handler)
//	go informer.RunWithContext(ctx)
//	if err := cache.WaitForSync(ctx, informer); err != nil {
//		return err // says why: "*v1.Boat has not synced: ... boats.sea.example is forbidden ..."
//	}
//
// What an informer promises to its handlers is said at [SharedInformer], and what a
// Reflector does about each kind of failure at [Reflector].
//
//   - Waiting: [WaitForSync] and [WaitFor] wait for the first list to be stored, or a
//     handler to be told of it, without polling; [WaitForCacheSync] is the older form.
//     [WaitForObject] and [WaitForDeletion] wait for your own write,
//     [WaitForResourceVersion] for all sources to get to a version.
//   - Looking in: [StateOf] says what an informer is doing and what is wrong; [All] are
//     the informers of the program; [CheckDrift] compares a store with the server.
//   - Types: [NewTypedSharedIndexInformer], [TypedResourceEventHandlerFuncs] and
//     [TypedIndexers] spare handlers and index functions the assertions, also with
//     informers of other packages; [ListObjects] and [GetObject] do so for reading.
//   - Options: [SharedIndexInformerOptions] has indexes, several namespaces, backoff, what
//     to do with objects that cannot be decoded; [HandlerOptions] has names, bounds, and
//     what to do about panics.
//
// # Limits
//
// Objects are shared by the store, all handlers and all readers. Nobody may change one:
// make a DeepCopy first. SharedIndexInformerOptions.OnMutation finds those who do.
//
// A store is behind the server by what is on its way, and behind by more while lists or
// watches fail; [State] says so. Handlers are not told of every state that an object goes
// through, but always of the last.
//
// Keys are namespace/name. Functions given to a store or an informer (key, index,
// transform) hold up its writers while they run: they should be quick, and must not write
// to it.
package cache
