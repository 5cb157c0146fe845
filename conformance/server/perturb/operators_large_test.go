//go:build operators

package perturb_test

import (
	"context"
	"errors"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	rayv1 "github.com/ray-project/kuberay/ray-operator/apis/ray/v1"
	"github.com/ray-project/kuberay/ray-operator/controllers/ray"
	jobsetv1alpha2 "sigs.k8s.io/jobset/api/jobset/v1alpha2"
	jobset "sigs.k8s.io/jobset/pkg/controllers"
	lwsv1 "sigs.k8s.io/lws/api/leaderworkerset/v1"
	lws "sigs.k8s.io/lws/pkg/controllers"

	"github.com/listwatch/listwatch/apitest/controllers"
	"github.com/listwatch/listwatch/apitest/embedded"
	rabbitmqv1beta1 "github.com/listwatch/listwatch/conformance/server/perturb/.work/rabbitmq/api/v1beta1"
	rabbitmq "github.com/listwatch/listwatch/conformance/server/perturb/.work/rabbitmq/private/controller"
	"github.com/listwatch/listwatch/conformance/server/perturb/.work/rabbitmq/private/rabbitmqclient"
	sandboxv1beta1 "github.com/listwatch/listwatch/conformance/server/perturb/.work/sandbox/api/v1beta1"
	sandbox "github.com/listwatch/listwatch/conformance/server/perturb/.work/sandbox/controllers"
	poolv1beta1 "github.com/listwatch/listwatch/conformance/server/perturb/.work/sandbox/extensions/api/v1beta1"
	pool "github.com/listwatch/listwatch/conformance/server/perturb/.work/sandbox/extensions/controllers"
	poolqueue "github.com/listwatch/listwatch/conformance/server/perturb/.work/sandbox/extensions/controllers/queue"
	sandboxmetrics "github.com/listwatch/listwatch/conformance/server/perturb/.work/sandbox/private/metrics"
)

// The resources of the large operators.
const (
	sandboxes  = "sandboxes.v1beta1.agents.x-k8s.io"
	templates  = "sandboxtemplates.v1beta1.extensions.agents.x-k8s.io"
	pools      = "sandboxwarmpools.v1beta1.extensions.agents.x-k8s.io"
	claims     = "sandboxclaims.v1beta1.extensions.agents.x-k8s.io"
	rabbits    = "rabbitmqclusters.v1beta1.rabbitmq.com"
	jobsets    = "jobsets.v1alpha2.jobset.x-k8s.io"
	lwss       = "leaderworkersets.v1.leaderworkerset.x-k8s.io"
	rays       = "rayclusters.v1.ray.io"
	containers = `"containers":[{"name":"c","image":"i"}]`
)

func init() {
	operators = append(operators, program{
		name:     "agent-sandbox",
		server:   []embedded.Option{embedded.WithCRDs(".work/sandbox/k8s/crds")},
		standIns: workloads,
		start:    managing(setUpSandbox, sandboxv1beta1.AddToScheme, poolv1beta1.AddToScheme),
		users: users(
			apply(sandboxes, "agents.x-k8s.io/v1beta1", "Sandbox", "s", `"podTemplate":{"spec":{`+containers+`}}`),
			merge(sandboxes, "s", `{"spec":{"operatingMode":"Suspended"}}`),
			merge(sandboxes, "s", `{"spec":{"operatingMode":"Running"}}`),
			apply(templates, "extensions.agents.x-k8s.io/v1beta1", "SandboxTemplate", "t", `"podTemplate":{"spec":{`+containers+`}}`),
			apply(pools, "extensions.agents.x-k8s.io/v1beta1", "SandboxWarmPool", "w", `"replicas":2,"sandboxTemplateRef":{"name":"t"}`),
			apply(claims, "extensions.agents.x-k8s.io/v1beta1", "SandboxClaim", "c", `"warmPoolRef":{"name":"w"}`),
			merge(pools, "w", `{"spec":{"replicas":1}}`),
			remove(claims, "c"),
			remove("pods", "s"),
		),
		ignore: func(o *unstructured.Unstructured) {
			hashed := []string{"agents.x-k8s.io/sandbox-name-hash"} // of a completed name
			for _, label := range hashed {
				unstructured.RemoveNestedField(o.Object, "metadata", "labels", label)
				unstructured.RemoveNestedField(o.Object, "spec", "selector", label)
			}
			unstructured.RemoveNestedField(o.Object, "status", "selector")
		},
	}, program{
		name:     "rabbitmq cluster-operator",
		server:   []embedded.Option{embedded.WithCRDs(".work/rabbitmq/config/crd/bases")},
		standIns: workloads,
		start: func(ctx context.Context, user *rest.Config) error {
			return managing(func(_ context.Context, mgr ctrl.Manager) error {
				return (&rabbitmq.RabbitmqClusterReconciler{
					Client: mgr.GetClient(), APIReader: mgr.GetAPIReader(), Scheme: mgr.GetScheme(), Recorder: mgr.GetEventRecorderFor("rabbitmq"),
					Namespace: "system", ClusterConfig: user, Clientset: kubernetes.NewForConfigOrDie(user), PodExecutor: commands{},
					RabbitmqClientFactory: unreachable{}, DefaultRabbitmqImage: "rabbitmq",
				}).SetupWithManager(mgr)
			}, rabbitmqv1beta1.AddToScheme)(ctx, user)
		},
		users: users(
			apply(rabbits, "rabbitmq.com/v1beta1", "RabbitmqCluster", "r", `"replicas":1,"image":"rabbitmq:4"`),
			merge(rabbits, "r", `{"spec":{"rabbitmq":{"additionalPlugins":["rabbitmq_top"]}}}`),
			merge(rabbits, "r", `{"spec":{"replicas":3}}`),
			merge(rabbits, "r", `{"spec":{"rabbitmq":{"additionalConfig":"log.console.level = debug"}}}`),
			merge(rabbits, "r", `{"spec":{"service":{"type":"NodePort"}}}`),
			remove(rabbits, "r"),
		),
		ignore:   withoutSecretData,
		recovery: 10 * time.Minute,
	}, program{
		name:   "jobset",
		server: []embedded.Option{embedded.WithCRDs(module("sigs.k8s.io/jobset") + "/config/components/crd/bases")},
		standIns: func() []embedded.Controller {
			return []embedded.Controller{controllers.Jobs(), controllers.Scheduler(), controllers.Kubelet(func(pod *corev1.Pod) controllers.Fate {
				if strings.HasPrefix(pod.Name, "b-") {
					return controllers.Fail
				}
				return controllers.Succeed
			})}
		},
		start: managing(func(ctx context.Context, mgr ctrl.Manager) error {
			return errors.Join(
				jobset.SetupJobSetIndexes(ctx, mgr.GetFieldIndexer()), jobset.SetupPodIndexes(ctx, mgr.GetFieldIndexer()),
				jobset.NewJobSetReconciler(mgr.GetClient(), mgr.GetScheme(), mgr.GetEventRecorderFor("jobset")).SetupWithManager(mgr),
				jobset.NewPodReconciler(mgr.GetClient(), mgr.GetScheme(), mgr.GetEventRecorderFor("pod")).SetupWithManager(mgr),
			)
		}, jobsetv1alpha2.AddToScheme),
		users: users(
			apply(jobsets, "jobset.x-k8s.io/v1alpha2", "JobSet", "a", jobSet("x", "y")),
			apply(jobsets, "jobset.x-k8s.io/v1alpha2", "JobSet", "b", jobSet("x")+`,"failurePolicy":{"maxRestarts":1}`),
			apply(jobsets, "jobset.x-k8s.io/v1alpha2", "JobSet", "c", jobSet("x")+`,"suspend":true`),
			merge(jobsets, "c", `{"spec":{"suspend":false}}`),
			remove(jobsets, "a"),
		),
	}, program{
		name: "lws",
		server: []embedded.Option{
			embedded.WithCRDs(module("sigs.k8s.io/lws") + "/config/crd/bases"), embedded.WithManifestText(lwsLabels),
		},
		standIns: workloads,
		start: managing(func(_ context.Context, mgr ctrl.Manager) error {
			return errors.Join(
				lws.SetupIndexes(mgr.GetFieldIndexer()),
				lws.NewLeaderWorkerSetReconciler(mgr.GetClient(), mgr.GetScheme(), mgr.GetEventRecorderFor("leaderworkerset")).SetupWithManager(mgr),
				lws.NewPodReconciler(mgr.GetClient(), mgr.GetScheme(), mgr.GetEventRecorderFor("leaderworkerset"), nil).SetupWithManager(mgr),
			)
		}, lwsv1.AddToScheme),
		users: users(
			apply(lwss, "leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet", "l",
				`"replicas":2,"networkConfig":{"subdomainPolicy":"Shared"},"rolloutStrategy":{"type":"RollingUpdate","rollingUpdateConfiguration":{"maxUnavailable":1,"maxSurge":0}},`+
					`"leaderWorkerTemplate":{"size":2,"restartPolicy":"RecreateGroupOnPodRestart","workerTemplate":{"spec":{`+containers+`}}}`),
			merge(lwss, "l", `{"spec":{"replicas":3}}`),
			remove("pods", "l-0-1"),
			merge(lwss, "l", `{"spec":{"leaderWorkerTemplate":{"workerTemplate":{"metadata":{"labels":{"v":"2"}}}}}}`),
			merge(lwss, "l", `{"spec":{"replicas":1}}`),
		),
	}, program{
		name:   "kuberay (RayCluster)",
		server: []embedded.Option{embedded.WithCRDs(module("github.com/ray-project/kuberay/ray-operator") + "/config/crd/bases")},
		standIns: func() []embedded.Controller {
			return []embedded.Controller{controllers.Scheduler(), controllers.Kubelet(nil)}
		},
		start: managing(func(ctx context.Context, mgr ctrl.Manager) error {
			return ray.NewReconciler(ctx, mgr, ray.RayClusterReconcilerOptions{}).SetupWithManager(mgr, 1)
		}, rayv1.AddToScheme),
		users: users(
			apply(rays, "ray.io/v1", "RayCluster", "r", `"rayVersion":"2.46.0","headGroupSpec":{"rayStartParams":{},"template":{"spec":{`+containers+`}}},`+
				`"workerGroupSpecs":[{"replicas":1,"minReplicas":0,"maxReplicas":5,"groupName":"g","rayStartParams":{},"template":{"spec":{`+containers+`}}}]`),
			replicas(rays, "r", 3),
			removeFirst("pods", "ray.io/node-type=worker"),
			replicas(rays, "r", 1),
			merge(rays, "r", `{"spec":{"suspend":true}}`),
			merge(rays, "r", `{"spec":{"suspend":false}}`),
		),
		ignore: withoutTransitions,
	})
}

func setUpSandbox(_ context.Context, mgr ctrl.Manager) error {
	warm := poolqueue.NewSimpleSandboxQueue()
	return errors.Join(
		(&sandbox.SandboxReconciler{
			Client: mgr.GetClient(), Scheme: mgr.GetScheme(), Recorder: mgr.GetEventRecorder("sandbox"), Tracer: sandboxmetrics.NewNoOp(), ClusterDomain: "cluster.local",
		}).SetupWithManager(mgr, 1),
		(&pool.SandboxClaimReconciler{
			Client: mgr.GetClient(), APIReader: mgr.GetAPIReader(), Scheme: mgr.GetScheme(), WarmSandboxQueue: warm, Recorder: mgr.GetEventRecorder("claim"), Tracer: sandboxmetrics.NewNoOp(),
		}).SetupWithManager(mgr, 1),
		(&pool.SandboxTemplateReconciler{
			Client: mgr.GetClient(), Scheme: mgr.GetScheme(), Recorder: mgr.GetEventRecorder("template"), Tracer: sandboxmetrics.NewNoOp(),
		}).SetupWithManager(mgr, 1),
		(&pool.SandboxWarmPoolReconciler{Client: mgr.GetClient(), Scheme: mgr.GetScheme(), Recorder: mgr.GetEventRecorder("pool")}).SetupWithManager(mgr, 1),
	)
}

// commands is what the operator of rabbitmq executes in pods: nothing, successfully.
type commands struct{}

func (commands) Exec(*kubernetes.Clientset, *rest.Config, string, string, string, ...string) (stdout, stderr string, err error) {
	return "", "", nil
}

// unreachable is rabbitmq, which does not run.
type unreachable struct{}

var errUnreachable = errors.New("connection refused")

func (unreachable) GetClientForPod(context.Context, client.Reader, *rabbitmqv1beta1.RabbitmqCluster, string) (rabbitmqclient.RabbitmqClient, error) {
	return nil, errUnreachable
}

func (unreachable) GetClientForService(context.Context, client.Reader, *rabbitmqv1beta1.RabbitmqCluster) (rabbitmqclient.RabbitmqClient, error) {
	return nil, errUnreachable
}

// withoutSecretData removes passwords, which are random.
func withoutSecretData(o *unstructured.Unstructured) {
	if o.GetKind() == "Secret" {
		unstructured.RemoveNestedField(o.Object, "data")
	}
}

// withoutTransitions removes the times at which a RayCluster was seen in each state: a state that has passed was not seen.
func withoutTransitions(o *unstructured.Unstructured) {
	if o.GetKind() == "RayCluster" {
		unstructured.RemoveNestedField(o.Object, "status", "stateTransitionTimes")
	}
}

// jobSet returns the fields of a JobSet with jobs, as its webhook completes them.
func jobSet(jobs ...string) string {
	var all []string
	for _, job := range jobs {
		all = append(all, `{"name":"`+job+`","replicas":1,"template":{"spec":{"completionMode":"Indexed","completions":1,"parallelism":1,"backoffLimit":0,"template":{"spec":{"restartPolicy":"Never",`+containers+`}}}}}`)
	}
	return `"network":{"enableDNSHostnames":true,"publishNotReadyAddresses":true},"successPolicy":{"operator":"All"},"startupPolicy":{"startupPolicyOrder":"AnyOrder"},"replicatedJobs":[` + strings.Join(all, ",") + `]`
}

// replicas sets the number of workers of the group of a RayCluster.
func replicas(resource, name string, n int64) step {
	return func(ctx context.Context, objects dynamic.Interface) error {
		object, err := in(objects, resource).Get(ctx, name, metav1.GetOptions{})
		if err != nil {
			return err
		}
		groups, _, err := unstructured.NestedSlice(object.Object, "spec", "workerGroupSpecs")
		if err != nil {
			return err
		}
		groups[0].(map[string]any)["replicas"] = n
		if err := unstructured.SetNestedSlice(object.Object, groups, "spec", "workerGroupSpecs"); err != nil {
			return err
		}
		_, err = in(objects, resource).Update(ctx, object, metav1.UpdateOptions{})
		return err
	}
}

// lwsLabels does what the webhook of lws does with pods: it labels them with what their names end in.
const lwsLabels = `
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: {name: lws}
spec:
  failurePolicy: Fail
  reinvocationPolicy: Never
  matchConstraints:
    resourceRules:
    - {apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["pods"]}
  matchConditions:
  - {name: lws, expression: "has(object.metadata.labels) && 'leaderworkerset.sigs.k8s.io/name' in object.metadata.labels"}
  variables:
  - {name: parts, expression: "object.metadata.name.split('-')"}
  - {name: ordinal, expression: "variables.parts[size(variables.parts) - 1]"}
  - {name: leader, expression: "'leaderworkerset.sigs.k8s.io/worker-index' in object.metadata.labels"}
  mutations:
  - patchType: JSONPatch
    jsonPatch:
      expression: >
        variables.leader ? [
          JSONPatch{op: "add", path: "/metadata/labels/leaderworkerset.sigs.k8s.io~1group-index", value: variables.ordinal},
          JSONPatch{op: "add", path: "/metadata/labels/leaderworkerset.sigs.k8s.io~1group-key", value: object.metadata.name}
        ] : [JSONPatch{op: "add", path: "/metadata/labels/leaderworkerset.sigs.k8s.io~1worker-index", value: variables.ordinal}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicyBinding
metadata: {name: lws}
spec: {policyName: lws}
`
