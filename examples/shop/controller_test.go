package main

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/listwatch/listwatch/apitest"
	"github.com/listwatch/listwatch/runtime/gentype"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	storagev1 "github.com/listwatch/listwatch/examples/shop/apis/storage/v1"
	"github.com/listwatch/listwatch/examples/shop/pkg/generated/clientset/versioned"
)

// start runs the controller on an API server that has the CRDs, and returns a client of the server.
func start(t *testing.T) versioned.Interface {
	t.Helper()
	server := apitest.Start(t, apitest.WithCRDs("config/crd/bases"))
	client := versioned.NewForConfigOrDie(server.Config())
	controller, err := NewController(client, slog.New(slog.NewTextHandler(t.Output(), nil)))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- controller.Run(ctx, 2) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return client
}

func newDatabase(replicas int32) *storagev1.Database {
	return &storagev1.Database{
		ObjectMeta: metav1.ObjectMeta{Name: "example"},
		Spec:       storagev1.DatabaseSpec{Replicas: replicas},
	}
}

// TestReady waits until the controller has done what the spec requests, and does so again when the spec changes.
func TestReady(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	client := start(t).StorageV1().Databases("default")
	object, err := client.Create(ctx, newDatabase(2), metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	// The events of a watch without a resource version begin with the objects that exist.
	for event, err := range gentype.Events(ctx, client, metav1.ListOptions{FieldSelector: "metadata.name=example"}) {
		if err != nil {
			t.Fatal(err)
		}
		status := event.Object.Status
		condition := meta.FindStatusCondition(status.Conditions, storagev1.ConditionReady)
		if condition == nil || condition.ObservedGeneration != object.Generation || status.Replicas != object.Spec.Replicas {
			continue // the controller is not there yet
		}
		if object.Spec.Replicas == 5 {
			return
		}
		changed := event.Object.DeepCopy()
		changed.Spec.Replicas = 5
		if object, err = client.Update(ctx, changed, metav1.UpdateOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	t.Error("the watch has ended before the controller was done")
}

// TestInvalid checks that the server rejects what the markers of the types do not allow.
func TestInvalid(t *testing.T) {
	client := start(t).StorageV1().Databases("default")
	if _, err := client.Create(t.Context(), newDatabase(101), metav1.CreateOptions{}); !apierrors.IsInvalid(err) {
		t.Errorf("got error %v, want one about spec.replicas", err)
	}
}
