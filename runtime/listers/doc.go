// Package listers holds what emitted listers are made of: reading objects of one type,
// and of one namespace or all, from an indexer.
package listers
