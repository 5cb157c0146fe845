package sites_test

import (
	"flag"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	appsv1 "k8s.io/api/apps/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/yaml"

	"github.com/listwatch/listwatch/apitest/embedded"
	webv1 "github.com/listwatch/listwatch/examples/sites/apis/web/v1"
	"github.com/listwatch/listwatch/examples/sites/config"
	listwatchmetrics "github.com/listwatch/listwatch/metrics/prometheus"
)

// metrics are those of all replicas in the process.
var metrics http.Handler

func TestMain(m *testing.M) {
	if err := flag.Set("test.parallel", "8"); err != nil { // tests wait more than they work: for leases
		panic(err)
	}
	registry := prometheus.NewRegistry()
	if err := listwatchmetrics.Register(registry); err != nil {
		panic(err)
	}
	metrics = promhttp.HandlerFor(registry, promhttp.HandlerOpts{})
	os.Exit(m.Run())
}

// TestReplicas checks that a second replica is ready, but does not lead before the first one stops.
func TestReplicas(t *testing.T) {
	c := newCluster(t, leading)
	first := run(t, c, "first")
	_, err := c.sites.Create(t.Context(), newSite("first"), metav1.CreateOptions{})
	check(t, err, c.ready(t.Context(), "first", webv1.ReasonProgressing)) // it leads
	second := run(t, c, "second")
	for _, r := range []*replica{first, second} {
		for _, path := range []string{"/healthz", "/readyz"} {
			awaitOK(t, r.address+path)
		}
	}
	first.stop()
	check(t, <-first.ended)
	check(t, await(t.Context(), c.kube.CoordinationV1().Leases("sites").Watch, "sites-controller", func(l *coordinationv1.Lease) bool {
		return l.Spec.HolderIdentity != nil && *l.Spec.HolderIdentity == "second" // soon: the first has released it
	}))
	check(t, c.live(t.Context()))
}

// TestStop stops a replica while it writes: it completes the site first.
func TestStop(t *testing.T) {
	bothWays(t, func(t *testing.T, c cluster) {
		r := run(t, c, "first")
		slow := c.Faults().Inject(embedded.Rule{Match: embedded.Match{User: config.User, Verb: "patch", Resource: "deployments"}, Delay: 200 * time.Millisecond})
		check(t, create(t.Context(), c))
		for deadline := time.Now().Add(time.Minute); slow.Hits() == 0; time.Sleep(time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatal("no request to patch a deployment has come")
			}
		}
		r.stop()
		check(t, <-r.ended)
		site, err := c.sites.Get(t.Context(), "hello", metav1.GetOptions{})
		check(t, err)
		if !condition(webv1.ReasonProgressing)(site) {
			t.Errorf("got status %+v", site.Status)
		}
		list, err := c.kube.CoreV1().Events("default").List(t.Context(), metav1.ListOptions{})
		check(t, err)
		if len(list.Items) != 1 {
			t.Errorf("got %d events, want the one that was recorded last", len(list.Items))
		}
	})
}

// TestLeaseLost gives the lease to another: the replica ends with an error.
func TestLeaseLost(t *testing.T) {
	c := newCluster(t, leading)
	r := run(t, c, "first")
	check(t, create(t.Context(), c), c.ready(t.Context(), "hello", webv1.ReasonProgressing))
	_, err := c.kube.CoordinationV1().Leases("sites").Patch(t.Context(), "sites-controller", types.MergePatchType, []byte(`{"spec":{"holderIdentity":"other"}}`), metav1.PatchOptions{})
	check(t, err)
	if err = <-r.ended; err == nil || !strings.Contains(err.Error(), "lease lost") {
		t.Errorf("got error %v", err)
	}
}

// TestMetrics checks that metrics of all parts are served.
func TestMetrics(t *testing.T) {
	bothWays(t, func(t *testing.T, c cluster) {
		r := run(t, c, "first")
		check(t, create(t.Context(), c), c.ready(t.Context(), "hello", webv1.ReasonProgressing))
		page := awaitOK(t, r.address+"/metrics")
		for _, metric := range []string{`workqueue_adds_total{name="sites"}`, "rest_client_requests_total{", "informer_objects{"} {
			if !strings.Contains(page, metric) {
				t.Errorf("no metric %s in:\n%s", metric, page)
			}
		}
		if c.mode.share {
			if page := awaitOK(t, r.address+"/debug/ring"); !strings.Contains(page, "ring sites/sites-controller") || !strings.Contains(page, "member first, may work") {
				t.Errorf("the page of the ring is:\n%s", page)
			}
		}
	})
}

// TestDeployment checks that the server accepts the manifest of the controller's own deployment.
func TestDeployment(t *testing.T) {
	c := newCluster(t, leading)
	manifest, err := os.ReadFile("config/deployment.yaml")
	check(t, err)
	var deployment appsv1.Deployment
	check(t, yaml.UnmarshalStrict(manifest, &deployment))
	_, err = c.kube.AppsV1().Deployments("sites").Create(t.Context(), &deployment, metav1.CreateOptions{FieldValidation: metav1.FieldValidationStrict})
	check(t, err)
	var account *corev1.ServiceAccount
	account, err = c.kube.CoreV1().ServiceAccounts("sites").Get(t.Context(), deployment.Spec.Template.Spec.ServiceAccountName, metav1.GetOptions{})
	check(t, err)
	if want := "system:serviceaccount:" + account.Namespace + ":" + account.Name; want != config.User {
		t.Errorf("the tests have the rights of %s, the deployment those of %s", config.User, want)
	}
}

// awaitOK requests a page until the response is OK, and returns it.
func awaitOK(t *testing.T, url string) string {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
		check(t, err)
		response, err := http.DefaultClient.Do(request)
		check(t, err)
		body, err := io.ReadAll(response.Body)
		check(t, err, response.Body.Close())
		if response.StatusCode == http.StatusOK {
			return string(body)
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s still responds with %s: %s", url, response.Status, body)
		}
	}
}
