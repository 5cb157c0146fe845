package controllerruntime

import (
	theirs "k8s.io/client-go/tools/metrics"

	"github.com/listwatch/listwatch/runtime/metrics"
)

// The metrics of requests are those that client-go has, unless the program has registered others before. The package
// sigs.k8s.io/controller-runtime/pkg/metrics, which was initialized before this one, has registered its own there.
func init() {
	metrics.Register(metrics.RegisterOpts{
		ClientCertExpiry:             theirs.ClientCertExpiry,
		ClientCertRotationAge:        theirs.ClientCertRotationAge,
		RequestLatency:               theirs.RequestLatency,
		ResolverLatency:              theirs.ResolverLatency,
		RequestSize:                  theirs.RequestSize,
		ResponseSize:                 theirs.ResponseSize,
		RateLimiterLatency:           theirs.RateLimiterLatency,
		RequestResult:                theirs.RequestResult,
		ExecPluginCalls:              theirs.ExecPluginCalls,
		ExecPluginPolicyCalls:        theirs.ExecPluginPolicyCalls,
		RequestRetry:                 theirs.RequestRetry,
		TransportCacheEntries:        theirs.TransportCacheEntries,
		TransportCreateCalls:         theirs.TransportCreateCalls,
		TransportCAReloads:           theirs.TransportCAReloads,
		TransportCertRotationGCCalls: theirs.TransportCertRotationGCCalls,
		TransportCacheGCCalls:        theirs.TransportCacheGCCalls,
		RegisterFn:                   theirs.EnsureRegistered,
	})
}
