package shards_test

import (
	"context"
	"fmt"

	"github.com/go-logr/logr"
	"k8s.io/klog/v2"

	"github.com/listwatch/listwatch/kubernetes/fake"
	"github.com/listwatch/listwatch/kubernetes/shards"
)

// A replica joins a ring and works on the objects whose slots it owns.
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

	const uid = "b2a5a8d6-9f5c-4a5e-8a51-0d3c6f5f9c1e" // of an object
	for change := range ring.Follow(ctx) {
		// Drop the objects of change.Lost and list those of change.Gained here.
		if len(change.Gained) > 0 {
			fmt.Println(len(change.Gained), "slots")
			break
		}
	}
	work, done, err := ring.Begin(ctx, uid)
	if err != nil {
		fmt.Println(err) // the object is another replica's
		return
	}
	if err = ring.Check(work, uid); err == nil {
		fmt.Println("writing")
	}
	done()

	if err = ring.Leave(ctx); err != nil {
		fmt.Println(err)
	}
}
