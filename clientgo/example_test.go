package clientgo_test

import (
	"context"
	"fmt"
	"sync"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	theirs "k8s.io/client-go/tools/cache"

	"github.com/listwatch/listwatch/clientgo"
	"github.com/listwatch/listwatch/runtime/cache"
	framework "github.com/listwatch/listwatch/runtime/cache/testing"
	"github.com/listwatch/listwatch/runtime/rest"
)

// A library takes client-go's informers: it gets one of ours, and both sides share its objects.
func ExampleToInformer() {
	library := func(informer theirs.SharedIndexInformer) theirs.Store { return informer.GetStore() }

	source := framework.NewFakeControllerSource() // in a program, cache.ListWatchFor
	defer source.Shutdown()
	source.Add(&corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web-1"}})
	informer := cache.NewSharedIndexInformer(source, &corev1.Pod{}, 0, nil)
	store := library(clientgo.ToInformer(informer))

	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { informer.RunWithContext(ctx) })
	defer running.Wait()
	defer cancel()
	if err := cache.WaitForSync(ctx, informer); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(store.ListKeys())
	// Output: [default/web-1]
}

// One config serves the clients of both modules.
func ExampleToConfig() {
	config := clientgo.ToConfig(&rest.Config{Host: "https://test.example.com", UserAgent: "librarian"})
	fmt.Println(config.Host, config.UserAgent) // for kubernetes.NewForConfig of client-go
	// Output: https://test.example.com librarian
}
