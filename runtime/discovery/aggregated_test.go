package discovery_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// All properties of a resource in an aggregated document.
func TestAggregatedResources(t *testing.T) {
	s := serve(t, map[string]answer{"/apis": aggregated(`
		{
			"metadata": {"name": "apps", "creationTimestamp": null},
			"versions": [
				{
					"version": "v1",
					"freshness": "Current",
					"resources": [
						{
							"resource": "deployments",
							"responseKind": {"group": "apps", "version": "v1", "kind": "Deployment"},
							"scope": "Namespaced",
							"singularResource": "deployment",
							"verbs": ["create", "get"],
							"shortNames": ["deploy"],
							"categories": ["all"],
							"subresources": [
								{
									"subresource": "scale",
									"responseKind": {"group": "autoscaling", "version": "v1", "kind": "Scale"},
									"acceptedTypes": [{"group": "autoscaling", "version": "v1", "kind": "Scale"}],
									"verbs": ["get", "patch"]
								},
								{"subresource": "kindless", "verbs": ["get"]},
								{"subresource": "empty", "responseKind": {"group": "", "version": "", "kind": ""}}
							]
						},
						{
							"resource": "kindless",
							"scope": "Cluster",
							"singularResource": "one",
							"subresources": [{"subresource": "status", "responseKind": {"kind": "Status"}}]
						},
						{"resource": "empty", "responseKind": {}}
					]
				},
				{"version": "v2", "somethingNew": [{}]}
			]
		}`)})
	_, got, failed, err := s.client(t).GroupsAndMaybeResources()
	if err != nil || len(failed) > 0 {
		t.Fatal(failed, err)
	}
	want := map[schema.GroupVersion]*metav1.APIResourceList{
		{Group: "apps", Version: "v1"}: {
			GroupVersion: "apps/v1",
			APIResources: []metav1.APIResource{
				{
					Name: "deployments", SingularName: "deployment", Namespaced: true,
					Group: "apps", Version: "v1", Kind: "Deployment",
					Verbs: metav1.Verbs{"create", "get"}, ShortNames: []string{"deploy"}, Categories: []string{"all"},
				},
				{
					Name: "deployments/scale", SingularName: "deployment", Namespaced: true,
					Group: "autoscaling", Version: "v1", Kind: "Scale",
					Verbs: metav1.Verbs{"get", "patch"},
				},
				{Name: "kindless/status", SingularName: "one", Kind: "Status"},
			},
		},
		{Group: "apps", Version: "v2"}: {GroupVersion: "apps/v2"},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("resources (-want +got):\n%s", d)
	}
}
