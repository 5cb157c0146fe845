package main

import (
	"bytes"
	"context"
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/listwatch/listwatch/apitest"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/listwatch/listwatch/kubernetes"
)

// running is the number of pods that run.
const running = 20

// newServer returns a server with pods that run, one that does not, and a secret.
func newServer(t *testing.T) *apitest.Server {
	t.Helper()
	objects := []runtime.Object{
		newPod("done", corev1.PodSucceeded),
		&corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: "password"}, StringData: map[string]string{"password": "secret"}},
	}
	for i := range running {
		objects = append(objects, newPod(fmt.Sprint("shop-", i), corev1.PodRunning))
	}
	return apitest.Start(t, apitest.WithObjects(objects...))
}

func newPod(name string, phase corev1.PodPhase) *corev1.Pod {
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"app": "shop"}},
		Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "shop", Image: "shop"}}},
		Status:     corev1.PodStatus{Phase: phase},
	}
}

func TestRun(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var out bytes.Buffer
	if err := run(ctx, newServer(t).Config(), &out); err != nil {
		t.Fatal(err)
	}
	if got, want := out.String(), "pods that run: 20\nsecrets, without their data: 1\n"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestPods checks what the cached pods have: no managedFields, and labels that are stored once.
func TestPods(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	factory := newPods(kubernetes.NewForConfigOrDie(newServer(t).Config()))
	lister := factory.Core().V1().Pods().Lister()
	defer factory.Shutdown()
	defer cancel()
	factory.StartWithContext(ctx)
	if err := factory.WaitForCacheSyncWithContext(ctx).AsError(); err != nil {
		t.Fatal(err)
	}
	pods, err := lister.List(labels.Everything())
	if err != nil || len(pods) != running {
		t.Fatalf("got %d pods, error %v, want %d", len(pods), err, running)
	}
	maps := map[uintptr]bool{}
	for _, pod := range pods {
		if len(pod.ManagedFields) > 0 || pod.Labels["app"] != "shop" {
			t.Errorf("got %+v", pod.ObjectMeta)
		}
		maps[reflect.ValueOf(pod.Labels).Pointer()] = true
	}
	if len(maps) > running/2 { // a map is shared from the second or third object on
		t.Errorf("the labels of %d pods are %d maps", running, len(maps))
	}
}
