package fake_test

import (
	"context"
	"fmt"
	"log"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/kubernetes/fake"
	"github.com/listwatch/listwatch/kubernetes/informers"
)

// A fake clientset takes the place of the real one in tests, also under informers.
func Example() {
	clientset := fake.NewClientset(&corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web-1"}})

	ctx, cancel := context.WithCancel(context.Background())
	factory := informers.NewSharedInformerFactory(clientset, 0)
	defer factory.Shutdown()
	defer cancel()
	pods := factory.Core().V1().Pods().Lister()
	factory.StartWithContext(ctx)
	if err := factory.WaitForCacheSyncWithContext(ctx).AsError(); err != nil {
		log.Fatal(err)
	}
	pod, err := pods.Pods("default").Get("web-1")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(pod.Name)
	// Output: web-1
}
