// Discoveryclient lists the resources that a server serves, each in its preferred version.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"strings"

	"github.com/listwatch/listwatch/runtime/clientcmd"
	"github.com/listwatch/listwatch/runtime/discovery"
)

func main() {
	kubeconfig := flag.String("kubeconfig", clientcmd.RecommendedHomeFile, "kubeconfig file; empty in a pod")
	flag.Parse()
	if err := run(context.Background(), *kubeconfig); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, kubeconfig string) error {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return err
	}
	client, err := discovery.NewDiscoveryClientForConfig(config)
	if err != nil {
		return err
	}
	version, err := client.ServerVersionWithContext(ctx)
	if err != nil {
		return err
	}
	fmt.Println("Kubernetes", version.GitVersion)
	lists, err := client.ServerPreferredResourcesWithContext(ctx)
	if discovery.IsGroupDiscoveryFailedError(err) {
		log.Print(err) // the other groups are there
	} else if err != nil {
		return err
	}
	for _, list := range lists {
		for _, resource := range list.APIResources {
			fmt.Printf("%s %s: %s\n", list.GroupVersion, resource.Name, strings.Join(resource.Verbs, " "))
		}
	}
	return nil
}
