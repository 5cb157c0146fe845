package controllers

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/rand"

	"github.com/listwatch/listwatch/apitest/embedded"
)

// StatefulSets creates, replaces and deletes the pods of stateful sets, and creates their claims. Pods come and go
// in the order of their numbers, each when the others are ready, unless the set's pods are managed in parallel.
// Revisions are labels of pods, and not objects.
func StatefulSets() embedded.Controller { return &statefulSets{} }

type statefulSets struct{}

// Reconcile implements embedded.Controller.
func (*statefulSets) Reconcile(ctx context.Context, cluster *embedded.Cluster, changes []embedded.Change) error {
	var errs []error
	for _, namespace := range namespacesOf(changes, []string{"statefulsets", "pods"}) {
		list, err := cluster.Clients.AppsV1().StatefulSets(namespace).List(ctx, metav1.ListOptions{})
		if err != nil {
			return err
		}
		for i := range list.Items {
			if set := &list.Items[i]; set.DeletionTimestamp == nil {
				errs = append(errs, order(ctx, cluster, set))
			}
		}
	}
	return errors.Join(errs...)
}

// order does the next step of a stateful set.
func order(ctx context.Context, cluster *embedded.Cluster, set *appsv1.StatefulSet) error {
	pods, err := podsOf(ctx, cluster, set)
	if err != nil {
		return err
	}
	update, err := revisionOf(set)
	if err != nil {
		return err
	}
	err = arrange(ctx, cluster, set, pods, update)
	if err != nil && ignore(err) != nil {
		return err
	}
	if pods, err = podsOf(ctx, cluster, set); err != nil {
		return err
	}
	status := set.Status.DeepCopy()
	status.ObservedGeneration, status.UpdateRevision = set.Generation, update
	status.Replicas, status.ReadyReplicas, status.AvailableReplicas, status.CurrentReplicas, status.UpdatedReplicas = 0, 0, 0, 0, 0
	if status.CurrentRevision == "" {
		status.CurrentRevision = update
	}
	if status.CollisionCount == nil {
		status.CollisionCount = new(int32(0))
	}
	current := status.CurrentRevision
	for _, pod := range pods {
		status.Replicas++
		if isReady(pod) && pod.DeletionTimestamp == nil {
			status.ReadyReplicas++
			status.AvailableReplicas++
		}
		if pod.Labels[appsv1.ControllerRevisionHashLabelKey] == update {
			status.UpdatedReplicas++
		}
		if pod.Labels[appsv1.ControllerRevisionHashLabelKey] == current {
			status.CurrentReplicas++
		}
	}
	if status.UpdatedReplicas == status.Replicas && status.ReadyReplicas == *set.Spec.Replicas && status.Replicas == *set.Spec.Replicas {
		status.CurrentRevision, status.CurrentReplicas = update, status.UpdatedReplicas
	}
	if equality.Semantic.DeepEqual(status, &set.Status) {
		return nil
	}
	set.Status = *status
	_, err = cluster.Clients.AppsV1().StatefulSets(set.Namespace).UpdateStatus(ctx, set, metav1.UpdateOptions{})
	return ignore(err)
}

// revisionOf names the revision of a set's template.
func revisionOf(set *appsv1.StatefulSet) (string, error) {
	text, err := json.Marshal(set.Spec.Template)
	if err != nil {
		return "", err
	}
	sum := fnv.New32a()
	_, _ = sum.Write(text)
	return set.Name + "-" + rand.SafeEncodeString(strconv.FormatUint(uint64(sum.Sum32()), 10)), nil
}

// arrange creates, replaces or deletes what is next: one pod, or with parallel management all.
func arrange(ctx context.Context, cluster *embedded.Cluster, set *appsv1.StatefulSet, pods []*corev1.Pod, update string) error {
	parallel := set.Spec.PodManagementPolicy == appsv1.ParallelPodManagement
	first := 0
	if o := set.Spec.Ordinals; o != nil {
		first = int(o.Start)
	}
	byName := map[string]*corev1.Pod{}
	for _, pod := range pods {
		byName[pod.Name] = pod
	}
	wanted := map[string]bool{}
	for i := first; i < first+int(*set.Spec.Replicas); i++ {
		name := fmt.Sprintf("%s-%d", set.Name, i)
		wanted[name] = true
		pod := byName[name]
		switch {
		case pod == nil:
			if err := member(ctx, cluster, set, i, update); err != nil {
				return err
			}
		case ended(pod) && pod.DeletionTimestamp == nil:
			if err := remove(ctx, cluster, pod); err != nil {
				return err
			}
		}
		if !parallel && (pod == nil || !isReady(pod) || pod.DeletionTimestamp != nil) {
			return nil
		}
	}
	slices.SortFunc(pods, func(a, b *corev1.Pod) int { return number(b) - number(a) })
	for _, pod := range pods {
		if wanted[pod.Name] {
			continue
		}
		if err := remove(ctx, cluster, pod); err != nil || !parallel {
			return err
		}
	}
	return replace(ctx, cluster, set, pods, update)
}

// replace deletes the pod with the highest number that has an old template.
func replace(ctx context.Context, cluster *embedded.Cluster, set *appsv1.StatefulSet, pods []*corev1.Pod, update string) error {
	strategy := set.Spec.UpdateStrategy
	if strategy.Type == appsv1.OnDeleteStatefulSetStrategyType {
		return nil
	}
	partition := 0
	if r := strategy.RollingUpdate; r != nil && r.Partition != nil {
		partition = int(*r.Partition)
	}
	for _, pod := range pods {
		if number(pod) < partition {
			return nil
		}
		if pod.Labels[appsv1.ControllerRevisionHashLabelKey] != update {
			return remove(ctx, cluster, pod)
		}
		if !isReady(pod) || pod.DeletionTimestamp != nil {
			return nil
		}
	}
	return nil
}

// number returns the number of a pod in its set.
func number(pod *corev1.Pod) int {
	n, err := strconv.Atoi(pod.Labels[appsv1.PodIndexLabel])
	if err != nil {
		return -1
	}
	return n
}

func remove(ctx context.Context, cluster *embedded.Cluster, pod *corev1.Pod) error {
	if pod.DeletionTimestamp != nil {
		return nil
	}
	return ignore(cluster.Clients.CoreV1().Pods(pod.Namespace).Delete(ctx, pod.Name, metav1.DeleteOptions{Preconditions: &metav1.Preconditions{UID: &pod.UID}}))
}

// member creates a pod of a set, and its claims.
func member(ctx context.Context, cluster *embedded.Cluster, set *appsv1.StatefulSet, i int, update string) error {
	core := cluster.Clients.CoreV1()
	pod := newPod(&set.Spec.Template, metav1.NewControllerRef(set, appsv1.SchemeGroupVersion.WithKind("StatefulSet")))
	pod.GenerateName, pod.Name = "", fmt.Sprintf("%s-%d", set.Name, i)
	pod.Labels = with(pod.Labels, appsv1.StatefulSetPodNameLabel, pod.Name)
	pod.Labels = with(pod.Labels, appsv1.PodIndexLabel, strconv.Itoa(i))
	pod.Labels = with(pod.Labels, appsv1.ControllerRevisionHashLabelKey, update)
	pod.Spec.Hostname, pod.Spec.Subdomain = pod.Name, set.Spec.ServiceName
	for _, template := range set.Spec.VolumeClaimTemplates {
		claim := template.DeepCopy()
		claim.Name, claim.Namespace = template.Name+"-"+pod.Name, set.Namespace
		for key, value := range set.Spec.Selector.MatchLabels {
			claim.Labels = with(claim.Labels, key, value)
		}
		if _, err := core.PersistentVolumeClaims(set.Namespace).Create(ctx, claim, metav1.CreateOptions{}); err != nil && !apierrors.IsAlreadyExists(err) {
			return err
		}
		pod.Spec.Volumes = append(slices.DeleteFunc(pod.Spec.Volumes, func(v corev1.Volume) bool { return v.Name == template.Name }), corev1.Volume{
			Name:         template.Name,
			VolumeSource: corev1.VolumeSource{PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: claim.Name}},
		})
	}
	_, err := core.Pods(set.Namespace).Create(ctx, pod, metav1.CreateOptions{})
	return err
}
