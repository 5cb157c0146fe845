package main

import (
	"context"
	"errors"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"

	webv1 "github.com/listwatch/listwatch/examples/sites/apis/web/v1"
	"github.com/listwatch/listwatch/examples/sites/generated/clientset/versioned"
	webv1client "github.com/listwatch/listwatch/examples/sites/generated/clientset/versioned/typed/web/v1"
	"github.com/listwatch/listwatch/kubernetes"
)

// teller performs the demo's actions with its own clients.
type teller struct {
	sites   webv1client.SiteInterface
	cluster kubernetes.Interface
}

func tell(ctx context.Context, s *stage) error {
	client, err := versioned.NewForConfig(s.server.Config())
	if err != nil {
		return err
	}
	cluster, err := kubernetes.NewForConfig(s.server.Config())
	if err != nil {
		return err
	}
	t := teller{client.WebV1().Sites("default"), cluster}
	for _, scene := range []func(context.Context) error{t.create, t.drift, t.mistake, t.events, t.remove} {
		if err := scene(ctx); err != nil {
			return err
		}
	}
	return nil
}

func say(line string) { fmt.Println("\n" + line) }

func (t teller) create(ctx context.Context) error {
	say("A site of two web servers. The controller creates a config map and a deployment:")
	site := &webv1.Site{ObjectMeta: metav1.ObjectMeta{Name: "hello"}, Spec: webv1.SiteSpec{HTML: "<h1>Hello</h1>", Replicas: 2}}
	if _, err := t.sites.Create(ctx, site, metav1.CreateOptions{}); err != nil {
		return err
	}
	if err := t.await(ctx, webv1.ReasonProgressing); err != nil {
		return err
	}
	say("There is no cluster, so the demo says itself that they are available:")
	d, err := t.cluster.AppsV1().Deployments("default").Get(ctx, "hello", metav1.GetOptions{})
	if err != nil {
		return err
	}
	n := *d.Spec.Replicas
	d.Status = appsv1.DeploymentStatus{ObservedGeneration: d.Generation, Replicas: n, UpdatedReplicas: n, AvailableReplicas: n, ReadyReplicas: n}
	if _, err = t.cluster.AppsV1().Deployments("default").UpdateStatus(ctx, d, metav1.UpdateOptions{}); err != nil {
		return err
	}
	return t.await(ctx, webv1.ReasonAvailable)
}

// drift changes what belongs to the controller.
func (t teller) drift(ctx context.Context) error {
	say("Somebody scales the deployment to 7. The controller scales it back:")
	patched, err := t.cluster.AppsV1().Deployments("default").Patch(ctx, "hello", types.MergePatchType, []byte(`{"spec":{"replicas":7}}`), metav1.PatchOptions{})
	if err != nil {
		return err
	}
	return until(ctx, t.cluster.AppsV1().Deployments("default").Watch, patched.ResourceVersion, func(d *appsv1.Deployment) bool {
		fmt.Printf("    deployment hello: replicas %d\n", *d.Spec.Replicas)
		return *d.Spec.Replicas == 2
	})
}

// mistake shows that the server validates objects against the schema of their CRD.
func (t teller) mistake(ctx context.Context) error {
	say("A site without a page is invalid. The server responds:")
	_, err := t.sites.Create(ctx, &webv1.Site{ObjectMeta: metav1.ObjectMeta{Name: "empty"}}, metav1.CreateOptions{})
	if !apierrors.IsInvalid(err) {
		return fmt.Errorf("create a site without a page: got error %w, want it invalid", err)
	}
	fmt.Println("   ", err)
	return nil
}

// events shows the events of the site: the controller writes them in the background.
func (t teller) events(ctx context.Context) error {
	say("The events of the site:")
	return until(ctx, t.cluster.CoreV1().Events("default").Watch, "", func(e *corev1.Event) bool {
		fmt.Printf("    %s %s: %s\n", e.Type, e.Reason, e.Message)
		return e.Reason == webv1.ReasonAvailable
	})
}

func (t teller) remove(ctx context.Context) error {
	say("The site is deleted. Its finalizer removes it from the directory first:")
	directory := t.cluster.CoreV1().ConfigMaps("sites")
	before, err := directory.Get(ctx, "directory", metav1.GetOptions{})
	if err != nil {
		return err
	}
	fmt.Println("    before:", before.Data)
	if err := t.sites.Delete(ctx, "hello", metav1.DeleteOptions{}); err != nil {
		return err
	}
	return until(ctx, directory.Watch, before.ResourceVersion, func(m *corev1.ConfigMap) bool {
		fmt.Println("    after: ", m.Data)
		return len(m.Data) == 0
	})
}

// await prints the states of the site until its condition has a reason.
func (t teller) await(ctx context.Context, reason string) error {
	return until(ctx, t.sites.Watch, "", func(site *webv1.Site) bool {
		c := meta.FindStatusCondition(site.Status.Conditions, webv1.ConditionReady)
		if c == nil || c.Reason != reason {
			return false
		}
		fmt.Printf("    site %s: %s %s, %s: %s\n", site.Name, c.Type, c.Status, c.Reason, c.Message)
		return true
	})
}

// until watches objects from a version, or from the existing ones if it is "", until one is as expected.
func until[T any](ctx context.Context, start func(context.Context, metav1.ListOptions) (watch.Interface, error), version string, expected func(T) bool) error {
	changes, err := start(ctx, metav1.ListOptions{ResourceVersion: version})
	if err != nil {
		return err
	}
	defer changes.Stop()
	for {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case change, ok := <-changes.ResultChan():
			if !ok {
				return errors.New("the watch has ended")
			}
			if object, ok := change.Object.(T); ok && expected(object) {
				return nil
			}
		}
	}
}
