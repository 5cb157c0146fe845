package custom_test

import (
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

const (
	crdPath = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
	foos    = "/apis/example.com/v1/namespaces/a/foos"
)

const fooDefinition = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: foos.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: foos, singular: foo, kind: Foo, shortNames: [fo], categories: [all]}
  versions:
  - name: v1
    served: true
    storage: true
    subresources:
      status: {}
      scale: {specReplicasPath: .spec.replicas, statusReplicasPath: .status.replicas}
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              replicas: {type: integer, default: 1, maximum: 9}
              image: {type: string}
          status:
            type: object
            properties:
              replicas: {type: integer}
`

func foo(name, spec string) string {
	return "{apiVersion: example.com/v1, kind: Foo, metadata: {name: " + name + "}, spec: " + spec + "}"
}

func TestDefinitionIsServedWhenItsCreationReturns(t *testing.T) {
	s := newServer(t)
	s.must(http.StatusNotFound, http.MethodPost, foos, foo("one", "{}"))
	created := s.must(http.StatusCreated, http.MethodPost, crdPath, fooDefinition)
	if got := created.path("status", "conditions"); got != nil {
		t.Errorf("the response has conditions, which the real server sets later: %v", got)
	}
	made := s.must(http.StatusCreated, http.MethodPost, foos, foo("one", "{image: x}"))
	if got := made.path("spec", "replicas"); got != 1.0 {
		t.Errorf("spec.replicas = %v, want the default", got)
	}
	stored := s.must(http.StatusOK, http.MethodGet, crdPath+"/foos.example.com", "")
	if diff := cmp.Diff([]string{
		"NamesAccepted=True NoConflicts: no conflicts found",
		"Established=True InitialNamesAccepted: the initial names have been accepted",
	}, conditions(stored.body)); diff != "" {
		t.Errorf("conditions (-want +got):\n%s", diff)
	}
	if got := s.registry.Version(); got != 1 {
		t.Errorf("after a CRD was created, the version of what is served is %d, want 1", got)
	}
}

// conditions returns the conditions of a CRD.
func conditions(object map[string]any) []string {
	var list []string
	all, _, _ := unstructured.NestedSlice(object, "status", "conditions")
	for _, one := range all {
		c := one.(map[string]any)
		list = append(list, c["type"].(string)+"="+c["status"].(string)+" "+c["reason"].(string)+": "+c["message"].(string))
	}
	return list
}
