package mapping_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	theirfake "k8s.io/client-go/discovery/fake"
	theirs "k8s.io/client-go/restmapper"
	theirtesting "k8s.io/client-go/testing"

	ourfake "github.com/listwatch/listwatch/runtime/discovery/fake"
	ours "github.com/listwatch/listwatch/runtime/restmapper"
	ourtesting "github.com/listwatch/listwatch/runtime/testing"
)

// cluster is what a server serves.
type cluster struct {
	groups []*metav1.APIGroup
	lists  []*metav1.APIResourceList
}

func (c cluster) ServerGroupsAndResources() ([]*metav1.APIGroup, []*metav1.APIResourceList, error) {
	return c.groups, c.lists, nil
}

func (c cluster) ServerGroupsAndResourcesWithContext(context.Context) ([]*metav1.APIGroup, []*metav1.APIResourceList, error) {
	return c.groups, c.lists, nil
}

// The two sides' clients of a cluster.
type (
	theirClient struct {
		*theirfake.FakeDiscovery
		cluster
	}
	ourClient struct {
		*ourfake.FakeDiscovery
		cluster
	}
)

func (c theirClient) ServerGroupsAndResources() ([]*metav1.APIGroup, []*metav1.APIResourceList, error) {
	return c.cluster.ServerGroupsAndResources()
}

func (c theirClient) ServerGroupsAndResourcesWithContext(ctx context.Context) ([]*metav1.APIGroup, []*metav1.APIResourceList, error) {
	return c.cluster.ServerGroupsAndResourcesWithContext(ctx)
}

func (c ourClient) ServerGroupsAndResources() ([]*metav1.APIGroup, []*metav1.APIResourceList, error) {
	return c.cluster.ServerGroupsAndResources()
}

func (c ourClient) ServerGroupsAndResourcesWithContext(ctx context.Context) ([]*metav1.APIGroup, []*metav1.APIResourceList, error) {
	return c.cluster.ServerGroupsAndResourcesWithContext(ctx)
}

var (
	groupNames = []string{"", "apps", "apps.dev", "batch"}
	versions   = []string{"v1", "v1beta1", "v2"}
	kinds      = []string{"Pod", "Job", "Policy", "Ingress"}
	// Names of kinds, as plurals, singulars and short names, and what is none of them.
	words = []string{"pods", "pod", "po", "jobs", "job", "j", "policies", "policy", "ingresses", "ingress", "pods/status", "Pod", "x", ""}
)

// random returns a cluster of few names, so that they meet often.
func random(r *rand.Rand) cluster {
	var c cluster
	plural := map[string]string{"Pod": "pods", "Job": "jobs", "Policy": "policies", "Ingress": "ingresses"}
	singular := map[string]string{"Pod": "pod", "Job": "job", "Policy": "policy", "Ingress": "ingress"}
	for _, g := range r.Perm(len(groupNames))[:1+r.IntN(len(groupNames))] {
		group := &metav1.APIGroup{Name: groupNames[g]}
		for _, v := range r.Perm(len(versions))[:1+r.IntN(len(versions))] {
			gv := schema.GroupVersion{Group: group.Name, Version: versions[v]}
			group.Versions = append(group.Versions, metav1.GroupVersionForDiscovery{GroupVersion: gv.String(), Version: gv.Version})
			if r.IntN(8) == 0 {
				continue // it failed
			}
			list := &metav1.APIResourceList{GroupVersion: gv.String()}
			for _, k := range r.Perm(len(kinds))[:r.IntN(len(kinds)+1)] {
				kind := kinds[k]
				resource := metav1.APIResource{Name: plural[kind], Kind: kind, Namespaced: r.IntN(2) == 0}
				if r.IntN(2) == 0 {
					resource.SingularName = singular[kind]
				}
				if r.IntN(2) == 0 {
					resource.ShortNames = []string{words[r.IntN(len(words))], "po"}[:1+r.IntN(2)]
				}
				if r.IntN(2) == 0 {
					resource.Categories = []string{"all", "some"}[:1+r.IntN(2)]
				}
				list.APIResources = append(list.APIResources, resource, metav1.APIResource{Name: resource.Name + "/status", Kind: kind})
			}
			c.lists = append(c.lists, list)
		}
		if r.IntN(4) != 0 {
			group.PreferredVersion = group.Versions[r.IntN(len(group.Versions))]
		}
		c.groups = append(c.groups, group)
	}
	return c
}

// answer is what a question leads to.
type answer struct {
	Result   any
	Err      string
	Warnings []string
}

func answerOf(result any, err error, warnings []string) answer {
	return answer{result, fmt.Sprint(err), warnings}
}

// ask asks a mapper all questions. It takes the warnings of each call.
func ask(m meta.RESTMapper, warnings func() []string) map[string]answer {
	answers := map[string]answer{}
	for _, group := range append([]string{"ap", "other"}, groupNames...) {
		for _, version := range []string{"", "v1", "v3"} {
			for _, word := range words {
				resource := schema.GroupVersionResource{Group: group, Version: version, Resource: word}
				name := fmt.Sprintf(" %q %q %q", group, version, word)
				kind, err := m.KindFor(resource)
				answers["kind of"+name] = answerOf(kind, err, warnings())
				all, err := m.KindsFor(resource)
				answers["kinds of"+name] = answerOf(all, err, warnings())
				full, err := m.ResourceFor(resource)
				answers["resource of"+name] = answerOf(full, err, warnings())
				resources, err := m.ResourcesFor(resource)
				answers["resources of"+name] = answerOf(resources, err, warnings())
			}
		}
		for _, kind := range append([]string{"PodList", "pod", "Other"}, kinds...) {
			for _, wanted := range [][]string{nil, {"v1"}, {"v3", "v2"}, {""}} {
				gk := schema.GroupKind{Group: group, Kind: kind}
				mapping, err := m.RESTMapping(gk, wanted...)
				answers[fmt.Sprintf("mapping of %v %q", gk, wanted)] = answerOf(mapping, err, nil)
				mappings, err := m.RESTMappings(gk, wanted...)
				answers[fmt.Sprintf("mappings of %v %q", gk, wanted)] = answerOf(mappings, err, nil)
			}
		}
	}
	for _, word := range words {
		singular, err := m.ResourceSingularizer(word)
		answers["singular of "+word] = answerOf(singular, err, warnings())
	}
	return answers
}

func TestMappers(t *testing.T) {
	for seed := range uint64(60) {
		c := random(rand.New(rand.NewPCG(seed, 0)))
		their := theirClient{&theirfake.FakeDiscovery{Fake: &theirtesting.Fake{}}, c}
		our := ourClient{&ourfake.FakeDiscovery{Fake: &ourtesting.Fake{}}, c}
		theirGroups, err := theirs.GetAPIGroupResources(their)
		if err != nil {
			t.Fatal(err)
		}
		ourGroups, err := ours.GetAPIGroupResources(our)
		if err != nil {
			t.Fatal(err)
		}
		none := func() []string { return nil }
		compare(t, seed, ask(theirs.NewDiscoveryRESTMapper(theirGroups), none), ask(ours.NewDiscoveryRESTMapper(ourGroups), none))

		var warnings []string
		warn := func(text string) { warnings = append(warnings, text) }
		taken := func() []string {
			result := warnings
			warnings = nil
			slices.Sort(result)
			return slices.Compact(result)
		}
		want := ask(theirs.NewShortcutExpander(theirs.NewDiscoveryRESTMapper(theirGroups), their, warn), taken)
		compare(t, seed, want, ask(ours.NewShortcutExpander(ours.NewDiscoveryRESTMapper(ourGroups), our, warn), taken))

		for _, category := range []string{"all", "some", "none"} {
			expansion, wantOK := theirs.NewDiscoveryCategoryExpander(their).Expand(category)
			// Ours has a resource with several versions once.
			want := map[schema.GroupResource]bool{}
			for _, resource := range expansion {
				want[resource] = true
			}
			resources, ok := ours.NewDiscoveryCategoryExpander(our).Expand(category)
			got := map[schema.GroupResource]bool{}
			for _, resource := range resources {
				got[resource] = true
			}
			if d := cmp.Diff(want, got); d != "" || ok != wantOK || len(resources) != len(got) {
				t.Errorf("seed %d: category %s: exists %v, want %v (-client-go +ours):\n%s", seed, category, ok, wantOK, d)
			}
		}
		if t.Failed() {
			return
		}
	}
}

func compare(t *testing.T, seed uint64, want, got map[string]answer) {
	t.Helper()
	for question, answer := range want {
		if d := cmp.Diff(answer, got[question], cmp.Comparer(func(a, b meta.RESTScope) bool { return a.Name() == b.Name() })); d != "" {
			t.Errorf("seed %d: %s (-client-go +ours):\n%s", seed, question, d)
		}
	}
}
