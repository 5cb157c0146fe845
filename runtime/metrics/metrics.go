package metrics

import (
	"context"
	"net/url"
	"time"
)

// DurationMetric observes durations.
type DurationMetric interface {
	Observe(duration time.Duration)
}

// ExpiryMetric is set to the time at which something expires; nil means never.
type ExpiryMetric interface {
	Set(expiry *time.Time)
}

// LatencyMetric observes the duration of requests, by verb and URL. In the URL, names, namespaces and values of
// parameters are replaced by placeholders, which keeps the number of URLs small.
type LatencyMetric interface {
	Observe(ctx context.Context, verb string, u url.URL, latency time.Duration)
}

// ResolverLatencyMetric observes the duration of host name lookups.
type ResolverLatencyMetric interface {
	Observe(ctx context.Context, host string, latency time.Duration)
}

// SizeMetric observes sizes of bodies in bytes, by verb and host.
type SizeMetric interface {
	Observe(ctx context.Context, verb string, host string, size float64)
}

// ResultMetric counts responses by status code, method and host. The code is "<error>" if there was no
// response.
type ResultMetric interface {
	Increment(ctx context.Context, code string, method string, host string)
}

// CallsMetric counts calls of credential plugins by exit code and result.
type CallsMetric interface {
	Increment(exitCode int, callStatus string)
}

// PolicyCallsMetric counts the checks whether a credential plugin may run: "allowed" or "denied".
type PolicyCallsMetric interface {
	Increment(status string)
}

// RetryMetric counts the responses to retried requests by status code, method and host.
type RetryMetric interface {
	IncrementRetry(ctx context.Context, code string, method string, host string)
}

// TransportCacheMetric observes the number of cached transports.
type TransportCacheMetric interface {
	Observe(value int)
}

// TransportCreateCallsMetric counts the requested transports by the result of the cache: "hit", "miss",
// "miss-gc" or "uncacheable".
type TransportCreateCallsMetric interface {
	Increment(result string)
}

// TransportCAReloadsMetric counts the attempts to reload a CA file by result and reason.
type TransportCAReloadsMetric interface {
	Increment(result, reason string)
}

// TransportCertRotationGCCallsMetric counts the certificate rotations that ended because their transport was no
// longer referenced.
type TransportCertRotationGCCallsMetric interface {
	Increment()
}

// TransportCacheGCCallsMetric counts the attempts to remove a cached transport that is no longer referenced:
// "deleted" or "skipped".
type TransportCacheGCCallsMetric interface {
	Increment(result string)
}

// The active metrics. [Register] sets them; they are never nil.
var (
	// ClientCertExpiry is the expiry of the client's certificate.
	ClientCertExpiry ExpiryMetric = unsetExpiry{}
	// ClientCertRotationAge is the age of the client's certificate when it was replaced.
	ClientCertRotationAge DurationMetric = unsetDuration{}
	// RequestLatency is the duration of requests, from first to last attempt and including their bodies.
	RequestLatency LatencyMetric = unsetLatency{}
	// ResolverLatency is the duration of host name lookups.
	ResolverLatency ResolverLatencyMetric = unsetResolverLatency{}
	// RequestSize is the size of request bodies.
	RequestSize SizeMetric = unsetSize{}
	// ResponseSize is the size of response bodies after decompression.
	ResponseSize SizeMetric = unsetSize{}
	// RateLimiterLatency is the time that requests wait for the client's own rate limiter.
	RateLimiterLatency LatencyMetric = unsetLatency{}
	// RequestResult counts the responses of all attempts.
	RequestResult ResultMetric = unsetResult{}
	// ExecPluginCalls counts the calls of credential plugins.
	ExecPluginCalls CallsMetric = unsetCalls{}
	// ExecPluginPolicyCalls counts the checks whether a credential plugin may run.
	ExecPluginPolicyCalls PolicyCallsMetric = unsetPolicyCalls{}
	// RequestRetry counts the attempts after the first.
	RequestRetry RetryMetric = unsetRetry{}
	// TransportCacheEntries is the number of cached transports.
	TransportCacheEntries TransportCacheMetric = unsetTransportCache{}
	// TransportCreateCalls counts the requested transports.
	TransportCreateCalls TransportCreateCallsMetric = unsetTransportCreateCalls{}
	// TransportCAReloads counts the attempts to reload a CA file.
	TransportCAReloads TransportCAReloadsMetric = unsetTransportCAReloads{}
	// TransportCertRotationGCCalls counts the certificate rotations that ended.
	TransportCertRotationGCCalls TransportCertRotationGCCallsMetric = unsetTransportCertRotationGCCalls{}
	// TransportCacheGCCalls counts the attempts to remove cached transports.
	TransportCacheGCCalls TransportCacheGCCallsMetric = unsetTransportCacheGCCalls{}
)
