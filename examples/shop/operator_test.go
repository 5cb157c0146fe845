package main

import (
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/listwatch/listwatch/apitest"
	"github.com/prometheus/client_golang/prometheus"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/examples/shop/pkg/generated/clientset/versioned"
)

// measured registers the metrics of the process, once.
var measured = sync.OnceValue(func() error { return measure(prometheus.DefaultRegisterer) })

// newCluster returns an API server that has the CRDs, the permissions and the namespace in config.
func newCluster(t *testing.T) *apitest.Server {
	t.Helper()
	return apitest.Start(t, apitest.WithCRDs("config/crd/bases"),
		apitest.WithManifests("config/manager/manager.yaml", "config/rbac/role.yaml", "config/rbac/service_account.yaml"))
}

// operate runs a replica with the permissions of its service account, which are those in config/rbac. It returns the
// URL of its endpoints, and a function that stops it.
func operate(t *testing.T, server *apitest.Server, identity string) (url string, stop func()) {
	t.Helper()
	if err := measured(); err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	o := operator{
		config: server.ConfigFor("system:serviceaccount:shop-system:controller"), workers: 2,
		listener: listener, namespace: "shop-system", identity: identity,
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- o.run(ctx) }()
	stop = sync.OnceFunc(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(stop)
	return "http://" + listener.Addr().String(), stop
}

// TestReplicas stops the leader of two replicas: the other one takes over.
func TestReplicas(t *testing.T) {
	server := newCluster(t)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	client := versioned.NewForConfigOrDie(server.Config()).StorageV1().Databases("default")
	first, stop := operate(t, server, "first")
	await(ctx, t, first+"/metrics", `leader_election_master_status{name="shop-controller"} 1`)
	second, _ := operate(t, server, "second")
	for _, url := range []string{first, second} {
		await(ctx, t, url+"/healthz", "")
		await(ctx, t, url+"/readyz", "")
	}
	stop()
	object, err := client.Create(ctx, newDatabase(2), metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	ready(ctx, t, client, object)
	await(ctx, t, second+"/metrics", `workqueue_adds_total{name="databases"}`)
}

// await requests a page until it is served and contains a text.
func await(ctx context.Context, t *testing.T, url, text string) {
	t.Helper()
	transport := &http.Transport{}
	defer transport.CloseIdleConnections()
	for {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
		if err != nil {
			t.Fatal(err)
		}
		response, err := transport.RoundTrip(request)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(response.Body)
		if err != nil {
			t.Fatal(err)
		}
		if err = response.Body.Close(); err != nil {
			t.Fatal(err)
		}
		if response.StatusCode == http.StatusOK && strings.Contains(string(body), text) {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
}
