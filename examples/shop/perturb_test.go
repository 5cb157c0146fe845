package main

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/listwatch/listwatch/apitest/embedded"
	"github.com/listwatch/listwatch/apitest/perturb"
	"github.com/listwatch/listwatch/examples/internal/idle"
	"github.com/listwatch/listwatch/examples/shop/pkg/generated/clientset/versioned"
	"github.com/listwatch/listwatch/runtime/rest"
)

// TestPerturbed lets replicas crash after each of their writes, read old states, miss changes and lose their lease.
func TestPerturbed(t *testing.T) {
	var replicas atomic.Int32
	perturb.Run(t, perturb.Controller{
		Server: []embedded.Option{
			embedded.WithCRDs("config/crd/bases"),
			embedded.WithManifests("config/manager/manager.yaml", "config/rbac/role.yaml", "config/rbac/service_account.yaml"),
		},
		User: "system:serviceaccount:shop-system:controller",
		Start: func(ctx context.Context, config *rest.Config) error {
			return operator{
				config: config, workers: 1, listener: idle.NewListener(), namespace: "shop-system", identity: fmt.Sprint("replica-", replicas.Add(1)),
			}.run(ctx)
		},
		Users: func(ctx context.Context, config *rest.Config) error {
			client, err := versioned.NewForConfig(config)
			if err != nil {
				return err
			}
			databases := client.StorageV1().Databases("default")
			if _, err := databases.Create(ctx, newDatabase(2), metav1.CreateOptions{}); err != nil {
				return err
			}
			for _, patch := range []string{`{"spec":{"replicas":3}}`, `{"spec":{"replicas":1}}`} {
				if _, err := databases.Patch(ctx, "example", types.MergePatchType, []byte(patch), metav1.PatchOptions{}); err != nil {
					return err
				}
			}
			return nil
		},
		Budget: 2500 * time.Millisecond,
	})
}
