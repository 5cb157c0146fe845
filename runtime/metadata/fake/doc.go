// Package fake is a metadata client for tests: it needs no server, records the actions that it receives, and
// answers them from memory or with reactors.
//
// # Operations
//
// [NewSimpleMetadataClient] stores objects as they are given, as client-go's does; package testing documents the
// rules. Reactors are added and actions read with the methods of the embedded [testing.Fake]. What Resource returns is
// a [MetadataClient], which can also create and update.
//
// # Limits
//
// All objects are *metav1.PartialObjectMetadata with the kind of the object. As in client-go, actions do not contain
// the options of calls, except those of Delete, and the selectors of lists and watches. Clients are safe for concurrent
// use. Objects are copied on their way in and out.
package fake
