package main

import (
	"context"
	"testing"
	"time"

	"github.com/listwatch/listwatch/runtime/gentype"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	storagev1 "github.com/listwatch/listwatch/examples/shop/apis/storage/v1"
	"github.com/listwatch/listwatch/examples/shop/pkg/generated/clientset/versioned"
	storagev1client "github.com/listwatch/listwatch/examples/shop/pkg/generated/clientset/versioned/typed/storage/v1"
)

// start runs the controller on an API server, with its permissions in config/rbac, and returns a client of the server.
func start(t *testing.T) versioned.Interface {
	t.Helper()
	server := newCluster(t)
	operate(t, server, "alone")
	return versioned.NewForConfigOrDie(server.Config())
}

func newDatabase(replicas int32) *storagev1.Database {
	return &storagev1.Database{
		ObjectMeta: metav1.ObjectMeta{Name: "example"},
		Spec:       storagev1.DatabaseSpec{Replicas: replicas},
	}
}

// TestReady waits until the controller has done what the spec requests, and does so again when the spec changes.
func TestReady(t *testing.T) {
	client := start(t).StorageV1().Databases("default")
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	object, err := client.Create(ctx, newDatabase(2), metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	changed := ready(ctx, t, client, object).DeepCopy()
	changed.Spec.Replicas = 5
	if object, err = client.Update(ctx, changed, metav1.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}
	ready(ctx, t, client, object)
}

// ready waits until the controller has done what the spec of an object requests, and returns the object.
func ready(ctx context.Context, t *testing.T, client storagev1client.DatabaseInterface, object *storagev1.Database) *storagev1.Database {
	t.Helper()
	// The events of a watch without a resource version begin with the objects that exist.
	for event, err := range gentype.Events(ctx, client, metav1.ListOptions{FieldSelector: "metadata.name=example"}) {
		if err != nil {
			t.Fatal(err)
		}
		status := event.Object.Status
		condition := meta.FindStatusCondition(status.Conditions, storagev1.ConditionReady)
		if condition != nil && condition.ObservedGeneration == object.Generation && status.Replicas == object.Spec.Replicas {
			return event.Object
		}
	}
	t.Fatal("the watch has ended before the controller was done")
	return nil
}

// TestInvalid checks that the server rejects what the markers of the types do not allow.
func TestInvalid(t *testing.T) {
	client := start(t).StorageV1().Databases("default")
	if _, err := client.Create(t.Context(), newDatabase(101), metav1.CreateOptions{}); !apierrors.IsInvalid(err) {
		t.Errorf("got error %v, want one about spec.replicas", err)
	}
}
