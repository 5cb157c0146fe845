package untyped_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	theirdynamic "k8s.io/client-go/dynamic"
	theirmetadata "k8s.io/client-go/metadata"
	theirrest "k8s.io/client-go/rest"

	"github.com/listwatch/listwatch/apitest/embedded"
	"github.com/listwatch/listwatch/internal/golden"
	"github.com/listwatch/listwatch/runtime/dynamic"
	"github.com/listwatch/listwatch/runtime/metadata"
	"github.com/listwatch/listwatch/runtime/rest"
)

var (
	books       = schema.GroupVersionResource{Group: "library.example.com", Version: "v1", Resource: "books"}
	configMaps  = schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}
	nodes       = schema.GroupVersionResource{Version: "v1", Resource: "nodes"}
	deployments = schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "deployments"}
	unknown     = schema.GroupVersionResource{Group: "nowhere.example.com", Version: "v1", Resource: "things"}
)

// definitions returns the manifest that defines books.
func definitions(t testing.TB) string {
	return filepath.Join(golden.Root(t), "testdata", "crds", "library.yaml")
}

// side contains the clients of one side. The interfaces of both sides have the same methods.
type side struct {
	dynamic  func(resource schema.GroupVersionResource, namespace string) dynamic.ResourceInterface
	metadata func(resource schema.GroupVersionResource, namespace string) metadata.ResourceInterface
}

func sides(t *testing.T, host string, transport http.RoundTripper) (theirs, ours side) {
	t.Helper()
	client := &http.Client{Transport: transport}
	theirConfig := &theirrest.Config{Host: host, UserAgent: "test", QPS: -1}
	ourConfig := &rest.Config{Host: host, UserAgent: "test"}
	theirDynamic, err1 := theirdynamic.NewForConfigAndClient(theirConfig, client)
	theirMetadata, err2 := theirmetadata.NewForConfigAndClient(theirConfig, client)
	ourDynamic, err3 := dynamic.NewForConfigAndClient(ourConfig, client)
	ourMetadata, err4 := metadata.NewForConfigAndClient(ourConfig, client)
	if err := errors.Join(err1, err2, err3, err4); err != nil {
		t.Fatal(err)
	}
	return side{
			func(r schema.GroupVersionResource, ns string) dynamic.ResourceInterface {
				return theirDynamic.Resource(r).Namespace(ns)
			},
			func(r schema.GroupVersionResource, ns string) metadata.ResourceInterface {
				return theirMetadata.Resource(r).Namespace(ns)
			},
		}, side{
			func(r schema.GroupVersionResource, ns string) dynamic.ResourceInterface {
				return ourDynamic.Resource(r).Namespace(ns)
			},
			func(r schema.GroupVersionResource, ns string) metadata.ResourceInterface {
				return ourMetadata.Resource(r).Namespace(ns)
			},
		}
}

// outcome is the result of a call. Of errors that do not come from the server, the texts are not compared.
type outcome struct {
	Name   string
	Value  any
	Failed bool
	Status metav1.Status
}

func (s *side) run(ctx context.Context, steps []step) []outcome {
	var outcomes []outcome
	for _, step := range steps {
		value, err := step.call(ctx, s)
		o := outcome{Name: step.name, Value: value, Failed: err != nil}
		var status apierrors.APIStatus
		if errors.As(err, &status) {
			o.Status = status.Status()
		}
		outcomes = append(outcomes, o)
	}
	return outcomes
}

// step is a call of a script, with what the calls before it have left on the server.
type step struct {
	name string
	call func(ctx context.Context, s *side) (any, error)
}

func object(apiVersion, kind, name string, fields map[string]any) *unstructured.Unstructured {
	content := map[string]any{"apiVersion": apiVersion, "kind": kind, "metadata": map[string]any{"name": name, "labels": map[string]any{"name": name}}}
	for field, value := range fields {
		content[field] = value
	}
	return &unstructured.Unstructured{Object: content}
}

func book(name string) *unstructured.Unstructured {
	return object("library.example.com/v1", "Book", name, map[string]any{"spec": map[string]any{"title": name, "pages": int64(300)}})
}

// script calls all verbs of both clients, in ways that succeed and that fail.
var script = []step{
	{"create", func(ctx context.Context, s *side) (any, error) {
		return s.dynamic(books, "default").Create(ctx, book("a"), metav1.CreateOptions{FieldManager: "m"})
	}},
	{"create again", func(ctx context.Context, s *side) (any, error) {
		return s.dynamic(books, "default").Create(ctx, book("a"), metav1.CreateOptions{})
	}},
	{"create, dry run", func(ctx context.Context, s *side) (any, error) {
		return s.dynamic(books, "default").Create(ctx, book("b"), metav1.CreateOptions{DryRun: []string{"All"}})
	}},
	{"create, invalid", func(ctx context.Context, s *side) (any, error) {
		return s.dynamic(books, "default").Create(ctx, object("library.example.com/v1", "Book", "c", nil), metav1.CreateOptions{})
	}},
	{"create without a kind", func(ctx context.Context, s *side) (any, error) {
		return s.dynamic(books, "default").Create(ctx, &unstructured.Unstructured{Object: map[string]any{"metadata": map[string]any{"name": "d"}}}, metav1.CreateOptions{})
	}},
	{"create a config map", func(ctx context.Context, s *side) (any, error) {
		return s.dynamic(configMaps, "default").Create(ctx, object("v1", "ConfigMap", "a", map[string]any{"data": map[string]any{"k": "ü\n\"<&>"}}), metav1.CreateOptions{})
	}},
	{"create a node", func(ctx context.Context, s *side) (any, error) {
		return s.dynamic(nodes, "").Create(ctx, object("v1", "Node", "n", nil), metav1.CreateOptions{})
	}},
	{"create a deployment", func(ctx context.Context, s *side) (any, error) {
		return s.dynamic(deployments, "default").Create(ctx, object("apps/v1", "Deployment", "d", map[string]any{"spec": map[string]any{
			"replicas": int64(2),
			"selector": map[string]any{"matchLabels": map[string]any{"app": "d"}},
			"template": map[string]any{
				"metadata": map[string]any{"labels": map[string]any{"app": "d"}},
				"spec":     map[string]any{"containers": []any{map[string]any{"name": "c", "image": "i"}}},
			},
		}}), metav1.CreateOptions{})
	}},
	{"get", func(ctx context.Context, s *side) (any, error) {
		return s.dynamic(books, "default").Get(ctx, "a", metav1.GetOptions{})
	}},
	{"get what is not there", func(ctx context.Context, s *side) (any, error) {
		return s.dynamic(books, "default").Get(ctx, "z", metav1.GetOptions{})
	}},
	{"get of an unknown resource", func(ctx context.Context, s *side) (any, error) {
		return s.dynamic(unknown, "default").Get(ctx, "z", metav1.GetOptions{})
	}},
	{"get without a name", func(ctx context.Context, s *side) (any, error) {
		return s.dynamic(books, "default").Get(ctx, "", metav1.GetOptions{})
	}},
	{"get a scale", func(ctx context.Context, s *side) (any, error) {
		return s.dynamic(deployments, "default").Get(ctx, "d", metav1.GetOptions{}, "scale")
	}},
	{"update", func(ctx context.Context, s *side) (any, error) {
		obj, err := s.dynamic(books, "default").Get(ctx, "a", metav1.GetOptions{})
		if err != nil {
			return nil, err
		}
		obj.Object["spec"].(map[string]any)["pages"] = int64(301)
		return s.dynamic(books, "default").Update(ctx, obj, metav1.UpdateOptions{FieldManager: "m"})
	}},
	{"update of an old version", func(ctx context.Context, s *side) (any, error) {
		obj := book("a")
		obj.SetResourceVersion("1")
		return s.dynamic(books, "default").Update(ctx, obj, metav1.UpdateOptions{})
	}},
	{"update of the status", func(ctx context.Context, s *side) (any, error) {
		obj, err := s.dynamic(books, "default").Get(ctx, "a", metav1.GetOptions{})
		if err != nil {
			return nil, err
		}
		obj.Object["status"] = map[string]any{"shelf": "s", "lent": true}
		return s.dynamic(books, "default").UpdateStatus(ctx, obj, metav1.UpdateOptions{})
	}},
	{"merge patch", func(ctx context.Context, s *side) (any, error) {
		return s.dynamic(books, "default").Patch(ctx, "a", types.MergePatchType, []byte(`{"spec":{"pages":302}}`), metav1.PatchOptions{})
	}},
	{"JSON patch of the status", func(ctx context.Context, s *side) (any, error) {
		return s.dynamic(books, "default").Patch(ctx, "a", types.JSONPatchType, []byte(`[{"op":"replace","path":"/status/shelf","value":"t"}]`), metav1.PatchOptions{}, "status")
	}},
	{"strategic merge patch", func(ctx context.Context, s *side) (any, error) {
		return s.dynamic(configMaps, "default").Patch(ctx, "a", types.StrategicMergePatchType, []byte(`{"data":{"l":"2"}}`), metav1.PatchOptions{})
	}},
	{"strategic merge patch of a custom resource", func(ctx context.Context, s *side) (any, error) {
		return s.dynamic(books, "default").Patch(ctx, "a", types.StrategicMergePatchType, []byte(`{}`), metav1.PatchOptions{})
	}},
	{"apply", func(ctx context.Context, s *side) (any, error) {
		return s.dynamic(books, "default").Apply(ctx, "e", book("e"), metav1.ApplyOptions{FieldManager: "applier"})
	}},
	{"apply with a conflict", func(ctx context.Context, s *side) (any, error) {
		obj := book("e")
		obj.Object["spec"].(map[string]any)["pages"] = int64(1)
		return s.dynamic(books, "default").Apply(ctx, "e", obj, metav1.ApplyOptions{FieldManager: "other"})
	}},
	{"apply with force", func(ctx context.Context, s *side) (any, error) {
		obj := book("e")
		obj.Object["spec"].(map[string]any)["pages"] = int64(1)
		return s.dynamic(books, "default").Apply(ctx, "e", obj, metav1.ApplyOptions{FieldManager: "other", Force: true})
	}},
	{"apply of the status", func(ctx context.Context, s *side) (any, error) {
		obj := object("library.example.com/v1", "Book", "e", map[string]any{"status": map[string]any{"shelf": "x"}})
		return s.dynamic(books, "default").ApplyStatus(ctx, "e", obj, metav1.ApplyOptions{FieldManager: "applier"})
	}},
	{"list", func(ctx context.Context, s *side) (any, error) {
		return s.dynamic(books, "default").List(ctx, metav1.ListOptions{})
	}},
	{"list of all namespaces", func(ctx context.Context, s *side) (any, error) {
		return s.dynamic(books, "").List(ctx, metav1.ListOptions{LabelSelector: "name in (a,e)", Limit: 1})
	}},
	{"list without items", func(ctx context.Context, s *side) (any, error) {
		return s.dynamic(books, "nowhere").List(ctx, metav1.ListOptions{})
	}},
	{"list of config maps", func(ctx context.Context, s *side) (any, error) {
		return s.dynamic(configMaps, "default").List(ctx, metav1.ListOptions{FieldSelector: "metadata.name=a"})
	}},
	{"list of an unknown resource", func(ctx context.Context, s *side) (any, error) {
		return s.dynamic(unknown, "").List(ctx, metav1.ListOptions{})
	}},
	{"list with an invalid selector", func(ctx context.Context, s *side) (any, error) {
		return s.dynamic(books, "").List(ctx, metav1.ListOptions{LabelSelector: "a=="})
	}},
	{"watch", func(ctx context.Context, s *side) (any, error) {
		return events(2)(s.dynamic(books, "default").Watch(ctx, metav1.ListOptions{}))
	}},
	{"watch with initial events", func(ctx context.Context, s *side) (any, error) {
		all := true
		return events(3)(s.dynamic(books, "default").Watch(ctx, metav1.ListOptions{
			SendInitialEvents: &all, AllowWatchBookmarks: true, ResourceVersionMatch: metav1.ResourceVersionMatchNotOlderThan,
		}))
	}},
	{"watch of an unknown resource", func(ctx context.Context, s *side) (any, error) {
		return events(1)(s.dynamic(unknown, "").Watch(ctx, metav1.ListOptions{}))
	}},

	{"metadata: get", func(ctx context.Context, s *side) (any, error) {
		return s.metadata(books, "default").Get(ctx, "a", metav1.GetOptions{})
	}},
	{"metadata: get what is not there", func(ctx context.Context, s *side) (any, error) {
		return s.metadata(books, "default").Get(ctx, "z", metav1.GetOptions{})
	}},
	{"metadata: get a config map", func(ctx context.Context, s *side) (any, error) {
		return s.metadata(configMaps, "default").Get(ctx, "a", metav1.GetOptions{})
	}},
	{"metadata: get without a name", func(ctx context.Context, s *side) (any, error) {
		return s.metadata(configMaps, "default").Get(ctx, "", metav1.GetOptions{})
	}},
	{"metadata: list", func(ctx context.Context, s *side) (any, error) {
		return s.metadata(books, "").List(ctx, metav1.ListOptions{Limit: 1})
	}},
	{"metadata: list of config maps", func(ctx context.Context, s *side) (any, error) {
		return s.metadata(configMaps, "default").List(ctx, metav1.ListOptions{})
	}},
	{"metadata: list of an unknown resource", func(ctx context.Context, s *side) (any, error) {
		return s.metadata(unknown, "").List(ctx, metav1.ListOptions{})
	}},
	{"metadata: patch", func(ctx context.Context, s *side) (any, error) {
		return s.metadata(books, "default").Patch(ctx, "a", types.MergePatchType, []byte(`{"metadata":{"annotations":{"k":"v"}}}`), metav1.PatchOptions{FieldManager: "m"})
	}},
	{"metadata: watch", func(ctx context.Context, s *side) (any, error) {
		return events(2)(s.metadata(books, "default").Watch(ctx, metav1.ListOptions{}))
	}},
	{"metadata: delete", func(ctx context.Context, s *side) (any, error) {
		return nil, s.metadata(configMaps, "default").Delete(ctx, "a", metav1.DeleteOptions{})
	}},
	{"metadata: delete a collection", func(ctx context.Context, s *side) (any, error) {
		return nil, s.metadata(books, "default").DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{LabelSelector: "name=e"})
	}},

	{"delete with a precondition", func(ctx context.Context, s *side) (any, error) {
		uid := types.UID("other")
		return nil, s.dynamic(books, "default").Delete(ctx, "a", metav1.DeleteOptions{Preconditions: &metav1.Preconditions{UID: &uid}})
	}},
	{"delete", func(ctx context.Context, s *side) (any, error) {
		return nil, s.dynamic(books, "default").Delete(ctx, "a", metav1.DeleteOptions{})
	}},
	{"delete what is not there", func(ctx context.Context, s *side) (any, error) {
		return nil, s.dynamic(books, "default").Delete(ctx, "a", metav1.DeleteOptions{})
	}},
	{"delete a collection", func(ctx context.Context, s *side) (any, error) {
		return nil, s.dynamic(deployments, "default").DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{LabelSelector: "name=d"})
	}},
	{"delete a node", func(ctx context.Context, s *side) (any, error) {
		return nil, s.dynamic(nodes, "").Delete(ctx, "n", metav1.DeleteOptions{})
	}},
}

// events returns a function that reads events of a watch and stops it.
func events(n int) func(watch.Interface, error) (any, error) {
	return func(w watch.Interface, err error) (any, error) {
		if err != nil {
			return nil, err
		}
		defer w.Stop()
		var received []watch.Event
		for range n {
			event, ok := <-w.ResultChan()
			if !ok {
				break
			}
			received = append(received, event)
		}
		return received, nil
	}
}

// compareClients runs the script on the server of a config.
func compareClients(t *testing.T, config *rest.Config) {
	httpClient, err := rest.HTTPClientFor(config)
	if err != nil {
		t.Fatal(err)
	}
	tape := &tape{next: httpClient.Transport}
	theirs, ours := sides(t, config.Host, tape)
	want := theirs.run(t.Context(), script)
	wantRequests := tape.rewind()
	got := ours.run(t.Context(), script)
	gotRequests := tape.rewind()
	if diff := cmp.Diff(wantRequests, gotRequests); diff != "" {
		t.Errorf("requests (-client-go +ours)\n%s", diff)
	}
	succeeded := 0
	for i := range want {
		if diff := cmp.Diff(want[i], got[i]); diff != "" {
			t.Errorf("%s (-client-go +ours)\n%s", want[i].Name, diff)
		}
		if !want[i].Failed {
			succeeded++
		}
	}
	if succeeded < 33 {
		t.Errorf("%d of %d calls succeeded", succeeded, len(want))
		for _, o := range want {
			if o.Failed {
				t.Log(fmt.Sprint(o.Name, ": ", o.Status.Message))
			}
		}
	}
}

func TestClients(t *testing.T) {
	compareClients(t, embedded.Start(t, embedded.WithCRDs(definitions(t))).Config())
}
