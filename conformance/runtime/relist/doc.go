// Package relist compares client-go's informers with ours on a server whose objects change without
// a write.
//
// It contains only tests.
package relist
