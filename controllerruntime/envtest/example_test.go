package envtest_test

import (
	"context"
	"fmt"
	"log"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/listwatch/listwatch/controllerruntime/envtest"
)

// A suite starts a server in its own process, as controller-runtime's envtest starts programs.
func Example() {
	environment := &envtest.Environment{} // with CRDDirectoryPaths and WebhookInstallOptions
	config, err := environment.Start()
	if err != nil {
		log.Fatal(err)
	}
	defer environment.Stop() //nolint:errcheck // the example is over

	direct, err := client.New(config, client.Options{})
	if err != nil {
		log.Fatal(err)
	}
	var namespace corev1.Namespace
	err = direct.Get(context.Background(), client.ObjectKey{Name: "default"}, &namespace)
	fmt.Println(namespace.Status.Phase, err)
	// Output: Active <nil>
}
