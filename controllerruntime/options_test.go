package controllerruntime_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/rest"
	theircache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/listwatch/listwatch/apitest/embedded"
	"github.com/listwatch/listwatch/controllerruntime"
	ours "github.com/listwatch/listwatch/runtime/cache"
	"github.com/listwatch/listwatch/runtime/debug"
)

// A kind has its own selectors, transform and copying.
func TestByObject(t *testing.T) {
	_, config, direct := fleet(t, "bay/a", "bay/b", "sea/a")
	create(t, direct, &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: "bay", Name: "b"}})
	yes := true
	c := start(t, config, cache.Options{
		DefaultLabelSelector: labels.SelectorFromSet(labels.Set{"name": "none"}),
		ByObject: map[client.Object]cache.ByObject{
			&corev1.ConfigMap{}: {
				Label: labels.SelectorFromSet(labels.Set{"name": "a"}),
				Field: fields.OneTermEqualSelector("metadata.namespace", "bay"),
				Transform: func(obj any) (any, error) {
					obj.(*corev1.ConfigMap).Data["transformed"] = "yes"
					return obj, nil
				},
				UnsafeDisableDeepCopy: &yes,
			},
		},
	})
	var list corev1.ConfigMapList
	if err := c.List(t.Context(), &list); err != nil {
		t.Fatal(err)
	}
	equal(t, "selected", keys(&list), []string{"bay/a"})
	equal(t, "transformed", list.Items[0].Data["transformed"], "yes")
	list.Items[0].Data["shared"] = "yes"
	if err := c.List(t.Context(), &list); err != nil {
		t.Fatal(err)
	}
	equal(t, "shared", list.Items[0].Data["shared"], "yes")
	var secrets corev1.SecretList
	if err := c.List(t.Context(), &secrets); err != nil {
		t.Fatal(err)
	}
	equal(t, "of another kind", len(secrets.Items), 0)
}

// recorder is a transport that records the paths of requests, and the queries of lists and watches.
type recorder struct {
	http.RoundTripper
	mu             sync.Mutex // guards the fields below
	paths, queries []string
}

func (r *recorder) RoundTrip(request *http.Request) (*http.Response, error) {
	r.mu.Lock()
	r.paths = append(r.paths, request.URL.Path)
	if strings.HasSuffix(request.URL.Path, "/configmaps") {
		r.queries = append(r.queries, request.URL.RawQuery)
	}
	r.mu.Unlock()
	return r.RoundTripper.RoundTrip(request)
}

// The cache sends its requests with the program's HTTP client, with bookmarks or without, as all kinds or one has it.
func TestHTTPClientAndBookmarks(t *testing.T) {
	_, config, _ := fleet(t, "bay/a")
	yes, no := true, false
	ofKind := func(bookmarks *bool) map[client.Object]cache.ByObject {
		return map[client.Object]cache.ByObject{&corev1.ConfigMap{}: {EnableWatchBookmarks: bookmarks}}
	}
	for _, test := range []struct {
		opts      cache.Options
		bookmarks bool
	}{
		{cache.Options{}, true},
		{cache.Options{DefaultEnableWatchBookmarks: &yes}, true},
		{cache.Options{DefaultEnableWatchBookmarks: &no}, false},
		{cache.Options{DefaultEnableWatchBookmarks: &no, ByObject: ofKind(&yes)}, true},
		{cache.Options{ByObject: ofKind(&no)}, false},
		{cache.Options{DefaultNamespaces: map[string]cache.Config{"bay": {EnableWatchBookmarks: &no}}}, false},
	} {
		own, err := rest.HTTPClientFor(config)
		if err != nil {
			t.Fatal(err)
		}
		requests := &recorder{RoundTripper: own.Transport}
		test.opts.HTTPClient = &http.Client{Transport: requests}
		c := start(t, config, test.opts)
		if err := c.List(t.Context(), &corev1.ConfigMapList{}); err != nil {
			t.Fatal(err)
		}
		if err := c.Get(t.Context(), client.ObjectKey{Namespace: "bay", Name: "a"}, &corev1.ConfigMap{}); err != nil {
			t.Fatal(err)
		}
		requests.mu.Lock()
		if len(requests.queries) == 0 {
			t.Error("no requests with the program's client")
		}
		for _, query := range requests.queries {
			equal(t, query, strings.Contains(query, "allowWatchBookmarks=true"), test.bookmarks)
		}
		requests.mu.Unlock()
	}
}

// calls are the calls of a handler, as text.
type calls chan string

func (c calls) OnAdd(obj any, _ bool) { c <- "add " + obj.(client.Object).GetName() }

func (c calls) OnUpdate(before, obj any) {
	if before == obj {
		c <- "resync " + obj.(client.Object).GetName()
	}
}

func (c calls) OnDelete(obj any) {
	if gone, ok := obj.(theircache.DeletedFinalStateUnknown); ok {
		c <- "tombstone " + gone.Key
		return
	}
	c <- "delete " + obj.(client.Object).GetName()
}

// expect reads calls until there is one of these.
func (c calls) expect(t *testing.T, want string) {
	t.Helper()
	for {
		select {
		case got := <-c:
			if got == want {
				return
			}
		case <-time.After(time.Minute):
			t.Fatalf("no %s", want)
		}
	}
}

// Handlers are called again after the sync period of a namespace.
func TestResync(t *testing.T) {
	_, config, _ := fleet(t, "bay/a", "sea/b")
	second, never := time.Second, time.Duration(0)
	c := start(t, config, cache.Options{SyncPeriod: &never, DefaultNamespaces: map[string]cache.Config{
		"bay": {SyncPeriod: &second}, "sea": {},
	}})
	informer, err := c.GetInformer(t.Context(), &corev1.ConfigMap{})
	if err != nil {
		t.Fatal(err)
	}
	seen := make(calls, 100)
	registration, err := informer.AddEventHandler(seen)
	if err != nil {
		t.Fatal(err)
	}
	seen.expect(t, "resync a")
	if err := informer.RemoveEventHandler(registration); err != nil {
		t.Error(err)
	}
	for len(seen) > 0 {
		if call := <-seen; call == "resync b" {
			t.Error("a namespace without a sync period is resynced")
		}
	}
}

// A deletion that follows from a list is client-go's tombstone.
func TestTombstone(t *testing.T) {
	srv, config, direct := fleet(t, "bay/a", "bay/b")
	c := start(t, config, cache.Options{})
	informer, err := c.GetInformer(t.Context(), &corev1.ConfigMap{})
	if err != nil {
		t.Fatal(err)
	}
	seen := make(calls, 100)
	if _, err := informer.AddEventHandler(seen); err != nil {
		t.Fatal(err)
	}
	seen.expect(t, "add b")
	prevented := srv.Faults().Inject(embedded.Rule{
		Match: embedded.Match{Verb: "watch"},
		Error: apierrors.NewTooManyRequestsError("watches are prevented"),
	})
	srv.Faults().DropWatches()
	if err := direct.Delete(t.Context(), configMap("bay/a")); err != nil {
		t.Fatal(err)
	}
	srv.Faults().ExpireHistory()
	prevented.Remove()
	seen.expect(t, "tombstone bay/a")
}

// An informer that need not sync is returned at once, and syncs later.
func TestBlockUntilSynced(t *testing.T) {
	t.Parallel()
	srv, config, _ := fleet(t, "bay/a")
	c := start(t, config, cache.Options{})
	held := srv.Faults().Inject(embedded.Rule{Match: embedded.Match{Resource: "configmaps"}, Delay: time.Hour})
	defer held.Remove()
	informer, err := c.GetInformer(t.Context(), &corev1.ConfigMap{}, cache.BlockUntilSynced(false))
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "synced", informer.HasSynced(), false)
	short, cancel := context.WithTimeout(t.Context(), lag)
	defer cancel()
	if _, err := c.GetInformer(short, &corev1.ConfigMap{}, cache.BlockUntilSynced(true)); !apierrors.IsTimeout(err) {
		t.Errorf("error %v, want a timeout", err)
	}
	if _, err := c.GetInformerForKind(short, corev1.SchemeGroupVersion.WithKind("ConfigMap")); !apierrors.IsTimeout(err) {
		t.Errorf("for the kind: error %v, want a timeout", err)
	}
	held.Remove()
	if err := controllerruntime.WaitForSync(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	equal(t, "synced", informer.HasSynced(), true)
}

// Managed fields are dropped by one option.
func TestWithoutManagedFields(t *testing.T) {
	_, config, _ := fleet(t, "bay/a")
	for _, test := range []struct {
		opts cache.Options
		has  bool
	}{
		{cache.Options{}, true},
		{cache.Options{DefaultTransform: cache.TransformStripManagedFields()}, false},
	} {
		c := start(t, config, test.opts)
		for _, form := range []string{"", "unstructured", "metadata"} {
			obj := inForm(form)
			if err := c.Get(t.Context(), client.ObjectKey{Namespace: "bay", Name: "a"}, obj); err != nil {
				t.Fatal(err)
			}
			equal(t, "managed fields as "+form, len(obj.GetManagedFields()) > 0, test.has)
		}
	}
}

// gauges are metrics that do nothing, by the names of informers.
type gauges chan ours.InformerNameAndResource

func (g gauges) NewQueuedItemMetric(id ours.InformerNameAndResource) ours.GaugeMetric {
	if id.Name() != "" {
		select {
		case g <- id:
		default:
		}
	}
	return gauge{}
}

func (gauges) NewProcessingLatencyMetric(ours.InformerNameAndResource) ours.HistogramMetric {
	return gauge{}
}

func (gauges) NewStoreResourceVersionMetric(ours.InformerNameAndResource) ours.GaugeMetric {
	return gauge{}
}

type gauge struct{}

func (gauge) Set(float64)     {}
func (gauge) Observe(float64) {}

// The informers of a cache have metrics, and are on the debug page with their selectors.
func TestMetricsAndDebugPage(t *testing.T) {
	metrics := make(gauges, 100)
	ours.SetInformerMetricsProvider(metrics)
	_, config, _ := fleet(t, "bay/a")
	c := start(t, config, cache.Options{DefaultLabelSelector: labels.SelectorFromSet(labels.Set{"name": "a"})})
	if _, err := c.GetInformer(t.Context(), &corev1.ConfigMap{}); err != nil {
		t.Fatal(err)
	}
	id := <-metrics
	equal(t, "name in metrics", id.Name()+" "+id.GroupVersionResource().Resource, "controller-runtime configmaps")
	response := httptest.NewRecorder()
	debug.Handler().ServeHTTP(response, httptest.NewRequest(http.MethodGet, "/", nil))
	for _, want := range []string{"configmaps", "name=a", config.Host} {
		if !strings.Contains(response.Body.String(), want) {
			t.Errorf("the debug page lacks %q", want)
		}
	}
}
