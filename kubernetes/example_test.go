package kubernetes_test

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/kubernetes"
	"github.com/listwatch/listwatch/runtime/rest"
)

// A clientset has a client for each kind of Kubernetes' own API.
func Example() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Println(r.Method, r.URL)
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"kind": "PodList", "apiVersion": "v1", "items": [{"metadata": {"name": "web-1"}, "status": {"phase": "Running"}}]}`)
	}))
	defer server.Close()

	clientset, err := kubernetes.NewForConfig(&rest.Config{Host: server.URL}) // usually from package clientcmd
	if err != nil {
		log.Fatal(err)
	}
	pods, err := clientset.CoreV1().Pods("default").List(context.Background(), metav1.ListOptions{LabelSelector: "app=web"})
	if err != nil {
		log.Fatal(err)
	}
	for _, pod := range pods.Items {
		fmt.Println(pod.Name, pod.Status.Phase)
	}
	// Output:
	// GET /api/v1/namespaces/default/pods?labelSelector=app%3Dweb
	// web-1 Running
}
