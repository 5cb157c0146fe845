package main

import (
	"context"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/kubernetes/fake"
	"github.com/listwatch/listwatch/kubernetes/informers"
	"github.com/listwatch/listwatch/kubernetes/informers/internalinterfaces"
	"github.com/listwatch/listwatch/runtime/cache"
	"github.com/listwatch/listwatch/runtime/packed"
)

// TestPacked gets a pod of a cache whose objects are packed.
func TestPacked(t *testing.T) {
	client := fake.NewClientset(&corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web"}, Spec: corev1.PodSpec{NodeName: "one"}})
	factory := informers.NewSharedInformerFactoryWithOptions(client, 0,
		informers.WithTypeOptions(&corev1.Pod{}, internalinterfaces.InformerOptions{Packed: packed.S2}))
	pods := factory.Core().V1().Pods()
	lister := pods.Lister()
	ctx, cancel := context.WithCancel(t.Context())
	defer factory.Shutdown()
	defer cancel()
	factory.StartWithContext(ctx)
	if err := factory.WaitForCacheSyncWithContext(ctx).AsError(); err != nil {
		t.Fatal(err)
	}
	pod, err := lister.Pods("default").Get("web")
	if err != nil || pod.Spec.NodeName != "one" {
		t.Errorf("got %v, %v", pod, err)
	}
	if cache.StateOf(pods.Informer()).Packed == nil {
		t.Error("the objects are not packed")
	}
}
