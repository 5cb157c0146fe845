//go:build programs || operators

package perturb_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	clientgo "k8s.io/client-go/rest"

	"github.com/listwatch/listwatch/apitest/controllers"
	"github.com/listwatch/listwatch/apitest/embedded"
	"github.com/listwatch/listwatch/apitest/perturb"
)

// start runs a process of a program.
type start = func(ctx context.Context, config *clientgo.Config) error

// program is a program of others.
type program struct {
	name             string
	server           []embedded.Option
	start            start
	users            func(context.Context, *clientgo.Config) error
	standIns         func() []embedded.Controller // for controllers on which it depends
	withoutCollector bool                         // of garbage: it is the program
	ignore           func(*unstructured.Unstructured)
	recovery         time.Duration // of a program whose retries pause for more than a minute
	always           []perturb.Invariant
}

var (
	limit = flag.Int("programs.schedules", 100, "how many schedules TestPrograms and TestOperators run of each program; 0 is all")
	share = flag.Duration("programs.time", 0, "how long TestPrograms and TestOperators run schedules of each program; 0 is until all are run")
)

// disturb runs programs of others. A report is an error if no judgement of the program covers it.
func disturb(t *testing.T, programs []program) (found []disturbed) {
	for _, p := range programs {
		t.Run(p.name, func(t *testing.T) {
			begin := time.Now()
			limits := perturb.Limits{Schedules: *limit, Budget: *share}
			r, err := perturb.Search(t, perturb.Controller{
				Server: p.server, Controllers: p.standIns, WithoutGarbageCollector: p.withoutCollector,
				StartClientGo: p.start, UsersClientGo: p.users, Ignore: p.ignore, Always: p.always, Recovery: p.recovery,
			}, limits)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range r.Findings {
				if judge(p.name, f) == nil {
					t.Error(f.Report)
				}
			}
			found = append(found, disturbed{p.name, r.Tried, r.Planned, r.Pruned, r.Pairs, r.Findings})
			t.Logf("%s: %d of %d schedules (%d pruned) and %d pairs in %s, %d findings", p.name, r.Tried, r.Planned, r.Pruned, r.Pairs, time.Since(begin).Round(time.Second), len(r.Findings))
		})
	}
	return found
}

// finish lets each pod succeed.
func finish(*corev1.Pod) controllers.Fate { return controllers.Succeed }

// step is what users do.
type step func(ctx context.Context, objects dynamic.Interface) error

func users(steps ...step) func(context.Context, *clientgo.Config) error {
	return func(ctx context.Context, config *clientgo.Config) error {
		objects, err := dynamic.NewForConfig(config)
		for _, s := range steps {
			if err == nil {
				err = s(ctx, objects)
			}
		}
		return err
	}
}

// groups are the groups of resources that users write.
var groups = map[string]string{"deployments": "apps", "replicasets": "apps", "statefulsets": "apps", "daemonsets": "apps", "jobs": "batch"}

// in returns a client for a resource in namespace default: one of Kubernetes, or resource.version.group.
func in(objects dynamic.Interface, resource string) dynamic.ResourceInterface {
	if full, _ := schema.ParseResourceArg(resource); full != nil {
		return objects.Resource(*full).Namespace("default")
	}
	return objects.Resource(schema.GroupVersionResource{Group: groups[resource], Version: "v1", Resource: resource}).Namespace("default")
}

// apply creates an object with the fields of its spec.
func apply(resource, version, kind, name, spec string) step {
	return func(ctx context.Context, objects dynamic.Interface) error {
		object := &unstructured.Unstructured{}
		text := fmt.Sprintf(`{"apiVersion":%q,"kind":%q,"metadata":{"name":%q}`, version, kind, name)
		if spec != "" {
			text += `,"spec":{` + spec + `}`
		}
		if err := json.Unmarshal([]byte(text+"}"), object); err != nil {
			return err
		}
		_, err := in(objects, resource).Create(ctx, object, metav1.CreateOptions{})
		return err
	}
}

// podTemplate is the selector and the template of the workload a.
const podTemplate = `"selector":{"matchLabels":{"app":"a"}},"template":{"metadata":{"labels":{"app":"a"}},"spec":{"containers":[{"name":"c","image":"one"}]}}`

func merge(resource, name, patch string) step {
	return func(ctx context.Context, objects dynamic.Interface) error {
		_, err := in(objects, resource).Patch(ctx, name, types.MergePatchType, []byte(patch), metav1.PatchOptions{})
		return err
	}
}

func remove(resource, name string) step {
	return func(ctx context.Context, objects dynamic.Interface) error {
		background := metav1.DeletePropagationBackground
		return in(objects, resource).Delete(ctx, name, metav1.DeleteOptions{PropagationPolicy: &background})
	}
}

// foreground deletes a config map after what it owns.
func foreground(name string) step {
	return func(ctx context.Context, objects dynamic.Interface) error {
		policy := metav1.DeletePropagationForeground
		return in(objects, "configmaps").Delete(ctx, name, metav1.DeleteOptions{PropagationPolicy: &policy})
	}
}

// removeFirst deletes the oldest of objects that are alike.
func removeFirst(resource, selector string) step {
	return func(ctx context.Context, objects dynamic.Interface) error {
		list, err := in(objects, resource).List(ctx, metav1.ListOptions{LabelSelector: selector})
		if err != nil || len(list.Items) == 0 {
			return err
		}
		return in(objects, resource).Delete(ctx, list.Items[0].GetName(), metav1.DeleteOptions{})
	}
}

func node(name string) step {
	return func(ctx context.Context, objects dynamic.Interface) error {
		object := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "v1", "kind": "Node", "metadata": map[string]any{"name": name}}}
		_, err := objects.Resource(corev1.SchemeGroupVersion.WithResource("nodes")).Create(ctx, object, metav1.CreateOptions{})
		return err
	}
}

// readyPod creates a pod of app a on node n1, which has an address.
func readyPod(name, address string) step {
	return func(ctx context.Context, objects dynamic.Interface) error {
		object := &unstructured.Unstructured{}
		text := `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"` + name + `","labels":{"app":"a"}},"spec":{"nodeName":"n1","terminationGracePeriodSeconds":0,"containers":[{"name":"c","image":"i"}]}}`
		if err := json.Unmarshal([]byte(text), object); err != nil {
			return err
		}
		if _, err := in(objects, "pods").Create(ctx, object, metav1.CreateOptions{}); err != nil {
			return err
		}
		status := `{"status":{"phase":"Running","podIP":"` + address + `","podIPs":[{"ip":"` + address + `"}],"conditions":[{"type":"Ready","status":"True"}]}}`
		_, err := in(objects, "pods").Patch(ctx, name, types.MergePatchType, []byte(status), metav1.PatchOptions{}, "status")
		return err
	}
}

func removeNode(name string) step {
	return func(ctx context.Context, objects dynamic.Interface) error {
		return objects.Resource(corev1.SchemeGroupVersion.WithResource("nodes")).Delete(ctx, name, metav1.DeleteOptions{})
	}
}

// owned creates a secret of a config map.
func owned(name, owner string) step {
	return func(ctx context.Context, objects dynamic.Interface) error {
		o, err := in(objects, "configmaps").Get(ctx, owner, metav1.GetOptions{})
		if err != nil {
			return err
		}
		object := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "v1", "kind": "Secret", "metadata": map[string]any{"name": name}}}
		block := true
		object.SetOwnerReferences([]metav1.OwnerReference{{APIVersion: "v1", Kind: "ConfigMap", Name: owner, UID: o.GetUID(), BlockOwnerDeletion: &block}})
		_, err = in(objects, "secrets").Create(ctx, object, metav1.CreateOptions{})
		return err
	}
}
