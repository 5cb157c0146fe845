package latest_test

import (
	"fmt"
	"log"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/listwatch/listwatch/runtime/clientcmd/api"
	"github.com/listwatch/listwatch/runtime/clientcmd/api/latest"
)

// Codec converts between the text of a kubeconfig and its Go type.
func Example() {
	text, err := runtime.Encode(latest.Codec, &api.Config{
		Clusters: map[string]*api.Cluster{"test": {Server: "https://test.example.com"}},
	})
	if err != nil {
		log.Fatal(err)
	}
	obj, err := runtime.Decode(latest.Codec, text)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(obj.(*api.Config).Clusters["test"].Server)
	// Output: https://test.example.com
}
