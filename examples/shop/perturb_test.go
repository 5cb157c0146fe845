package main

import (
	"context"
	"fmt"
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/listwatch/listwatch/apitest"
	"github.com/listwatch/listwatch/apitest/perturb"
	"github.com/listwatch/listwatch/examples/shop/pkg/generated/clientset/versioned"
	"github.com/listwatch/listwatch/runtime/rest"
)

// TestPerturbed lets replicas crash after each of their writes, read old states, miss changes and lose their lease.
func TestPerturbed(t *testing.T) {
	var replicas atomic.Int32
	perturb.Run(t, perturb.Controller{
		Server: []apitest.Option{
			apitest.WithCRDs("config/crd/bases"),
			apitest.WithManifests("config/manager/manager.yaml", "config/rbac/role.yaml", "config/rbac/service_account.yaml"),
		},
		User: "system:serviceaccount:shop-system:controller",
		Start: func(ctx context.Context, config *rest.Config) error {
			return operator{
				config: config, workers: 1, listener: newIdle(), namespace: "shop-system", identity: fmt.Sprint("replica-", replicas.Add(1)),
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
		Budget: 3 * time.Second,
	})
}

// idle is a listener to which nobody connects.
type idle struct {
	once   sync.Once
	closed chan struct{}
}

func newIdle() *idle { return &idle{closed: make(chan struct{})} }

func (i *idle) Accept() (net.Conn, error) {
	<-i.closed
	return nil, net.ErrClosed
}

func (i *idle) Addr() net.Addr { return &net.UnixAddr{Name: "idle"} }

func (i *idle) Close() error {
	i.once.Do(func() { close(i.closed) })
	return nil
}
