package metrics

import (
	"context"
	"net/url"
	"time"
)

// IsSet reports whether the active metric was registered. Otherwise its values need not be computed.
func IsSet(metric any) bool {
	_, discards := metric.(interface{ discards() })
	return !discards
}

// unset marks the metrics that are active before others are registered.
type unset struct{}

func (unset) discards() {}

type (
	unsetDuration                     struct{ unset }
	unsetExpiry                       struct{ unset }
	unsetLatency                      struct{ unset }
	unsetResolverLatency              struct{ unset }
	unsetSize                         struct{ unset }
	unsetResult                       struct{ unset }
	unsetCalls                        struct{ unset }
	unsetPolicyCalls                  struct{ unset }
	unsetRetry                        struct{ unset }
	unsetTransportCache               struct{ unset }
	unsetTransportCreateCalls         struct{ unset }
	unsetTransportCAReloads           struct{ unset }
	unsetTransportCertRotationGCCalls struct{ unset }
	unsetTransportCacheGCCalls        struct{ unset }
)

func (unsetDuration) Observe(time.Duration)                                  {}
func (unsetExpiry) Set(*time.Time)                                           {}
func (unsetLatency) Observe(context.Context, string, url.URL, time.Duration) {}
func (unsetResolverLatency) Observe(context.Context, string, time.Duration)  {}
func (unsetSize) Observe(context.Context, string, string, float64)           {}
func (unsetResult) Increment(context.Context, string, string, string)        {}
func (unsetCalls) Increment(int, string)                                     {}
func (unsetPolicyCalls) Increment(string)                                    {}
func (unsetRetry) IncrementRetry(context.Context, string, string, string)    {}
func (unsetTransportCache) Observe(int)                                      {}
func (unsetTransportCreateCalls) Increment(string)                           {}
func (unsetTransportCAReloads) Increment(string, string)                     {}
func (unsetTransportCertRotationGCCalls) Increment()                         {}
func (unsetTransportCacheGCCalls) Increment(string)                          {}
