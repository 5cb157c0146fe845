package scale_test

import (
	"context"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/listwatch/listwatch/kubernetes/scale"
	"github.com/listwatch/listwatch/runtime/discovery"
	"github.com/listwatch/listwatch/runtime/discovery/cached/memory"
	"github.com/listwatch/listwatch/runtime/dynamic"
	"github.com/listwatch/listwatch/runtime/rest"
	"github.com/listwatch/listwatch/runtime/restmapper"
)

// A client scales everything that has replicas, including custom resources.
func Example() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		switch r.URL.Path {
		case "/apis":
			fmt.Fprint(w, `{"kind": "APIGroupList", "groups": [{"name": "apps", "versions": [{"groupVersion": "apps/v1", "version": "v1"}]}]}`)
		case "/apis/apps/v1":
			fmt.Fprint(w, `{"kind": "APIResourceList", "groupVersion": "apps/v1", "resources": [
				{"name": "deployments", "kind": "Deployment", "namespaced": true},
				{"name": "deployments/scale", "group": "autoscaling", "version": "v1", "kind": "Scale", "namespaced": true}]}`)
		case "/apis/apps/v1/namespaces/default/deployments/web/scale":
			patch, _ := io.ReadAll(r.Body)
			fmt.Printf("%s %s\n", r.Method, patch)
			fmt.Fprint(w, `{"kind": "Scale", "apiVersion": "autoscaling/v1", "metadata": {"name": "web"}, "spec": {"replicas": 3}}`)
		default:
			http.NotFound(w, r)
		}
	}))
	defer server.Close()

	config := &rest.Config{Host: server.URL}
	known, err := discovery.NewDiscoveryClientForConfig(config)
	if err != nil {
		log.Fatal(err)
	}
	mapper := restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(known))
	client, err := scale.NewForConfig(config, mapper, dynamic.LegacyAPIPathResolverFunc, scale.NewDiscoveryScaleKindResolver(known))
	if err != nil {
		log.Fatal(err)
	}
	deployments := schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "deployments"}
	scaled, err := client.Scales("default").Patch(context.Background(), deployments, "web", types.MergePatchType,
		[]byte(`{"spec":{"replicas":3}}`), metav1.PatchOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(scaled.Name, scaled.Spec.Replicas)
	// Output:
	// PATCH {"spec":{"replicas":3}}
	// web 3
}
