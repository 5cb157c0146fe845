//go:build operators

package perturb_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	clientgo "k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"

	"github.com/listwatch/listwatch/apitest/embedded"
	"github.com/listwatch/listwatch/apitest/perturb"
	cronjobv1 "github.com/listwatch/listwatch/conformance/server/perturb/.work/cronjob/api/v1"
	cronjob "github.com/listwatch/listwatch/conformance/server/perturb/.work/cronjob/private/controller"
	memcachedv1alpha1 "github.com/listwatch/listwatch/conformance/server/perturb/.work/memcached/api/v1alpha1"
	memcached "github.com/listwatch/listwatch/conformance/server/perturb/.work/memcached/private/controller"
	sample "github.com/listwatch/listwatch/conformance/server/perturb/.work/sample"
	sampleclient "github.com/listwatch/listwatch/conformance/server/perturb/.work/sample/pkg/generated/clientset/versioned"
	sampleinformers "github.com/listwatch/listwatch/conformance/server/perturb/.work/sample/pkg/generated/informers/externalversions"
)

// The resources of the small operators.
const (
	foos       = "foos.v1alpha1.samplecontroller.k8s.io"
	memcacheds = "memcacheds.v1alpha1.cache.example.com"
	cronjobs   = "cronjobs.v1.batch.tutorial.kubebuilder.io"
)

var operators = []program{
	{
		name:     "sample-controller",
		server:   []embedded.Option{embedded.WithCRDs(".work/sample/artifacts/examples/crd-status-subresource.yaml")},
		standIns: workloads,
		start:    runSample,
		users: users(
			apply(foos, "samplecontroller.k8s.io/v1alpha1", "Foo", "a", `"deploymentName":"d","replicas":1`),
			merge(foos, "a", `{"spec":{"replicas":2}}`),
			remove("deployments", "d"),
			merge(foos, "a", `{"spec":{"deploymentName":"e"}}`),
			remove(foos, "a"),
		),
	},
	{
		name:     "memcached (kubebuilder)",
		server:   []embedded.Option{embedded.WithCRDs(".work/memcached/config/crd/bases")},
		standIns: workloads,
		start: managing(func(_ context.Context, mgr ctrl.Manager) error {
			return (&memcached.MemcachedReconciler{Client: mgr.GetClient(), Scheme: mgr.GetScheme()}).SetupWithManager(mgr)
		}, memcachedv1alpha1.AddToScheme),
		users: users(
			apply(memcacheds, "cache.example.com/v1alpha1", "Memcached", "a", `"size":1`),
			merge(memcacheds, "a", `{"spec":{"size":2}}`),
			remove("deployments", "a"),
			merge(memcacheds, "a", `{"spec":{"size":3}}`),
			remove(memcacheds, "a"),
		),
	},
	{
		name:     "cronjob (kubebuilder)",
		server:   []embedded.Option{embedded.WithCRDs(".work/cronjob/config/crd/bases")},
		standIns: batch,
		start:    startCronJobs,
		users: users(
			cronJob(1),
			pause(150*time.Second),
			merge(cronjobs, "a", `{"spec":{"suspend":true}}`),
			merge(cronjobs, "a", `{"spec":{"suspend":false}}`),
			pause(150*time.Second),
			merge(cronjobs, "a", `{"spec":{"suspend":true}}`),
			remove(cronjobs, "a"), // the names of jobs have their times
		),
		always: []perturb.Invariant{oneJob},
	},
}

var startCronJobs = managing(func(_ context.Context, mgr ctrl.Manager) error {
	return (&cronjob.CronJobReconciler{Client: mgr.GetClient(), Scheme: mgr.GetScheme()}).SetupWithManager(mgr)
}, cronjobv1.AddToScheme)

// cronJob creates a CronJob that keeps some finished jobs.
func cronJob(history int) step {
	return apply(cronjobs, "batch.tutorial.kubebuilder.io/v1", "CronJob", "a", fmt.Sprintf(
		`"schedule":"*/2 * * * *","concurrencyPolicy":"Forbid","successfulJobsHistoryLimit":%d,"jobTemplate":{"spec":{"template":{"spec":{"restartPolicy":"Never",`+containers+`}}}}`, history))
}

// The controller of kubebuilder's book fails undisturbed if no finished jobs are kept: the last job is the only record of
// when it ran, so that it is run again and again.
func TestNoHistory(t *testing.T) {
	_, err := perturb.Search(t, perturb.Controller{
		Server: []embedded.Option{embedded.WithCRDs(".work/cronjob/config/crd/bases")}, Controllers: batch, StartClientGo: startCronJobs,
		UsersClientGo: users(cronJob(0), pause(150*time.Second)),
	}, perturb.Limits{})
	if err == nil || !strings.Contains(err.Error(), "has not come to rest") || strings.Count(err.Error(), "create jobs.batch default/a-") < 10 {
		t.Errorf("got error %v, want jobs without end", err)
	}
}

// oneJob is the promise of the concurrency policy Forbid.
var oneJob = perturb.Invariant{Name: "no two jobs run at once", Holds: func(s perturb.State) error {
	var active []string
	for _, job := range s.Objects("jobs.batch") {
		if finished, _, _ := unstructured.NestedSlice(job.Object, "status", "conditions"); len(finished) == 0 && job.GetDeletionTimestamp() == nil {
			active = append(active, job.GetName())
		}
	}
	if len(active) > 1 {
		return fmt.Errorf("%v run", active)
	}
	return nil
}}

// pause lets time pass.
func pause(d time.Duration) step {
	return func(ctx context.Context, _ dynamic.Interface) error {
		select {
		case <-time.After(d):
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// runSample starts sample-controller, as its command does.
func runSample(ctx context.Context, config *clientgo.Config) error {
	kube, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	client, err := sampleclient.NewForConfig(config)
	if err != nil {
		return err
	}
	factory, ours := informers.NewSharedInformerFactory(kube, 30*time.Second), sampleinformers.NewSharedInformerFactory(client, 30*time.Second)
	c := sample.NewController(ctx, kube, client, factory.Apps().V1().Deployments(), ours.Samplecontroller().V1alpha1().Foos())
	factory.Start(ctx.Done())
	ours.Start(ctx.Done())
	defer factory.Shutdown()
	defer ours.Shutdown()
	return c.Run(ctx, 2)
}
