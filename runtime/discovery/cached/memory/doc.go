// Package memory caches what a discovery client returns, in memory.
//
// [NewMemCacheClient] wraps a client. The first call that needs the server's groups and resources requests all
// of them; later calls are answered from the cache until Invalidate is called. Concurrent calls wait for one
// set of requests. The server's version is not cached.
//
// A group version that is not in the cache is [ErrCacheNotFound], without a request. One whose request failed
// in a way that may pass (no connection, a server error, too many requests, an ended context) is requested
// again when it is asked for; another failure is cached like a result.
//
// # Limits
//
// Nothing expires. Results share memory with the cache, so callers must not modify them.
package memory
