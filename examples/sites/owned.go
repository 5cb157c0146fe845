package sites

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	webv1 "github.com/listwatch/listwatch/examples/sites/apis/web/v1"
)

// Objects are written by server-side apply: a configuration has only the fields that the controller decides about.
// Others, such as those that an autoscaler or the user sets, stay. An apply that changes nothing is not written, and
// causes no event, so it needs no comparison before. Force takes fields back that others have changed.
var applyOptions = metav1.PatchOptions{FieldManager: manager, Force: new(true)}

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
	patch, err := json.Marshal(map[string]any{
		"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata(site),
		"data": map[string]any{"index.html": site.Spec.HTML},
	})
	if err != nil {
		return err
	}
	_, err = c.cluster.CoreV1().ConfigMaps(site.Namespace).Patch(ctx, site.Name, types.ApplyPatchType, patch, applyOptions)
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
	patch, err := json.Marshal(deploymentOf(site))
	if err != nil {
		return nil, err
	}
	return c.cluster.AppsV1().Deployments(site.Namespace).Patch(ctx, site.Name, types.ApplyPatchType, patch, applyOptions)
}

func deploymentOf(site *webv1.Site) map[string]any {
	labels := map[string]any{"web.example.com/site": site.Name}
	return map[string]any{
		"apiVersion": "apps/v1", "kind": "Deployment", "metadata": metadata(site),
		"spec": map[string]any{
			"replicas": site.Spec.Replicas,
			"selector": map[string]any{"matchLabels": labels},
			"template": map[string]any{
				"metadata": map[string]any{
					"labels": labels,
					// Another page is another template, so that the deployment replaces the web servers.
					"annotations": map[string]any{"web.example.com/page": fmt.Sprintf("%x", sha256.Sum256([]byte(site.Spec.HTML)))},
				},
				"spec": map[string]any{
					"containers": []any{map[string]any{
						"name": "web", "image": "nginx:1.29",
						"volumeMounts": []any{map[string]any{"name": "page", "mountPath": "/usr/share/nginx/html"}},
					}},
					"volumes": []any{map[string]any{"name": "page", "configMap": map[string]any{"name": site.Name}}},
				},
			},
		},
	}
}

// metadata is that of all objects that a site owns. With the owner, they are deleted after the site.
func metadata(site *webv1.Site) map[string]any {
	return map[string]any{
		"name": site.Name, "namespace": site.Namespace,
		"labels": map[string]any{managedBy: manager},
		"ownerReferences": []any{map[string]any{
			"apiVersion": webv1.SchemeGroupVersion.String(), "kind": "Site", "name": site.Name, "uid": site.UID, "controller": true,
		}},
	}
}
