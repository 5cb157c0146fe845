package controllers

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/apitest/embedded"
)

// Namespaces deletes all objects in a namespace that is being deleted, and then the namespace. If objects remain,
// because of their finalizers or the grace period of pods, the conditions of its status name them.
func Namespaces() embedded.Controller { return &namespaces{} }

type namespaces struct{}

// Reconcile implements embedded.Controller.
func (*namespaces) Reconcile(ctx context.Context, cluster *embedded.Cluster, changes []embedded.Change) error {
	names := map[string]bool{}
	for _, change := range changes {
		switch {
		case isCore(change, "namespaces"):
			if !change.Deleted && change.Object.DeletionTimestamp != nil {
				names[change.Object.Name] = true
			}
		case change.Deleted || change.Object.DeletionTimestamp != nil:
			names[change.Object.Namespace] = true
		}
	}
	delete(names, "")
	var errs []error
	for name := range names {
		errs = append(errs, empty(ctx, cluster, name))
	}
	return errors.Join(errs...)
}

// empty does the next step of deleting a namespace, if it is being deleted.
func empty(ctx context.Context, cluster *embedded.Cluster, name string) error {
	namespaces := cluster.Clients.CoreV1().Namespaces()
	ns, err := namespaces.Get(ctx, name, metav1.GetOptions{})
	if apierrors.IsNotFound(err) || err == nil && (ns.DeletionTimestamp == nil || !slices.Contains(ns.Spec.Finalizers, corev1.FinalizerKubernetes)) {
		return nil
	}
	if err != nil {
		return err
	}
	var failures []error
	for _, object := range cluster.Within(name) {
		if object.Object.DeletionTimestamp != nil {
			continue
		}
		background := metav1.DeletePropagationBackground
		err = cluster.Delete(ctx, object, metav1.DeleteOptions{PropagationPolicy: &background, Preconditions: &metav1.Preconditions{UID: &object.Object.UID}})
		if err != nil && !apierrors.IsMethodNotSupported(err) {
			failures = append(failures, ignore(err))
		}
	}
	left := cluster.Within(name)
	failure := errors.Join(failures...)
	if explain(ns, left, failure) {
		if ns, err = namespaces.UpdateStatus(ctx, ns, metav1.UpdateOptions{}); err != nil {
			return ignore(err)
		}
	}
	if len(left) > 0 || failure != nil {
		return failure
	}
	ns.Spec.Finalizers = slices.DeleteFunc(ns.Spec.Finalizers, func(f corev1.FinalizerName) bool { return f == corev1.FinalizerKubernetes })
	_, err = namespaces.Finalize(ctx, ns, metav1.UpdateOptions{})
	return ignore(err)
}

// explain sets the conditions of a namespace that is being deleted, and reports whether they changed.
func explain(ns *corev1.Namespace, left []embedded.Change, failure error) bool {
	content := condition(corev1.NamespaceDeletionContentFailure, "ContentDeleted", "All content successfully deleted, may be waiting on finalization")
	if failure != nil {
		content = failed(content, "ContentDeletionFailed", "Failed to delete all resource types: "+failure.Error())
	}
	remaining := condition(corev1.NamespaceContentRemaining, "ContentRemoved", "All content successfully removed")
	finalizers := condition(corev1.NamespaceFinalizersRemaining, "ContentHasNoFinalizers", "All content-preserving finalizers finished")
	if text := countBy(left, func(c embedded.Change) []string { return []string{c.Resource.Resource + "." + c.Resource.Group} },
		"%s has %d resource instances"); text != "" {
		remaining = failed(remaining, "SomeResourcesRemain", "Some resources are remaining: "+text)
	}
	if text := countBy(left, func(c embedded.Change) []string { return c.Object.Finalizers },
		"%s in %d resource instances"); text != "" {
		finalizers = failed(finalizers, "SomeFinalizersRemain", "Some content in the namespace has finalizers remaining: "+text)
	}
	changed := false
	for _, c := range []corev1.NamespaceCondition{
		condition(corev1.NamespaceDeletionDiscoveryFailure, "ResourcesDiscovered", "All resources successfully discovered"),
		condition(corev1.NamespaceDeletionGVParsingFailure, "ParsedGroupVersions", "All legacy kube types successfully parsed"),
		content, remaining, finalizers,
	} {
		i := slices.IndexFunc(ns.Status.Conditions, func(old corev1.NamespaceCondition) bool { return old.Type == c.Type })
		if i < 0 {
			ns.Status.Conditions = append(ns.Status.Conditions, c)
			changed = true
			continue
		}
		old := &ns.Status.Conditions[i]
		if old.Status == c.Status && old.Reason == c.Reason && old.Message == c.Message {
			continue
		}
		if old.Status == c.Status {
			c.LastTransitionTime = old.LastTransitionTime
		}
		*old, changed = c, true
	}
	return changed
}

func condition(kind corev1.NamespaceConditionType, reason, message string) corev1.NamespaceCondition {
	return corev1.NamespaceCondition{Type: kind, Status: corev1.ConditionFalse, Reason: reason, Message: message, LastTransitionTime: metav1.Now()}
}

func failed(c corev1.NamespaceCondition, reason, message string) corev1.NamespaceCondition {
	c.Status, c.Reason, c.Message = corev1.ConditionTrue, reason, message
	return c
}

// countBy counts objects by names, and describes them in order.
func countBy(objects []embedded.Change, names func(embedded.Change) []string, format string) string {
	count := map[string]int{}
	for _, object := range objects {
		for _, name := range names(object) {
			count[name]++
		}
	}
	var out []string
	for name, n := range count {
		out = append(out, fmt.Sprintf(format, name, n))
	}
	slices.Sort(out)
	return strings.Join(out, ", ")
}

// isCore reports whether a change is of a resource of the core group.
func isCore(change embedded.Change, resource string) bool {
	return change.Resource.Group == "" && change.Resource.Resource == resource
}
