package sites

import (
	"context"
	"errors"

	appsv1 "k8s.io/api/apps/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	webv1 "github.com/listwatch/listwatch/examples/sites/apis/web/v1"
	"github.com/listwatch/listwatch/runtime/cache"
)

// reconcile brings the cluster closer to what a site requests. It depends on the current state only, not on what has
// happened, so that it can be repeated, interrupted between any two writes, and run after events were missed.
func (c *Controller) reconcile(ctx context.Context, name cache.ObjectName) error {
	site, err := c.sites.Sites(name.Namespace).Get(name.Name)
	if apierrors.IsNotFound(err) {
		return nil // the cluster deletes what the site owned
	}
	if err != nil {
		return err
	}
	if site.DeletionTimestamp != nil {
		return c.finalize(ctx, site)
	}
	// The finalizer comes first: there is never an entry in the directory that nothing would remove.
	if site, err = c.addFinalizer(ctx, site); err != nil {
		return err
	}
	if err = c.enter(ctx, site); err != nil {
		return err
	}
	deployment, err := c.apply(ctx, site)
	if taken := new(nameTakenError); err != nil && !errors.As(err, &taken) {
		return err // says nothing about the site, so the status stays
	}
	return errors.Join(err, c.report(ctx, site, deployment, err))
}

// apply writes the objects that the site owns, and returns the deployment.
func (c *Controller) apply(ctx context.Context, site *webv1.Site) (*appsv1.Deployment, error) {
	if err := c.applyConfigMap(ctx, site); err != nil {
		return nil, err
	}
	return c.applyDeployment(ctx, site)
}
