// Command manager is a replica that is a manager of controller-runtime: it does to its objects what the replicas of the
// tests' own binary do, with the same environment.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"os"
	"time"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"github.com/listwatch/listwatch/clientgo"
	"github.com/listwatch/listwatch/controllerruntime"
	"github.com/listwatch/listwatch/kubernetes"
	"github.com/listwatch/listwatch/kubernetes/shards"
)

// setup is what a replica gets in its environment.
type setup struct {
	Host, Token string
	CA          []byte
	Namespace   string
	Identity    string
	Lease       time.Duration
}

func main() {
	if err := run(os.Getenv("LISTWATCH_SHARDS_REPLICA")); err != nil {
		log.Fatal(err)
	}
}

// run works until the input ends.
func run(text string) error {
	var s setup
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		return err
	}
	ctrl.SetLogger(logr.Discard())
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		defer cancel()
		_, _ = io.Copy(io.Discard, os.Stdin)
	}()
	config := &rest.Config{Host: s.Host, BearerToken: s.Token, TLSClientConfig: rest.TLSClientConfig{CAData: s.CA}, QPS: -1}
	clientset, err := kubernetes.NewForConfig(clientgo.FromConfig(config))
	if err != nil {
		return err
	}
	ring, err := shards.Join(context.Background(), clientset.CoordinationV1(), shards.Options{
		Name: "ring", Namespace: s.Namespace, Identity: s.Identity, Slots: 64,
		LeaseDuration: s.Lease, RenewDeadline: s.Lease * 2 / 3, RenewPeriod: s.Lease * 2 / 5, HandOver: s.Lease / 4, Settle: s.Lease / 6,
	})
	if err != nil {
		return err
	}
	selected := labels.SelectorFromSet(labels.Set{"listwatch.example.com/shards": "yes"})
	manager, err := ctrl.NewManager(config, ctrl.Options{
		NewCache:  controllerruntime.NewShardedCache(ring),
		NewClient: controllerruntime.NewClient,
		Cache: cache.Options{
			DefaultNamespaces: map[string]cache.Config{s.Namespace: {}},
			ByObject:          map[client.Object]cache.ByObject{&corev1.ConfigMap{}: {Label: selected}},
		},
		Metrics: metricsserver.Options{BindAddress: "0"},
	})
	if err != nil {
		return err
	}
	r := &reconciler{client: manager.GetClient(), ring: ring, identity: s.Identity}
	sharded, err := controllerruntime.NewShardedReconciler(manager.GetCache(), &corev1.ConfigMap{}, r)
	if err != nil {
		return err
	}
	err = ctrl.NewControllerManagedBy(manager).For(&corev1.ConfigMap{}).
		WithOptions(controller.Options{MaxConcurrentReconciles: 8}).Complete(sharded)
	if err != nil {
		return err
	}
	if err := manager.Start(ctx); err != nil {
		return err
	}
	return ring.Leave(context.Background())
}

// reconciler copies a field of each object.
type reconciler struct {
	client   client.Client
	ring     *shards.Ring
	identity string
}

// Reconcile implements reconcile.Reconciler.
func (r *reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	var obj corev1.ConfigMap
	if err := r.client.Get(ctx, request.NamespacedName, &obj); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if obj.Data["got"] == obj.Data["want"] && obj.Data["by"] == r.identity {
		return ctrl.Result{}, nil
	}
	term := r.ring.State().Term
	select {
	case <-time.After(10 * time.Millisecond): // so that faults meet some work
	case <-ctx.Done():
		return ctrl.Result{}, context.Cause(ctx)
	}
	// Without a resource version as the precondition, a write that is late is not refused.
	patch, err := json.Marshal(map[string]any{
		"metadata": map[string]any{"uid": obj.UID},
		"data":     map[string]string{"got": obj.Data["want"], "by": r.identity, "term": term, "stamp": fmt.Sprint(r.identity, " ", time.Now().UnixNano())},
	})
	if err != nil {
		return ctrl.Result{}, err
	}
	written := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: obj.Namespace, Name: obj.Name}}
	return ctrl.Result{}, client.IgnoreNotFound(r.client.Patch(ctx, written, client.RawPatch(types.MergePatchType, patch)))
}
