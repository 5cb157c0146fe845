package rest_test

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/listwatch/listwatch/runtime/flowcontrol"
	"github.com/listwatch/listwatch/runtime/metrics"
	"github.com/listwatch/listwatch/runtime/rest"
)

// observed records the values of metrics, without times.
type observed struct {
	mu  sync.Mutex // guards got
	got []string
}

func (o *observed) add(format string, args ...any) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.got = append(o.got, fmt.Sprintf(format, args...))
}

// metric is one of them, by its name.
type metric struct {
	*observed
	name string
}

type (
	latency  metric
	resolver metric
	size     metric
	result   metric
)

func (m latency) Observe(_ context.Context, verb string, u url.URL, _ time.Duration) {
	m.add("%s %s %s", m.name, verb, u.String())
}

func (m resolver) Observe(_ context.Context, host string, _ time.Duration) {
	m.add("%s %s", m.name, host)
}

func (m size) Observe(_ context.Context, verb, host string, size float64) {
	m.add("%s %s %s %v", m.name, verb, host, size)
}

func (m result) Increment(_ context.Context, code, method, host string) {
	m.add("%s %s %s %s", m.name, code, method, host)
}

func (m result) IncrementRetry(_ context.Context, code, method, host string) {
	m.add("%s %s %s %s", m.name, code, method, host)
}

// observe replaces the metrics for a test.
func observe(t *testing.T) *observed {
	o := &observed{}
	replace(t, &metrics.RequestLatency, metrics.LatencyMetric(latency{o, "latency"}))
	replace(t, &metrics.RateLimiterLatency, metrics.LatencyMetric(latency{o, "limiter"}))
	replace(t, &metrics.ResolverLatency, metrics.ResolverLatencyMetric(resolver{o, "resolver"}))
	replace(t, &metrics.RequestSize, metrics.SizeMetric(size{o, "sent"}))
	replace(t, &metrics.ResponseSize, metrics.SizeMetric(size{o, "received"}))
	replace(t, &metrics.RequestResult, metrics.ResultMetric(result{o, "result"}))
	replace(t, &metrics.RequestRetry, metrics.RetryMetric(result{o, "retry"}))
	return o
}

func replace[M any](t *testing.T, inUse *M, metric M) {
	before := *inUse
	*inUse = metric
	t.Cleanup(func() { *inUse = before })
}

func TestMetrics(t *testing.T) {
	ok := answerJSON(gadgetJSON)
	length := len(gadgetJSON)
	for _, test := range []struct {
		name    string
		way     string
		set     func(*rest.Request) *rest.Request
		answers []http.HandlerFunc
		want    []string
	}{
		{"Do", "Do", nil, []http.HandlerFunc{ok}, []string{
			"sent PUT HOST 4", "result 200 PUT HOST", "latency PUT http://HOST/apis/test.dev/v1/namespaces/%7Bnamespace%7D/gadgets/%7Bname%7D?a=%7Bvalue%7D", fmt.Sprintf("received PUT HOST %d", length),
		}},
		{"DoInto", "DoInto", nil, []http.HandlerFunc{ok}, []string{
			"sent PUT HOST 4", "result 200 PUT HOST", "latency PUT http://HOST/apis/test.dev/v1/namespaces/%7Bnamespace%7D/gadgets/%7Bname%7D?a=%7Bvalue%7D", fmt.Sprintf("received PUT HOST %d", length),
		}},
		{"DoRaw", "DoRaw", nil, []http.HandlerFunc{ok}, []string{
			"sent PUT HOST 4", "result 200 PUT HOST", "latency PUT http://HOST/apis/test.dev/v1/namespaces/%7Bnamespace%7D/gadgets/%7Bname%7D?a=%7Bvalue%7D", fmt.Sprintf("received PUT HOST %d", length),
		}},
		{"Stream", "Stream", nil, []http.HandlerFunc{ok}, []string{"result 200 PUT HOST"}},
		{"Watch", "Watch", nil, []http.HandlerFunc{answerJSON("")}, []string{"result 200 PUT HOST"}},
		{"repetition", "Stream", nil, []http.HandlerFunc{busy(429, "1"), ok}, []string{"result 429 PUT HOST", "result 200 PUT HOST", "retry 200 PUT HOST"}},
		{"connection lost", "Stream", nil, []http.HandlerFunc{hangUp}, []string{"result <error> PUT HOST"}},
		{"limiter", "Stream", func(r *rest.Request) *rest.Request { return r.Throttle(flowcontrol.NewFakeAlwaysRateLimiter()) }, []http.HandlerFunc{ok}, []string{
			"limiter PUT http://HOST/apis/test.dev/v1/namespaces/%7Bnamespace%7D/gadgets/%7Bname%7D?a=%7Bvalue%7D", "result 200 PUT HOST",
		}},
		{"error in setting up", "Do", func(r *rest.Request) *rest.Request { return r.Name("again") }, []http.HandlerFunc{ok}, []string{
			"latency PUT http://HOST/apis/test.dev/v1/namespaces/%7Bnamespace%7D/gadgets/%7Bname%7D?a=%7Bvalue%7D",
		}},
		{"body that is cut", "DoInto", nil, []http.HandlerFunc{cut("application/json", gadgetJSON[:10])}, []string{
			"sent PUT HOST 4", "result 200 PUT HOST", "latency PUT http://HOST/apis/test.dev/v1/namespaces/%7Bnamespace%7D/gadgets/%7Bname%7D?a=%7Bvalue%7D", "received PUT HOST 10",
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			o := observe(t)
			s := serve(t, test.answers...)
			s.Client().Transport.(*http.Transport).DisableKeepAlives = true
			r := s.client(t).Put().Namespace("ns").Resource("gadgets").Name("one").Param("a", "b").Body([]byte("some")).BackOffWithContext(&calls{})
			if test.set != nil {
				r = test.set(r)
			}
			_ = ways[test.way](t.Context(), r) // some fail, which is also counted
			o.mu.Lock()
			defer o.mu.Unlock()
			for i := range o.got {
				o.got[i] = strings.ReplaceAll(o.got[i], strings.TrimPrefix(s.URL, "http://"), "HOST")
			}
			if !slices.Equal(o.got, test.want) {
				t.Errorf("got  %q\nwant %q", o.got, test.want)
			}
		})
	}
}

func TestURLOfMetrics(t *testing.T) {
	for _, test := range []struct {
		base, path, want string
	}{
		{"http://h", "/api/v1/namespaces/n/pods/p", "http://h/api/v1/namespaces/%7Bnamespace%7D/pods/%7Bname%7D"},
		{"http://h", "/api/v1/namespaces/n/pods", "http://h/api/v1/namespaces/%7Bnamespace%7D/pods"},
		{"http://h", "/api/v1/nodes/n", "http://h/api/v1/nodes/%7Bname%7D"},
		{"http://h", "/api/v1/nodes/n/status", "http://h/api/v1/nodes/%7Bname%7D/status"},
		{"http://h", "/api/v1/namespaces/n/finalize", "http://h/api/v1/namespaces/%7Bname%7D/finalize"},
		{"http://h", "/api/v1/namespaces/n/pods/p/log", "http://h/api/v1/namespaces/%7Bnamespace%7D/pods/%7Bname%7D/log"},
		{"http://h", "/apis/g/v1/namespaces/n/things/status", "http://h/apis/g/v1/namespaces/%7Bnamespace%7D/things/status"},
		{"http://h", "/api/v1/pods", "http://h/api/v1/pods"},
		{"http://h", "/api/v1", "http://h/api/v1"},
		{"http://h", "/apis/apps/v1/namespaces/n/deployments/d/scale", "http://h/apis/apps/v1/namespaces/%7Bnamespace%7D/deployments/%7Bname%7D/scale"},
		{"http://h", "/apis/apps", "http://h/apis/apps"},
		{"http://h", "/apis", "http://h/apis"},
		{"http://h", "/healthz", "http://h/healthz"},
		{"http://h", "/other/v1/namespaces/n", "http://h/%7Bprefix%7D"},
		{"http://h/below", "/api/v1/nodes/n", "http://h/below/api/v1/nodes/%7Bname%7D"},
		{"http://user:hush@h", "/api/v1/nodes/n", "http://h/api/v1/nodes/%7Bname%7D"},
	} {
		o := observe(t)
		c, err := rest.NewRESTClient(mustParse(t, test.base), "", rest.ClientContentConfig{}, nil, roundTrip(func(*http.Request) {}))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.Get().AbsPath(test.path).DoRaw(t.Context()); err != nil {
			t.Fatal(err)
		}
		if want := "latency GET " + test.want; !slices.Contains(o.got, want) {
			t.Errorf("%s: got %q, want %q", test.path, o.got, want)
		}
	}
}

func TestResolverLatency(t *testing.T) {
	o := observe(t)
	s := serve(t, answerJSON(gadgetJSON))
	u := mustParse(t, s.URL)
	u.Host = "localhost:" + u.Port()
	c, err := rest.NewRESTClient(u, "", rest.ClientContentConfig{}, nil, s.Client())
	if err != nil {
		t.Fatal(err)
	}
	_, _ = c.Get().DoRaw(t.Context()) // the server may listen on another address of this host
	o.mu.Lock()
	defer o.mu.Unlock()
	if !slices.Contains(o.got, "resolver localhost") {
		t.Errorf("got %q", o.got)
	}
}
