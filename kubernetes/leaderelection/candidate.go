package leaderelection

import (
	"context"
	"fmt"
	"reflect"
	"sync"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	coordinationv1beta1 "k8s.io/api/coordination/v1beta1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/klog/v2"

	"github.com/listwatch/listwatch/kubernetes"
	informers "github.com/listwatch/listwatch/kubernetes/informers/coordination/v1beta1"
	listers "github.com/listwatch/listwatch/kubernetes/listers/coordination/v1beta1"
	client "github.com/listwatch/listwatch/kubernetes/typed/coordination/v1beta1"
	"github.com/listwatch/listwatch/runtime/cache"
	"github.com/listwatch/listwatch/runtime/workqueue"
)

// candidatePeriod is how often a candidate is renewed without being asked, and resynced.
const candidatePeriod = 5 * time.Minute

// CacheSyncWaiter waits for informers.
type CacheSyncWaiter interface {
	// WaitForCacheSync waits until the informers have synced or stopCh is closed, and reports for each type
	// whether its informer has synced.
	WaitForCacheSync(stopCh <-chan struct{}) map[reflect.Type]bool
}

// LeaseCandidate keeps an object of coordination.k8s.io/v1beta1 up to date that makes a replica eligible in a
// coordinated leader election. It is created by [NewCandidate].
type LeaseCandidate struct {
	client    client.LeaseCandidateInterface
	informer  cache.SharedIndexInformer
	hasSynced cache.InformerSynced // of the handler
	lister    listers.LeaseCandidateNamespaceLister
	queue     workqueue.TypedRateLimitingInterface[string] // contains at most the name

	namespace, name string
	spec            coordinationv1beta1.LeaseCandidateSpec // without times
}

// NewCandidate returns a candidate for the lease targetLease in the same namespace, and a waiter for its
// informer. The candidate does nothing before it runs. Versions are semantic versions; the strategy is how
// Kubernetes chooses among candidates. A replica also runs an elector whose config is Coordinated, and whose
// identity is candidateName.
//
// The server must have the feature gate CoordinatedLeaderElection and the API coordination.k8s.io/v1beta1.
func NewCandidate(clientset kubernetes.Interface,
	candidateNamespace, candidateName, targetLease string,
	binaryVersion, emulationVersion string,
	strategy coordinationv1.CoordinatedLeaseStrategy,
) (*LeaseCandidate, CacheSyncWaiter, error) {
	informer := informers.NewFilteredLeaseCandidateInformer(clientset, candidateNamespace, candidatePeriod, cache.Indexers{},
		func(options *metav1.ListOptions) {
			options.FieldSelector = fields.OneTermEqualSelector("metadata.name", candidateName).String()
		})
	c := &LeaseCandidate{
		client:   clientset.CoordinationV1beta1().LeaseCandidates(candidateNamespace),
		informer: informer,
		lister:   listers.NewLeaseCandidateLister(informer.GetIndexer()).LeaseCandidates(candidateNamespace),
		queue: workqueue.NewTypedRateLimitingQueueWithConfig(workqueue.DefaultTypedControllerRateLimiter[string](),
			workqueue.TypedRateLimitingQueueConfig[string]{Name: "leasecandidate"}),
		namespace: candidateNamespace,
		name:      candidateName,
		spec: coordinationv1beta1.LeaseCandidateSpec{
			LeaseName:        targetLease,
			BinaryVersion:    binaryVersion,
			EmulationVersion: emulationVersion,
			Strategy:         strategy,
		},
	}
	handler, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{UpdateFunc: c.updated})
	if err != nil {
		return nil, nil, err
	}
	c.hasSynced = handler.HasSynced
	return c, candidateSync{c}, nil
}

// updated renews the candidate if Kubernetes has asked whether it is alive.
func (c *LeaseCandidate) updated(_, obj any) {
	candidate, ok := obj.(*coordinationv1beta1.LeaseCandidate)
	if !ok || candidate.Spec.PingTime == nil {
		return
	}
	if renewed := candidate.Spec.RenewTime; renewed == nil || candidate.Spec.PingTime.After(renewed.Time) {
		c.queue.Add(c.name)
	}
}

// Run creates the object if it does not exist, and renews it until ctx is done, when Kubernetes asks for it and
// every five minutes. It can be called once. The object is not deleted: Kubernetes deletes old ones.
func (c *LeaseCandidate) Run(ctx context.Context) {
	ctx = klog.NewContext(ctx, klog.FromContext(ctx).WithName("leasecandidate"))
	var running sync.WaitGroup
	defer running.Wait()
	defer c.queue.ShutDown()

	running.Go(func() { c.informer.RunWithContext(ctx) })
	if !cache.WaitForNamedCacheSyncWithContext(ctx, c.hasSynced) {
		return
	}
	c.queue.Add(c.name)
	running.Go(func() {
		for c.next(ctx) {
		}
	})
	<-ctx.Done()
}

// next renews the candidate when it is queued, and reports whether it may be queued again.
func (c *LeaseCandidate) next(ctx context.Context) bool {
	name, shutdown := c.queue.Get()
	if shutdown {
		return false
	}
	defer c.queue.Done(name)
	if err := c.renew(ctx); err != nil {
		if ctx.Err() == nil {
			klog.FromContext(ctx).Error(err, "Failed to renew lease candidate, retrying", "candidate", klog.KRef(c.namespace, c.name))
		}
		c.queue.AddRateLimited(name)
		return true
	}
	c.queue.Forget(name)
	c.queue.AddAfter(name, candidatePeriod)
	return true
}

// renew creates the object, or sets its RenewTime.
func (c *LeaseCandidate) renew(ctx context.Context) error {
	now := &metav1.MicroTime{Time: time.Now()}
	cached, err := c.lister.Get(c.name)
	switch {
	case apierrors.IsNotFound(err):
		candidate := &coordinationv1beta1.LeaseCandidate{ObjectMeta: metav1.ObjectMeta{Namespace: c.namespace, Name: c.name}, Spec: c.spec}
		candidate.Spec.RenewTime = now
		if _, err = c.client.Create(ctx, candidate, metav1.CreateOptions{}); err != nil {
			return fmt.Errorf("create lease candidate: %w", err)
		}
	case err != nil:
		return err
	default:
		candidate := cached.DeepCopy()
		candidate.Spec.RenewTime = now
		if _, err = c.client.Update(ctx, candidate, metav1.UpdateOptions{}); err != nil {
			return fmt.Errorf("renew lease candidate: %w", err)
		}
	}
	return nil
}

// candidateSync is the waiter for a candidate's informer.
type candidateSync struct{ of *LeaseCandidate }

func (s candidateSync) WaitForCacheSync(stopCh <-chan struct{}) map[reflect.Type]bool {
	return map[reflect.Type]bool{
		reflect.TypeFor[*coordinationv1beta1.LeaseCandidate](): cache.WaitForCacheSync(stopCh, s.of.informer.HasSynced),
	}
}
