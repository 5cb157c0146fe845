package metrics

import (
	"sync"

	listwatch "github.com/listwatch/listwatch/runtime/metrics"
)

var registerOnce sync.Once

// Register sets the active metrics, and the variables here. Only the first call in a process has an effect.
func Register(opts RegisterOpts) {
	registerOnce.Do(func() {
		listwatch.Register(opts)
		ClientCertExpiry = listwatch.ClientCertExpiry
		ClientCertRotationAge = listwatch.ClientCertRotationAge
		RequestLatency = listwatch.RequestLatency
		ResolverLatency = listwatch.ResolverLatency
		RequestSize = listwatch.RequestSize
		ResponseSize = listwatch.ResponseSize
		RateLimiterLatency = listwatch.RateLimiterLatency
		RequestResult = listwatch.RequestResult
		ExecPluginCalls = listwatch.ExecPluginCalls
		ExecPluginPolicyCalls = listwatch.ExecPluginPolicyCalls
		RequestRetry = listwatch.RequestRetry
		TransportCacheEntries = listwatch.TransportCacheEntries
		TransportCreateCalls = listwatch.TransportCreateCalls
		TransportCAReloads = listwatch.TransportCAReloads
		TransportCertRotationGCCalls = listwatch.TransportCertRotationGCCalls
		TransportCacheGCCalls = listwatch.TransportCacheGCCalls
	})
}
