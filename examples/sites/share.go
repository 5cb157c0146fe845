package sites

import (
	"context"
	"time"

	"github.com/listwatch/listwatch/kubernetes"
	"github.com/listwatch/listwatch/kubernetes/shards"
	"github.com/listwatch/listwatch/runtime/rest"
)

// ShareLease has the durations of replicas that share the sites. They are longer than those of an election, because each replica
// renews a lease of its own.
var ShareLease = Lease{Duration: 30 * time.Second, Renew: 20 * time.Second}

// join makes this replica a member of the ring of those that share the sites, if it is to be one, and returns the config for
// what it writes then: each write is checked before it is sent. The ring's own writes are not, so it has another client.
func join(ctx context.Context, config *rest.Config, o Options) (*rest.Config, *shards.Ring, error) {
	if !o.Share {
		return config, nil, nil
	}
	cluster, err := kubernetes.NewForConfig(config)
	if err != nil {
		return nil, nil, err
	}
	ring, err := shards.Join(ctx, cluster.CoordinationV1(), shards.Options{
		Name: manager, Namespace: o.Namespace, Identity: o.Identity,
		Key:           shards.ByNamespace, // sites and what they own are one replica's
		LeaseDuration: o.Lease.Duration, RenewDeadline: o.Lease.Renew, Settle: o.Lease.Duration / 6,
	})
	if err != nil {
		return nil, nil, err
	}
	checked := rest.CopyConfig(config)
	checked.Wrap(ring.Transport)
	if o.OnJoin == nil {
		return checked, ring, nil
	}
	return checked, ring, o.OnJoin(ring)
}

// share works on the sites of this replica until ctx ends. Then it completes the sites in progress, and gives all to the others.
func share(ctx context.Context, ring *shards.Ring, controller *Controller, o Options) error {
	o.Log.Info("Sharing", "identity", o.Identity)
	background := context.WithoutCancel(ctx)
	work, cancel := context.WithCancel(background)
	defer cancel()
	controller.Work(limited(work, ctx, o.StopTimeout), o.Workers, ctx.Done())
	return ring.Leave(background)
}
