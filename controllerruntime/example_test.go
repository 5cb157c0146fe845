package controllerruntime_test

import (
	"context"
	"fmt"
	"log"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"github.com/listwatch/listwatch/apitest/embedded"
	"github.com/listwatch/listwatch/clientgo"
	"github.com/listwatch/listwatch/controllerruntime"
)

// A manager gets its cache and its client here; all else of a program stays as it is. Reads of the client see its own
// writes.
func Example() {
	cluster, err := embedded.New() // in a program, ctrl.GetConfig
	if err != nil {
		log.Fatal(err)
	}
	defer cluster.Stop() //nolint:errcheck // the example is over
	manager, err := ctrl.NewManager(clientgo.ToConfig(cluster.Config()), ctrl.Options{
		NewCache:  controllerruntime.NewCache,
		NewClient: controllerruntime.NewClient,
		Metrics:   server.Options{BindAddress: "0"},
	})
	if err != nil {
		log.Fatal(err)
	}

	ctx, cancel := context.WithCancel(context.Background())
	stopped := make(chan error)
	go func() { stopped <- manager.Start(ctx) }()
	if err = controllerruntime.WaitForSync(ctx, manager.GetCache()); err != nil {
		log.Fatal(err) // names the kinds that have not synced, with their causes
	}

	book := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "emma"}, Data: map[string]string{"pages": "474"}}
	if err = manager.GetClient().Create(ctx, book); err != nil {
		log.Fatal(err)
	}
	var read corev1.ConfigMap
	err = manager.GetClient().Get(ctx, client.ObjectKeyFromObject(book), &read)
	fmt.Println(read.Data, err)
	cancel()
	fmt.Println(<-stopped)
	// Output:
	// map[pages:474] <nil>
	// <nil>
}
