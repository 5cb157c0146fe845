package shards_test

import (
	"context"
	"fmt"

	"github.com/go-logr/logr"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/klog/v2"

	"github.com/listwatch/listwatch/kubernetes/fake"
	"github.com/listwatch/listwatch/kubernetes/shards"
	"github.com/listwatch/listwatch/runtime/workqueue"
)

// A replica joins a ring and works on the objects whose slots it owns. The config of the client with which it writes has
// been wrapped with ring.Transport.
func Example() {
	ctx := klog.NewContext(context.Background(), logr.Discard())
	clientset := fake.NewClientset()
	ring, err := shards.Join(ctx, clientset.CoordinationV1(), shards.Options{
		Name: "sites", Namespace: "default", Identity: "replica-1", // usually the name of the pod
	})
	if err != nil {
		fmt.Println(err)
		return
	}

	queue := workqueue.NewTyped[shards.Item]()
	for change := range ring.Follow(ctx) { // informers with the option WithShards(ring) do this
		if len(change.Gained) > 0 {
			fmt.Println(len(change.Gained), "slots")
			queue.Add(shards.ItemOf(&metav1.ObjectMeta{Namespace: "default", Name: "hello", UID: "b2a5a8d6-9f5c-4a5e-8a51-0d3c6f5f9c1e"}))
			break
		}
	}

	item, _ := queue.Get()
	err = ring.Do(ctx, ring.KeyOf(item), func(context.Context) error {
		fmt.Println("reconciling", item.ObjectName)
		return nil
	})
	if err != nil {
		fmt.Println(err) // and add it again, later
	}
	queue.Done(item)

	if err = ring.Leave(ctx); err != nil {
		fmt.Println(err)
	}
}
