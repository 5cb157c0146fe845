package sites

import (
	"errors"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	webv1 "github.com/listwatch/listwatch/examples/sites/apis/web/v1"
	webv1informers "github.com/listwatch/listwatch/examples/sites/generated/informers/externalversions/web/v1"
	"github.com/listwatch/listwatch/runtime/cache"
	"github.com/listwatch/listwatch/runtime/workqueue"
)

// low is the priority of sites that were there at the start: probably nothing has to be done for them. So a user
// who changes a site after a restart of the controller does not wait for all others. The normal priority is 0.
const low = -100

// handle adds the event handlers. They only queue the names of sites: workers do the rest, with the state that is
// current then.
func (c *Controller) handle() error {
	_, err1 := c.siteFactory.Web().V1().Sites().TypedInformer().AddTypedEventHandler(webv1informers.SiteDetailedHandlerFuncs{
		AddFunc: func(site *webv1.Site, isInInitialList bool) {
			priority := 0
			if isInInitialList {
				priority = low
			}
			c.queue.AddWithOpts(workqueue.AddOpts{Priority: &priority}, cache.MetaObjectToName(site))
		},
		UpdateFunc: func(old, site *webv1.Site) {
			// The generation increases with the spec, and when the site is deleted while it has finalizers; not
			// with the status, which the controller itself writes. A new UID is another site, if the deletion of the
			// first was not watched.
			if old.UID != site.UID || old.Generation != site.Generation {
				c.queue.Add(cache.MetaObjectToName(site))
			}
		},
		// No DeleteFunc: a finalizer makes the deletion of a site an update first.
	})
	_, err2 := c.ownedFactory.Apps().V1().Deployments().TypedInformer().AddTypedEventHandler(ownedHandler[*appsv1.Deployment]{c})
	_, err3 := c.ownedFactory.Core().V1().ConfigMaps().TypedInformer().AddTypedEventHandler(ownedHandler[*corev1.ConfigMap]{c})
	return errors.Join(err1, err2, err3)
}

// ownedHandler queues the site that owns a changed object.
type ownedHandler[T metav1.Object] struct{ c *Controller }

// OnAdd does nothing at the start, when all sites are queued anyway.
func (h ownedHandler[T]) OnAdd(object T, isInInitialList bool) {
	if !isInInitialList {
		h.c.queueOwner(object)
	}
}

func (h ownedHandler[T]) OnUpdate(old, object T) {
	h.c.queueOwner(old) // if the owner has changed
	h.c.queueOwner(object)
}

func (h ownedHandler[T]) OnDelete(deleted cache.DeletedObject[T]) {
	// If the deletion was missed, this is a tombstone with the last known state, of which the owner is good enough;
	// or without any.
	var unknown T
	if any(deleted.OptionalObj) != any(unknown) {
		h.c.queueOwner(deleted.OptionalObj)
		return
	}
	h.c.queue.Add(deleted.GetObjectName()) // owned objects have the names of their sites
}

// queueOwner queues the site that owns an object.
func (c *Controller) queueOwner(object metav1.Object) {
	owner := metav1.GetControllerOf(object)
	if owner != nil && owner.Kind == "Site" && owner.APIVersion == webv1.GroupVersion.String() {
		c.queue.Add(cache.NewObjectName(object.GetNamespace(), owner.Name))
	}
}
