package prometheus

import (
	"context"
	"math"
	"net/url"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/listwatch/listwatch/runtime/metrics"
)

// client contains the metrics of clients and their transports.
type client struct {
	requestDuration      *prometheus.HistogramVec
	resolutionDuration   *prometheus.HistogramVec
	requestSize          *prometheus.HistogramVec
	responseSize         *prometheus.HistogramVec
	rateLimiterDuration  *prometheus.HistogramVec
	requests             *prometheus.CounterVec
	retries              *prometheus.CounterVec
	certExpiry           *expiry
	certTTL              prometheus.GaugeFunc
	certRotationAge      prometheus.Histogram
	pluginCalls          *prometheus.CounterVec
	pluginPolicyCalls    *prometheus.CounterVec
	transports           prometheus.Gauge
	transportCalls       *prometheus.CounterVec
	transportCAReloads   *prometheus.CounterVec
	transportRotationEnd prometheus.Counter
	transportsDropped    *prometheus.CounterVec
}

// namespace is the prefix of the names of all metrics of clients.
const namespace = "rest_client"

func newClient() *client {
	durations := []float64{0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60}
	sizes := []float64{64, 256, 512, 1 << 10, 4 << 10, 16 << 10, 64 << 10, 256 << 10, 1 << 20, 4 << 20, 16 << 20}
	const hour, day = 3600, 24 * 3600
	ages := []float64{hour / 6, hour / 2, hour, 4 * hour, day, 7 * day, 30 * day, 90 * day, 180 * day, 360 * day, 4 * 360 * day}

	e := &expiry{}
	return &client{
		requestDuration: histograms("request_duration_seconds", durations,
			"How long requests take, with all attempts.", "verb", "host"),
		resolutionDuration: histograms("dns_resolution_duration_seconds", durations[:len(durations)-1],
			"Duration of host name lookups.", "host"),
		requestSize: histograms("request_size_bytes", sizes,
			"Size of request bodies.", "verb", "host"),
		responseSize: histograms("response_size_bytes", sizes,
			"Size of response bodies after decompression.", "verb", "host"),
		rateLimiterDuration: histograms("rate_limiter_duration_seconds", durations,
			"Time that requests wait for the client's own rate limiter.", "verb", "host"),
		requests: counters("requests_total",
			"Responses to all attempts by status code. The code is <error> if there was no response.", "code", "method", "host"),
		retries: counters("request_retries_total",
			"Responses to retries by status code.", "code", "verb", "host"),
		certExpiry: e,
		certTTL: prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Namespace: namespace, Name: "exec_plugin_ttl_seconds",
			Help: "Time until the client certificate of a credential plugin expires: " +
				"the shortest one, negative if it has expired, and +Inf if there is none.",
		}, e.left),
		certRotationAge: prometheus.NewHistogram(prometheus.HistogramOpts{
			Namespace: namespace, Name: "exec_plugin_certificate_rotation_age", Buckets: ages,
			Help: "Age of client certificates of credential plugins when they are replaced, in seconds.",
		}),
		pluginCalls: counters("exec_plugin_call_total",
			"Calls of credential plugins by exit code and result.", "code", "call_status"),
		pluginPolicyCalls: counters("exec_plugin_policy_call_total",
			"Checks whether a credential plugin may run, by result.", "status"),
		transports: prometheus.NewGauge(prometheus.GaugeOpts{
			Namespace: namespace, Name: "transport_cache_entries",
			Help: "Number of cached transports.",
		}),
		transportCalls: counters("transport_create_calls_total",
			"Requested transports by the result of the cache: hit, miss, miss-gc, uncacheable.", "result"),
		transportCAReloads: counters("transport_ca_reload_total",
			"Attempts to reload CA files, by result and reason.", "result", "reason"),
		transportRotationEnd: prometheus.NewCounter(prometheus.CounterOpts{
			Namespace: namespace, Name: "transport_cert_rotation_gc_calls_total",
			Help: "Certificate rotations that ended because their transport was no longer referenced.",
		}),
		transportsDropped: counters("transport_cache_gc_calls_total",
			"Attempts to remove cached transports that are no longer referenced: deleted, skipped.", "result"),
	}
}

func histograms(name string, buckets []float64, help string, labels ...string) *prometheus.HistogramVec {
	return prometheus.NewHistogramVec(
		prometheus.HistogramOpts{Namespace: namespace, Name: name, Help: help, Buckets: buckets}, labels)
}

func counters(name, help string, labels ...string) *prometheus.CounterVec {
	return prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: namespace, Name: name, Help: help}, labels)
}

func (c *client) collectors() []prometheus.Collector {
	return []prometheus.Collector{
		c.requestDuration, c.resolutionDuration, c.requestSize, c.responseSize, c.rateLimiterDuration,
		c.requests, c.retries, c.certTTL, c.certRotationAge, c.pluginCalls, c.pluginPolicyCalls,
		c.transports, c.transportCalls, c.transportCAReloads, c.transportRotationEnd, c.transportsDropped,
	}
}

func (c *client) opts() metrics.RegisterOpts {
	return metrics.RegisterOpts{
		ClientCertExpiry:             c.certExpiry,
		ClientCertRotationAge:        age{c.certRotationAge},
		RequestLatency:               latency{c.requestDuration},
		ResolverLatency:              resolution{c.resolutionDuration},
		RequestSize:                  size{c.requestSize},
		ResponseSize:                 size{c.responseSize},
		RateLimiterLatency:           latency{c.rateLimiterDuration},
		RequestResult:                results{c.requests},
		ExecPluginCalls:              calls{c.pluginCalls},
		ExecPluginPolicyCalls:        one{c.pluginPolicyCalls},
		RequestRetry:                 retries{c.retries},
		TransportCacheEntries:        entries{c.transports},
		TransportCreateCalls:         one{c.transportCalls},
		TransportCAReloads:           two{c.transportCAReloads},
		TransportCertRotationGCCalls: none{c.transportRotationEnd},
		TransportCacheGCCalls:        one{c.transportsDropped},
	}
}

// expiry is the expiry of the client certificate, nil for never.
type expiry struct{ at atomic.Pointer[time.Time] }

func (e *expiry) Set(at *time.Time) { e.at.Store(at) }

// left returns the seconds until then.
func (e *expiry) left() float64 {
	at := e.at.Load()
	if at == nil {
		return math.Inf(1)
	}
	return time.Until(*at).Seconds()
}

// What follows has the shapes of runtime/metrics.
type (
	age        struct{ to prometheus.Observer }
	latency    struct{ to *prometheus.HistogramVec }
	resolution struct{ to *prometheus.HistogramVec }
	size       struct{ to *prometheus.HistogramVec }
	results    struct{ to *prometheus.CounterVec }
	retries    struct{ to *prometheus.CounterVec }
	calls      struct{ to *prometheus.CounterVec }
	entries    struct{ to prometheus.Gauge }
	none       struct{ to prometheus.Counter } // without labels, with one, with two
	one        struct{ to *prometheus.CounterVec }
	two        struct{ to *prometheus.CounterVec }
)

func (m age) Observe(d time.Duration) { m.to.Observe(d.Seconds()) }

func (m latency) Observe(_ context.Context, verb string, u url.URL, d time.Duration) {
	m.to.WithLabelValues(verb, u.Host).Observe(d.Seconds())
}

func (m resolution) Observe(_ context.Context, host string, d time.Duration) {
	m.to.WithLabelValues(host).Observe(d.Seconds())
}

func (m size) Observe(_ context.Context, verb, host string, bytes float64) {
	m.to.WithLabelValues(verb, host).Observe(bytes)
}

func (m results) Increment(_ context.Context, code, method, host string) {
	m.to.WithLabelValues(code, method, host).Inc()
}

func (m retries) IncrementRetry(_ context.Context, code, verb, host string) {
	m.to.WithLabelValues(code, verb, host).Inc()
}

func (m calls) Increment(exitCode int, status string) {
	m.to.WithLabelValues(strconv.Itoa(exitCode), status).Inc()
}

func (m entries) Observe(n int) { m.to.Set(float64(n)) }

func (m none) Increment()                    { m.to.Inc() }
func (m one) Increment(value string)         { m.to.WithLabelValues(value).Inc() }
func (m two) Increment(first, second string) { m.to.WithLabelValues(first, second).Inc() }
