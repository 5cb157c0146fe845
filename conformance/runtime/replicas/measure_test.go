package replicas

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/klog/v2"

	"github.com/listwatch/listwatch/apitest/embedded"
	"github.com/listwatch/listwatch/kubernetes"
	"github.com/listwatch/listwatch/kubernetes/informers"
	"github.com/listwatch/listwatch/kubernetes/leaderelection"
	"github.com/listwatch/listwatch/kubernetes/leaderelection/resourcelock"
	"github.com/listwatch/listwatch/kubernetes/shards"
)

// traffic counts what one client sends and gets.
type traffic struct{ requests, bytes atomic.Int64 }

func (c *traffic) wrap(next http.RoundTripper) http.RoundTripper { return counted{next, c} }

func (c *traffic) reset() {
	c.requests.Store(0)
	c.bytes.Store(0)
}

type counted struct {
	next http.RoundTripper
	by   *traffic
}

func (c counted) RoundTrip(r *http.Request) (*http.Response, error) {
	c.by.requests.Add(1)
	response, err := c.next.RoundTrip(r)
	if err == nil {
		response.Body = &countedBody{response.Body, c.by}
	}
	return response, err
}

type countedBody struct {
	io.ReadCloser
	by *traffic
}

func (b *countedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.by.bytes.Add(int64(n))
	return n, err
}

// client returns a client whose traffic is counted.
func client(t *testing.T, server *embedded.Server, by *traffic) kubernetes.Interface {
	t.Helper()
	config := server.Config()
	config.Wrap(by.wrap)
	config.QPS = -1
	clientset, err := kubernetes.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	return clientset
}

// quiet is the context of what would log.
func quiet() context.Context { return klog.NewContext(context.Background(), logr.Discard()) }

// ring measures the requests and bytes a second that a member sends and gets when nothing happens.
func ring(t *testing.T, members, slots int) (requests, bytes float64) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		server := embedded.Start(t, embedded.WithoutNetwork())
		var all traffic
		var rings []*shards.Ring
		for i := range members {
			rings = append(rings, join(t, client(t, server, &all), fmt.Sprint("replica-", i), slots))
		}
		time.Sleep(2 * time.Minute)
		owned := 0
		for _, r := range rings {
			owned += len(r.State().Owned)
		}
		if owned != slots {
			t.Errorf("%d of %d slots are owned", owned, slots)
		}
		all.reset()
		const span = 10 * time.Minute
		time.Sleep(span)
		requests = float64(all.requests.Load()) / span.Seconds() / float64(members)
		bytes = float64(all.bytes.Load()) / span.Seconds() / float64(members)
		leave(t, rings)
	})
	return requests, bytes
}

func join(t *testing.T, client kubernetes.Interface, identity string, slots int) *shards.Ring {
	t.Helper()
	r, err := shards.Join(quiet(), client.CoordinationV1(), shards.Options{Name: "ring", Namespace: "default", Identity: identity, Slots: slots})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func leave(t *testing.T, rings []*shards.Ring) {
	t.Helper()
	var leaving sync.WaitGroup
	for _, r := range rings {
		leaving.Go(func() {
			if err := r.Leave(context.Background()); err != nil {
				t.Error(err)
			}
		})
	}
	leaving.Wait()
}

// election measures the requests a second of a replica of a leader election with the durations of Kubernetes' components.
func election(t *testing.T, replicas int) (requests float64) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		server := embedded.Start(t, embedded.WithoutNetwork())
		var all traffic
		ctx, stop := context.WithCancel(quiet())
		var running sync.WaitGroup
		for i := range replicas {
			elector, err := leaderelection.NewLeaderElector(leaderelection.LeaderElectionConfig{
				Lock: &resourcelock.LeaseLock{
					LeaseMeta: metav1.ObjectMeta{Namespace: "default", Name: "election"}, Client: client(t, server, &all).CoordinationV1(),
					LockConfig: resourcelock.ResourceLockConfig{Identity: fmt.Sprint("replica-", i)},
				},
				LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second, ReleaseOnCancel: true,
				Callbacks: leaderelection.LeaderCallbacks{OnStartedLeading: func(context.Context) {}, OnStoppedLeading: func() {}},
			})
			if err != nil {
				t.Fatal(err)
			}
			running.Go(func() { elector.Run(ctx) })
		}
		time.Sleep(time.Minute)
		all.reset()
		const span = 5 * time.Minute
		time.Sleep(span)
		requests = float64(all.requests.Load()) / span.Seconds() / float64(replicas)
		stop()
		running.Wait()
	})
	return requests
}

// size is of the data of an object: with its metadata, it is about as large as a custom resource of a small controller.
const size = 1000

// objects measures how many bytes a replica gets of the lists and watches of informers: for each object of the cluster, and for
// each change.
func objects(t *testing.T, replicas int, shared bool) (list, change float64) {
	t.Helper()
	const count = 1000
	synctest.Test(t, func(t *testing.T) {
		server := embedded.Start(t, embedded.WithoutNetwork())
		admin := client(t, server, &traffic{})
		names := make([]string, count)
		for i := range names {
			names[i] = fmt.Sprint("object-", i)
			object := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: names[i]}, Data: map[string]string{"text": strings.Repeat("x", size)}}
			if _, err := admin.CoreV1().ConfigMaps("default").Create(t.Context(), object, metav1.CreateOptions{}); err != nil {
				t.Fatal(err)
			}
		}
		ctx, stop := context.WithCancel(quiet())
		var all traffic
		var rings []*shards.Ring
		var factories []informers.SharedInformerFactory
		for i := range replicas {
			options := []informers.SharedInformerOption{informers.WithNamespace("default")}
			if shared {
				rings = append(rings, join(t, client(t, server, &traffic{}), fmt.Sprint("replica-", i), 64))
				options = append(options, informers.WithShards(rings[i]))
			}
			f := informers.NewSharedInformerFactoryWithOptions(client(t, server, &all), 0, options...)
			f.Core().V1().ConfigMaps().Informer()
			f.StartWithContext(ctx)
			factories = append(factories, f)
		}
		time.Sleep(2 * time.Minute)
		stored := 0
		for _, f := range factories {
			stored += len(f.Core().V1().ConfigMaps().Informer().GetStore().ListKeys())
		}
		want := count
		if !shared {
			want *= replicas
		}
		if stored != want {
			t.Errorf("replicas have %d objects, want %d", stored, want)
		}
		list = float64(all.bytes.Load()) / float64(replicas) / count
		all.reset()
		for _, name := range names {
			object, err := admin.CoreV1().ConfigMaps("default").Get(t.Context(), name, metav1.GetOptions{})
			if err != nil {
				t.Fatal(err)
			}
			object.Data["text"] = strings.Repeat("y", size)
			if _, err = admin.CoreV1().ConfigMaps("default").Update(t.Context(), object, metav1.UpdateOptions{}); err != nil {
				t.Fatal(err)
			}
		}
		synctest.Wait()
		change = float64(all.bytes.Load()) / float64(replicas) / count
		stop()
		for _, f := range factories {
			f.Shutdown()
		}
		leave(t, rings)
	})
	return list, change
}
