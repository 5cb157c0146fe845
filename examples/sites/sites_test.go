package sites_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/listwatch/listwatch/apitest/embedded"
	"github.com/listwatch/listwatch/examples/sites"
	webv1 "github.com/listwatch/listwatch/examples/sites/apis/web/v1"
	"github.com/listwatch/listwatch/examples/sites/config"
	"github.com/listwatch/listwatch/examples/sites/generated/clientset/versioned"
	webv1client "github.com/listwatch/listwatch/examples/sites/generated/clientset/versioned/typed/web/v1"
	"github.com/listwatch/listwatch/kubernetes"
	"github.com/listwatch/listwatch/runtime/rest"
)

// cluster is an API server with the manifests, and a user's clients of it.
type cluster struct {
	*embedded.Server
	sites webv1client.SiteInterface
	kube  kubernetes.Interface
	mode  mode
}

// mode is how replicas work together.
type mode struct {
	share   bool
	objects func() ([]runtime.Object, error)
	lease   sites.Lease
}

var (
	// One leads. The lease has the durations of Kubernetes' components, except that a replica does not wait long for a
	// released lease.
	leading = mode{false, config.Objects, sites.Lease{Duration: 15 * time.Second, Renew: 10 * time.Second, Retry: 50 * time.Millisecond}}
	// All share the sites. The lease is short: a new ring assigns nothing before it could have expired.
	sharing = mode{true, config.SharedObjects, sites.Lease{Duration: 3 * time.Second, Renew: 2 * time.Second}}
)

// bothWays runs a test with replicas of which one leads, and with those that share the sites. It runs beside others, as it
// waits more than it works.
func bothWays(t *testing.T, test func(t *testing.T, c cluster)) {
	t.Helper()
	t.Parallel()
	for name, mode := range map[string]mode{"leading": leading, "sharing": sharing} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, newCluster(t, mode))
		})
	}
}

// newCluster starts a cluster with objects, by default those of the manifests.
func newCluster(t *testing.T, m mode, objects ...runtime.Object) cluster {
	t.Helper()
	if len(objects) == 0 {
		var err error
		objects, err = m.objects()
		check(t, err)
	}
	server := embedded.Start(t, embedded.WithCRDs("config/crd"), embedded.WithObjects(objects...))
	return cluster{server, versioned.NewForConfigOrDie(server.Config()).WebV1().Sites("default"), kubernetes.NewForConfigOrDie(server.Config()), m}
}

// replica is a running replica of the controller.
type replica struct {
	address string
	stop    func()
	ended   chan error
}

// run runs a replica until the test ends, with the rights that the manifests grant.
func run(t *testing.T, c cluster, identity string, adapt ...func(*rest.Config)) *replica {
	t.Helper()
	user := c.ConfigFor(config.User)
	for _, f := range adapt {
		f(user)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	r := &replica{"http://" + listener.Addr().String(), cancel, make(chan error, 1)}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		r.ended <- sites.Run(ctx, user, sites.Options{
			Namespace: "sites", Identity: identity, Workers: 2, Share: c.mode.share, Lease: c.mode.lease,
			StopTimeout: 10 * time.Second, Listener: listener, Metrics: metrics, Log: slog.New(slog.NewTextHandler(t.Output(), nil)),
		})
	}()
	t.Cleanup(func() { cancel(); <-ended })
	return r
}

func newSite(name string) *webv1.Site {
	return &webv1.Site{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: webv1.SiteSpec{HTML: "<h1>Hello</h1>", Replicas: 2}}
}

// play has the part of the cluster's own controllers, which apitest does not have: it makes the web servers of the
// site hello available.
func (c cluster) play(ctx context.Context) error {
	deployments := c.kube.AppsV1().Deployments("default")
	d, err := deployments.Get(ctx, "hello", metav1.GetOptions{})
	if err != nil {
		return err
	}
	n := *d.Spec.Replicas
	d.Status = appsv1.DeploymentStatus{ObservedGeneration: d.Generation, Replicas: n, UpdatedReplicas: n, AvailableReplicas: n, ReadyReplicas: n}
	_, err = deployments.UpdateStatus(ctx, d, metav1.UpdateOptions{})
	return err
}

type startWatch = func(context.Context, metav1.ListOptions) (watch.Interface, error)

// await watches the objects of a name until one is as expected.
func await[T any](ctx context.Context, start startWatch, name string, expected func(T) bool) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	// Without a resource version, a watch starts with the objects that exist.
	changes, err := start(ctx, metav1.ListOptions{FieldSelector: "metadata.name=" + name})
	if err != nil {
		return err
	}
	defer changes.Stop()
	for change := range changes.ResultChan() {
		if object, ok := change.Object.(T); ok && change.Type != watch.Deleted && expected(object) {
			return nil
		}
	}
	return fmt.Errorf("the watch of %s has ended before it was as expected: %w", name, cmp.Or(context.Cause(ctx), io.EOF))
}

// condition returns a function that reports whether the site has a current condition Ready for a reason.
func condition(reason string) func(*webv1.Site) bool {
	return func(site *webv1.Site) bool {
		c := meta.FindStatusCondition(site.Status.Conditions, webv1.ConditionReady)
		return c != nil && c.Reason == reason && c.ObservedGeneration == site.Generation
	}
}

// ready waits for the condition Ready with a reason.
func (c cluster) ready(ctx context.Context, name, reason string) error {
	return await(ctx, c.sites.Watch, name, condition(reason))
}

// gone waits until a site does not exist, nor its entry in the directory.
func (c cluster) gone(ctx context.Context, name string) error {
	if err := c.deleted(ctx, name); err != nil {
		return err
	}
	return await(ctx, c.kube.CoreV1().ConfigMaps("sites").Watch, "directory", func(m *corev1.ConfigMap) bool { return m.Data["default."+name] == "" })
}

// deleted waits until a site does not exist.
func (c cluster) deleted(ctx context.Context, name string) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	changes, err := c.sites.Watch(ctx, metav1.ListOptions{FieldSelector: "metadata.name=" + name})
	if err != nil {
		return err
	}
	defer changes.Stop()
	// Of a site that is gone already, the watch says nothing.
	if _, err = c.sites.Get(ctx, name, metav1.GetOptions{}); err != nil {
		if apierrors.IsNotFound(err) {
			return nil
		}
		return err
	}
	for change := range changes.ResultChan() {
		if change.Type == watch.Deleted {
			return nil
		}
	}
	return fmt.Errorf("the watch of %s has ended before it was deleted: %w", name, cmp.Or(context.Cause(ctx), io.EOF))
}

// live is the life of a site: it is created, becomes available, changes, and is deleted.
func (c cluster) live(ctx context.Context) error {
	const name = "hello"
	configMaps := c.kube.CoreV1().ConfigMaps
	for _, step := range []func() error{
		func() error { _, err := c.sites.Create(ctx, newSite(name), metav1.CreateOptions{}); return err },
		func() error { return c.ready(ctx, name, webv1.ReasonProgressing) },
		func() error { return c.play(ctx) },
		func() error { return c.ready(ctx, name, webv1.ReasonAvailable) },
		func() error {
			_, err := c.sites.Patch(ctx, name, types.MergePatchType, []byte(`{"spec":{"html":"<h1>Bye</h1>"}}`), metav1.PatchOptions{})
			return err
		},
		func() error { return c.ready(ctx, name, webv1.ReasonProgressing) },
		func() error {
			return await(ctx, configMaps("default").Watch, name, func(m *corev1.ConfigMap) bool { return m.Data["index.html"] == "<h1>Bye</h1>" })
		},
		func() error { return c.play(ctx) },
		func() error { return c.ready(ctx, name, webv1.ReasonAvailable) },
		func() error {
			return await(ctx, configMaps("sites").Watch, "directory", func(m *corev1.ConfigMap) bool { return m.Data["default.hello"] == "http://hello.default.svc" })
		},
		func() error { return c.sites.Delete(ctx, name, metav1.DeleteOptions{}) },
		func() error { return c.gone(ctx, name) },
		func() error { // when it was available for the second time, the event was counted
			available := func(ctx context.Context, o metav1.ListOptions) (watch.Interface, error) {
				o.FieldSelector = "reason=" + webv1.ReasonAvailable
				return c.kube.CoreV1().Events("default").Watch(ctx, o)
			}
			return await(ctx, available, name, func(e *corev1.Event) bool { return e.Count == 2 })
		},
	} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// check fails the test at the first error.
func check(t *testing.T, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

func create(ctx context.Context, c cluster) error {
	_, err := c.sites.Create(ctx, newSite("hello"), metav1.CreateOptions{})
	return err
}

func TestLife(t *testing.T) {
	bothWays(t, func(t *testing.T, c cluster) {
		r := run(t, c, "first")
		check(t, c.live(t.Context()))
		r.stop()
		check(t, <-r.ended)
	})
}

// TestDrift changes and deletes what a site owns: the controller restores it.
func TestDrift(t *testing.T) {
	bothWays(t, func(t *testing.T, c cluster) {
		run(t, c, "first")
		ctx := t.Context()
		check(t, create(ctx, c))
		check(t, c.ready(ctx, "hello", webv1.ReasonProgressing))
		deployments := c.kube.AppsV1().Deployments("default")
		if _, err := deployments.Patch(ctx, "hello", types.MergePatchType, []byte(`{"spec":{"replicas":7,"minReadySeconds":5}}`), metav1.PatchOptions{}); err != nil {
			t.Fatal(err)
		}
		check(t, await(ctx, deployments.Watch, "hello", func(d *appsv1.Deployment) bool {
			return *d.Spec.Replicas == 2 && d.Spec.MinReadySeconds == 5 // which the controller does not decide about
		}))
		configMaps := c.kube.CoreV1().ConfigMaps("default")
		check(t, configMaps.Delete(ctx, "hello", metav1.DeleteOptions{}))
		check(t, await(ctx, configMaps.Watch, "hello", func(*corev1.ConfigMap) bool { return true }))
	})
}

// TestNameTaken creates a site whose name another deployment has: the controller leaves it alone until it is deleted.
func TestNameTaken(t *testing.T) {
	bothWays(t, func(t *testing.T, c cluster) {
		run(t, c, "first")
		ctx := t.Context()
		labels := map[string]string{"app": "other"}
		other := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: "hello"}, Spec: appsv1.DeploymentSpec{
			Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "other", Image: "other"}}},
			},
		}}
		deployments := c.kube.AppsV1().Deployments("default")
		if _, err := deployments.Create(ctx, other, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
		check(t, create(ctx, c))
		check(t, c.ready(ctx, "hello", webv1.ReasonNameTaken))
		if d, err := deployments.Get(ctx, "hello", metav1.GetOptions{}); err != nil || d.Spec.Template.Labels["app"] != "other" {
			t.Errorf("the other deployment: %v, error %v", d, err)
		}
		check(t, deployments.Delete(ctx, "hello", metav1.DeleteOptions{}))
		check(t, c.ready(ctx, "hello", webv1.ReasonProgressing))
	})
}

// TestSchema checks that the server rejects a site without a page, and has the default for replicas.
func TestSchema(t *testing.T) {
	c := newCluster(t, leading)
	if _, err := c.sites.Create(t.Context(), &webv1.Site{ObjectMeta: metav1.ObjectMeta{Name: "empty"}}, metav1.CreateOptions{}); !apierrors.IsInvalid(err) || !strings.Contains(err.Error(), "spec.html") {
		t.Errorf("got error %v, want it invalid for its spec.html", err)
	}
	var created webv1.Site
	raw := c.sites.(interface{ GetClient() rest.Interface }).GetClient()
	err := raw.Post().Namespace("default").Resource("sites").
		Body([]byte(`{"apiVersion":"web.example.com/v1","kind":"Site","metadata":{"name":"one"},"spec":{"html":"x"}}`)).Do(t.Context()).Into(&created)
	if err != nil || created.Spec.Replicas != 1 {
		t.Errorf("got %d replicas, error %v", created.Spec.Replicas, err)
	}
}
