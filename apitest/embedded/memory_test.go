package embedded_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"

	"github.com/listwatch/listwatch/apitest/embedded"
)

// A server without a network runs in a bubble: once all goroutines wait, an informer has got what was written.
func TestWithoutNetwork(t *testing.T) {
	for range 3 {
		synctest.Test(t, func(t *testing.T) {
			srv := embedded.Start(t, embedded.WithoutNetwork())
			clients := kubernetes.NewForConfigOrDie(srv.RESTConfig())
			factory := informers.NewSharedInformerFactory(clients, 0)
			lister := factory.Core().V1().ConfigMaps().Lister()
			ctx, cancel := context.WithCancel(t.Context())
			factory.Start(ctx.Done())
			defer factory.Shutdown()
			defer cancel()
			synctest.Wait()
			one := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "one"}}
			if _, err := clients.CoreV1().ConfigMaps("default").Create(t.Context(), one, metav1.CreateOptions{}); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
			if _, err := lister.ConfigMaps("default").Get("one"); err != nil {
				t.Error(err)
			}
			if err := srv.Restart(); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Hour)
			if err := clients.CoreV1().ConfigMaps("default").Delete(t.Context(), "one", metav1.DeleteOptions{}); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
			if _, err := lister.ConfigMaps("default").Get("one"); err == nil {
				t.Error("the informer has not got the deletion after a restart")
			}
		})
	}
}

// A server without a network has services, too.
func TestWithoutNetworkServices(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := embedded.Start(t, embedded.WithoutNetwork())
		services := kubernetes.NewForConfigOrDie(srv.RESTConfig()).CoreV1().Services("default")
		service := &corev1.Service{ObjectMeta: metav1.ObjectMeta{Name: "one"}, Spec: corev1.ServiceSpec{Ports: []corev1.ServicePort{{Port: 80}}}}
		if _, err := services.Create(t.Context(), service, metav1.CreateOptions{}); err != nil {
			t.Error(err)
		}
		if _, err := services.Get(t.Context(), "kubernetes", metav1.GetOptions{}); err != nil {
			t.Error(err)
		}
	})
}
