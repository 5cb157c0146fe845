package prometheus_test

import (
	"context"
	"net/url"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	adapter "github.com/listwatch/listwatch/metrics/prometheus"
	"github.com/listwatch/listwatch/runtime/cache"
	cachetesting "github.com/listwatch/listwatch/runtime/cache/testing"
	"github.com/listwatch/listwatch/runtime/metrics"
	"github.com/listwatch/listwatch/runtime/workqueue"
)

var boats = schema.GroupVersionResource{Group: "sea.example.com", Version: "v1", Resource: "boats"}

// registered returns new metrics in their own registry, which checks that they match their
// descriptions.
func registered(t *testing.T) (*adapter.Metrics, prometheus.Gatherer) {
	t.Helper()
	m := adapter.New()
	registry := prometheus.NewPedanticRegistry()
	if err := registry.Register(m); err != nil {
		t.Fatal(err)
	}
	return m, registry
}

// compare compares the metrics with the given names with the expected text format.
func compare(t *testing.T, from prometheus.Gatherer, want string, names ...string) {
	t.Helper()
	if err := testutil.GatherAndCompare(from, strings.NewReader(want), names...); err != nil {
		t.Error(err)
	}
}

// series returns how many series there are of the metrics whose names begin with a prefix.
func series(t *testing.T, from prometheus.Gatherer, prefix string) int {
	t.Helper()
	families, err := from.Gather()
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, family := range families {
		if strings.HasPrefix(family.GetName(), prefix) {
			n += len(family.GetMetric())
		}
	}
	return n
}

// informerName reserves the name "fleet" for a test.
func informerName(t *testing.T) *cache.InformerName {
	t.Helper()
	n, err := cache.NewInformerName("fleet")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(n.Release)
	return n
}

// untilGone collects garbage until some series no longer exist.
func untilGone(t *testing.T, from prometheus.Gatherer, prefix string) {
	t.Helper()
	for series(t, from, prefix) > 0 {
		if t.Context().Err() != nil {
			t.Fatal(t.Context().Err())
		}
		runtime.GC()
		runtime.Gosched()
	}
}

func TestWorkqueue(t *testing.T) {
	m, registry := registered(t)
	q := workqueue.NewTypedRateLimitingQueueWithConfig(
		workqueue.NewTypedItemFastSlowRateLimiter[string](0, 0, 1),
		workqueue.TypedRateLimitingQueueConfig[string]{Name: "boats", MetricsProvider: m.Workqueue()})
	defer q.ShutDown()
	q.Add("a")
	q.Add("b")
	q.AddRateLimited("c")
	item, _ := q.Get()
	q.Done(item)
	compare(t, registry, `
# HELP workqueue_adds_total Items added to the queue. Adding one that waits already does not count.
# TYPE workqueue_adds_total counter
workqueue_adds_total{name="boats"} 3
# HELP workqueue_depth Items that wait in the queue, or will when the worker that has them is done.
# TYPE workqueue_depth gauge
workqueue_depth{name="boats"} 2
# HELP workqueue_retries_total Items added for later.
# TYPE workqueue_retries_total counter
workqueue_retries_total{name="boats"} 1
`, "workqueue_adds_total", "workqueue_depth", "workqueue_retries_total")
	if got := series(t, registry, "workqueue_"); got != 7 {
		t.Errorf("%d series of the queue, want 7", got)
	}
}

func TestReflector(t *testing.T) {
	m, registry := registered(t)
	p := m.Reflector()
	p.NewListsMetric("boats").Inc()
	p.NewListDurationMetric("boats").Observe(1.5)
	p.NewItemsInListMetric("boats").Observe(10)
	p.NewWatchesMetric("boats").Inc()
	p.NewWatchesMetric("boats").Inc()
	p.NewShortWatchesMetric("boats").Inc()
	p.NewWatchDurationMetric("boats").Observe(60)
	p.NewItemsInWatchMetric("boats").Observe(3)
	p.NewLastResourceVersionMetric("boats").Set(42)
	compare(t, registry, `
# HELP reflector_items_per_list Number of objects in a list.
# TYPE reflector_items_per_list summary
reflector_items_per_list_sum{name="boats"} 10
reflector_items_per_list_count{name="boats"} 1
# HELP reflector_items_per_watch Number of events in a watch.
# TYPE reflector_items_per_watch summary
reflector_items_per_watch_sum{name="boats"} 3
reflector_items_per_watch_count{name="boats"} 1
# HELP reflector_last_resource_version The last resource version that was received.
# TYPE reflector_last_resource_version gauge
reflector_last_resource_version{name="boats"} 42
# HELP reflector_list_duration_seconds Duration of lists until they are complete.
# TYPE reflector_list_duration_seconds summary
reflector_list_duration_seconds_sum{name="boats"} 1.5
reflector_list_duration_seconds_count{name="boats"} 1
# HELP reflector_lists_total Number of requested lists.
# TYPE reflector_lists_total counter
reflector_lists_total{name="boats"} 1
# HELP reflector_short_watches_total Number of watches that ended within a second without an event.
# TYPE reflector_short_watches_total counter
reflector_short_watches_total{name="boats"} 1
# HELP reflector_watch_duration_seconds Duration of watches.
# TYPE reflector_watch_duration_seconds summary
reflector_watch_duration_seconds_sum{name="boats"} 60
reflector_watch_duration_seconds_count{name="boats"} 1
# HELP reflector_watches_total Number of requested watches.
# TYPE reflector_watches_total counter
reflector_watches_total{name="boats"} 2
`, "reflector_items_per_list", "reflector_items_per_watch", "reflector_last_resource_version",
		"reflector_list_duration_seconds", "reflector_lists_total", "reflector_short_watches_total",
		"reflector_watch_duration_seconds", "reflector_watches_total")
}

func TestInformer(t *testing.T) {
	m, registry := registered(t)
	name := informerName(t)
	id := name.WithResource(boats)
	p := m.Informer()
	depth, rv, latency := p.NewQueuedItemMetric(id), p.NewStoreResourceVersionMetric(id), p.NewProcessingLatencyMetric(id)
	depth.Set(3)
	rv.Set(42)
	latency.Observe(0.02)
	const want = `
# HELP informer_queued_items Changes that were received and are not yet in the store.
# TYPE informer_queued_items gauge
informer_queued_items{group="sea.example.com",name="fleet",resource="boats",version="v1"} 3
# HELP informer_store_resource_version The resource version that the store is up to date with: its last 15 digits.
# TYPE informer_store_resource_version gauge
informer_store_resource_version{group="sea.example.com",name="fleet",resource="boats",version="v1"} 42
`
	compare(t, registry, want, "informer_queued_items", "informer_store_resource_version")
	if got := series(t, registry, "informer_"); got != 3 {
		t.Errorf("%d series of the informer, want 3", got)
	}

	// The informer still exists when its name is released, and has one successor.
	name.Release()
	depth.Set(4)
	if got := series(t, registry, "informer_"); got != 0 {
		t.Errorf("%d series when the name was released", got)
	}
	next := informerName(t).WithResource(boats)
	p.NewQueuedItemMetric(next).Set(3)
	p.NewStoreResourceVersionMetric(next).Set(42)
	depth.Set(5)
	rv.Set(43)
	latency.Observe(1)
	compare(t, registry, want, "informer_queued_items", "informer_store_resource_version")
	if got := series(t, registry, "informer_processing"); got != 0 {
		t.Error("an informer whose name was released has a series")
	}
}

// A name is reused before a collection: the series of the new informer starts at zero.
func TestInformerNameIsUsedAgain(t *testing.T) {
	m, registry := registered(t)
	p := m.Informer()
	name := informerName(t)
	p.NewQueuedItemMetric(name.WithResource(boats)).Set(3)
	name.Release()
	next := p.NewQueuedItemMetric(informerName(t).WithResource(boats))
	compare(t, registry, `
# HELP informer_queued_items Changes that were received and are not yet in the store.
# TYPE informer_queued_items gauge
informer_queued_items{group="sea.example.com",name="fleet",resource="boats",version="v1"} 0
`, "informer_queued_items")
	next.Set(1)
}

func TestSeriesGoWithWhatTheyMeasure(t *testing.T) {
	m, registry := registered(t)
	id := informerName(t).WithResource(boats)
	tests := []struct {
		prefix string
		make   func()
	}{
		{"workqueue_", func() {
			q := workqueue.NewTypedDelayingQueueWithConfig(workqueue.TypedDelayingQueueConfig[string]{
				Name: "boats", MetricsProvider: m.Workqueue(),
			})
			q.Add("a")
			q.ShutDown()
		}},
		{"reflector_", func() {
			m.Reflector().NewListsMetric("boats").Inc()
			m.Reflector().NewLastResourceVersionMetric("boats").Set(42)
			m.Reflector().NewListDurationMetric("boats").Observe(1)
		}},
		{"informer_", func() {
			m.Informer().NewQueuedItemMetric(id).Set(3)
			m.Informer().NewProcessingLatencyMetric(id).Observe(1)
		}},
	}
	for _, test := range tests {
		t.Run(test.prefix, func(t *testing.T) {
			test.make()
			untilGone(t, registry, test.prefix)
		})
	}
}

// Two queues may have one name. Their series exists as long as one of them does.
func TestSeriesStaysWhileOneHoldsIt(t *testing.T) {
	m, registry := registered(t)
	p := m.Workqueue()
	first := p.NewAddsMetric("boats")
	untilOther := make(chan struct{})
	func() {
		second := &struct{ workqueue.CounterMetric }{p.NewAddsMetric("boats")}
		second.Inc()
		runtime.AddCleanup(second, func(c chan struct{}) { close(c) }, untilOther)
	}()
	for collected := false; !collected; {
		runtime.GC()
		select {
		case <-untilOther:
			collected = true
		default:
		}
	}
	runtime.GC() // its series
	first.Inc()
	compare(t, registry, `
# HELP workqueue_adds_total Items added to the queue. Adding one that waits already does not count.
# TYPE workqueue_adds_total counter
workqueue_adds_total{name="boats"} 2
`, "workqueue_adds_total")
	runtime.KeepAlive(first)
}

func TestClient(t *testing.T) {
	m, registry := registered(t)
	opts := m.Client()
	ctx := context.Background()
	u := url.URL{Scheme: "https", Host: "api.example.com", Path: "/apis/{name}"}

	if got := value(t, registry, "rest_client_exec_plugin_ttl_seconds"); !strings.Contains(got, "inf") {
		t.Errorf("TTL %s without a certificate, want +Inf", got)
	}
	expiry := time.Now().Add(-time.Hour)
	opts.ClientCertExpiry.Set(&expiry)
	if got := value(t, registry, "rest_client_exec_plugin_ttl_seconds"); !strings.Contains(got, "-3600") {
		t.Errorf("TTL %s of a certificate that expired an hour ago", got)
	}

	opts.ClientCertRotationAge.Observe(2 * time.Hour)
	opts.RequestLatency.Observe(ctx, "GET", u, time.Second)
	opts.RateLimiterLatency.Observe(ctx, "GET", u, 2*time.Second)
	opts.ResolverLatency.Observe(ctx, "api.example.com", 3*time.Second)
	opts.RequestSize.Observe(ctx, "POST", "api.example.com", 100)
	opts.ResponseSize.Observe(ctx, "POST", "api.example.com", 200)
	opts.RequestResult.Increment(ctx, "200", "GET", "api.example.com")
	opts.RequestResult.Increment(ctx, "<error>", "GET", "api.example.com")
	opts.RequestRetry.IncrementRetry(ctx, "429", "GET", "api.example.com")
	opts.ExecPluginCalls.Increment(1, "plugin_execution_error")
	opts.ExecPluginPolicyCalls.Increment("denied")
	opts.TransportCacheEntries.Observe(3)
	opts.TransportCreateCalls.Increment("hit")
	opts.TransportCAReloads.Increment("success", "file_changed")
	opts.TransportCertRotationGCCalls.Increment()
	opts.TransportCacheGCCalls.Increment("deleted")
	compare(t, registry, `
# HELP rest_client_exec_plugin_call_total Calls of credential plugins by exit code and result.
# TYPE rest_client_exec_plugin_call_total counter
rest_client_exec_plugin_call_total{call_status="plugin_execution_error",code="1"} 1
# HELP rest_client_exec_plugin_policy_call_total Checks whether a credential plugin may run, by result.
# TYPE rest_client_exec_plugin_policy_call_total counter
rest_client_exec_plugin_policy_call_total{status="denied"} 1
# HELP rest_client_request_retries_total Responses to retries by status code.
# TYPE rest_client_request_retries_total counter
rest_client_request_retries_total{code="429",host="api.example.com",verb="GET"} 1
# HELP rest_client_requests_total Responses to all attempts by status code. The code is <error> if there was no response.
# TYPE rest_client_requests_total counter
rest_client_requests_total{code="200",host="api.example.com",method="GET"} 1
rest_client_requests_total{code="<error>",host="api.example.com",method="GET"} 1
# HELP rest_client_transport_ca_reload_total Attempts to reload CA files, by result and reason.
# TYPE rest_client_transport_ca_reload_total counter
rest_client_transport_ca_reload_total{reason="file_changed",result="success"} 1
# HELP rest_client_transport_cache_entries Number of cached transports.
# TYPE rest_client_transport_cache_entries gauge
rest_client_transport_cache_entries 3
# HELP rest_client_transport_cache_gc_calls_total Attempts to remove cached transports that are no longer referenced: deleted, skipped.
# TYPE rest_client_transport_cache_gc_calls_total counter
rest_client_transport_cache_gc_calls_total{result="deleted"} 1
# HELP rest_client_transport_cert_rotation_gc_calls_total Certificate rotations that ended because their transport was no longer referenced.
# TYPE rest_client_transport_cert_rotation_gc_calls_total counter
rest_client_transport_cert_rotation_gc_calls_total 1
# HELP rest_client_transport_create_calls_total Requested transports by the result of the cache: hit, miss, miss-gc, uncacheable.
# TYPE rest_client_transport_create_calls_total counter
rest_client_transport_create_calls_total{result="hit"} 1
`, "rest_client_exec_plugin_call_total", "rest_client_exec_plugin_policy_call_total",
		"rest_client_request_retries_total", "rest_client_requests_total", "rest_client_transport_ca_reload_total",
		"rest_client_transport_cache_entries", "rest_client_transport_cache_gc_calls_total",
		"rest_client_transport_cert_rotation_gc_calls_total", "rest_client_transport_create_calls_total")

	for name, want := range map[string]string{
		"rest_client_request_duration_seconds":             "sample_sum:1 ",
		"rest_client_rate_limiter_duration_seconds":        "sample_sum:2 ",
		"rest_client_dns_resolution_duration_seconds":      "sample_sum:3 ",
		"rest_client_request_size_bytes":                   "sample_sum:100 ",
		"rest_client_response_size_bytes":                  "sample_sum:200 ",
		"rest_client_exec_plugin_certificate_rotation_age": "sample_sum:7200 ",
	} {
		if got := value(t, registry, name); !strings.Contains(got, want) {
			t.Errorf("%s is %s, want %s in it", name, got, want)
		}
	}
}

// value returns the only series of a metric as text.
func value(t *testing.T, from prometheus.Gatherer, name string) string {
	t.Helper()
	families, err := from.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, family := range families {
		if family.GetName() == name && len(family.GetMetric()) == 1 {
			return strings.ReplaceAll(family.GetMetric()[0].String(), "  ", " ")
		}
	}
	t.Fatalf("there is not one series of %s", name)
	return ""
}

// process is the registry to which the whole process reports: there can be only one.
var process = sync.OnceValues(func() (*prometheus.Registry, error) {
	registry := prometheus.NewPedanticRegistry()
	return registry, adapter.Register(registry)
})

func TestRegister(t *testing.T) {
	before := metrics.RequestResult
	for _, name := range []string{"workqueue_depth", "informer_objects"} {
		taken := prometheus.NewRegistry()
		taken.MustRegister(prometheus.NewGauge(prometheus.GaugeOpts{Name: name}))
		if err := adapter.Register(taken); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("registered with a registry that has a metric %s: %v", name, err)
		}
		if got := series(t, taken, "rest_client_"); got != 0 {
			t.Errorf("%d series of clients are registered all the same", got)
		}
	}
	if metrics.RequestResult != before {
		t.Error("metrics that could not be registered are in use")
	}

	registry, err := process()
	if err != nil {
		t.Fatal(err)
	}
	metrics.RequestResult.Increment(t.Context(), "200", "GET", "api.example.com")
	q := workqueue.NewTypedWithConfig(workqueue.TypedQueueConfig[string]{Name: "boats"})
	defer q.ShutDown()

	source := cachetesting.NewFakeControllerSource()
	defer source.Shutdown()
	source.Add(&metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Name: "a"}})
	informer := cache.NewSharedIndexInformerWithOptions(source, &metav1.PartialObjectMetadata{},
		cache.SharedIndexInformerOptions{Identifier: informerName(t).WithResource(boats)})
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { informer.RunWithContext(ctx) })
	defer running.Wait()
	defer cancel()
	if err := cache.WaitForSync(ctx, informer); err != nil {
		t.Fatal(err)
	}

	want := map[string]int{
		"rest_client_requests_total":      1,
		"workqueue_depth":                 1,
		"reflector_lists_total":           1,
		"informer_queued_items":           1,
		"informer_store_resource_version": 1,
		"informer_objects":                1,
	}
	got := map[string]int{}
	for name := range want {
		got[name] = series(t, registry, name)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("series of the process (-want +got):\n%s", diff)
	}
	if got := value(t, registry, "informer_store_resource_version"); !strings.Contains(got, "gauge:{value:1}") {
		t.Errorf("the resource version of the store is %s, want 1", got)
	}
	if got := value(t, registry, "reflector_lists_total"); !strings.Contains(got, "counter:{value:1 ") {
		t.Errorf("lists are %s, want 1", got)
	}
}

// A registry that has metrics of clients and queues gets those of informers beside them, in a process of its own: one can
// report to one registry.
func TestRegisterInformers(t *testing.T) {
	if os.Getenv("REGISTER_INFORMERS") == "" {
		command := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestRegisterInformers$", "-test.v")
		command.Env = append(os.Environ(), "REGISTER_INFORMERS=1")
		if out, err := command.CombinedOutput(); err != nil || !strings.Contains(string(out), "--- PASS: TestRegisterInformers") {
			t.Errorf("%v:\n%s", err, out)
		}
		return
	}
	before := metrics.RequestResult
	for _, name := range []string{"reflector_lists_total", "informer_objects"} {
		taken := prometheus.NewRegistry()
		taken.MustRegister(prometheus.NewGauge(prometheus.GaugeOpts{Name: name}))
		if err := adapter.RegisterInformers(taken); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("registered with a registry that has a metric %s: %v", name, err)
		}
		if got := series(t, taken, "informer_"); name != "informer_objects" && got != 0 {
			t.Errorf("%d series are registered all the same", got)
		}
	}
	registry := prometheus.NewPedanticRegistry()
	requests := prometheus.NewCounterVec(prometheus.CounterOpts{Name: "rest_client_requests_total", Help: "Theirs."}, []string{"code", "method", "host"})
	registry.MustRegister(requests, prometheus.NewGauge(prometheus.GaugeOpts{Name: "workqueue_depth"}))
	if err := adapter.RegisterInformers(registry); err != nil {
		t.Fatal(err)
	}
	if metrics.RequestResult != before {
		t.Error("the metrics of clients have changed")
	}
	source := cachetesting.NewFakeControllerSource()
	defer source.Shutdown()
	informer := cache.NewSharedIndexInformerWithOptions(source, &metav1.PartialObjectMetadata{},
		cache.SharedIndexInformerOptions{Identifier: informerName(t).WithResource(boats)})
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { informer.RunWithContext(ctx) })
	defer running.Wait()
	defer cancel()
	if err := cache.WaitForSync(ctx, informer); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"reflector_lists_total", "informer_queued_items", "informer_objects", "workqueue_depth"} {
		if got := series(t, registry, name); got != 1 {
			t.Errorf("%d series of %s, want 1", got, name)
		}
	}
}

func TestLeaderElection(t *testing.T) {
	provider := adapter.NewLeaderElection()
	registry := prometheus.NewPedanticRegistry()
	if err := registry.Register(provider); err != nil {
		t.Fatal(err)
	}
	a, b := provider.NewLeaderMetric(), provider.NewLeaderMetric()
	a.Off("a")
	b.Off("b")
	a.On("a")
	a.SlowpathExercised("a")
	a.SlowpathExercised("a")
	compare(t, registry, `
# HELP leader_election_master_status Whether the process leads: 1 or 0.
# TYPE leader_election_master_status gauge
leader_election_master_status{name="a"} 1
leader_election_master_status{name="b"} 0
# HELP leader_election_slowpath_total Renewals of the lease for which the leader had to read it first.
# TYPE leader_election_slowpath_total counter
leader_election_slowpath_total{name="a"} 2
`, "leader_election_master_status", "leader_election_slowpath_total")
	a.Off("a")
	compare(t, registry, `
# HELP leader_election_master_status Whether the process leads: 1 or 0.
# TYPE leader_election_master_status gauge
leader_election_master_status{name="a"} 0
leader_election_master_status{name="b"} 0
`, "leader_election_master_status")
}
