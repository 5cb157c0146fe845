// Package listers_test tests the hand-written methods of the listers of all groups.
package listers_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	appsv1beta1 "k8s.io/api/apps/v1beta1"
	appsv1beta2 "k8s.io/api/apps/v1beta2"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	extensionsv1beta1 "k8s.io/api/extensions/v1beta1"
	policyv1 "k8s.io/api/policy/v1"
	policyv1beta1 "k8s.io/api/policy/v1beta1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"

	appsv1listers "github.com/listwatch/listwatch/kubernetes/listers/apps/v1"
	appsv1beta1listers "github.com/listwatch/listwatch/kubernetes/listers/apps/v1beta1"
	appsv1beta2listers "github.com/listwatch/listwatch/kubernetes/listers/apps/v1beta2"
	batchv1listers "github.com/listwatch/listwatch/kubernetes/listers/batch/v1"
	corev1listers "github.com/listwatch/listwatch/kubernetes/listers/core/v1"
	extensionsv1beta1listers "github.com/listwatch/listwatch/kubernetes/listers/extensions/v1beta1"
	"github.com/listwatch/listwatch/kubernetes/listers/internal/selecting"
	policyv1listers "github.com/listwatch/listwatch/kubernetes/listers/policy/v1"
	policyv1beta1listers "github.com/listwatch/listwatch/kubernetes/listers/policy/v1beta1"
	"github.com/listwatch/listwatch/runtime/cache"
)

// expansion is a hand-written method of a lister, and the objects that it finds.
type expansion struct {
	name string
	// object returns one of them with a selector.
	object func(metav1.ObjectMeta, *metav1.LabelSelector) runtime.Object
	// find returns the names of those that select a pod, or a revision, with the given metadata.
	find func(cache.Indexer, metav1.ObjectMeta) ([]string, error)
	// empty reports whether an empty selector selects everything.
	empty bool
	// unlabelled and missing are the errors for a pod without labels, and without a match.
	unlabelled, missing string
}

// names returns the names of objects.
func names[T any](objects []T, err error) ([]string, error) {
	var found []string
	for i := range objects {
		object, ok := any(objects[i]).(metav1.Object)
		if !ok {
			object = any(&objects[i]).(metav1.Object)
		}
		found = append(found, object.GetName())
	}
	slices.Sort(found)
	return found, err
}

func pod(meta metav1.ObjectMeta) *corev1.Pod { return &corev1.Pod{ObjectMeta: meta} }

const (
	statefulSets = "could not find StatefulSet for pod p in namespace n with labels: map[app:x]"
	replicaSets  = "could not find ReplicaSet for pod p in namespace n with labels: map[app:x]"
	daemonSets   = "could not find daemon set for pod p in namespace n with labels: map[app:x]"
	histories    = "could not find DaemonSets for ControllerRevision p in namespace n with labels: map[app:x]"
	budgets      = "could not find PodDisruptionBudget for pod p in namespace n with labels: map[app:x]"

	noHistory = "no DaemonSet found for ControllerRevision p because it has no labels"
)

var expansions = []expansion{
	{
		"apps/v1 StatefulSets",
		func(m metav1.ObjectMeta, s *metav1.LabelSelector) runtime.Object {
			return &appsv1.StatefulSet{ObjectMeta: m, Spec: appsv1.StatefulSetSpec{Selector: s}}
		},
		func(i cache.Indexer, m metav1.ObjectMeta) ([]string, error) {
			return names(appsv1listers.NewStatefulSetLister(i).GetPodStatefulSets(pod(m)))
		},
		false, "no StatefulSets found for pod p because it has no labels", statefulSets,
	},
	{
		"apps/v1beta1 StatefulSets",
		func(m metav1.ObjectMeta, s *metav1.LabelSelector) runtime.Object {
			return &appsv1beta1.StatefulSet{ObjectMeta: m, Spec: appsv1beta1.StatefulSetSpec{Selector: s}}
		},
		func(i cache.Indexer, m metav1.ObjectMeta) ([]string, error) {
			return names(appsv1beta1listers.NewStatefulSetLister(i).GetPodStatefulSets(pod(m)))
		},
		false, "no StatefulSets found for pod p because it has no labels", statefulSets,
	},
	{
		"apps/v1beta2 StatefulSets",
		func(m metav1.ObjectMeta, s *metav1.LabelSelector) runtime.Object {
			return &appsv1beta2.StatefulSet{ObjectMeta: m, Spec: appsv1beta2.StatefulSetSpec{Selector: s}}
		},
		func(i cache.Indexer, m metav1.ObjectMeta) ([]string, error) {
			return names(appsv1beta2listers.NewStatefulSetLister(i).GetPodStatefulSets(pod(m)))
		},
		false, "no StatefulSets found for pod p because it has no labels", statefulSets,
	},
	{
		"apps/v1 ReplicaSets",
		func(m metav1.ObjectMeta, s *metav1.LabelSelector) runtime.Object {
			return &appsv1.ReplicaSet{ObjectMeta: m, Spec: appsv1.ReplicaSetSpec{Selector: s}}
		},
		func(i cache.Indexer, m metav1.ObjectMeta) ([]string, error) {
			return names(appsv1listers.NewReplicaSetLister(i).GetPodReplicaSets(pod(m)))
		},
		false, "no ReplicaSets found for pod p because it has no labels", replicaSets,
	},
	{
		"apps/v1beta2 ReplicaSets",
		func(m metav1.ObjectMeta, s *metav1.LabelSelector) runtime.Object {
			return &appsv1beta2.ReplicaSet{ObjectMeta: m, Spec: appsv1beta2.ReplicaSetSpec{Selector: s}}
		},
		func(i cache.Indexer, m metav1.ObjectMeta) ([]string, error) {
			return names(appsv1beta2listers.NewReplicaSetLister(i).GetPodReplicaSets(pod(m)))
		},
		false, "no ReplicaSets found for pod p because it has no labels", replicaSets,
	},
	{
		"extensions/v1beta1 ReplicaSets",
		func(m metav1.ObjectMeta, s *metav1.LabelSelector) runtime.Object {
			return &extensionsv1beta1.ReplicaSet{ObjectMeta: m, Spec: extensionsv1beta1.ReplicaSetSpec{Selector: s}}
		},
		func(i cache.Indexer, m metav1.ObjectMeta) ([]string, error) {
			return names(extensionsv1beta1listers.NewReplicaSetLister(i).GetPodReplicaSets(pod(m)))
		},
		false, "no ReplicaSets found for pod p because it has no labels", replicaSets,
	},
	{
		"apps/v1 DaemonSets",
		func(m metav1.ObjectMeta, s *metav1.LabelSelector) runtime.Object {
			return &appsv1.DaemonSet{ObjectMeta: m, Spec: appsv1.DaemonSetSpec{Selector: s}}
		},
		func(i cache.Indexer, m metav1.ObjectMeta) ([]string, error) {
			return names(appsv1listers.NewDaemonSetLister(i).GetPodDaemonSets(pod(m)))
		},
		false, "no daemon sets found for pod p because it has no labels", daemonSets,
	},
	{
		"apps/v1beta2 DaemonSets",
		func(m metav1.ObjectMeta, s *metav1.LabelSelector) runtime.Object {
			return &appsv1beta2.DaemonSet{ObjectMeta: m, Spec: appsv1beta2.DaemonSetSpec{Selector: s}}
		},
		func(i cache.Indexer, m metav1.ObjectMeta) ([]string, error) {
			return names(appsv1beta2listers.NewDaemonSetLister(i).GetPodDaemonSets(pod(m)))
		},
		false, "no daemon sets found for pod p because it has no labels", daemonSets,
	},
	{
		"extensions/v1beta1 DaemonSets",
		func(m metav1.ObjectMeta, s *metav1.LabelSelector) runtime.Object {
			return &extensionsv1beta1.DaemonSet{ObjectMeta: m, Spec: extensionsv1beta1.DaemonSetSpec{Selector: s}}
		},
		func(i cache.Indexer, m metav1.ObjectMeta) ([]string, error) {
			return names(extensionsv1beta1listers.NewDaemonSetLister(i).GetPodDaemonSets(pod(m)))
		},
		false, "no daemon sets found for pod p because it has no labels", daemonSets,
	},
	{
		"apps/v1 histories",
		func(m metav1.ObjectMeta, s *metav1.LabelSelector) runtime.Object {
			return &appsv1.DaemonSet{ObjectMeta: m, Spec: appsv1.DaemonSetSpec{Selector: s}}
		},
		func(i cache.Indexer, m metav1.ObjectMeta) ([]string, error) {
			return names(appsv1listers.NewDaemonSetLister(i).GetHistoryDaemonSets(&appsv1.ControllerRevision{ObjectMeta: m}))
		},
		false, noHistory, histories,
	},
	{
		"apps/v1beta2 histories",
		func(m metav1.ObjectMeta, s *metav1.LabelSelector) runtime.Object {
			return &appsv1beta2.DaemonSet{ObjectMeta: m, Spec: appsv1beta2.DaemonSetSpec{Selector: s}}
		},
		func(i cache.Indexer, m metav1.ObjectMeta) ([]string, error) {
			return names(appsv1beta2listers.NewDaemonSetLister(i).GetHistoryDaemonSets(&appsv1beta2.ControllerRevision{ObjectMeta: m}))
		},
		false, noHistory, histories,
	},
	{
		"extensions/v1beta1 histories",
		func(m metav1.ObjectMeta, s *metav1.LabelSelector) runtime.Object {
			return &extensionsv1beta1.DaemonSet{ObjectMeta: m, Spec: extensionsv1beta1.DaemonSetSpec{Selector: s}}
		},
		func(i cache.Indexer, m metav1.ObjectMeta) ([]string, error) {
			return names(extensionsv1beta1listers.NewDaemonSetLister(i).GetHistoryDaemonSets(&appsv1beta1.ControllerRevision{ObjectMeta: m}))
		},
		false, noHistory, histories,
	},
	{
		"core/v1 ReplicationControllers",
		func(m metav1.ObjectMeta, s *metav1.LabelSelector) runtime.Object {
			controller := &corev1.ReplicationController{ObjectMeta: m}
			if s != nil && s.MatchExpressions == nil { // it cannot have an invalid one
				controller.Spec.Selector = s.MatchLabels
			}
			return controller
		},
		func(i cache.Indexer, m metav1.ObjectMeta) ([]string, error) {
			return names(corev1listers.NewReplicationControllerLister(i).GetPodControllers(pod(m)))
		},
		false, "no controllers found for pod p because it has no labels", "could not find controller for pod p in namespace n with labels: map[app:x]",
	},
	{
		"batch/v1 Jobs",
		func(m metav1.ObjectMeta, s *metav1.LabelSelector) runtime.Object {
			return &batchv1.Job{ObjectMeta: m, Spec: batchv1.JobSpec{Selector: s}}
		},
		func(i cache.Indexer, m metav1.ObjectMeta) ([]string, error) {
			return names(batchv1listers.NewJobLister(i).GetPodJobs(pod(m)))
		},
		true, "no jobs found for pod p because it has no labels", "could not find jobs for pod p in namespace n with labels: map[app:x]",
	},
	{
		"policy/v1 PodDisruptionBudgets",
		func(m metav1.ObjectMeta, s *metav1.LabelSelector) runtime.Object {
			return &policyv1.PodDisruptionBudget{ObjectMeta: m, Spec: policyv1.PodDisruptionBudgetSpec{Selector: s}}
		},
		func(i cache.Indexer, m metav1.ObjectMeta) ([]string, error) {
			return names(policyv1listers.NewPodDisruptionBudgetLister(i).GetPodPodDisruptionBudgets(pod(m)))
		},
		true, "", budgets,
	},
	{
		"policy/v1beta1 PodDisruptionBudgets",
		func(m metav1.ObjectMeta, s *metav1.LabelSelector) runtime.Object {
			return &policyv1beta1.PodDisruptionBudget{ObjectMeta: m, Spec: policyv1beta1.PodDisruptionBudgetSpec{Selector: s}}
		},
		func(i cache.Indexer, m metav1.ObjectMeta) ([]string, error) {
			return names(policyv1beta1listers.NewPodDisruptionBudgetLister(i).GetPodPodDisruptionBudgets(pod(m)))
		},
		false, "", budgets,
	},
}

// selectors are those of the objects in each lister, which have their names; the pod has the label app=x.
var selectors = map[string]*metav1.LabelSelector{
	"match":   {MatchLabels: map[string]string{"app": "x"}},
	"another": {MatchLabels: map[string]string{"app": "x"}},
	"other":   {MatchLabels: map[string]string{"app": "y"}},
	"missing": nil,
	"empty":   {},
	"invalid": {MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "app", Operator: "Invalid"}}},
}

func TestExpansions(t *testing.T) {
	for _, e := range expansions {
		t.Run(e.name, func(t *testing.T) {
			indexer := cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc})
			add := func(namespace, name string, selector *metav1.LabelSelector) {
				if err := indexer.Add(e.object(metav1.ObjectMeta{Namespace: namespace, Name: name}, selector)); err != nil {
					t.Fatal(err)
				}
			}
			meta := metav1.ObjectMeta{Namespace: "n", Name: "p", Labels: map[string]string{"app": "x"}}
			add("elsewhere", "far", selectors["match"])
			if found, err := e.find(indexer, meta); err == nil || err.Error() != e.missing || found != nil {
				t.Errorf("without a match: got %v and %v, want %s", found, err, e.missing)
			}
			want := []string{"another", "match"}
			if e.empty {
				want = []string{"another", "empty", "match"}
			}
			for name, selector := range selectors {
				add("n", name, selector)
			}
			found, err := e.find(indexer, meta)
			if d := cmp.Diff(want, found); err != nil || d != "" {
				t.Errorf("error %v, names (-want +got):\n%s", err, d)
			}
			meta.Labels = nil
			if found, err := e.find(indexer, meta); e.unlabelled != "" && (err == nil || err.Error() != e.unlabelled || found != nil) {
				t.Errorf("without labels: got %v and %v, want %s", found, err, e.unlabelled)
			}
		})
	}
}

// failing is a lister that fails.
type failing struct{ err error }

func (f failing) List(labels.Selector) ([]*corev1.Pod, error) { return nil, f.err }

func TestErrorOfLister(t *testing.T) {
	want := errors.New("no index")
	selector := func(*corev1.Pod) *metav1.LabelSelector { return nil }
	if found, err := selecting.Find(failing{want}, nil, selector); found != nil || !errors.Is(err, want) {
		t.Errorf("got %v and %v, want the lister's error", found, err)
	}
}
