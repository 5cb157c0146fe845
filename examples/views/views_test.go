package main

import (
	"bytes"
	"context"
	"testing"
	"time"

	"github.com/listwatch/listwatch/apitest"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/examples/views/generated/clientset/versioned"
	"github.com/listwatch/listwatch/examples/views/generated/clientset/versioned/fake"
	"github.com/listwatch/listwatch/examples/views/network"
)

const want = "default/shop-1: 10.0.0.1 on node-1\n"

// test runs the program.
func test(t *testing.T, client versioned.Interface) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var out bytes.Buffer
	if err := run(ctx, client, &out); err != nil {
		t.Fatal(err)
	}
	if got := out.String(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestServer(t *testing.T) {
	pod := func(name, ip string) *corev1.Pod {
		return &corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"app": "shop"}},
			Spec:       corev1.PodSpec{NodeName: "node-1", Containers: []corev1.Container{{Name: "shop", Image: "shop"}}},
			Status:     corev1.PodStatus{Phase: corev1.PodRunning, PodIP: ip},
		}
	}
	server := apitest.Start(t, apitest.WithObjects(pod("shop-1", "10.0.0.1"), pod("shop-2", "")))
	test(t, versioned.NewForConfigOrDie(server.Config()))
}

// TestFake stores the objects of the view.
func TestFake(t *testing.T) {
	pod := &network.Pod{Meta: network.Meta{Namespace: "default", Name: "shop-1", Labels: map[string]string{"app": "shop"}}}
	pod.Spec.NodeName, pod.Status.PodIP = "node-1", "10.0.0.1"
	test(t, fake.NewClientset(pod))
}
