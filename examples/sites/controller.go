package sites

import (
	"context"
	"fmt"
	"log/slog"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/listwatch/listwatch/examples/sites/generated/clientset/versioned"
	"github.com/listwatch/listwatch/examples/sites/generated/informers/externalversions"
	webv1listers "github.com/listwatch/listwatch/examples/sites/generated/listers/web/v1"
	"github.com/listwatch/listwatch/kubernetes"
	"github.com/listwatch/listwatch/kubernetes/informers"
	appsv1listers "github.com/listwatch/listwatch/kubernetes/listers/apps/v1"
	corev1listers "github.com/listwatch/listwatch/kubernetes/listers/core/v1"
	"github.com/listwatch/listwatch/kubernetes/record"
	"github.com/listwatch/listwatch/kubernetes/shards"
	"github.com/listwatch/listwatch/runtime/cache"
	"github.com/listwatch/listwatch/runtime/workqueue"
)

// manager names the controller: as the manager of fields that it applies, and in the label of what sites own.
const manager = "sites-controller"

// managedBy is the label of all objects that sites own.
const managedBy = "app.kubernetes.io/managed-by"

// Controller makes the cluster serve sites as their specs request.
type Controller struct {
	client    versioned.Interface  // of sites
	cluster   kubernetes.Interface // of everything else
	events    record.EventRecorder
	directory cache.ObjectName // of the config map that lists all sites
	ring      *shards.Ring     // of the replicas that share the sites; nil if one works at a time
	log       *slog.Logger

	siteFactory  externalversions.SharedInformerFactory
	ownedFactory informers.SharedInformerFactory

	sites       webv1listers.SiteLister
	deployments appsv1listers.DeploymentLister
	configMaps  corev1listers.ConfigMapLister

	queue workqueue.TypedPriorityInterface[cache.ObjectName] // of sites

	watching     context.Context // of the informers
	stopWatching context.CancelFunc
}

// New returns a controller that does nothing yet. With a ring, its informers have the objects of this replica alone.
func New(client versioned.Interface, cluster kubernetes.Interface, events record.EventRecorder, directory cache.ObjectName, ring *shards.Ring, log *slog.Logger) (*Controller, error) {
	var siteOptions []externalversions.SharedInformerOption
	// Without a selector, the informers would keep all deployments and config maps of the cluster in memory.
	ours := labels.Set{managedBy: manager}.String()
	ownedOptions := []informers.SharedInformerOption{
		informers.WithTweakListOptions(func(o *metav1.ListOptions) { o.LabelSelector = ours }),
	}
	if ring != nil {
		siteOptions = append(siteOptions, externalversions.WithShards(ring))
		ownedOptions = append(ownedOptions, informers.WithShards(ring))
	}
	siteFactory := externalversions.NewSharedInformerFactoryWithOptions(client, 0, siteOptions...)
	ownedFactory := informers.NewSharedInformerFactoryWithOptions(cluster, 0, ownedOptions...)
	c := &Controller{
		client: client, cluster: cluster, events: events, directory: directory, ring: ring, log: log,
		siteFactory:  siteFactory,
		ownedFactory: ownedFactory,
		sites:        siteFactory.Web().V1().Sites().Lister(),
		deployments:  ownedFactory.Apps().V1().Deployments().Lister(),
		configMaps:   ownedFactory.Core().V1().ConfigMaps().Lister(),
		queue: workqueue.NewTypedPriorityQueueWithConfig(
			workqueue.DefaultTypedControllerRateLimiter[cache.ObjectName](),
			workqueue.TypedPriorityQueueConfig[cache.ObjectName]{Name: "sites"}, // in metrics
		),
	}
	c.watching, c.stopWatching = context.WithCancel(context.Background())
	if err := c.handle(); err != nil {
		return nil, fmt.Errorf("add handlers: %w", err)
	}
	return c, nil
}

// Watch starts the informers, and returns when they have synced or ctx has ended. They run until [Controller.Close]. A
// replica that does not lead watches too, so that it can take over without delay.
func (c *Controller) Watch(ctx context.Context) error {
	c.siteFactory.StartWithContext(c.watching)
	c.ownedFactory.StartWithContext(c.watching)
	if err := c.siteFactory.WaitForCacheSyncWithContext(ctx).AsError(); err != nil {
		return err // names the informers that have not synced, with their causes
	}
	return c.ownedFactory.WaitForCacheSyncWithContext(ctx).AsError()
}

// Close stops the informers, and returns when they have stopped.
func (c *Controller) Close() {
	c.stopWatching()
	c.queue.ShutDown()
	c.siteFactory.Shutdown()
	c.ownedFactory.Shutdown()
}
