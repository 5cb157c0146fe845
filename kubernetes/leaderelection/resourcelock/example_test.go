package resourcelock_test

import (
	"context"
	"fmt"
	"log"

	"github.com/listwatch/listwatch/kubernetes/fake"
	"github.com/listwatch/listwatch/kubernetes/leaderelection/resourcelock"
)

// A lock stores who leads in a Lease. Package leaderelection uses it; here it only shows the record.
func ExampleNew() {
	clientset := fake.NewClientset()
	lock, err := resourcelock.New(resourcelock.LeasesResourceLock, "default", "fleet", nil, clientset.CoordinationV1(),
		resourcelock.ResourceLockConfig{Identity: "replica-1"})
	if err != nil {
		log.Fatal(err)
	}

	ctx := context.Background()
	err = lock.Create(ctx, resourcelock.LeaderElectionRecord{HolderIdentity: lock.Identity(), LeaseDurationSeconds: 15})
	if err != nil {
		log.Fatal(err)
	}
	record, _, err := lock.Get(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(lock.Describe(), record.HolderIdentity)
	// Output: default/fleet replica-1
}
