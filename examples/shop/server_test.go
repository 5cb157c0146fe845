package main

import (
	"testing"

	"github.com/listwatch/listwatch/apitest"
	"github.com/listwatch/listwatch/runtime/cache"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	storagev1 "github.com/listwatch/listwatch/examples/shop/apis/storage/v1"
	"github.com/listwatch/listwatch/examples/shop/pkg/generated/clientset/versioned"
	"github.com/listwatch/listwatch/examples/shop/pkg/generated/clientset/versioned/scheme"
	"github.com/listwatch/listwatch/examples/shop/pkg/generated/informers/externalversions"
)

func TestOnServer(t *testing.T) {
	server := apitest.Start(t, apitest.WithScheme(scheme.Scheme)) // or WithCRDs("config/crd")
	client := versioned.NewForConfigOrDie(server.Config())
	factory := externalversions.NewSharedInformerFactory(client, 0)
	informer := factory.Storage().V1().Databases().Informer()
	factory.StartWithContext(t.Context())
	t.Cleanup(factory.Shutdown)

	orders := &storagev1.Database{ObjectMeta: metav1.ObjectMeta{Name: "orders"}}
	orders, err := client.StorageV1().Databases("default").Create(t.Context(), orders, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := cache.WaitForObject(t.Context(), informer, orders); err != nil {
		t.Error(err)
	}
}
