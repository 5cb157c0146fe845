package discovery_test

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/version"
	theirfake "k8s.io/client-go/discovery/fake"
	theirtesting "k8s.io/client-go/testing"

	ourfake "github.com/listwatch/listwatch/runtime/discovery/fake"
	ourtesting "github.com/listwatch/listwatch/runtime/testing"
)

// fake is a fake as a client. It has no aggregated discovery, so that call returns the groups.
type fake struct{ fakeClient }

// fakeClient is the common interface of both fakes.
type fakeClient interface {
	ServerGroupsWithContext(ctx context.Context) (*metav1.APIGroupList, error)
	ServerResourcesForGroupVersionWithContext(ctx context.Context, groupVersion string) (*metav1.APIResourceList, error)
	ServerGroupsAndResourcesWithContext(ctx context.Context) ([]*metav1.APIGroup, []*metav1.APIResourceList, error)
	ServerPreferredResourcesWithContext(ctx context.Context) ([]*metav1.APIResourceList, error)
	ServerPreferredNamespacedResourcesWithContext(ctx context.Context) ([]*metav1.APIResourceList, error)
	ServerVersionWithContext(ctx context.Context) (*version.Info, error)
}

func (f fake) GroupsAndMaybeResourcesWithContext(ctx context.Context) (*metav1.APIGroupList, map[schema.GroupVersion]*metav1.APIResourceList, map[schema.GroupVersion]error, error) {
	groups, err := f.ServerGroupsWithContext(ctx)
	return groups, nil, nil, err
}

// action contains the fields that both sides' actions have.
type action struct {
	Verb, Subresource, Namespace string
	Resource                     schema.GroupVersionResource
}

func TestFakes(t *testing.T) {
	broken := errors.New("broken")
	for name, resources := range map[string][]*metav1.APIResourceList{
		"empty": nil,
		"some": {
			{GroupVersion: "apps/v1beta1"},
			{GroupVersion: "v1", APIResources: []metav1.APIResource{{Name: "pods"}}},
			{GroupVersion: "apps/v1", APIResources: []metav1.APIResource{{Name: "deployments"}}},
		},
		"malformed": {{GroupVersion: "a/b/c"}},
	} {
		for _, fails := range []string{"nothing", "group", "resource", "version"} {
			for _, call := range slices.Sorted(maps.Keys(calls)) {
				their := &theirfake.FakeDiscovery{Fake: &theirtesting.Fake{Resources: resources}}
				their.PrependReactor("get", fails, func(theirtesting.Action) (bool, runtime.Object, error) { return true, nil, broken })
				our := &ourfake.FakeDiscovery{Fake: &ourtesting.Fake{Resources: resources}}
				our.PrependReactor("get", fails, func(ourtesting.Action) (bool, runtime.Object, error) { return true, nil, broken })

				want, got := calls[call](t.Context(), fake{their}), calls[call](t.Context(), fake{our})
				anyOrder := cmpopts.SortSlices(func(a, b metav1.APIGroup) int { return cmp.Compare(a.Name, b.Name) })
				anyOrderOfPointers := cmpopts.SortSlices(func(a, b *metav1.APIGroup) int { return cmp.Compare(a.Name, b.Name) })
				if d := gocmp.Diff(want, got, anyOrder, anyOrderOfPointers); d != "" {
					t.Errorf("%s, %s fails: %s (-client-go +ours):\n%s", name, fails, call, d)
				}
				var wantActions, gotActions []action
				for _, a := range their.Actions() {
					wantActions = append(wantActions, action{a.GetVerb(), a.GetSubresource(), a.GetNamespace(), a.GetResource()})
				}
				for _, a := range our.Actions() {
					gotActions = append(gotActions, action{a.GetVerb(), a.GetSubresource(), a.GetNamespace(), a.GetResource()})
				}
				if d := gocmp.Diff(wantActions, gotActions); d != "" {
					t.Errorf("%s, %s fails: actions of %s (-client-go +ours):\n%s", name, fails, call, d)
				}
			}
		}
	}
}
