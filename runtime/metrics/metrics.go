package metrics

import (
	"context"
	"net/url"
	"time"
)

// DurationMetric observes lengths of time.
type DurationMetric interface {
	Observe(duration time.Duration)
}

// ExpiryMetric is set to the time at which something expires; nil says that it does not.
type ExpiryMetric interface {
	Set(expiry *time.Time)
}

// LatencyMetric observes how long requests take, by verb and by URL. In the URL, names, namespaces and
// values of parameters are replaced by placeholders, so that there are few of them.
type LatencyMetric interface {
	Observe(ctx context.Context, verb string, u url.URL, latency time.Duration)
}

// ResolverLatencyMetric observes how long the names of hosts take to be resolved.
type ResolverLatencyMetric interface {
	Observe(ctx context.Context, host string, latency time.Duration)
}

// SizeMetric observes sizes of bodies in bytes, by verb and host.
type SizeMetric interface {
	Observe(ctx context.Context, verb string, host string, size float64)
}

// ResultMetric counts answers by status code, method and host. The code is "<error>" where no answer came.
type ResultMetric interface {
	Increment(ctx context.Context, code string, method string, host string)
}

// CallsMetric counts calls of credential plugins by their exit code and how the call went.
type CallsMetric interface {
	Increment(exitCode int, callStatus string)
}

// PolicyCallsMetric counts the checks of whether a credential plugin may run: "allowed" or "denied".
type PolicyCallsMetric interface {
	Increment(status string)
}

// RetryMetric counts the answers to repeated requests by status code, method and host.
type RetryMetric interface {
	IncrementRetry(ctx context.Context, code string, method string, host string)
}

// TransportCacheMetric observes how many transports are cached.
type TransportCacheMetric interface {
	Observe(value int)
}

// TransportCreateCallsMetric counts the transports asked for by what the cache did: "hit", "miss",
// "miss-gc" or "uncacheable".
type TransportCreateCallsMetric interface {
	Increment(result string)
}

// TransportCAReloadsMetric counts the attempts to read a CA file again by result and reason.
type TransportCAReloadsMetric interface {
	Increment(result, reason string)
}

// TransportCertRotationGCCallsMetric counts the rotations of certificates that were ended because
// nobody used their transport any more.
type TransportCertRotationGCCallsMetric interface {
	Increment()
}

// TransportCacheGCCallsMetric counts the attempts to drop a cached transport that nobody uses any more:
// "deleted" or "skipped".
type TransportCacheGCCallsMetric interface {
	Increment(result string)
}

// The metrics in use. They are set by [Register]; none is ever nil.
var (
	// ClientCertExpiry is when the client's certificate expires.
	ClientCertExpiry ExpiryMetric = unsetExpiry{}
	// ClientCertRotationAge is how old the client's certificate was when it was replaced.
	ClientCertRotationAge DurationMetric = unsetDuration{}
	// RequestLatency is how long requests take, from first to last attempt and with their bodies.
	RequestLatency LatencyMetric = unsetLatency{}
	// ResolverLatency is how long DNS takes.
	ResolverLatency ResolverLatencyMetric = unsetResolverLatency{}
	// RequestSize is the size of the bodies sent.
	RequestSize SizeMetric = unsetSize{}
	// ResponseSize is the size of the bodies received, decompressed.
	ResponseSize SizeMetric = unsetSize{}
	// RateLimiterLatency is how long requests wait for the client's own rate limiter.
	RateLimiterLatency LatencyMetric = unsetLatency{}
	// RequestResult counts the answers, each attempt for itself.
	RequestResult ResultMetric = unsetResult{}
	// ExecPluginCalls counts the calls of credential plugins.
	ExecPluginCalls CallsMetric = unsetCalls{}
	// ExecPluginPolicyCalls counts the checks of whether a credential plugin may run.
	ExecPluginPolicyCalls PolicyCallsMetric = unsetPolicyCalls{}
	// RequestRetry counts the attempts after the first.
	RequestRetry RetryMetric = unsetRetry{}
	// TransportCacheEntries is how many transports are cached.
	TransportCacheEntries TransportCacheMetric = unsetTransportCache{}
	// TransportCreateCalls counts the transports asked for.
	TransportCreateCalls TransportCreateCallsMetric = unsetTransportCreateCalls{}
	// TransportCAReloads counts the attempts to read a CA file again.
	TransportCAReloads TransportCAReloadsMetric = unsetTransportCAReloads{}
	// TransportCertRotationGCCalls counts the rotations of certificates that were ended.
	TransportCertRotationGCCalls TransportCertRotationGCCallsMetric = unsetTransportCertRotationGCCalls{}
	// TransportCacheGCCalls counts the attempts to drop cached transports.
	TransportCacheGCCalls TransportCacheGCCallsMetric = unsetTransportCacheGCCalls{}
)
