package main

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/listwatch/listwatch/runtime/cache"
	"github.com/listwatch/listwatch/runtime/workqueue"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	storagev1 "github.com/listwatch/listwatch/examples/shop/apis/storage/v1"
	"github.com/listwatch/listwatch/examples/shop/pkg/generated/clientset/versioned"
	"github.com/listwatch/listwatch/examples/shop/pkg/generated/informers/externalversions"
	storagev1listers "github.com/listwatch/listwatch/examples/shop/pkg/generated/listers/storage/v1"
)

const (
	// syncTimeout is the time to fill the cache.
	syncTimeout = time.Minute
	// itemTimeout is the time to reconcile one object.
	itemTimeout = time.Minute
)

// The controller's permissions, from which gen-all generates config/rbac/role.yaml.
//
// +kubebuilder:rbac:groups=storage.example.com,resources=databases,verbs=list;watch
// +kubebuilder:rbac:groups=storage.example.com,resources=databases/status,verbs=update

// Controller brings the cluster to the state that databases request.
type Controller struct {
	client  versioned.Interface
	factory externalversions.SharedInformerFactory
	lister  storagev1listers.DatabaseLister
	queue   workqueue.TypedRateLimitingInterface[cache.ObjectName]
	log     *slog.Logger
	synced  func() bool
}

// NewController returns a controller that does nothing yet.
func NewController(client versioned.Interface, log *slog.Logger) (*Controller, error) {
	factory := externalversions.NewSharedInformerFactory(client, 0)
	informer := factory.Storage().V1().Databases()
	queue := workqueue.NewTypedRateLimitingQueueWithConfig(workqueue.DefaultTypedControllerRateLimiter[cache.ObjectName](),
		workqueue.TypedRateLimitingQueueConfig[cache.ObjectName]{Name: "databases"}) // the name is that of its metrics
	// Handlers only queue names: workers read the current state when they get to it.
	if _, err := informer.TypedInformer().AddTypedEventHandler(cache.EnqueueKeys[*storagev1.Database](queue.Add)); err != nil {
		return nil, err
	}
	return &Controller{client: client, factory: factory, lister: informer.Lister(), queue: queue, log: log, synced: informer.Informer().HasSynced}, nil
}

// Synced reports whether the cache is filled.
func (c *Controller) Synced() bool { return c.synced() }

// Run fills the cache and reconciles databases until ctx ends. It can be called once.
func (c *Controller) Run(ctx context.Context, workers int) error {
	watching, stop := context.WithCancel(ctx)
	defer c.factory.Shutdown() // waits for the informers, which stop, called before it, ends
	defer stop()
	defer c.queue.ShutDown()

	c.factory.StartWithContext(watching)
	soon, cancel := context.WithTimeout(ctx, syncTimeout)
	defer cancel()
	if err := c.factory.WaitForCacheSyncWithContext(soon).AsError(); err != nil {
		if ctx.Err() != nil {
			return nil
		}
		return err // describes the cause: for example, that the server does not know the kind
	}
	c.log.Info("Started", "workers", workers)

	var group sync.WaitGroup
	for range workers {
		group.Go(func() {
			for c.next(ctx) {
			}
		})
	}
	<-ctx.Done()
	c.queue.ShutDown() // wakes up idle workers
	group.Wait()
	return nil
}

// next reconciles the next object. It returns false when the worker should end.
func (c *Controller) next(ctx context.Context) bool {
	name, shutdown := c.queue.Get()
	if shutdown || ctx.Err() != nil {
		return false
	}
	defer c.queue.Done(name) // until then, no other worker gets this object
	ctx, cancel := context.WithTimeout(ctx, itemTimeout)
	defer cancel()
	if err := c.reconcile(ctx, name); err != nil {
		if !apierrors.IsConflict(err) { // a conflict is normal: the cache was behind
			c.log.Warn("Reconcile failed, retrying", "object", name.String(), "error", err)
		}
		c.queue.AddRateLimited(name)
		return true
	}
	c.queue.Forget(name) // its next failure is the first again
	return true
}

// reconcile brings the cluster closer to what one object requests. It depends on the current state only, not on
// what has happened, so that it can be repeated and interrupted.
func (c *Controller) reconcile(ctx context.Context, name cache.ObjectName) error {
	cached, err := c.lister.Databases(name.Namespace).Get(name.Name)
	if apierrors.IsNotFound(err) {
		return nil // it was deleted
	}
	if err != nil {
		return err
	}
	object := cached.DeepCopy() // objects in the cache are shared

	// Do here what the spec requests, and report how far it is in the status.
	object.Status.Replicas = object.Spec.Replicas
	meta.SetStatusCondition(&object.Status.Conditions, metav1.Condition{
		Type:               storagev1.ConditionReady,
		Status:             metav1.ConditionTrue,
		Reason:             "Running",
		Message:            fmt.Sprintf("%d replicas run", object.Status.Replicas),
		ObservedGeneration: object.Generation,
	})

	if equality.Semantic.DeepEqual(cached.Status, object.Status) {
		return nil // a write would be another event, and so on forever
	}
	_, err = c.client.StorageV1().Databases(name.Namespace).UpdateStatus(ctx, object, metav1.UpdateOptions{})
	if apierrors.IsNotFound(err) {
		return nil
	}
	if err == nil {
		c.log.Info("Reconciled", "object", name.String(), "replicas", object.Status.Replicas)
	}
	return err
}
