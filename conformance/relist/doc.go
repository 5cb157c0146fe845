// Package relist runs client-go's informers and ours beside each other on a server whose
// objects change without a write.
//
// It has tests only.
package relist
