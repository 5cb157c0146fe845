package controllers

import (
	"cmp"
	"context"
	"errors"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/listwatch/listwatch/apitest/embedded"
)

// ReplicaSets creates and deletes the pods of replica sets. A ready pod is available at once. Pods without an owner
// are not adopted.
func ReplicaSets() embedded.Controller { return &replicaSets{} }

type replicaSets struct{}

// Reconcile implements embedded.Controller.
func (*replicaSets) Reconcile(ctx context.Context, cluster *embedded.Cluster, changes []embedded.Change) error {
	var errs []error
	for _, namespace := range namespacesOf(changes, []string{"replicasets", "pods"}) {
		list, err := cluster.Clients.AppsV1().ReplicaSets(namespace).List(ctx, metav1.ListOptions{})
		if err != nil {
			return err
		}
		for i := range list.Items {
			errs = append(errs, replicate(ctx, cluster, &list.Items[i]))
		}
	}
	return errors.Join(errs...)
}

// replicate makes a replica set have its number of pods.
func replicate(ctx context.Context, cluster *embedded.Cluster, set *appsv1.ReplicaSet) error {
	all, err := podsOf(ctx, cluster, set)
	if err != nil {
		return err
	}
	active := slices.DeleteFunc(all, func(p *corev1.Pod) bool { return ended(p) || p.DeletionTimestamp != nil })
	pods := cluster.Clients.CoreV1().Pods(set.Namespace)
	var failure error
	if want := int(*set.Spec.Replicas); set.DeletionTimestamp == nil {
		for len(active) < want && failure == nil {
			var pod *corev1.Pod
			pod, failure = pods.Create(ctx, newPod(&set.Spec.Template, metav1.NewControllerRef(set, appsv1.SchemeGroupVersion.WithKind("ReplicaSet"))), metav1.CreateOptions{})
			if failure == nil {
				active = append(active, pod)
			}
		}
		slices.SortStableFunc(active, preferred)
		for len(active) > want && failure == nil {
			last := active[len(active)-1]
			active = active[:len(active)-1]
			failure = ignore(pods.Delete(ctx, last.Name, metav1.DeleteOptions{Preconditions: &metav1.Preconditions{UID: &last.UID}}))
		}
	}
	status := appsv1.ReplicaSetStatus{Replicas: int32(len(active)), ObservedGeneration: set.Generation, TerminatingReplicas: set.Status.TerminatingReplicas} //nolint:gosec // no overflow
	selector := labels.SelectorFromSet(set.Spec.Template.Labels)
	for _, pod := range active {
		if selector.Matches(labels.Set(pod.Labels)) {
			status.FullyLabeledReplicas++
		}
		if isReady(pod) {
			status.ReadyReplicas++
			status.AvailableReplicas++
		}
	}
	if failure != nil {
		status.Conditions = []appsv1.ReplicaSetCondition{{
			Type: appsv1.ReplicaSetReplicaFailure, Status: corev1.ConditionTrue, Reason: "FailedCreate", Message: failure.Error(), LastTransitionTime: metav1.Now(),
		}}
		if old := set.Status.Conditions; len(old) == 1 && old[0].Message == failure.Error() {
			status.Conditions = old
		}
	}
	if !equality.Semantic.DeepEqual(status, set.Status) {
		set.Status = status
		if _, err := cluster.Clients.AppsV1().ReplicaSets(set.Namespace).UpdateStatus(ctx, set, metav1.UpdateOptions{}); ignore(err) != nil {
			return err
		}
	}
	if apierrors.IsForbidden(failure) || apierrors.IsInvalid(failure) {
		return nil // the condition says so
	}
	return failure
}

// preferred orders the pods to keep before those to delete: ready and old ones come first.
func preferred(a, b *corev1.Pod) int {
	rank := func(p *corev1.Pod) int {
		switch {
		case isReady(p):
			return 0
		case p.Spec.NodeName != "":
			return 1
		}
		return 2
	}
	return cmp.Or(cmp.Compare(rank(a), rank(b)), a.CreationTimestamp.Compare(b.CreationTimestamp.Time), cmp.Compare(a.Name, b.Name))
}
