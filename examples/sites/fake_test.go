package sites_test

import (
	"context"
	"log/slog"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/examples/sites"
	webv1 "github.com/listwatch/listwatch/examples/sites/apis/web/v1"
	"github.com/listwatch/listwatch/examples/sites/generated/clientset/versioned/fake"
	kubefake "github.com/listwatch/listwatch/kubernetes/fake"
	"github.com/listwatch/listwatch/kubernetes/record"
	"github.com/listwatch/listwatch/runtime/cache"
)

// TestFake runs the controller on fake clientsets: no HTTP, no schema, no rights, nothing to start.
func TestFake(t *testing.T) {
	directory := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "sites", Name: "directory"}}
	client, cluster, events := fake.NewClientset(), kubefake.NewClientset(directory), record.NewFakeRecorder(10)
	controller, err := sites.New(client, cluster, events, cache.MetaObjectToName(directory), nil, slog.New(slog.NewTextHandler(t.Output(), nil)))
	check(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		controller.Work(ctx, 1, nil)
	}()
	defer func() { cancel(); <-ended; controller.Close() }()
	check(t, controller.Watch(ctx))

	site := newSite("hello")
	site.Generation, site.UID = 1, "1" // which a server sets
	_, err = client.WebV1().Sites("default").Create(ctx, site, metav1.CreateOptions{})
	check(t, err, await(ctx, client.WebV1().Sites("default").Watch, "hello", condition(webv1.ReasonProgressing)))
	if event, want := <-events.Events, "Normal Progressing Waiting for 2 web servers"; event != want {
		t.Errorf("got event %q, want %q", event, want)
	}
	deployment, err := cluster.AppsV1().Deployments("default").Get(ctx, "hello", metav1.GetOptions{})
	check(t, err)
	if *deployment.Spec.Replicas != 2 || !metav1.IsControlledBy(deployment, site) {
		t.Errorf("got deployment %+v", deployment)
	}
}
