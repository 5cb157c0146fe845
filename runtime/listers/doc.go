// Package listers provides the generic listers behind generated ones: they read objects of
// one type, of one namespace or of all, from an indexer. [All] and [ByIndex] work on every
// generated lister.
package listers
