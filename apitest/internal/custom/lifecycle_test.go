package custom_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDeletedDefinitionTakesItsInstances(t *testing.T) {
	s := newServer(t)
	s.apply(fooDefinition)
	for _, namespace := range []string{"a", "b"} {
		path := "/apis/example.com/v1/namespaces/" + namespace + "/foos"
		s.must(http.StatusCreated, http.MethodPost, path, foo("one", "{}"))
		s.must(http.StatusCreated, http.MethodPost, path, foo("two", "{}"))
	}
	w := s.watch("/apis/example.com/v1/foos?watch=true")
	s.must(http.StatusOK, http.MethodDelete, crdPath+"/foos.example.com", "")
	s.must(http.StatusNotFound, http.MethodGet, crdPath+"/foos.example.com", "")
	s.must(http.StatusNotFound, http.MethodGet, foos, "")

	var got []string
	for {
		e, ok := w.next()
		if !ok {
			break
		}
		got = append(got, e.Type+" "+e.Object.GetNamespace()+"/"+e.Object.GetName())
	}
	want := []string{"ADDED a/one", "ADDED a/two", "ADDED b/one", "ADDED b/two",
		"DELETED a/one", "DELETED a/two", "DELETED b/one", "DELETED b/two"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}

	s.apply(fooDefinition)
	if items := s.must(http.StatusOK, http.MethodGet, foos, "").path("items"); len(items.([]any)) != 0 {
		t.Errorf("the CRD was recreated with custom resources: %v", items)
	}
}

func TestDefinitionWaitsForInstancesWithFinalizers(t *testing.T) {
	s := newServer(t)
	s.apply(fooDefinition)
	kept := `{apiVersion: example.com/v1, kind: Foo, metadata: {name: NAME, finalizers: [example.com/keep]}}`
	s.must(http.StatusCreated, http.MethodPost, foos, strings.Replace(kept, "NAME", "kept", 1))
	s.must(http.StatusCreated, http.MethodPost, foos, strings.Replace(kept, "NAME", "other", 1))
	s.must(http.StatusCreated, http.MethodPost, foos, foo("free", "{}"))
	s.must(http.StatusOK, http.MethodDelete, crdPath+"/foos.example.com", "")

	s.must(http.StatusNotFound, http.MethodGet, foos+"/free", "")
	left := s.must(http.StatusOK, http.MethodGet, foos+"/kept", "")
	if left.path("metadata", "deletionTimestamp") == nil {
		t.Error("the remaining custom resource has no deletionTimestamp")
	}
	refused := s.must(http.StatusForbidden, http.MethodPost, foos, foo("late", "{}"))
	if got := text(refused.path("message")); !strings.Contains(got, "create not allowed while custom resource definition is terminating") {
		t.Errorf("message %q", got)
	}
	waiting := s.must(http.StatusOK, http.MethodGet, crdPath+"/foos.example.com", "")
	all := conditions(waiting.body)
	if got, want := all[len(all)-1], "Terminating=True InstanceDeletionInProgress: CustomResource deletion is in progress"; got != want {
		t.Errorf("last condition %q, want %q", got, want)
	}

	release := `{"metadata":{"finalizers":null}}`
	s.must(http.StatusOK, http.MethodPatch, foos+"/kept", release, "application/merge-patch+json")
	s.must(http.StatusOK, http.MethodGet, crdPath+"/foos.example.com", "")
	s.must(http.StatusOK, http.MethodPatch, foos+"/other", release, "application/merge-patch+json")
	s.must(http.StatusNotFound, http.MethodGet, crdPath+"/foos.example.com", "")
	s.must(http.StatusNotFound, http.MethodGet, foos, "")
}

func TestChangedDefinitionEndsWatches(t *testing.T) {
	s := newServer(t)
	s.apply(fooDefinition)
	w := s.watch(foos + "?watch=true")
	s.must(http.StatusCreated, http.MethodPost, foos, foo("one", "{}"))
	if e, ok := w.next(); !ok || e.Type != "ADDED" {
		t.Fatalf("the watch got %v (open: %t), want ADDED of the custom resource", e, ok)
	}
	labels := `{"metadata":{"labels":{"a":"b"}}}`
	s.must(http.StatusOK, http.MethodPatch, crdPath+"/foos.example.com", labels, "application/merge-patch+json")
	s.must(http.StatusCreated, http.MethodPost, foos, foo("two", "{}"))
	if e, ok := w.next(); !ok || e.Type != "ADDED" {
		t.Fatalf("after a change of labels only: %v, %v", e, ok)
	}
	s.apply(strings.Replace(fooDefinition, "maximum: 9", "maximum: 19", 1))
	if e, ok := w.next(); ok {
		t.Fatalf("after a change of the schema: %v", e)
	}
	s.must(http.StatusCreated, http.MethodPost, foos, foo("three", "{replicas: 12}"))
}

func TestAnotherRegistryOverTheSameBackend(t *testing.T) {
	first := newServer(t)
	first.apply(fooDefinition)
	first.must(http.StatusCreated, http.MethodPost, foos, foo("one", "{}"))
	first.must(http.StatusCreated, http.MethodPost, foos,
		`{apiVersion: example.com/v1, kind: Foo, metadata: {name: kept, finalizers: [example.com/keep]}}`)
	first.must(http.StatusOK, http.MethodDelete, crdPath+"/foos.example.com", "")
	before := first.backend.ResourceVersion()
	first.registry.Close()

	second := newServerOver(t, first.backend)
	if got := second.backend.ResourceVersion(); got != before {
		t.Errorf("the new registry wrote: version %d, was %d", got, before)
	}
	second.must(http.StatusOK, http.MethodGet, foos+"/kept", "")
	second.must(http.StatusOK, http.MethodPatch, foos+"/kept", `{"metadata":{"finalizers":null}}`, "application/merge-patch+json")
	second.must(http.StatusNotFound, http.MethodGet, crdPath+"/foos.example.com", "")
}

func TestClosedRegistryEndsWatches(t *testing.T) {
	s := newServer(t)
	s.apply(fooDefinition)
	instances, definitions := s.watch(foos+"?watch=true"), s.watch(crdPath+"?watch=true&resourceVersion=0")
	s.registry.Close()
	if e, ok := instances.next(); ok {
		t.Errorf("watch of instances: %v", e)
	}
	for {
		if _, ok := definitions.next(); !ok {
			break
		}
	}
}

func TestDryRun(t *testing.T) {
	s := newServer(t)
	s.must(http.StatusCreated, http.MethodPost, crdPath+"?dryRun=All", fooDefinition)
	s.must(http.StatusNotFound, http.MethodGet, foos, "")
	s.apply(fooDefinition)
	s.must(http.StatusCreated, http.MethodPost, foos, foo("one", "{}"))
	s.must(http.StatusOK, http.MethodDelete, crdPath+"/foos.example.com?dryRun=All", "")
	s.must(http.StatusOK, http.MethodGet, foos+"/one", "")
}
