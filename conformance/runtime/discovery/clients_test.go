package discovery_test

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/version"
	theirs "k8s.io/client-go/discovery"
	theirrest "k8s.io/client-go/rest"

	ours "github.com/listwatch/listwatch/runtime/discovery"
	ourrest "github.com/listwatch/listwatch/runtime/rest"
)

// client is the common interface of both sides.
type client interface {
	ServerGroupsWithContext(ctx context.Context) (*metav1.APIGroupList, error)
	ServerResourcesForGroupVersionWithContext(ctx context.Context, groupVersion string) (*metav1.APIResourceList, error)
	ServerGroupsAndResourcesWithContext(ctx context.Context) ([]*metav1.APIGroup, []*metav1.APIResourceList, error)
	ServerPreferredResourcesWithContext(ctx context.Context) ([]*metav1.APIResourceList, error)
	ServerPreferredNamespacedResourcesWithContext(ctx context.Context) ([]*metav1.APIResourceList, error)
	ServerVersionWithContext(ctx context.Context) (*version.Info, error)
	GroupsAndMaybeResourcesWithContext(ctx context.Context) (*metav1.APIGroupList, map[schema.GroupVersion]*metav1.APIResourceList, map[schema.GroupVersion]error, error)
}

// form selects the discovery that a client requests.
type form struct{ legacy, noPeer bool }

func clients(t testing.TB, s *server, f form) (their, our client) {
	t.Helper()
	httpClient := &http.Client{Transport: s}
	const host, userAgent = "http://server.test", "test"
	c, err := theirs.NewDiscoveryClientForConfigAndClient(&theirrest.Config{Host: host, UserAgent: userAgent, QPS: -1}, httpClient)
	if err != nil {
		t.Fatal(err)
	}
	c.UseLegacyDiscovery, c.NoPeerDiscovery = f.legacy, f.noPeer
	d, err := ours.NewDiscoveryClientForConfigAndClient(&ourrest.Config{Host: host, UserAgent: userAgent}, httpClient)
	if err != nil {
		t.Fatal(err)
	}
	d.UseLegacyDiscovery, d.NoPeerDiscovery = f.legacy, f.noPeer
	return c, d
}

// outcome is the result of a call. The texts of errors are not compared: ours contain more.
type outcome struct {
	Values  []any
	Failed  bool
	Reason  metav1.StatusReason
	Partial bool
}

func of(err error, values ...any) outcome {
	o := outcome{Values: values, Failed: err != nil, Reason: apierrors.ReasonForError(err)}
	if err != nil {
		o.Partial = theirs.IsGroupDiscoveryFailedError(err) || ours.IsGroupDiscoveryFailedError(err)
	}
	return o
}

// calls are all calls of a client.
var calls = map[string]func(context.Context, client) outcome{
	"groups": func(ctx context.Context, c client) outcome {
		groups, err := c.ServerGroupsWithContext(ctx)
		return of(err, groups)
	},
	"groups and maybe resources": func(ctx context.Context, c client) outcome {
		groups, resources, failed, err := c.GroupsAndMaybeResourcesWithContext(ctx)
		var failures []string
		for gv, failure := range failed {
			failures = append(failures, fmt.Sprintf("%v: %v", gv, failure))
		}
		slices.Sort(failures)
		return of(err, groups, resources, failures)
	},
	"groups and resources": func(ctx context.Context, c client) outcome {
		groups, lists, err := c.ServerGroupsAndResourcesWithContext(ctx)
		return of(err, groups, byGroupVersion(lists))
	},
	"preferred": func(ctx context.Context, c client) outcome {
		lists, err := c.ServerPreferredResourcesWithContext(ctx)
		return of(err, byName(lists))
	},
	"preferred namespaced": func(ctx context.Context, c client) outcome {
		lists, err := c.ServerPreferredNamespacedResourcesWithContext(ctx)
		return of(err, byName(lists))
	},
	"version": func(ctx context.Context, c client) outcome {
		info, err := c.ServerVersionWithContext(ctx)
		return of(err, info)
	},
	"v1": func(ctx context.Context, c client) outcome {
		list, err := c.ServerResourcesForGroupVersionWithContext(ctx, "v1")
		return of(err, list)
	},
	"apps/v1": func(ctx context.Context, c client) outcome {
		list, err := c.ServerResourcesForGroupVersionWithContext(ctx, "apps/v1")
		return of(err, list)
	},
}

func byGroupVersion(lists []*metav1.APIResourceList) []*metav1.APIResourceList {
	lists = slices.Clone(lists)
	slices.SortStableFunc(lists, func(a, b *metav1.APIResourceList) int { return cmp.Compare(a.GroupVersion, b.GroupVersion) })
	return lists
}

func byName(lists []*metav1.APIResourceList) []*metav1.APIResourceList {
	for _, list := range lists {
		slices.SortStableFunc(list.APIResources, func(a, b metav1.APIResource) int { return cmp.Compare(a.Name, b.Name) })
	}
	return byGroupVersion(lists)
}

// compare makes the same call with both clients, and reports differences in requests and results.
func compare(t *testing.T, s *server, f form, name string) {
	t.Helper()
	their, our := clients(t, s, f)
	want := calls[name](t.Context(), their)
	wantRequests := s.seen()
	got := calls[name](t.Context(), our)
	gotRequests := s.seen()
	if d := gocmp.Diff(wantRequests, gotRequests); d != "" {
		t.Errorf("%s %+v: requests (-client-go +ours):\n%s", name, f, d)
	}
	if d := gocmp.Diff(want, got, cmpopts.EquateEmpty()); d != "" {
		t.Errorf("%s %+v: outcomes (-client-go +ours):\n%s", name, f, d)
	}
}
