package metrics_test

import (
	"context"
	"net/url"
	"reflect"
	"testing"
	"time"

	"github.com/listwatch/listwatch/runtime/metrics"
)

// all are the metrics in use, by the names of their fields in RegisterOpts.
func all() map[string]any {
	return map[string]any{
		"ClientCertExpiry":             metrics.ClientCertExpiry,
		"ClientCertRotationAge":        metrics.ClientCertRotationAge,
		"RequestLatency":               metrics.RequestLatency,
		"ResolverLatency":              metrics.ResolverLatency,
		"RequestSize":                  metrics.RequestSize,
		"ResponseSize":                 metrics.ResponseSize,
		"RateLimiterLatency":           metrics.RateLimiterLatency,
		"RequestResult":                metrics.RequestResult,
		"ExecPluginCalls":              metrics.ExecPluginCalls,
		"ExecPluginPolicyCalls":        metrics.ExecPluginPolicyCalls,
		"RequestRetry":                 metrics.RequestRetry,
		"TransportCacheEntries":        metrics.TransportCacheEntries,
		"TransportCreateCalls":         metrics.TransportCreateCalls,
		"TransportCAReloads":           metrics.TransportCAReloads,
		"TransportCertRotationGCCalls": metrics.TransportCertRotationGCCalls,
		"TransportCacheGCCalls":        metrics.TransportCacheGCCalls,
	}
}

type (
	duration  struct{ name string }
	expiry    struct{ name string }
	latency   struct{ name string }
	resolver  struct{ name string }
	size      struct{ name string }
	result    struct{ name string }
	calls     struct{ name string }
	policy    struct{ name string }
	retry     struct{ name string }
	entries   struct{ name string }
	creations struct{ name string }
	reloads   struct{ name string }
	ends      struct{ name string }
)

func (duration) Observe(time.Duration)                                  {}
func (expiry) Set(*time.Time)                                           {}
func (latency) Observe(context.Context, string, url.URL, time.Duration) {}
func (resolver) Observe(context.Context, string, time.Duration)         {}
func (size) Observe(context.Context, string, string, float64)           {}
func (result) Increment(context.Context, string, string, string)        {}
func (calls) Increment(int, string)                                     {}
func (policy) Increment(string)                                         {}
func (retry) IncrementRetry(context.Context, string, string, string)    {}
func (entries) Observe(int)                                             {}
func (creations) Increment(string)                                      {}
func (reloads) Increment(string, string)                                {}
func (ends) Increment()                                                 {}

// TestRegister is one test, as a process can register once.
func TestRegister(t *testing.T) {
	for name, metric := range all() {
		if metric == nil || metrics.IsSet(metric) {
			t.Errorf("%s is %v before any was registered", name, metric)
		}
	}
	discard(t)
	metrics.EnsureRegistered() // there is nothing to call

	called := 0
	opts := metrics.RegisterOpts{
		ClientCertExpiry:             expiry{"ClientCertExpiry"},
		ClientCertRotationAge:        duration{"ClientCertRotationAge"},
		RequestLatency:               latency{"RequestLatency"},
		ResolverLatency:              resolver{"ResolverLatency"},
		RequestSize:                  size{"RequestSize"},
		RateLimiterLatency:           latency{"RateLimiterLatency"},
		RequestResult:                result{"RequestResult"},
		ExecPluginCalls:              calls{"ExecPluginCalls"},
		ExecPluginPolicyCalls:        policy{"ExecPluginPolicyCalls"},
		RequestRetry:                 retry{"RequestRetry"},
		TransportCacheEntries:        entries{"TransportCacheEntries"},
		TransportCreateCalls:         creations{"TransportCreateCalls"},
		TransportCAReloads:           reloads{"TransportCAReloads"},
		TransportCertRotationGCCalls: ends{"TransportCertRotationGCCalls"},
		TransportCacheGCCalls:        creations{"TransportCacheGCCalls"},
		RegisterFn:                   func() { called++ },
	}
	metrics.Register(opts)
	for name, metric := range all() {
		if name == "ResponseSize" { // which was not registered
			if metrics.IsSet(metric) {
				t.Errorf("%s is %v", name, metric)
			}
			continue
		}
		if !metrics.IsSet(metric) || reflect.ValueOf(metric).Field(0).String() != name {
			t.Errorf("%s is %v", name, metric)
		}
	}

	if called != 0 {
		t.Error("RegisterFn was called by Register")
	}
	metrics.EnsureRegistered()
	metrics.EnsureRegistered()
	if called != 1 {
		t.Errorf("RegisterFn was called %d times", called)
	}

	metrics.Register(metrics.RegisterOpts{ResponseSize: size{"late"}, RegisterFn: func() { t.Error("the second RegisterFn was called") }})
	metrics.EnsureRegistered()
	if metrics.IsSet(metrics.ResponseSize) {
		t.Error("the second Register had an effect")
	}
}

// discard tells all metrics something.
func discard(t *testing.T) {
	ctx := t.Context()
	metrics.ClientCertExpiry.Set(nil)
	metrics.ClientCertRotationAge.Observe(1)
	metrics.RequestLatency.Observe(ctx, "GET", url.URL{}, 1)
	metrics.ResolverLatency.Observe(ctx, "host", 1)
	metrics.RequestSize.Observe(ctx, "GET", "host", 1)
	metrics.RequestResult.Increment(ctx, "200", "GET", "host")
	metrics.ExecPluginCalls.Increment(1, "no")
	metrics.ExecPluginPolicyCalls.Increment("allowed")
	metrics.RequestRetry.IncrementRetry(ctx, "200", "GET", "host")
	metrics.TransportCacheEntries.Observe(1)
	metrics.TransportCreateCalls.Increment("hit")
	metrics.TransportCAReloads.Increment("success", "changed")
	metrics.TransportCertRotationGCCalls.Increment()
	metrics.TransportCacheGCCalls.Increment("deleted")
}
