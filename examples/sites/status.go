package sites

import (
	"context"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	webv1 "github.com/listwatch/listwatch/examples/sites/apis/web/v1"
	"github.com/listwatch/listwatch/runtime/cache"
)

// report writes the status of a site, and records an event if it has become ready or is no longer. deployment is nil
// if it could not be applied, because of failure.
func (c *Controller) report(ctx context.Context, site *webv1.Site, deployment *appsv1.Deployment, failure error) error {
	site, old := site.DeepCopy(), site // objects of listers are shared
	condition := ready(site, deployment, failure)
	if deployment != nil {
		site.Status.AvailableReplicas = deployment.Status.AvailableReplicas
	}
	meta.SetStatusCondition(&site.Status.Conditions, condition) // keeps the time if the status of the condition stays
	if equality.Semantic.DeepEqual(site.Status, old.Status) {
		return nil // a write would be an event of the watch, and so on forever
	}
	// An update has the resource version that was read: a status computed from an old site is rejected.
	updated, err := c.client.WebV1().Sites(site.Namespace).UpdateStatus(ctx, site, metav1.UpdateOptions{FieldManager: manager})
	if apierrors.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return err
	}
	if last := meta.FindStatusCondition(old.Status.Conditions, condition.Type); last == nil || last.Reason != condition.Reason {
		kind := corev1.EventTypeNormal
		if failure != nil {
			kind = corev1.EventTypeWarning
		}
		c.events.Event(site, kind, condition.Reason, condition.Message)
	}
	// The lister has the write soon. Until then, another round would compute the status from the old one, and conflict.
	return cache.WaitForObject(ctx, c.siteFactory.Web().V1().Sites().Informer(), updated)
}

// ready returns the condition Ready. Its ObservedGeneration tells readers which spec it is about: "Ready" of an older
// generation does not mean that the last change is served.
func ready(site *webv1.Site, deployment *appsv1.Deployment, failure error) metav1.Condition {
	condition := metav1.Condition{Type: webv1.ConditionReady, Status: metav1.ConditionFalse, ObservedGeneration: site.Generation}
	if failure != nil {
		condition.Reason, condition.Message = webv1.ReasonNameTaken, failure.Error()
		return condition
	}
	want, status := site.Spec.Replicas, deployment.Status
	// The same for deployments: their status can be about an older spec.
	current := status.ObservedGeneration >= deployment.Generation
	if current && status.UpdatedReplicas == want && status.AvailableReplicas == want && status.Replicas == want {
		condition.Status, condition.Reason = metav1.ConditionTrue, webv1.ReasonAvailable
		condition.Message = "All web servers serve the page"
		return condition
	}
	condition.Reason = webv1.ReasonProgressing
	condition.Message = fmt.Sprintf("Waiting for %d web servers", want)
	return condition
}
