package sites_test

import (
	"context"
	"fmt"
	"log/slog"
	"sync/atomic"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/listwatch/listwatch/apitest/embedded"
	"github.com/listwatch/listwatch/apitest/perturb"
	"github.com/listwatch/listwatch/examples/internal/idle"
	"github.com/listwatch/listwatch/examples/sites"
	"github.com/listwatch/listwatch/examples/sites/config"
	"github.com/listwatch/listwatch/examples/sites/generated/clientset/versioned"
	"github.com/listwatch/listwatch/kubernetes"
	"github.com/listwatch/listwatch/runtime/rest"
)

// TestPerturbed lets the controller crash after each of its writes, read old states, miss changes and lose its lease,
// during the life of two sites.
func TestPerturbed(t *testing.T) {
	testPerturbed(t, leading, sites.Lease{Duration: 15 * time.Second, Renew: 10 * time.Second, Retry: 2 * time.Second})
}

// TestPerturbedSharing does so with replicas that share the sites.
func TestPerturbedSharing(t *testing.T) { testPerturbed(t, sharing, sites.ShareLease) }

func testPerturbed(t *testing.T, mode mode, lease sites.Lease) {
	t.Helper()
	objects, err := mode.objects()
	check(t, err)
	var replicas atomic.Int32
	perturb.Run(t, perturb.Controller{
		Budget: 2500 * time.Millisecond,
		Server: []embedded.Option{embedded.WithCRDs("config/crd"), embedded.WithObjects(objects...)},
		User:   config.User,
		Start: func(ctx context.Context, user *rest.Config) error {
			return sites.Run(ctx, user, sites.Options{
				Namespace: "sites", Identity: fmt.Sprint("replica-", replicas.Add(1)), Workers: 1, Share: mode.share,
				Lease: lease, StopTimeout: 10 * time.Second, Listener: idle.NewListener(), Log: slog.New(slog.DiscardHandler),
			})
		},
		Users: func(ctx context.Context, config *rest.Config) error {
			c := cluster{sites: versioned.NewForConfigOrDie(config).WebV1().Sites("default"), kube: kubernetes.NewForConfigOrDie(config)}
			if mode.share {
				time.Sleep(2 * lease.Duration) // a new ring assigns nothing before its lease could have expired
			}
			for _, step := range []func() error{
				func() error { return create(ctx, c) },
				func() error { return c.play(ctx) },
				func() error {
					_, err := c.sites.Create(ctx, newSite("other"), metav1.CreateOptions{})
					return err
				},
				func() error {
					_, err := c.sites.Patch(ctx, "hello", types.MergePatchType, []byte(`{"spec":{"html":"<h1>Bye</h1>"}}`), metav1.PatchOptions{})
					return err
				},
				func() error {
					return c.kube.CoreV1().ConfigMaps("default").Delete(ctx, "other", metav1.DeleteOptions{})
				},
				func() error { return c.sites.Delete(ctx, "hello", metav1.DeleteOptions{}) },
			} {
				if err := step(); err != nil {
					return err
				}
			}
			return nil
		},
	})
}
