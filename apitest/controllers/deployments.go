package controllers

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"strconv"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/rand"

	"github.com/listwatch/listwatch/apitest/embedded"
)

const revision = "deployment.kubernetes.io/revision"

// Deployments creates and scales the replica sets of deployments, as the strategy of each says, and deletes old ones
// beyond its history. Together with [ReplicaSets], [Scheduler] and [Kubelet], a rollout is complete when the response
// to the write of the deployment arrives. No deadline of progress is exceeded.
func Deployments() embedded.Controller { return &deployments{} }

type deployments struct{}

// Reconcile implements embedded.Controller.
func (*deployments) Reconcile(ctx context.Context, cluster *embedded.Cluster, changes []embedded.Change) error {
	var errs []error
	for _, namespace := range namespacesOf(changes, []string{"deployments", "replicasets", "pods"}) {
		list, err := cluster.Clients.AppsV1().Deployments(namespace).List(ctx, metav1.ListOptions{})
		if err != nil {
			return err
		}
		for i := range list.Items {
			if d := &list.Items[i]; d.DeletionTimestamp == nil {
				r := &rollout{cluster: cluster, deployment: d}
				errs = append(errs, r.step(ctx))
			}
		}
	}
	return errors.Join(errs...)
}

// rollout is the next step of a deployment.
type rollout struct {
	cluster    *embedded.Cluster
	deployment *appsv1.Deployment
	current    *appsv1.ReplicaSet // nil if it is missing
	old        []*appsv1.ReplicaSet
}

func (r *rollout) step(ctx context.Context) error {
	d := r.deployment
	sets := r.cluster.Clients.AppsV1().ReplicaSets(d.Namespace)
	list, err := sets.List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	last := 0
	for i := range list.Items {
		set := &list.Items[i]
		if !controls(d.UID, set) || set.DeletionTimestamp != nil {
			continue
		}
		number, _ := strconv.Atoi(set.Annotations[revision])
		last = max(last, number)
		if r.current == nil && sameTemplate(&set.Spec.Template, &d.Spec.Template) {
			r.current = set
			continue
		}
		r.old = append(r.old, set)
	}
	if !d.Spec.Paused || r.current != nil {
		if err := r.begin(ctx, last); err != nil {
			return ignore(err)
		}
	}
	if err := r.scale(ctx); err != nil {
		return ignore(err)
	}
	return r.report(ctx)
}

// sameTemplate compares templates, except for the label that replica sets add.
func sameTemplate(a, b *corev1.PodTemplateSpec) bool {
	a = a.DeepCopy()
	delete(a.Labels, appsv1.DefaultDeploymentUniqueLabelKey)
	return equality.Semantic.DeepEqual(a, b)
}

// begin creates the replica set of the template, or makes it the newest.
func (r *rollout) begin(ctx context.Context, last int) error {
	d := r.deployment
	sets := r.cluster.Clients.AppsV1().ReplicaSets(d.Namespace)
	if r.current == nil {
		set, err := newSet(d, last+1)
		if err != nil {
			return err
		}
		if r.current, err = sets.Create(ctx, set, metav1.CreateOptions{}); err != nil {
			return err
		}
	} else if number, _ := strconv.Atoi(r.current.Annotations[revision]); number < last {
		r.current.Annotations[revision] = strconv.Itoa(last + 1)
		var err error
		if r.current, err = sets.Update(ctx, r.current, metav1.UpdateOptions{}); err != nil {
			return err
		}
	}
	if d.Annotations[revision] == r.current.Annotations[revision] {
		return nil
	}
	if d.Annotations == nil {
		d.Annotations = map[string]string{}
	}
	d.Annotations[revision] = r.current.Annotations[revision]
	updated, err := r.cluster.Clients.AppsV1().Deployments(d.Namespace).Update(ctx, d, metav1.UpdateOptions{})
	if err == nil {
		r.deployment = updated
	}
	return err
}

// newSet returns the replica set of a deployment's template, without pods.
func newSet(d *appsv1.Deployment, number int) (*appsv1.ReplicaSet, error) {
	text, err := json.Marshal(d.Spec.Template)
	if err != nil {
		return nil, err
	}
	sum := fnv.New32a()
	_, _ = sum.Write(text)
	if d.Status.CollisionCount != nil {
		_, _ = fmt.Fprint(sum, *d.Status.CollisionCount)
	}
	hash := rand.SafeEncodeString(strconv.FormatUint(uint64(sum.Sum32()), 10))
	template := d.Spec.Template.DeepCopy()
	template.Labels = with(template.Labels, appsv1.DefaultDeploymentUniqueLabelKey, hash)
	selector := d.Spec.Selector.DeepCopy()
	selector.MatchLabels = with(selector.MatchLabels, appsv1.DefaultDeploymentUniqueLabelKey, hash)
	return &appsv1.ReplicaSet{
		ObjectMeta: metav1.ObjectMeta{
			Name: d.Name + "-" + hash, Labels: template.Labels,
			Annotations: map[string]string{
				revision: strconv.Itoa(number),
				"deployment.kubernetes.io/desired-replicas": strconv.Itoa(int(*d.Spec.Replicas)),
			},
			OwnerReferences: []metav1.OwnerReference{*metav1.NewControllerRef(d, appsv1.SchemeGroupVersion.WithKind("Deployment"))},
		},
		Spec: appsv1.ReplicaSetSpec{Replicas: new(int32(0)), MinReadySeconds: d.Spec.MinReadySeconds, Selector: selector, Template: *template},
	}, nil
}

// with returns a map with another entry.
func with(labels map[string]string, key, value string) map[string]string {
	out := map[string]string{key: value}
	maps.Copy(out, labels)
	return out
}

// scale changes the numbers of pods as far as the strategy permits now.
func (r *rollout) scale(ctx context.Context) error {
	if r.current == nil {
		return nil
	}
	want := int(*r.deployment.Spec.Replicas)
	if r.deployment.Spec.Paused {
		return nil
	}
	if r.deployment.Spec.Strategy.Type == appsv1.RecreateDeploymentStrategyType {
		return r.recreate(ctx, want)
	}
	available, total := serving(r.current), int(*r.current.Spec.Replicas)
	for _, set := range r.old {
		available += serving(set)
		total += int(*set.Spec.Replicas)
	}
	surge, unavailable := r.bounds(want)
	room := want + surge - total
	have := int(*r.current.Spec.Replicas)
	switch {
	case have > want:
		return r.set(ctx, r.current, want)
	case have < want && room > 0:
		if err := r.set(ctx, r.current, min(want, have+room)); err != nil {
			return err
		}
	}
	excess := available - (want - unavailable)
	slices.SortFunc(r.old, func(a, b *appsv1.ReplicaSet) int { return cmp.Compare(a.Name, b.Name) })
	for _, set := range r.old {
		idle := int(*set.Spec.Replicas) - serving(set) // such pods can go
		less := min(int(*set.Spec.Replicas), max(0, excess)+idle)
		if less <= 0 {
			continue
		}
		excess -= max(0, less-idle)
		if err := r.set(ctx, set, int(*set.Spec.Replicas)-less); err != nil {
			return err
		}
	}
	return r.forget(ctx)
}

// serving returns the number of available pods that a set keeps.
func serving(set *appsv1.ReplicaSet) int {
	return int(min(set.Status.AvailableReplicas, *set.Spec.Replicas))
}

// recreate removes all old pods before it creates new ones.
func (r *rollout) recreate(ctx context.Context, want int) error {
	oldPods := int32(0)
	for _, set := range r.old {
		oldPods += set.Status.Replicas
		if err := r.set(ctx, set, 0); err != nil {
			return err
		}
	}
	if oldPods > 0 {
		return nil
	}
	if err := r.set(ctx, r.current, want); err != nil {
		return err
	}
	return r.forget(ctx)
}

// bounds returns how many pods a rolling update may add and lack.
func (r *rollout) bounds(want int) (surge, unavailable int) {
	update := r.deployment.Spec.Strategy.RollingUpdate
	if update == nil {
		return 1, 0
	}
	scaled := func(value *intstr.IntOrString, up bool) int {
		if value == nil {
			return 0
		}
		n, err := intstr.GetScaledValueFromIntOrPercent(value, want, up)
		if err != nil {
			return 0
		}
		return n
	}
	surge, unavailable = scaled(update.MaxSurge, true), scaled(update.MaxUnavailable, false)
	if surge == 0 && unavailable == 0 {
		unavailable = 1
	}
	return surge, unavailable
}

func (r *rollout) set(ctx context.Context, set *appsv1.ReplicaSet, replicas int) error {
	if int(*set.Spec.Replicas) == replicas {
		return nil
	}
	set.Spec.Replicas = new(int32(replicas)) //nolint:gosec // no overflow
	updated, err := r.cluster.Clients.AppsV1().ReplicaSets(set.Namespace).Update(ctx, set, metav1.UpdateOptions{})
	if err == nil {
		*set = *updated
	}
	return err
}

// forget deletes the oldest replica sets without pods, beyond the history.
func (r *rollout) forget(ctx context.Context) error {
	limit := r.deployment.Spec.RevisionHistoryLimit
	if limit == nil {
		return nil
	}
	idle := slices.DeleteFunc(slices.Clone(r.old), func(s *appsv1.ReplicaSet) bool { return s.Status.Replicas > 0 || *s.Spec.Replicas > 0 })
	slices.SortFunc(idle, func(a, b *appsv1.ReplicaSet) int {
		x, _ := strconv.Atoi(a.Annotations[revision])
		y, _ := strconv.Atoi(b.Annotations[revision])
		return cmp.Compare(x, y)
	})
	for i := range max(0, len(idle)-int(*limit)) {
		if err := r.cluster.Clients.AppsV1().ReplicaSets(idle[i].Namespace).Delete(ctx, idle[i].Name, metav1.DeleteOptions{}); err != nil {
			return err
		}
	}
	return nil
}

// report sets the status.
func (r *rollout) report(ctx context.Context) error {
	d := r.deployment
	status := appsv1.DeploymentStatus{
		ObservedGeneration: d.Generation, CollisionCount: d.Status.CollisionCount,
		TerminatingReplicas: d.Status.TerminatingReplicas, Conditions: slices.Clone(d.Status.Conditions),
	}
	sets := slices.Clone(r.old)
	if r.current != nil {
		status.UpdatedReplicas = r.current.Status.Replicas
		sets = append(sets, r.current)
	}
	for _, set := range sets {
		status.Replicas += set.Status.Replicas
		status.ReadyReplicas += set.Status.ReadyReplicas
		status.AvailableReplicas += set.Status.AvailableReplicas
	}
	want := *d.Spec.Replicas
	status.UnavailableReplicas = max(0, max(want, status.Replicas)-status.AvailableReplicas)
	_, unavailable := r.bounds(int(want))
	if d.Spec.Strategy.Type == appsv1.RecreateDeploymentStrategyType {
		unavailable = 0
	}
	available := appsv1.DeploymentCondition{Type: appsv1.DeploymentAvailable, Status: corev1.ConditionFalse, Reason: "MinimumReplicasUnavailable", Message: "Deployment does not have minimum availability."}
	if int(status.AvailableReplicas) >= int(want)-unavailable {
		available.Status, available.Reason, available.Message = corev1.ConditionTrue, "MinimumReplicasAvailable", "Deployment has minimum availability."
	}
	put(&status, available)
	if r.current != nil && !d.Spec.Paused {
		progress := appsv1.DeploymentCondition{Type: appsv1.DeploymentProgressing, Status: corev1.ConditionTrue, Reason: "ReplicaSetUpdated", Message: fmt.Sprintf("ReplicaSet %q is progressing.", r.current.Name)}
		if status.UpdatedReplicas == want && status.Replicas == want && status.AvailableReplicas == want {
			progress.Reason, progress.Message = "NewReplicaSetAvailable", fmt.Sprintf("ReplicaSet %q has successfully progressed.", r.current.Name)
		}
		put(&status, progress)
	}
	if equality.Semantic.DeepEqual(status, d.Status) {
		return nil
	}
	d.Status = status
	_, err := r.cluster.Clients.AppsV1().Deployments(d.Namespace).UpdateStatus(ctx, d, metav1.UpdateOptions{})
	return ignore(err)
}

// put sets a condition of a deployment.
func put(status *appsv1.DeploymentStatus, c appsv1.DeploymentCondition) {
	c.LastUpdateTime, c.LastTransitionTime = metav1.Now(), metav1.Now()
	i := slices.IndexFunc(status.Conditions, func(old appsv1.DeploymentCondition) bool { return old.Type == c.Type })
	if i < 0 {
		status.Conditions = append(status.Conditions, c)
		return
	}
	old := &status.Conditions[i]
	if old.Status == c.Status && old.Reason == c.Reason && old.Message == c.Message {
		return
	}
	if old.Status == c.Status {
		c.LastTransitionTime = old.LastTransitionTime
	}
	*old = c
}
