package controllerruntime_test

import (
	"context"
	"maps"
	"net/url"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/metrics"

	"github.com/listwatch/listwatch/apitest/embedded"
	"github.com/listwatch/listwatch/controllerruntime"
)

// seriesOf returns the series of controller-runtime's registry that are about a server, by family and labels.
func seriesOf(t *testing.T, host string) map[string][]string {
	t.Helper()
	families, err := metrics.Registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]string{}
	for _, family := range families {
		for _, series := range family.GetMetric() {
			about, labels := false, ""
			for _, label := range series.GetLabel() {
				if label.GetName() == "host" {
					about = label.GetValue() == host
				} else {
					labels += label.GetName() + "=" + label.GetValue() + " "
				}
			}
			if about {
				out[family.GetName()] = append(out[family.GetName()], labels)
			}
		}
	}
	return out
}

// A manager has the same metrics with both caches: those of requests count lists, watches and failures. Retries are not
// counted, because the informers wait themselves when the server requests it.
func TestMetrics(t *testing.T) {
	metrics.RegisterRESTClientMetrics(metrics.MetricRequestLatency, metrics.MetricDNSResolutionLatency, metrics.MetricRequestSize,
		metrics.MetricResponseSize, metrics.MetricRateLimiterLatency, metrics.MetricRequestRetry)
	script := func(newCache cache.NewCacheFunc) map[string][]string {
		srv, config, admin := fleet(t, "bay/a")
		direct := len(seriesOf(t, hostOf(t, config.Host))["rest_client_requests_total"])
		config.QPS, config.Burst = 1000, 1000
		m := manage(t, config, func(options *ctrl.Options) {
			options.NewCache, options.NewClient = newCache, client.New
			options.MapperProvider = nil
		})
		busy := srv.Faults().Inject(embedded.Rule{Match: embedded.Match{Resource: "configmaps"}, Error: apierrors.NewTooManyRequests("busy", 1), Times: 2})
		failing := srv.Faults().Inject(embedded.Rule{Match: embedded.Match{Resource: "secrets"}, Error: apierrors.NewBadRequest("broken"), Times: 2})
		runManager(t, m)
		if err := m.GetClient().List(t.Context(), &corev1.ConfigMapList{}); err != nil {
			t.Fatal(err)
		}
		if err := m.GetClient().List(t.Context(), &corev1.SecretList{}); err != nil {
			t.Fatal(err)
		}
		<-busy.Done()
		<-failing.Done()
		create(t, admin, configMap("sea/a"))
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		for {
			if err := m.GetClient().Get(ctx, client.ObjectKey{Namespace: "sea", Name: "a"}, &corev1.ConfigMap{}); err == nil {
				break
			} else if !apierrors.IsNotFound(err) {
				t.Fatal(err)
			}
		}
		out := seriesOf(t, hostOf(t, config.Host))
		if len(out["rest_client_requests_total"]) <= direct {
			t.Error("there are no metrics of the cache's requests")
		}
		return out
	}
	want, got := script(cache.New), script(controllerruntime.NewCache)
	if len(got["rest_client_request_retries_total"]) > 0 {
		t.Error("retries are counted")
	}
	delete(want, "rest_client_request_retries_total")
	for family, series := range want {
		equal(t, family, got[family], series)
	}
	equal(t, "families", slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)))
	if len(want) < 5 {
		t.Errorf("only families %v", slices.Sorted(maps.Keys(want)))
	}
}

func hostOf(t *testing.T, address string) string {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	return u.Host
}
