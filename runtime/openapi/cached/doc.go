// Package cached keeps a server's OpenAPI v3 documents in memory.
//
// [NewClient] wraps a client. The index and each document are requested once, when they are first asked for,
// and never again: a client that is to see changes is replaced by a new one. Failed requests are not cached.
package cached
