// Package metadatainformer keeps copies of the metadata of objects up to date: it creates shared informers on a
// metadata client, by resource. It is used like package dynamicinformer.
//
// The objects of events and listers are *metav1.PartialObjectMetadata, and belong to the informer: do not modify them.
// Package cache documents what informers guarantee.
package metadatainformer
