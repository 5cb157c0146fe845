package crds_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/listwatch/listwatch/apitest/embedded"
	"github.com/listwatch/listwatch/conformance/generators/crds"
	"github.com/listwatch/listwatch/runtime/dynamic"
	"github.com/listwatch/listwatch/runtime/rest"
)

// objectsPerServer is the number of objects of each version that are sent to a server.
const objectsPerServer = 12

func TestOnTestServer(t *testing.T) {
	onServer(t, embedded.Start(t).Config())
}

// onServer creates the definitions of gen-crd on a server, and sends it objects. Its answers must be those
// that a judge gives under controller-gen's definitions.
func onServer(t *testing.T, config *rest.Config) {
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	definitions := client.Resource(schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"})
	var all tally
	for _, p := range pairs(t) {
		if p.name != "markers" && p.name != "versions" && p.name != "structure" && p.name != "floats-dangerous" && p.name != "embedded-metadata" {
			continue
		}
		their, err := p.their.Manifests()
		if err != nil {
			t.Fatal(err)
		}
		ours, err := p.ours.Manifests()
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range slices.Sorted(maps.Keys(ours)) {
			object := &unstructured.Unstructured{Object: ours[name]}
			if invalid, err := ours[name].Invalid(t.Context()); err != nil || len(invalid) > 0 {
				// Some cases are about markers that make a definition invalid.
				if _, err = definitions.Create(t.Context(), object, metav1.CreateOptions{}); !apierrors.IsInvalid(err) {
					t.Errorf("%s: %v, want invalid because of %q", name, err, invalid)
				}
				continue
			}
			if _, err := definitions.Create(t.Context(), object, metav1.CreateOptions{}); err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			all.add(sendObjects(t, client, their[name]))
		}
	}
	t.Log(&all)
	if all.stored == 0 || all.refused == 0 {
		t.Error("no objects of one sort")
	}
}

// sendObjects sends objects of each served version, without storing them.
func sendObjects(t *testing.T, client dynamic.Interface, m crds.Manifest) tally {
	t.Helper()
	var all tally
	spec, _ := m["spec"].(map[string]any)
	names, _ := spec["names"].(map[string]any)
	versions, _ := spec["versions"].([]any)
	for _, v := range versions {
		version, _ := v.(map[string]any)
		name, _ := version["name"].(string)
		if version["served"] != true {
			continue
		}
		judge, err := crds.NewJudge(m, name)
		if err != nil {
			t.Fatal(err)
		}
		all.versions++
		gvr := schema.GroupVersionResource{Group: fmt.Sprint(spec["group"]), Version: name, Resource: fmt.Sprint(names["plural"])}
		var resource dynamic.ResourceInterface = client.Resource(gvr)
		if spec["scope"] == "Namespaced" {
			resource = client.Resource(gvr).Namespace("default")
		}
		served(t, resource)
		objects := crds.NewObjects(m, name, judge, seed(m, name))
		for range objectsPerServer {
			object, how := objects.Next()
			delete(object, "status") // is not written with the object
			want := judge.Create(t.Context(), object)
			created, err := resource.Create(t.Context(), &unstructured.Unstructured{Object: object}, metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
			all.objects++
			if err != nil {
				all.refused++
			} else {
				all.stored++
			}
			switch text, _ := json.Marshal(object); {
			case (err != nil) != (len(want.Errors) > 0):
				t.Errorf("%s %s: object %s (%s): %v, want %s", m["metadata"], name, text, how, err, want)
			case err == nil && !sameContent(created.Object, want.Stored):
				stored, _ := json.Marshal(created.Object)
				t.Errorf("%s %s: object %s (%s): got %s, want %s", m["metadata"], name, text, how, stored, want.Stored)
			}
		}
	}
	return all
}

// sameContent reports whether a response equals the stored object except in its metadata and status.
func sameContent(got map[string]any, want string) bool {
	var wanted map[string]any
	if json.Unmarshal([]byte(want), &wanted) != nil {
		return false
	}
	text, err := json.Marshal(got)
	var same map[string]any
	if err != nil || json.Unmarshal(text, &same) != nil {
		return false
	}
	for _, field := range []string{"metadata", "status"} {
		delete(same, field)
		delete(wanted, field)
	}
	return reflect.DeepEqual(same, wanted)
}

// served waits until a server knows a resource.
func served(t *testing.T, resource dynamic.ResourceInterface) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	for {
		_, err := resource.List(ctx, metav1.ListOptions{})
		if !apierrors.IsNotFound(err) {
			return // other errors show in what follows
		}
		select {
		case <-ctx.Done():
			t.Fatalf("the server does not know the resource after 30 seconds: %v", err)
		case <-time.After(50 * time.Millisecond):
		}
	}
}
