package controllers

import (
	"context"
	"errors"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/listwatch/listwatch/apitest/embedded"
	"github.com/listwatch/listwatch/apitest/internal/quota"
)

// ResourceQuotas sets the status of quotas: what they allow, and what the objects in their namespace use. Without it,
// the server rejects what a quota concerns, because its use is unknown.
func ResourceQuotas() embedded.Controller { return &quotas{} }

type quotas struct{}

// Reconcile implements embedded.Controller.
func (*quotas) Reconcile(ctx context.Context, cluster *embedded.Cluster, changes []embedded.Change) error {
	var errs []error
	for _, namespace := range namespacesOf(changes, nil) {
		list, err := cluster.Clients.CoreV1().ResourceQuotas(namespace).List(ctx, metav1.ListOptions{})
		if err != nil {
			return err
		}
		for i := range list.Items {
			errs = append(errs, count(ctx, cluster, &list.Items[i]))
		}
	}
	return errors.Join(errs...)
}

// count sets the status of a quota.
func count(ctx context.Context, cluster *embedded.Cluster, q *corev1.ResourceQuota) error {
	used, err := quota.Used(q, func(gr schema.GroupResource, namespace string) ([]runtime.Object, error) {
		return objectsOf(ctx, cluster, gr, namespace)
	})
	if err != nil {
		return err
	}
	status := corev1.ResourceQuotaStatus{Hard: q.Spec.Hard, Used: used}
	if equality.Semantic.DeepEqual(status, q.Status) {
		return nil
	}
	q.Status = status
	_, err = cluster.Clients.CoreV1().ResourceQuotas(q.Namespace).UpdateStatus(ctx, q, metav1.UpdateOptions{})
	return ignore(err)
}

// objectsOf lists objects; of those that are only counted, it returns the metadata.
func objectsOf(ctx context.Context, cluster *embedded.Cluster, gr schema.GroupResource, namespace string) ([]runtime.Object, error) {
	core, all := cluster.Clients.CoreV1(), metav1.ListOptions{}
	switch gr {
	case schema.GroupResource{Resource: "pods"}:
		list, err := core.Pods(namespace).List(ctx, all)
		return objects(list.Items, err, func(p *corev1.Pod) runtime.Object { return p })
	case schema.GroupResource{Resource: "services"}:
		list, err := core.Services(namespace).List(ctx, all)
		return objects(list.Items, err, func(s *corev1.Service) runtime.Object { return s })
	case schema.GroupResource{Resource: "persistentvolumeclaims"}:
		list, err := core.PersistentVolumeClaims(namespace).List(ctx, all)
		return objects(list.Items, err, func(c *corev1.PersistentVolumeClaim) runtime.Object { return c })
	}
	var out []runtime.Object
	for _, object := range cluster.Within(namespace) {
		if object.Resource.GroupResource() == gr {
			out = append(out, object.Object)
		}
	}
	return out, nil
}

func objects[T any](items []T, err error, as func(*T) runtime.Object) ([]runtime.Object, error) {
	out := make([]runtime.Object, len(items))
	for i := range items {
		out[i] = as(&items[i])
	}
	return out, err
}
