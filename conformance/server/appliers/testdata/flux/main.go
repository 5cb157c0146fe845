// Command flux applies manifests with the server-side applier of Flux, as its kustomize-controller does.
//
//	flux apply [--force] [--wait] [--timeout=3s] [--inventory=NAME] FILE...
//	flux diff FILE...
//	flux delete --inventory=NAME
//
// The file of an inventory has the objects of the last apply: those that are not applied any more are deleted.
package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/fluxcd/cli-utils/pkg/kstatus/polling"
	"github.com/fluxcd/pkg/ssa"
	"github.com/fluxcd/pkg/ssa/utils"
	"github.com/go-logr/logr"
	"github.com/spf13/pflag"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

func main() {
	log.SetLogger(logr.Discard())
	if err := run(context.Background(), os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// interval is the time between two requests for statuses.
const interval = 50 * time.Millisecond

// applier is a call of the command.
type applier struct {
	*ssa.ResourceManager

	force, wait bool
	timeout     time.Duration
	inventory   string
}

func run(ctx context.Context, args []string) error {
	a := &applier{}
	flags := pflag.NewFlagSet("flux", pflag.ContinueOnError)
	flags.BoolVar(&a.force, "force", false, "create objects again whose immutable fields differ")
	flags.BoolVar(&a.wait, "wait", false, "wait until all objects are ready")
	flags.DurationVar(&a.timeout, "timeout", 3*time.Second, "limit of waits")
	flags.StringVar(&a.inventory, "inventory", "", "file with the objects of the last apply")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() == 0 {
		return errors.New("a verb is missing")
	}
	var objects []*unstructured.Unstructured
	for _, name := range flags.Args()[1:] {
		more, err := read(name)
		if err != nil {
			return err
		}
		objects = append(objects, more...)
	}
	if err := a.connect(); err != nil {
		return err
	}
	switch verb := flags.Arg(0); verb {
	case "apply":
		return a.apply(ctx, objects)
	case "diff":
		return a.diff(ctx, objects)
	case "delete":
		return a.replace(ctx, nil)
	default:
		return fmt.Errorf("unknown verb %q", verb)
	}
}

func read(name string) ([]*unstructured.Unstructured, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return utils.ReadObjects(bytes.NewReader(text))
}

// connect makes the resource manager, for the cluster of the environment.
func (a *applier) connect() error {
	config, err := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(clientcmd.NewDefaultClientConfigLoadingRules(), nil).ClientConfig()
	if err != nil {
		return err
	}
	config.QPS = -1 // no limit
	config.WarningHandler = rest.NewWarningWriter(os.Stderr, rest.WarningWriterOptions{})
	h, err := rest.HTTPClientFor(config)
	if err != nil {
		return err
	}
	mapper, err := apiutil.NewDynamicRESTMapper(config, h)
	if err != nil {
		return err
	}
	c, err := client.New(config, client.Options{HTTPClient: h, Mapper: mapper})
	if err != nil {
		return err
	}
	owner := ssa.Owner{Field: "kustomize-controller", Group: "kustomize.toolkit.fluxcd.io"}
	a.ResourceManager = ssa.NewResourceManager(c, polling.NewStatusPoller(c, mapper, polling.Options{}), owner)
	return nil
}

func (a *applier) apply(ctx context.Context, objects []*unstructured.Unstructured) error {
	a.SetOwnerLabels(objects, "apps", "flux-system")
	options := ssa.ApplyOptions{
		Force: a.force, WaitInterval: interval, WaitTimeout: a.timeout, MigrateAPIVersion: true,
		Cleanup: ssa.ApplyCleanupOptions{
			Annotations: []string{"kubectl.kubernetes.io/last-applied-configuration"},
			FieldManagers: []ssa.FieldManager{
				{Name: "kubectl", OperationType: metav1.ManagedFieldsOperationApply},
				{Name: "kubectl", OperationType: metav1.ManagedFieldsOperationUpdate},
			},
		},
	}
	changes, err := a.ApplyAllStaged(ctx, objects, options)
	fmt.Println(changes)
	if err != nil {
		return err
	}
	if err = a.replace(ctx, objects); err != nil {
		return err
	}
	if a.wait {
		return a.Wait(objects, ssa.WaitOptions{Interval: interval, Timeout: a.timeout, FailFast: true})
	}
	return nil
}

// replace writes the objects to the inventory, after it has deleted those that were in it and are not among them.
func (a *applier) replace(ctx context.Context, objects []*unstructured.Unstructured) error {
	if a.inventory == "" {
		return nil
	}
	old, err := read(a.inventory)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	kept := map[string]bool{}
	for _, object := range objects {
		kept[utils.FmtUnstructured(object)] = true
	}
	var stale []*unstructured.Unstructured
	for _, object := range old {
		if !kept[utils.FmtUnstructured(object)] {
			stale = append(stale, object)
		}
	}
	if len(stale) > 0 {
		options := ssa.DefaultDeleteOptions()
		options.Inclusions = a.GetOwnerLabels("apps", "flux-system")
		options.Exclusions = map[string]string{"kustomize.toolkit.fluxcd.io/prune": "disabled"}
		changes, err := a.DeleteAll(ctx, stale, options)
		fmt.Println(changes)
		if err != nil {
			return err
		}
		if err = a.WaitForSetTermination(changes, ssa.WaitOptions{Interval: interval, Timeout: a.timeout}); err != nil {
			return err
		}
	}
	text, err := utils.ObjectsToYAML(objects)
	if err != nil {
		return err
	}
	return os.WriteFile(a.inventory, []byte(text), 0o644)
}

func (a *applier) diff(ctx context.Context, objects []*unstructured.Unstructured) error {
	a.SetOwnerLabels(objects, "apps", "flux-system")
	for _, object := range objects {
		change, live, merged, err := a.Diff(ctx, object, ssa.DefaultDiffOptions())
		if err != nil {
			return err
		}
		fmt.Println(change)
		for _, state := range []*unstructured.Unstructured{live, merged} {
			if state == nil {
				continue
			}
			for _, field := range []string{"uid", "resourceVersion", "creationTimestamp"} {
				unstructured.RemoveNestedField(state.Object, "metadata", field)
			}
			fmt.Println("---\n" + utils.ObjectToYAML(state))
		}
	}
	return nil
}
