// Package dynamicinformer keeps copies of untyped objects up to date: it creates shared informers on a dynamic
// client, by resource.
//
//	factory := dynamicinformer.NewDynamicSharedInformerFactory(client, 0)
//	books := factory.ForResource(schema.GroupVersionResource{Group: "library.dev", Version: "v1", Resource: "books"})
//	_, err := books.Informer().AddEventHandler(handler)
//	...
//	factory.Start(ctx.Done())
//	factory.WaitForCacheSync(ctx.Done())
//
// The objects of events and listers are *unstructured.Unstructured, and belong to the informer: do not modify them.
// A list is decoded object by object while it arrives. Package cache documents what informers guarantee.
package dynamicinformer
