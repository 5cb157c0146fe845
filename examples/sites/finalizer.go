package sites

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	webv1 "github.com/listwatch/listwatch/examples/sites/apis/web/v1"
)

// finalizer keeps a deleted site until its entry in the directory is removed.
const finalizer = "web.example.com/directory"

// addFinalizer returns the site with the finalizer.
func (c *Controller) addFinalizer(ctx context.Context, site *webv1.Site) (*webv1.Site, error) {
	if slices.Contains(site.Finalizers, finalizer) {
		return site, nil
	}
	return c.setFinalizers(ctx, site, append(slices.Clone(site.Finalizers), finalizer))
}

// finalize undoes what the deletion of a site does not, and releases the site.
func (c *Controller) finalize(ctx context.Context, site *webv1.Site) error {
	if !slices.Contains(site.Finalizers, finalizer) {
		return nil // others are not done yet
	}
	if err := c.setEntry(ctx, site, nil); err != nil {
		return err
	}
	_, err := c.setFinalizers(ctx, site, slices.DeleteFunc(slices.Clone(site.Finalizers), func(f string) bool { return f == finalizer }))
	if apierrors.IsNotFound(err) {
		return nil // it was released, and the cache is behind
	}
	return err
}

// setFinalizers patches the finalizers alone: an update would send all fields, and drop those that a newer version of
// the type has. The resource version makes the server reject the patch if somebody else has changed the list.
func (c *Controller) setFinalizers(ctx context.Context, site *webv1.Site, finalizers []string) (*webv1.Site, error) {
	patch, err := json.Marshal(map[string]any{"metadata": map[string]any{
		"resourceVersion": site.ResourceVersion, "finalizers": finalizers,
	}})
	if err != nil {
		return nil, err
	}
	return c.client.WebV1().Sites(site.Namespace).Patch(ctx, site.Name, types.MergePatchType, patch, metav1.PatchOptions{FieldManager: manager})
}

// enter adds the site to the directory.
func (c *Controller) enter(ctx context.Context, site *webv1.Site) error {
	url := fmt.Sprintf("http://%s.%s.svc", site.Name, site.Namespace)
	return c.setEntry(ctx, site, &url)
}

// setEntry sets the site's entry in the directory, or removes it if it is nil. A merge patch of one key needs neither
// a read nor a retry: it does not conflict with patches of other keys. If nothing changes, the server writes nothing.
func (c *Controller) setEntry(ctx context.Context, site *webv1.Site, entry *string) error {
	key := site.Namespace + "." + site.Name // unique: a namespace has no dot
	patch, err := json.Marshal(map[string]any{"data": map[string]any{key: entry}})
	if err != nil {
		return err
	}
	_, err = c.cluster.CoreV1().ConfigMaps(c.directory.Namespace).Patch(ctx, c.directory.Name, types.MergePatchType, patch, metav1.PatchOptions{FieldManager: manager})
	return err
}
