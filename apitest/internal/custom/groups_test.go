package custom_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	apidiscovery "k8s.io/api/apidiscovery/v2"
)

// outline lists groups, versions, resources and subresources, one per line.
func outline(groups []apidiscovery.APIGroupDiscovery) []string {
	var lines []string
	for _, g := range groups {
		for _, v := range g.Versions {
			for _, r := range v.Resources {
				lines = append(lines, fmt.Sprintf("%s/%s %s %s %s %s %s %s %s", g.Name, v.Version, r.Resource,
					r.SingularResource, r.ResponseKind.Kind, r.Scope, r.ShortNames, r.Categories, strings.Join(r.Verbs, ",")))
				for _, sub := range r.Subresources {
					lines = append(lines, fmt.Sprintf("%s/%s %s/%s %s/%s %s %s", g.Name, v.Version, r.Resource, sub.Subresource,
						sub.ResponseKind.Group, sub.ResponseKind.Version, sub.ResponseKind.Kind, strings.Join(sub.Verbs, ",")))
				}
			}
		}
	}
	return lines
}

const definitionsOutline = "apiextensions.k8s.io/v1 customresourcedefinitions customresourcedefinition CustomResourceDefinition Cluster " +
	"[crd crds] [api-extensions] create,delete,deletecollection,get,list,patch,update,watch\n" +
	"apiextensions.k8s.io/v1 customresourcedefinitions/status apiextensions.k8s.io/v1 CustomResourceDefinition get,patch,update"

func TestGroups(t *testing.T) {
	const all = "delete,deletecollection,get,list,patch,create,update,watch"
	tests := []struct {
		name string
		do   func(*server)
		want []string
	}{
		{"none", func(s *server) {}, nil},
		{"one", func(s *server) { s.apply(fooDefinition) }, []string{
			"example.com/v1 foos foo Foo Namespaced [fo] [all] " + all,
			"example.com/v1 foos/status example.com/v1 Foo get,patch,update",
			"example.com/v1 foos/scale autoscaling/v1 Scale get,patch,update",
		}},
		{"several, sorted", func(s *server) {
			s.apply(strings.ReplaceAll(definition("bars", "bar", "Bar", "ba"), "example.com", "a.example.com"),
				twoVersions, definition("bars", "bar", "Bar", "ba"))
		}, []string{
			"a.example.com/v1 bars bar Bar Namespaced [ba] [] " + all,
			"example.com/v1 bars bar Bar Namespaced [ba] [] " + all,
			"example.com/v1 tides tide Tide Cluster [] [] " + all,
			"example.com/v1beta1 tides tide Tide Cluster [] [] " + all,
			"example.com/v1beta1 tides/status example.com/v1beta1 Tide get,patch,update",
		}},
		{"names that are refused", func(s *server) {
			s.apply(definition("bars", "bar", "Bar", "ba"))
			s.must(http.StatusCreated, http.MethodPost, crdPath, definition("foos", "foo", "Bar", "fo"))
		}, []string{"example.com/v1 bars bar Bar Namespaced [ba] [] " + all}},
		{"one that is to be deleted", func(s *server) {
			s.apply(definition("bars", "bar", "Bar", "ba"))
			s.must(http.StatusCreated, http.MethodPost, "/apis/example.com/v1/namespaces/a/bars",
				`{apiVersion: example.com/v1, kind: Bar, metadata: {name: x, finalizers: [example.com/keep]}}`)
			s.must(http.StatusOK, http.MethodDelete, crdPath+"/bars.example.com", "")
		}, []string{"example.com/v1 bars bar Bar Namespaced [ba] [] delete,deletecollection,get,list,watch"}},
		{"one that was deleted", func(s *server) {
			s.apply(definition("bars", "bar", "Bar", "ba"))
			s.must(http.StatusOK, http.MethodDelete, crdPath+"/bars.example.com", "")
		}, nil},
		{"a version that is not served any more", func(s *server) {
			s.apply(twoVersions, strings.Replace(twoVersions, "name: v1beta1\n    served: true", "name: v1beta1\n    served: false", 1))
		}, []string{"example.com/v1 tides tide Tide Cluster [] [] " + all}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := newServer(t)
			test.do(s)
			want := append(strings.Split(definitionsOutline, "\n"), test.want...)
			if diff := cmp.Diff(want, outline(s.registry.Groups())); diff != "" {
				t.Errorf("groups (-want +got):\n%s", diff)
			}
		})
	}
}

// twoVersions differ in their subresources and columns; the older one is deprecated and stored.
const twoVersions = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: tides.example.com}
spec:
  group: example.com
  scope: Cluster
  names: {plural: tides, kind: Tide}
  versions:
  - name: v1beta1
    served: true
    storage: true
    deprecated: true
    subresources: {status: {}}
    selectableFields: [{jsonPath: .spec.phase}]
    additionalPrinterColumns: [{name: Phase, type: string, jsonPath: .spec.phase}]
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec: {type: object, properties: {phase: {type: string}, height: {type: integer}}}
          status: {type: object, properties: {seen: {type: boolean}}}
  - name: v1
    served: true
    storage: false
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec: {type: object, properties: {phase: {type: string}, height: {type: string}}}
`
