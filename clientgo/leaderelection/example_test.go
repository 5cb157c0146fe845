package leaderelection_test

import (
	"fmt"

	"github.com/listwatch/listwatch/clientgo/leaderelection"
	"github.com/listwatch/listwatch/kubernetes/fake"
	"github.com/listwatch/listwatch/kubernetes/leaderelection/resourcelock"
)

// A library that elects leaders with client-go takes a lock of ours.
func ExampleToLock() {
	lock, err := resourcelock.New(resourcelock.LeasesResourceLock, "default", "fleet", nil, fake.NewClientset().CoordinationV1(),
		resourcelock.ResourceLockConfig{Identity: "replica-1"})
	if err != nil {
		fmt.Println(err)
		return
	}
	theirs := leaderelection.ToLock(lock) // for LeaderElectionConfig of client-go
	fmt.Println(theirs.Identity(), theirs.Describe())
	// Output: replica-1 default/fleet
}
