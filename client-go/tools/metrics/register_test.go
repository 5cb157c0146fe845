package metrics_test

import (
	"context"
	"net/url"
	"reflect"
	"testing"
	"time"

	listwatch "github.com/listwatch/listwatch/runtime/metrics"

	"k8s.io/client-go/tools/metrics"
)

// all are the variables of both packages in the order of the fields of RegisterOpts.
func all() (here, runtime []any) {
	return []any{
			metrics.ClientCertExpiry, metrics.ClientCertRotationAge, metrics.RequestLatency, metrics.ResolverLatency,
			metrics.RequestSize, metrics.ResponseSize, metrics.RateLimiterLatency, metrics.RequestResult, metrics.ExecPluginCalls,
			metrics.ExecPluginPolicyCalls, metrics.RequestRetry, metrics.TransportCacheEntries, metrics.TransportCreateCalls,
			metrics.TransportCAReloads, metrics.TransportCertRotationGCCalls, metrics.TransportCacheGCCalls,
		}, []any{
			listwatch.ClientCertExpiry, listwatch.ClientCertRotationAge, listwatch.RequestLatency, listwatch.ResolverLatency,
			listwatch.RequestSize, listwatch.ResponseSize, listwatch.RateLimiterLatency, listwatch.RequestResult, listwatch.ExecPluginCalls,
			listwatch.ExecPluginPolicyCalls, listwatch.RequestRetry, listwatch.TransportCacheEntries, listwatch.TransportCreateCalls,
			listwatch.TransportCAReloads, listwatch.TransportCertRotationGCCalls, listwatch.TransportCacheGCCalls,
		}
}

// metric implements all metrics.
type metric struct{ calls int }

func (*metric) Set(*time.Time)                                           {}
func (*metric) Increment(context.Context, string, string, string)        {}
func (m *metric) IncrementRetry(context.Context, string, string, string) { m.calls++ }
func (*metric) Observe(context.Context, string, url.URL, time.Duration)  {}
func (*metric) SetEntries(int)                                           {}

// A program that calls the variables, as tests of adapters do, calls what is registered.
func TestRegister(t *testing.T) {
	m := &metric{}
	opts := metrics.RegisterOpts{RequestRetry: m, RequestLatency: m, RateLimiterLatency: m}
	metrics.Register(opts)
	metrics.Register(metrics.RegisterOpts{RequestRetry: &metric{}})
	metrics.RequestRetry.IncrementRetry(t.Context(), "503", "GET", "example.test")
	if m.calls != 1 {
		t.Errorf("%d calls, want 1", m.calls)
	}
	here, runtime := all()
	fields := reflect.TypeFor[metrics.RegisterOpts]().NumField() - 1 // RegisterFn
	if len(here) != fields {
		t.Errorf("%d variables, want %d", len(here), fields)
	}
	for i := range here {
		if here[i] != runtime[i] {
			t.Errorf("variable %d is %v, in the runtime %v", i, here[i], runtime[i])
		}
	}
}
