package shards

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/listwatch/listwatch/kubernetes"
	"github.com/listwatch/listwatch/kubernetes/informers"
	"github.com/listwatch/listwatch/kubernetes/leaderelection"
	"github.com/listwatch/listwatch/kubernetes/leaderelection/resourcelock"
	corev1listers "github.com/listwatch/listwatch/kubernetes/listers/core/v1"
	"github.com/listwatch/listwatch/kubernetes/shards"
	"github.com/listwatch/listwatch/runtime/cache"
	"github.com/listwatch/listwatch/runtime/rest"
	"github.com/listwatch/listwatch/runtime/workqueue"
)

// replicaVariable makes the test's binary a replica.
const replicaVariable = "LISTWATCH_SHARDS_REPLICA"

const (
	ringName = "ring"
	slots    = 64
	workers  = 8
	// selector selects the objects.
	selector = "listwatch.example.com/shards=yes"
	// takes is how long a reconcile takes, beside its requests: longer than nothing, so that faults meet some.
	takes = 10 * time.Millisecond
)

// setup is what a replica gets in its environment.
type setup struct {
	Host, Token string
	CA          []byte
	Namespace   string // of the objects and the Leases
	Identity    string
	Elected     bool // a leader works, and the others wait
	Lease       time.Duration

	program string // that is the replica; empty for the test's own binary
}

// stats is a line of a replica's output: what it did since it began.
type stats struct {
	Leases, Writes int64         // requests
	Events, Bytes  int64         // of lists and watches of objects
	CPU            time.Duration // used
}

// replica is the process.
type replica struct {
	setup
	client *kubernetes.Clientset
	ring   *shards.Ring // nil with an election
	queue  workqueue.TypedRateLimitingInterface[shards.Item]
	lister corev1listers.ConfigMapNamespaceLister
	count  counter
	stamp  atomic.Int64
}

// durations returns those of a ring or an election.
func (s *setup) durations() (lease, deadline, period time.Duration) {
	return s.Lease, s.Lease * 2 / 3, s.Lease * 2 / 5
}

// runReplica works until its input ends.
func runReplica(text string) error {
	r := &replica{}
	if err := json.Unmarshal([]byte(text), &r.setup); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		defer cancel()
		_, _ = io.Copy(io.Discard, os.Stdin)
	}()
	config := &rest.Config{Host: r.Host, BearerToken: r.Token, TLSClientConfig: rest.TLSClientConfig{CAData: r.CA}}
	config.Wrap(r.count.transport)
	leases := rest.CopyConfig(config)
	lease, deadline, period := r.durations()
	if r.Elected {
		return r.elect(ctx, config, leases)
	}
	client, err := kubernetes.NewForConfig(leases)
	if err != nil {
		return err
	}
	r.ring, err = shards.Join(context.Background(), client.CoordinationV1(), shards.Options{
		Name: ringName, Namespace: r.Namespace, Identity: r.Identity, Slots: slots,
		LeaseDuration: lease, RenewDeadline: deadline, RenewPeriod: period, HandOver: lease / 4, Settle: lease / 6,
	})
	if err != nil {
		return err
	}
	config.Wrap(r.ring.Transport)
	if err := r.work(ctx, config, informers.WithShards(r.ring)); err != nil {
		return err
	}
	return r.ring.Leave(context.Background())
}

// elect works while the replica leads.
func (r *replica) elect(ctx context.Context, config, leases *rest.Config) error {
	lease, deadline, _ := r.durations()
	lock, err := resourcelock.NewFromKubeconfig(resourcelock.LeasesResourceLock, r.Namespace, ringName,
		resourcelock.ResourceLockConfig{Identity: r.Identity}, leases, deadline)
	if err != nil {
		return err
	}
	for n := 0; ctx.Err() == nil; n++ {
		leaderelection.RunOrDie(ctx, leaderelection.LeaderElectionConfig{
			Lock: lock, LeaseDuration: lease, RenewDeadline: deadline, RetryPeriod: lease / 8, ReleaseOnCancel: true,
			Callbacks: leaderelection.LeaderCallbacks{
				OnStartedLeading: func(term context.Context) { _ = r.work(term, config) },
				OnStoppedLeading: func() {},
			},
		})
	}
	return nil
}

// work runs the controller until ctx is done.
func (r *replica) work(ctx context.Context, config *rest.Config, options ...informers.SharedInformerOption) (err error) {
	if r.client, err = kubernetes.NewForConfig(config); err != nil {
		return err
	}
	factory := informers.NewSharedInformerFactoryWithOptions(r.client, 0, append(options, informers.WithNamespace(r.Namespace),
		informers.WithTweakListOptions(func(o *metav1.ListOptions) { o.LabelSelector = selector }))...)
	objects := factory.Core().V1().ConfigMaps()
	r.lister = objects.Lister().ConfigMaps(r.Namespace)
	r.queue = workqueue.NewTypedRateLimitingQueue(workqueue.DefaultTypedControllerRateLimiter[shards.Item]())
	if _, err := objects.Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(obj any) { r.queue.Add(shards.ItemOf(obj.(*corev1.ConfigMap))) },
		UpdateFunc: func(_, obj any) { r.queue.Add(shards.ItemOf(obj.(*corev1.ConfigMap))) },
	}); err != nil {
		return err
	}
	factory.StartWithContext(ctx)
	defer factory.Shutdown()
	var running sync.WaitGroup
	defer running.Wait()
	running.Go(func() { r.report(ctx, objects.Informer()) })
	if err := factory.WaitForCacheSyncWithContext(ctx).AsError(); err != nil {
		return nil // it has to stop
	}
	for range workers {
		running.Go(func() {
			for r.next(ctx) {
			}
		})
	}
	<-ctx.Done()
	r.queue.ShutDown()
	return nil
}

// next reconciles an object, and returns false if there are no more.
func (r *replica) next(ctx context.Context) bool {
	item, shutdown := r.queue.Get()
	if shutdown {
		return false
	}
	defer r.queue.Done(item)
	work := func(ctx context.Context) error { return r.reconcile(ctx, item) }
	var err error
	if r.ring == nil {
		err = work(ctx)
	} else {
		err = r.ring.Do(ctx, r.ring.KeyOf(item), work)
	}
	if err != nil {
		r.queue.AddRateLimited(item)
		return true
	}
	r.queue.Forget(item)
	return true
}

func (r *replica) reconcile(ctx context.Context, item shards.Item) error {
	stored, err := r.lister.Get(item.Name)
	if apierrors.IsNotFound(err) || err == nil && stored.UID != item.UID {
		return nil // deleted
	}
	if err != nil || stored.Data["got"] == stored.Data["want"] && stored.Data["by"] == r.Identity {
		return err
	}
	term := r.Identity
	if r.ring != nil {
		term = r.ring.State().Term
	}
	select {
	case <-time.After(takes):
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	// Without a resource version as the precondition, a write that is late is not refused.
	patch, err := json.Marshal(map[string]any{
		"metadata": map[string]any{"uid": item.UID},
		"data": map[string]string{
			"got": stored.Data["want"], "by": r.Identity, "term": term, "stamp": fmt.Sprint(r.Identity, " ", r.stamp.Add(1)),
		},
	})
	if err != nil {
		return err
	}
	_, err = r.client.CoreV1().ConfigMaps(r.Namespace).Patch(ctx, item.Name, types.MergePatchType, patch, metav1.PatchOptions{})
	if apierrors.IsNotFound(err) {
		return nil
	}
	return err
}

// report writes stats until ctx is done.
func (r *replica) report(ctx context.Context, informer cache.SharedInformer) {
	output := json.NewEncoder(os.Stdout)
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		s := stats{Leases: r.count.leases.Load(), Writes: r.count.writes.Load(), Bytes: r.count.bytes.Load()}
		for _, source := range cache.StateOf(informer).Sources {
			s.Events += source.Events
		}
		var used syscall.Rusage
		if syscall.Getrusage(syscall.RUSAGE_SELF, &used) == nil {
			s.CPU = time.Duration(used.Utime.Nano() + used.Stime.Nano())
		}
		_ = output.Encode(s)
	}
}

// counter counts requests, and the bytes of objects that lists and watches return.
type counter struct{ leases, writes, bytes atomic.Int64 }

func (c *counter) transport(next http.RoundTripper) http.RoundTripper { return counting{c, next} }

type counting struct {
	*counter
	next http.RoundTripper
}

func (c counting) RoundTrip(request *http.Request) (*http.Response, error) {
	switch {
	case strings.Contains(request.URL.Path, "/leases"):
		c.leases.Add(1)
	case request.Method != http.MethodGet:
		c.writes.Add(1)
	default:
		response, err := c.next.RoundTrip(request)
		if err == nil {
			response.Body = countedBody{response.Body, c.counter}
		}
		return response, err
	}
	return c.next.RoundTrip(request)
}

type countedBody struct {
	io.ReadCloser
	counter *counter
}

func (b countedBody) Read(data []byte) (int, error) {
	n, err := b.ReadCloser.Read(data)
	b.counter.bytes.Add(int64(n))
	return n, err
}
