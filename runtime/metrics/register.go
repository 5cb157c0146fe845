package metrics

import "sync"

// RegisterOpts contains the metrics to register. A nil metric leaves the active one unchanged.
type RegisterOpts struct {
	ClientCertExpiry             ExpiryMetric
	ClientCertRotationAge        DurationMetric
	RequestLatency               LatencyMetric
	ResolverLatency              ResolverLatencyMetric
	RequestSize                  SizeMetric
	ResponseSize                 SizeMetric
	RateLimiterLatency           LatencyMetric
	RequestResult                ResultMetric
	ExecPluginCalls              CallsMetric
	ExecPluginPolicyCalls        PolicyCallsMetric
	RequestRetry                 RetryMetric
	TransportCacheEntries        TransportCacheMetric
	TransportCreateCalls         TransportCreateCallsMetric
	TransportCAReloads           TransportCAReloadsMetric
	TransportCertRotationGCCalls TransportCertRotationGCCallsMetric
	TransportCacheGCCalls        TransportCacheGCCallsMetric

	// RegisterFn is called once, by the first [EnsureRegistered]. It does what an adapter could not do yet when
	// it called [Register], such as reading flags.
	RegisterFn func()
}

var (
	registerOnce sync.Once
	ensureOnce   sync.Once
	registerFn   func() // set by Register, which happens before all calls of EnsureRegistered
)

// Register sets the active metrics. Only the first call in a process has an effect.
func Register(opts RegisterOpts) {
	registerOnce.Do(func() {
		set(&ClientCertExpiry, opts.ClientCertExpiry)
		set(&ClientCertRotationAge, opts.ClientCertRotationAge)
		set(&RequestLatency, opts.RequestLatency)
		set(&ResolverLatency, opts.ResolverLatency)
		set(&RequestSize, opts.RequestSize)
		set(&ResponseSize, opts.ResponseSize)
		set(&RateLimiterLatency, opts.RateLimiterLatency)
		set(&RequestResult, opts.RequestResult)
		set(&ExecPluginCalls, opts.ExecPluginCalls)
		set(&ExecPluginPolicyCalls, opts.ExecPluginPolicyCalls)
		set(&RequestRetry, opts.RequestRetry)
		set(&TransportCacheEntries, opts.TransportCacheEntries)
		set(&TransportCreateCalls, opts.TransportCreateCalls)
		set(&TransportCAReloads, opts.TransportCAReloads)
		set(&TransportCertRotationGCCalls, opts.TransportCertRotationGCCalls)
		set(&TransportCacheGCCalls, opts.TransportCacheGCCalls)
		registerFn = opts.RegisterFn
	})
}

// set replaces the active metric by another of the same interface, unless that is nil.
func set[M comparable](inUse *M, metric M) {
	var none M
	if metric != none {
		*inUse = metric
	}
}

// EnsureRegistered calls the registered RegisterFn, if any, the first time it is called. All constructors of
// clients, transports and credential providers call it first.
func EnsureRegistered() {
	if registerFn != nil {
		ensureOnce.Do(registerFn)
	}
}
