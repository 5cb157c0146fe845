// Command argo synchronizes manifests with the engine of Argo CD.
//
//	argo [--prune] [--server-side] [--force] [--replace] [--timeout=2m] FILE...
//
// Objects belong to it by their label app.kubernetes.io/instance, which is the namespace of the configuration.
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/argoproj/argo-cd/gitops-engine/pkg/cache"
	"github.com/argoproj/argo-cd/gitops-engine/pkg/sync"
	"github.com/argoproj/argo-cd/gitops-engine/pkg/sync/common"
	"github.com/argoproj/argo-cd/gitops-engine/pkg/utils/kube"
	"github.com/argoproj/argo-cd/gitops-engine/pkg/utils/tracing"
	"github.com/go-logr/logr"
	"github.com/spf13/pflag"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/klog/v2"
)

func main() {
	klog.SetLogger(logr.Discard())
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// label has the name of the application to which an object belongs.
const label = "app.kubernetes.io/instance"

func run(args []string) error {
	var prune, serverSide, force, replace bool
	var timeout time.Duration
	flags := pflag.NewFlagSet("argo", pflag.ContinueOnError)
	flags.BoolVar(&prune, "prune", false, "delete objects that are in no file")
	flags.BoolVar(&serverSide, "server-side", false, "apply on the server")
	flags.BoolVar(&force, "force", false, "delete and create objects that cannot be applied")
	flags.BoolVar(&replace, "replace", false, "replace objects instead of applying them")
	flags.DurationVar(&timeout, "timeout", 2*time.Minute, "limit of a synchronization")
	if err := flags.Parse(args); err != nil {
		return err
	}
	loader := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(clientcmd.NewDefaultClientConfigLoadingRules(), nil)
	config, err := loader.ClientConfig()
	if err != nil {
		return err
	}
	config.QPS, config.Burst = 500, 500
	config.WarningHandler = rest.NewWarningWriter(os.Stderr, rest.WarningWriterOptions{})
	namespace, _, err := loader.Namespace()
	if err != nil {
		return err
	}
	targets, err := read(flags.Args(), namespace)
	if err != nil {
		return err
	}
	a := &application{config: config, namespace: namespace, options: []sync.SyncOpt{
		sync.WithLogr(logr.Discard()), sync.WithOperationSettings(false, prune, force, false), sync.WithReplace(replace),
		sync.WithServerSideApply(serverSide), sync.WithServerSideApplyManager("argocd-controller"),
	}}
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	phase, message, results, err := a.synchronize(ctx, targets)
	report(results)
	if phase != "" {
		fmt.Println(phase, message)
	}
	if err == nil && !phase.Successful() {
		err = errors.New("not synchronized")
	}
	return err
}

// application is what is synchronized.
type application struct {
	config    *rest.Config
	namespace string
	options   []sync.SyncOpt
}

// interval is the time between two steps of a synchronization.
const interval = 200 * time.Millisecond

// synchronize does the steps of a synchronization until it ends, each with the state of the cluster.
func (a *application) synchronize(ctx context.Context, targets []*unstructured.Unstructured) (phase common.OperationPhase, message string, results []common.ResourceSyncResult, err error) {
	log := logr.Discard()
	state := cache.NewClusterCache(a.config, cache.SetLogr(log),
		cache.SetNamespaces([]string{a.namespace}), cache.SetClusterResources(true),
		cache.SetPopulateResourceInfoHandler(func(object *unstructured.Unstructured, _ bool) (any, bool) {
			owner := object.GetLabels()[label]
			return owner, owner != ""
		}))
	if err = state.EnsureSynced(); err != nil {
		return "", "", nil, err
	}
	defer state.Invalidate()
	kubectl := &kube.KubectlCmd{Log: log, Tracer: tracing.NopTracer{}}
	started := metav1.Now()
	for {
		live, err := state.GetManagedLiveObjs(targets, func(r *cache.Resource) bool { return r.Info == a.namespace })
		if err != nil {
			return phase, message, results, err
		}
		step, cleanup, err := sync.NewSyncContext("revision", sync.Reconcile(targets, live, a.namespace, state), a.config, a.config, kubectl,
			a.namespace, append(a.options, sync.WithInitialState(phase, message, results, started))...)
		if err != nil {
			return phase, message, results, err
		}
		step.Sync()
		phase, message, results = step.GetState()
		cleanup()
		if phase.Completed() {
			return phase, message, results, nil
		}
		select {
		case <-ctx.Done():
			return phase, message, results, ctx.Err()
		case <-time.After(interval):
		}
	}
}

// read returns the objects of files, with the label of their application.
func read(names []string, owner string) ([]*unstructured.Unstructured, error) {
	var objects []*unstructured.Unstructured
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		more, err := kube.SplitYAML(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		objects = append(objects, more...)
	}
	if len(objects) == 0 {
		return nil, errors.New("no objects")
	}
	for _, object := range objects {
		labels := object.GetLabels()
		if labels == nil {
			labels = map[string]string{}
		}
		labels[label] = owner
		object.SetLabels(labels)
	}
	return objects, nil
}

// report prints the results, sorted.
func report(results []common.ResourceSyncResult) {
	slices.SortFunc(results, func(a, b common.ResourceSyncResult) int {
		return cmp.Compare(a.ResourceKey.String(), b.ResourceKey.String())
	})
	for _, r := range results {
		fmt.Printf("%s %s", r.SyncPhase, r.ResourceKey)
		for _, text := range []string{string(r.Status), string(r.HookType), string(r.HookPhase), r.Message} {
			if text != "" {
				fmt.Printf(" %s", text)
			}
		}
		fmt.Println()
	}
}
