package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/listwatch/listwatch/runtime/discovery"
	"github.com/listwatch/listwatch/runtime/rest"
)

// discover lists the resources of group apps, in the version that the server prefers.
func discover(ctx context.Context, config *rest.Config, out io.Writer) error {
	client, err := discovery.NewDiscoveryClientForConfig(config)
	if err != nil {
		return err
	}
	lists, err := client.ServerPreferredResourcesWithContext(ctx)
	if discovery.IsGroupDiscoveryFailedError(err) {
		fmt.Fprintln(out, err) // the other groups are in the result
	} else if err != nil {
		return err
	}
	for _, list := range lists {
		if !strings.HasPrefix(list.GroupVersion, "apps/") {
			continue
		}
		for _, resource := range list.APIResources {
			fmt.Fprintln(out, list.GroupVersion, resource.Name, resource.ShortNames, strings.Join(resource.Verbs, " "))
		}
	}
	return nil
}
