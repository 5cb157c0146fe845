// Package metadatalister reads the metadata of objects from the indexer of an informer.
//
// Objects that are returned belong to the informer: do not modify them.
package metadatalister
