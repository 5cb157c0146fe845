package fake_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/version"

	"github.com/listwatch/listwatch/runtime/discovery"
	"github.com/listwatch/listwatch/runtime/discovery/fake"
	clienttesting "github.com/listwatch/listwatch/runtime/testing"
)

func newFake() *fake.FakeDiscovery {
	return &fake.FakeDiscovery{Fake: &clienttesting.Fake{Resources: []*metav1.APIResourceList{
		{GroupVersion: "b/v2", APIResources: []metav1.APIResource{{Name: "foos"}}},
		{GroupVersion: "v1"},
		{GroupVersion: "b/v1"},
	}}}
}

func TestFakeDiscovery(t *testing.T) {
	bGroup := metav1.APIGroup{
		Name:             "b",
		Versions:         []metav1.GroupVersionForDiscovery{{GroupVersion: "b/v2", Version: "v2"}, {GroupVersion: "b/v1", Version: "v1"}},
		PreferredVersion: metav1.GroupVersionForDiscovery{GroupVersion: "b/v2", Version: "v2"},
	}
	core := metav1.APIGroup{
		Versions:         []metav1.GroupVersionForDiscovery{{GroupVersion: "v1", Version: "v1"}},
		PreferredVersion: metav1.GroupVersionForDiscovery{GroupVersion: "v1", Version: "v1"},
	}
	type result struct {
		Value any
		More  any
	}
	for _, tt := range []struct {
		name    string
		call    func(*fake.FakeDiscovery) (result, error)
		want    func(*fake.FakeDiscovery) result
		actions []string
	}{
		{
			"groups",
			func(f *fake.FakeDiscovery) (result, error) {
				list, err := f.ServerGroups()
				return result{Value: list}, err
			},
			func(*fake.FakeDiscovery) result {
				return result{Value: &metav1.APIGroupList{Groups: []metav1.APIGroup{bGroup, core}}}
			},
			[]string{"group"},
		},
		{
			"groups and resources",
			func(f *fake.FakeDiscovery) (result, error) {
				groups, lists, err := f.ServerGroupsAndResources()
				return result{groups, lists}, err
			},
			func(f *fake.FakeDiscovery) result {
				return result{[]*metav1.APIGroup{&bGroup, &core}, f.Resources}
			},
			[]string{"group", "resource"},
		},
		{
			"resources",
			func(f *fake.FakeDiscovery) (result, error) {
				list, err := f.ServerResourcesForGroupVersion("b/v2")
				return result{Value: list}, err
			},
			func(f *fake.FakeDiscovery) result { return result{Value: f.Resources[0]} },
			[]string{"resource"},
		},
		{
			"version",
			func(f *fake.FakeDiscovery) (result, error) {
				f.FakedServerVersion = &version.Info{GitVersion: "v9"}
				info, err := f.ServerVersion()
				return result{Value: info}, err
			},
			func(*fake.FakeDiscovery) result { return result{Value: &version.Info{GitVersion: "v9"}} },
			[]string{"version"},
		},
		{
			"preferred",
			func(f *fake.FakeDiscovery) (result, error) {
				lists, err := f.ServerPreferredResources()
				if err != nil {
					return result{}, err
				}
				namespaced, err := f.ServerPreferredNamespacedResources()
				return result{lists, namespaced}, err
			},
			func(*fake.FakeDiscovery) result {
				return result{[]*metav1.APIResourceList(nil), []*metav1.APIResourceList(nil)}
			},
			nil,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := newFake()
			got, err := tt.call(f)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(tt.want(f), got); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
			want := []clienttesting.Action{}
			for _, what := range tt.actions {
				want = append(want, clienttesting.ActionImpl{Verb: "get", Resource: schema.GroupVersionResource{Resource: what}})
			}
			if d := cmp.Diff(want, f.Actions()); d != "" {
				t.Errorf("actions (-want +got):\n%s", d)
			}
		})
	}
}

func TestReactors(t *testing.T) {
	broken := errors.New("broken")
	for what, calls := range map[string]map[string]func(*fake.FakeDiscovery) error{
		"group": {
			"groups":               func(f *fake.FakeDiscovery) error { _, err := f.ServerGroups(); return err },
			"groups and resources": func(f *fake.FakeDiscovery) error { _, _, err := f.ServerGroupsAndResources(); return err },
		},
		"resource": {
			"resources":            func(f *fake.FakeDiscovery) error { _, err := f.ServerResourcesForGroupVersion("v1"); return err },
			"groups and resources": func(f *fake.FakeDiscovery) error { _, _, err := f.ServerGroupsAndResources(); return err },
		},
		"version": {
			"version": func(f *fake.FakeDiscovery) error { _, err := f.ServerVersion(); return err },
		},
	} {
		for name, call := range calls {
			f := newFake()
			f.PrependReactor("get", what, func(clienttesting.Action) (bool, runtime.Object, error) {
				return true, nil, broken
			})
			if err := call(f); !errors.Is(err, broken) {
				t.Errorf("%s, with a failing %q: got %v", name, what, err)
			}
		}
	}
}

func TestUnknownGroupVersion(t *testing.T) {
	list, err := newFake().ServerResourcesForGroupVersion("c/v1")
	want := `the server could not find the requested resource, GroupVersion "c/v1" not found`
	if !apierrors.IsNotFound(err) || err.Error() != want || list != nil {
		t.Errorf("got %v, %v", list, err)
	}
	enabled, err := discovery.IsResourceEnabled(newFake(), schema.GroupVersionResource{Group: "b", Version: "v2", Resource: "foos"})
	if !enabled || err != nil {
		t.Errorf("got %t, %v", enabled, err)
	}
}

func TestMalformedGroupVersion(t *testing.T) {
	f := newFake()
	f.Resources = slices.Concat(f.Resources, []*metav1.APIResourceList{{GroupVersion: "a/b/c"}})
	if list, err := f.ServerGroups(); err == nil || list != nil {
		t.Errorf("got %v, %v", list, err)
	}
}

// By default, the fake's version is the one of no release, and names the compiler.
func TestDefaultVersion(t *testing.T) {
	info, err := newFake().ServerVersion()
	if err != nil || info.GitVersion == "" || info.GoVersion == "" || info.Platform == "" {
		t.Errorf("got %v, %v", info, err)
	}
}

func TestNoServer(t *testing.T) {
	f := newFake()
	if f.RESTClient() != nil {
		t.Error("there is a REST client")
	}
	if f.WithLegacy() != discovery.DiscoveryInterface(f) || f.WithLegacyWithContext(t.Context()) != discovery.DiscoveryInterfaceWithContext(f) {
		t.Error("legacy discovery is another client")
	}
	lists, err := discovery.ServerPreferredResources(f)
	if err != nil || len(lists) != 3 {
		t.Errorf("got %v, %v", lists, err)
	}
}
