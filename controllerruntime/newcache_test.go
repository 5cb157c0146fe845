package controllerruntime_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"github.com/listwatch/listwatch/apitest"
	"github.com/listwatch/listwatch/clientgo"
	"github.com/listwatch/listwatch/controllerruntime"
)

// A manager with our cache reads what the server has.
func TestManager(t *testing.T) {
	config := clientgo.ToConfig(apitest.Start(t).Config())
	manager, err := ctrl.NewManager(config, ctrl.Options{
		NewCache: controllerruntime.NewCache,
		Metrics:  server.Options{BindAddress: "0"},
	})
	if err != nil {
		t.Fatal(err)
	}
	stopped := make(chan error, 1)
	go func() { stopped <- manager.Start(t.Context()) }()
	t.Cleanup(func() {
		if err := <-stopped; err != nil {
			t.Error(err)
		}
	})
	if !manager.GetCache().WaitForCacheSync(t.Context()) {
		t.Fatal("the cache has not synced")
	}
	written := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "a"}}
	if err := manager.GetClient().Create(t.Context(), written); err != nil {
		t.Fatal(err)
	}
	read := &corev1.ConfigMap{}
	if err := manager.GetClient().Get(t.Context(), client.ObjectKeyFromObject(written), read); err != nil {
		t.Fatal(err)
	}
	if read.UID != written.UID {
		t.Errorf("UID %s, want %s", read.UID, written.UID)
	}
}
