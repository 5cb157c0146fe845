package discovery_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/listwatch/listwatch/runtime/discovery"
)

func TestFilteredBy(t *testing.T) {
	lists := []*metav1.APIResourceList{
		{GroupVersion: "a/v1", APIResources: []metav1.APIResource{
			{Name: "foos", Verbs: metav1.Verbs{"get", "list", "watch"}},
			{Name: "bars", Verbs: metav1.Verbs{"get"}},
		}},
		{GroupVersion: "b/v1", APIResources: []metav1.APIResource{{Name: "bazs"}}},
		{GroupVersion: "c/v1"},
	}
	for _, tt := range []struct {
		name string
		pred discovery.ResourcePredicate
		want []string
	}{
		{"all", discovery.SupportsAllVerbs{}, []string{"a/v1: foos bars", "b/v1: bazs"}},
		{"one verb", discovery.SupportsAllVerbs{Verbs: []string{"get"}}, []string{"a/v1: foos bars"}},
		{"two verbs", discovery.SupportsAllVerbs{Verbs: []string{"watch", "get"}}, []string{"a/v1: foos"}},
		{"no such verb", discovery.SupportsAllVerbs{Verbs: []string{"get", "fly"}}, nil},
		{"group version", discovery.ResourcePredicateFunc(func(gv string, r *metav1.APIResource) bool {
			return gv == "b/v1"
		}), []string{"b/v1: bazs"}},
		{"name", discovery.ResourcePredicateFunc(func(_ string, r *metav1.APIResource) bool {
			return r.Name == "bars"
		}), []string{"a/v1: bars"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := discovery.FilteredBy(tt.pred, lists)
			if d := cmp.Diff(tt.want, digest(got)); d != "" {
				t.Errorf("resources (-want +got):\n%s", d)
			}
			if got == nil {
				t.Error("the result is nil")
			}
		})
	}
	if d := cmp.Diff([]string{"a/v1: foos bars", "b/v1: bazs", "c/v1:"}, digest(lists)); d != "" {
		t.Errorf("the lists are changed (-want +got):\n%s", d)
	}
}

func TestGroupVersionResources(t *testing.T) {
	got, err := discovery.GroupVersionResources([]*metav1.APIResourceList{
		resources("v1", "pods", "pods/log"), resources("a/v1", "foos"), resources("b/v2"),
	})
	want := map[schema.GroupVersionResource]struct{}{
		{Version: "v1", Resource: "pods"}:             {},
		{Version: "v1", Resource: "pods/log"}:         {},
		{Group: "a", Version: "v1", Resource: "foos"}: {},
	}
	if d := cmp.Diff(want, got); d != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, d)
	}
	if got, err := discovery.GroupVersionResources([]*metav1.APIResourceList{resources("a/b/c")}); err == nil || got != nil {
		t.Errorf("malformed: got %v, %v", got, err)
	}
}
