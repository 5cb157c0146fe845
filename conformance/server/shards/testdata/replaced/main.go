// Command replaced is a controller on client-go. The line in its go.mod that replaces client-go lets its replicas share
// config maps: what it has for that are the statements with a comment.
package main

import (
	"context"
	"io"
	"log"
	"os"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/util/workqueue"

	"github.com/listwatch/listwatch/kubernetes/shards"
	coordinationv1 "github.com/listwatch/listwatch/kubernetes/typed/coordination/v1"
)

func main() {
	if err := run(os.Args[1], os.Args[2]); err != nil {
		log.Fatal(err)
	}
}

// run runs a replica until its input ends.
func run(kubeconfig, identity string) error {
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		defer cancel()
		_, _ = io.Copy(io.Discard, os.Stdin)
	}()
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return err
	}
	// 1. The replica joins the ring.
	ring, err := shards.Join(context.Background(), coordinationv1.NewForConfigOrDie(config), shards.Options{
		Name: "replaced", Namespace: "default", Identity: identity, LeaseDuration: 5 * time.Second, Settle: -1,
	})
	if err != nil {
		return err
	}
	config.Wrap(ring.Transport)
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}

	factory := informers.NewSharedInformerFactory(client, 0)
	// 2. The informer of the factory has the replica's objects.
	factory.InformerFor(&corev1.ConfigMap{}, func(client kubernetes.Interface, resync time.Duration) cache.SharedIndexInformer {
		source := cache.NewListWatchFromClient(client.CoreV1().RESTClient(), "configmaps", metav1.NamespaceAll, fields.Everything())
		return cache.NewSharedIndexInformerWithOptions(source, &corev1.ConfigMap{}, cache.SharedIndexInformerOptions{
			ResyncPeriod: resync, Indexers: cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc}, Shards: ring,
		})
	})
	objects := factory.Core().V1().ConfigMaps()
	queue := workqueue.NewTypedRateLimitingQueue(workqueue.DefaultTypedControllerRateLimiter[shards.Item]())
	if _, err := objects.Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(obj any) { queue.Add(shards.ItemOf(obj.(*corev1.ConfigMap))) },
		UpdateFunc: func(_, obj any) { queue.Add(shards.ItemOf(obj.(*corev1.ConfigMap))) },
	}); err != nil {
		return err
	}
	factory.Start(ctx.Done())
	factory.WaitForCacheSync(ctx.Done())

	var workers sync.WaitGroup
	for range 4 {
		workers.Go(func() {
			for {
				item, shutdown := queue.Get()
				if shutdown {
					return
				}
				// 3. It works on objects that it owns.
				err := ring.Do(ctx, ring.KeyOf(item), func(ctx context.Context) error {
					stored, err := objects.Lister().ConfigMaps(item.Namespace).Get(item.Name)
					if err != nil || stored.Data["for"] != "replicas" || stored.Data["by"] == identity {
						return nil
					}
					obj := stored.DeepCopy()
					obj.Data["by"] = identity
					_, err = client.CoreV1().ConfigMaps(item.Namespace).Update(ctx, obj, metav1.UpdateOptions{})
					return err
				})
				if err != nil {
					queue.AddRateLimited(item)
				} else {
					queue.Forget(item)
				}
				queue.Done(item)
			}
		})
	}
	<-ctx.Done()
	queue.ShutDown()
	workers.Wait()
	factory.Shutdown()
	return ring.Leave(context.Background())
}
