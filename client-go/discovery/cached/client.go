package memory

import (
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
)

// NewMemCacheClient is [memory.NewMemCacheClient].
func NewMemCacheClient(delegate discovery.DiscoveryInterface) discovery.CachedDiscoveryInterface {
	return memory.NewMemCacheClient(delegate)
}
