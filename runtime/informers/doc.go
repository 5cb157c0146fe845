// Package informers implements the factories that generated informer factories embed, and the
// informers of their kinds.
//
// A [Factory] has one informer per Go type of object, created on the first request for it, and
// runs it as long as it is in use: [Factory.StartWithContext] uses all requested informers until
// its context is done; [Factory.Acquire] uses one until it is released. An informer that is no
// longer in use is stopped.
//
// Getting an informer or a lister sends no request, and neither does reading from
// a lister: only Start and Acquire do.
//
// A program gets informers from a generated factory, adds its handlers, starts the factory, and
// waits until the informers have synced:
//
//	ctx, cancel := context.WithCancel(ctx)
//	factory := externalversions.NewSharedInformerFactory(client, 0)
//	defer factory.Shutdown() // waits until the informers have stopped, after cancel
//	defer cancel()
//	books := factory.Library().V1().Books()
//	if _, err := books.TypedInformer().AddTypedEventHandler(handler); err != nil {
//		return err
//	}
//	factory.StartWithContext(ctx)
//	if err := factory.WaitForCacheSyncWithContext(ctx).AsError(); err != nil {
//		return err
//	}
//	all, err := books.Lister().List(labels.Everything())
//
// A [Kind] describes a kind to the functions that generated informers consist of.
// [New] and [NewNamespaced] create the informers. [Options] configure what is listed
// and watched and how it is stored. A factory has options for all of its informers and for
// single types; [OptionsFor] merges them.
package informers
