package sites

import (
	"context"
	"crypto/sha256"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	webv1 "github.com/listwatch/listwatch/examples/sites/apis/web/v1"
	applyappsv1 "github.com/listwatch/listwatch/kubernetes/applyconfigurations/apps/v1"
	applycorev1 "github.com/listwatch/listwatch/kubernetes/applyconfigurations/core/v1"
	applymetav1 "github.com/listwatch/listwatch/runtime/applyconfigurations/meta/v1"
)

// Objects are written by server-side apply: a configuration has only the fields that the controller decides about.
// Others, such as those that an autoscaler or the user sets, stay. An apply that changes nothing is not written, and
// causes no event, so it needs no comparison before. Force takes fields back that others have changed.
var applyOptions = metav1.ApplyOptions{FieldManager: manager, Force: true}

// nameTakenError reports that an object that the site needs exists, and is not the site's. Taking it over could
// destroy somebody's work.
type nameTakenError struct{ kind, name string }

func (e *nameTakenError) Error() string {
	return fmt.Sprintf("%s %q exists, and the site does not own it", e.kind, e.name)
}

// checkOwner checks that an object may be written for a site, given the result of reading it: it does not exist yet,
// or the site owns it. It compares the UID: an object of an earlier site of that name will be deleted soon.
func checkOwner(kind string, site *webv1.Site, current metav1.Object, err error) error {
	switch {
	case apierrors.IsNotFound(err):
		return nil
	case err != nil:
		return err
	case !metav1.IsControlledBy(current, site):
		return &nameTakenError{kind, current.GetName()}
	}
	return nil
}

func (c *Controller) applyConfigMap(ctx context.Context, site *webv1.Site) error {
	current, err := c.configMaps.ConfigMaps(site.Namespace).Get(site.Name)
	if apierrors.IsNotFound(err) { // the lister has only objects with the label, so others are looked for on the server
		current, err = c.cluster.CoreV1().ConfigMaps(site.Namespace).Get(ctx, site.Name, metav1.GetOptions{})
	}
	if err = checkOwner("ConfigMap", site, current, err); err != nil {
		return err
	}
	_, err = c.cluster.CoreV1().ConfigMaps(site.Namespace).Apply(ctx, configMapOf(site), applyOptions)
	return err
}

func (c *Controller) applyDeployment(ctx context.Context, site *webv1.Site) (*appsv1.Deployment, error) {
	current, err := c.deployments.Deployments(site.Namespace).Get(site.Name)
	if apierrors.IsNotFound(err) {
		current, err = c.cluster.AppsV1().Deployments(site.Namespace).Get(ctx, site.Name, metav1.GetOptions{})
	}
	if err = checkOwner("Deployment", site, current, err); err != nil {
		return nil, err
	}
	return c.cluster.AppsV1().Deployments(site.Namespace).Apply(ctx, deploymentOf(site), applyOptions)
}

func configMapOf(site *webv1.Site) *applycorev1.ConfigMapApplyConfiguration {
	return applycorev1.ConfigMap(site.Name, site.Namespace).
		WithLabels(map[string]string{managedBy: manager}).
		WithOwnerReferences(ownerOf(site)).
		WithData(map[string]string{"index.html": site.Spec.HTML})
}

func deploymentOf(site *webv1.Site) *applyappsv1.DeploymentApplyConfiguration {
	labels := map[string]string{"web.example.com/site": site.Name}
	// Another page is another template, so that the deployment replaces the web servers.
	page := map[string]string{"web.example.com/page": fmt.Sprintf("%x", sha256.Sum256([]byte(site.Spec.HTML)))}
	return applyappsv1.Deployment(site.Name, site.Namespace).
		WithLabels(map[string]string{managedBy: manager}).
		WithOwnerReferences(ownerOf(site)).
		WithSpec(applyappsv1.DeploymentSpec().
			WithReplicas(site.Spec.Replicas).
			WithSelector(applymetav1.LabelSelector().WithMatchLabels(labels)).
			WithTemplate(applycorev1.PodTemplateSpec().
				WithLabels(labels).
				WithAnnotations(page).
				WithSpec(applycorev1.PodSpec().
					WithContainers(applycorev1.Container().
						WithName("web").
						WithImage("nginx:1.29").
						WithVolumeMounts(applycorev1.VolumeMount().WithName("page").WithMountPath("/usr/share/nginx/html"))).
					WithVolumes(applycorev1.Volume().
						WithName("page").
						WithConfigMap(applycorev1.ConfigMapVolumeSource().WithName(site.Name))))))
}

// ownerOf refers to the site as the owner: the cluster deletes the object after the site.
func ownerOf(site *webv1.Site) *applymetav1.OwnerReferenceApplyConfiguration {
	return applymetav1.OwnerReference().
		WithAPIVersion(webv1.GroupVersion.String()).
		WithKind("Site").
		WithName(site.Name).
		WithUID(site.UID).
		WithController(true)
}
