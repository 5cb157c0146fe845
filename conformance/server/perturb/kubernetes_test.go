//go:build programs

package perturb_test

import (
	"context"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/metadata/metadatainformer"
	clientgo "k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
	"k8s.io/client-go/util/flowcontrol"
	"k8s.io/controller-manager/pkg/informerfactory"
	"k8s.io/kubernetes/pkg/controller/daemon"
	"k8s.io/kubernetes/pkg/controller/deployment"
	"k8s.io/kubernetes/pkg/controller/endpointslice"
	"k8s.io/kubernetes/pkg/controller/garbagecollector"
	"k8s.io/kubernetes/pkg/controller/job"
	"k8s.io/kubernetes/pkg/controller/replicaset"
	"k8s.io/kubernetes/pkg/controller/statefulset"

	"github.com/listwatch/listwatch/apitest/controllers"
	"github.com/listwatch/listwatch/apitest/embedded"
)

// Controllers of Kubernetes survive disturbances.
func TestPrograms(t *testing.T) { report.Programs = disturb(t, kubernetesPrograms) }

// kubernetesPrograms are controllers of Kubernetes. Stand-ins do the work of those on which they depend.
var kubernetesPrograms = []program{
	{
		name: "deployment",
		standIns: func() []embedded.Controller {
			return []embedded.Controller{controllers.ReplicaSets(), controllers.Scheduler(), controllers.Kubelet(nil)}
		},
		start: informed(func(ctx context.Context, kube kubernetes.Interface, f informers.SharedInformerFactory) (runner, error) {
			return deployment.NewDeploymentController(ctx, f.Apps().V1().Deployments(), f.Apps().V1().ReplicaSets(), f.Core().V1().Pods(), kube)
		}),
		users: users(
			apply("deployments", "apps/v1", "Deployment", "a", `"replicas":2,"revisionHistoryLimit":1,`+podTemplate),
			merge("deployments", "a", `{"spec":{"replicas":3}}`),
			merge("deployments", "a", `{"spec":{"template":{"metadata":{"annotations":{"v":"2"}}}}}`),
			merge("deployments", "a", `{"spec":{"template":{"metadata":{"annotations":{"v":"3"}}}}}`),
			remove("deployments", "a"),
		),
	},
	{
		name: "replicaset",
		standIns: func() []embedded.Controller {
			return []embedded.Controller{controllers.Scheduler(), controllers.Kubelet(nil)}
		},
		start: informed(func(ctx context.Context, kube kubernetes.Interface, f informers.SharedInformerFactory) (runner, error) {
			return replicaset.NewReplicaSetController(ctx, f.Apps().V1().ReplicaSets(), f.Core().V1().Pods(), kube, replicaset.BurstReplicas), nil
		}),
		users: users(
			apply("replicasets", "apps/v1", "ReplicaSet", "a", `"replicas":2,`+podTemplate),
			merge("replicasets", "a", `{"spec":{"replicas":3}}`),
			removeFirst("pods", ""),
			merge("replicasets", "a", `{"spec":{"replicas":1}}`),
		),
	},
	{
		name: "job",
		standIns: func() []embedded.Controller {
			return []embedded.Controller{controllers.Scheduler(), controllers.Kubelet(finish)}
		},
		start: informed(func(ctx context.Context, kube kubernetes.Interface, f informers.SharedInformerFactory) (runner, error) {
			return job.NewController(ctx, kube, f.Core().V1().Pods(), f.Batch().V1().Jobs(), nil, nil)
		}),
		users: users(
			apply("jobs", "batch/v1", "Job", "a", `"parallelism":1,"completions":3,"template":{"spec":{"restartPolicy":"Never","containers":[{"name":"c","image":"i"}]}}`),
			apply("jobs", "batch/v1", "Job", "b", `"completionMode":"Indexed","parallelism":2,"completions":2,"template":{"spec":{"restartPolicy":"Never","containers":[{"name":"c","image":"i"}]}}`),
			remove("jobs", "a"),
		),
		ignore: func(o *unstructured.Unstructured) {
			if o.GetLabels()["batch.kubernetes.io/job-name"] == "b" { // several pods may have an index, of which one counts
				o.Object = nil
			}
		},
	},
	{
		name: "statefulset",
		standIns: func() []embedded.Controller {
			return []embedded.Controller{controllers.Scheduler(), controllers.Kubelet(nil)}
		},
		start: informed(func(ctx context.Context, kube kubernetes.Interface, f informers.SharedInformerFactory) (runner, error) {
			return statefulset.NewStatefulSetController(ctx, f.Core().V1().Pods(), f.Apps().V1().StatefulSets(), f.Core().V1().PersistentVolumeClaims(), f.Apps().V1().ControllerRevisions(), kube), nil
		}),
		users: users(
			apply("statefulsets", "apps/v1", "StatefulSet", "a", `"replicas":2,"serviceName":"a",`+podTemplate),
			merge("statefulsets", "a", `{"spec":{"replicas":3}}`),
			merge("statefulsets", "a", `{"spec":{"template":{"metadata":{"annotations":{"v":"2"}}}}}`),
			merge("statefulsets", "a", `{"spec":{"replicas":1}}`),
		),
		ignore: func(o *unstructured.Unstructured) {
			if o.GetKind() == "ControllerRevision" { // whose numbers only say which is newer
				unstructured.RemoveNestedField(o.Object, "revision")
			}
		},
	},
	{
		name: "daemonset",
		start: informed(func(ctx context.Context, kube kubernetes.Interface, f informers.SharedInformerFactory) (runner, error) {
			return daemon.NewDaemonSetsController(ctx, f.Apps().V1().DaemonSets(), f.Apps().V1().ControllerRevisions(), f.Core().V1().Pods(), f.Core().V1().Nodes(), kube, flowcontrol.NewBackOff(time.Second, 15*time.Minute))
		}),
		users: users(
			node("n1"), node("n2"),
			apply("daemonsets", "apps/v1", "DaemonSet", "a", podTemplate),
			node("n3"),
			merge("daemonsets", "a", `{"spec":{"template":{"metadata":{"annotations":{"v":"2"}}}}}`),
			removeNode("n1"),
		),
	},
	{
		name: "endpointslice",
		start: informed(func(ctx context.Context, kube kubernetes.Interface, f informers.SharedInformerFactory) (runner, error) {
			return endpointslice.NewController(ctx, f.Core().V1().Pods(), f.Core().V1().Services(), f.Core().V1().Nodes(), f.Discovery().V1().EndpointSlices(), 100, kube, time.Second), nil
		}),
		users: users(
			node("n1"),
			apply("services", "v1", "Service", "s", `"clusterIP":"10.0.0.10","selector":{"app":"a"},"ports":[{"port":80}]`),
			readyPod("p1", "10.1.0.1"), readyPod("p2", "10.1.0.2"),
			remove("pods", "p1"),
			merge("services", "s", `{"spec":{"ports":[{"port":81}]}}`),
			remove("services", "s"),
		),
	},
	{
		name:             "garbagecollector",
		withoutCollector: true,
		start:            collector,
		users: users(
			apply("configmaps", "v1", "ConfigMap", "owner", ``),
			owned("a", "owner"), owned("b", "owner"),
			remove("configmaps", "owner"),
			apply("configmaps", "v1", "ConfigMap", "owner", ``),
			owned("c", "owner"),
			foreground("owner"),
		),
	},
}

// runner is a controller of Kubernetes.
type runner interface {
	Run(ctx context.Context, workers int)
}

// informed starts a controller that reads from a factory's informers.
func informed(make func(context.Context, kubernetes.Interface, informers.SharedInformerFactory) (runner, error)) start {
	return func(ctx context.Context, config *clientgo.Config) error {
		kube, err := kubernetes.NewForConfig(config)
		if err != nil {
			return err
		}
		factory := informers.NewSharedInformerFactory(kube, 0)
		r, err := make(ctx, kube, factory)
		if err != nil {
			return err
		}
		factory.Start(ctx.Done())
		defer factory.Shutdown()
		r.Run(ctx, 1)
		return nil
	}
}

// collector starts the garbage collector.
func collector(ctx context.Context, config *clientgo.Config) error {
	kube, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	client, err := metadata.NewForConfig(config)
	if err != nil {
		return err
	}
	mapper := restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(kube.Discovery()))
	factory := informers.NewSharedInformerFactory(kube, 0)
	started := make(chan struct{})
	shared := informerfactory.NewInformerFactory(factory, metadatainformer.NewSharedInformerFactory(client, 0))
	gc, err := garbagecollector.NewGarbageCollector(ctx, kube, client, mapper, map[schema.GroupResource]struct{}{
		{Resource: "events"}: {}, {Group: "events.k8s.io", Resource: "events"}: {}, {Group: "coordination.k8s.io", Resource: "leases"}: {},
	}, shared, started)
	if err != nil {
		return err
	}
	shared.Start(ctx.Done())
	close(started)
	defer factory.Shutdown()
	synced := make(chan struct{})
	go func() {
		defer close(synced)
		gc.Sync(ctx, kube.Discovery(), 30*time.Second)
	}()
	gc.Run(ctx, 1, 30*time.Second)
	<-synced
	return nil
}
