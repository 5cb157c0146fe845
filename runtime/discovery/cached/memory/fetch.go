package memory

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"syscall"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/runtime/discovery"
)

// served is what a server serves.
type served struct {
	groups *metav1.APIGroupList
	// versions contains the listed group versions, by names such as "apps/v1".
	versions map[string]outcome
	// aggregated is set if resources came together with groups.
	aggregated bool
}

// outcome is the result of the request for a group version.
type outcome struct {
	list *metav1.APIResourceList
	err  error
}

// fetch requests everything: at once if d can, otherwise the resources of all group versions concurrently.
// Failures of single group versions are part of the result.
func fetch(ctx context.Context, d discovery.DiscoveryInterfaceWithContext) (*served, error) {
	s := &served{versions: map[string]outcome{}}
	if a, ok := aggregated(d); ok {
		groups, resources, failed, err := a.GroupsAndMaybeResourcesWithContext(ctx)
		if err != nil {
			return nil, err
		}
		s.groups, s.aggregated = groups, resources != nil
		for gv, list := range resources {
			s.versions[gv.String()] = outcome{list: list}
		}
		for gv, err := range failed {
			s.versions[gv.String()] = outcome{err: err}
		}
	} else {
		groups, err := d.ServerGroupsWithContext(ctx)
		if err != nil {
			return nil, err
		}
		s.groups = groups
	}
	if s.groups == nil {
		s.groups = &metav1.APIGroupList{}
	}
	if !s.aggregated {
		s.fetchVersions(ctx, d)
		// What an ended context makes of the requests is not worth keeping.
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	return s, nil
}

func aggregated(d discovery.DiscoveryInterfaceWithContext) (discovery.AggregatedDiscoveryInterfaceWithContext, bool) {
	switch d := d.(type) {
	case discovery.AggregatedDiscoveryInterfaceWithContext:
		return d, true
	case discovery.AggregatedDiscoveryInterface:
		return discovery.ToAggregatedDiscoveryInterfaceWithContext(d), true
	default:
		return nil, false
	}
}

func (s *served) fetchVersions(ctx context.Context, d discovery.DiscoveryInterfaceWithContext) {
	var mu sync.Mutex // guards s.versions
	var requests sync.WaitGroup
	for _, group := range s.groups.Groups {
		for _, v := range group.Versions {
			requests.Go(func() {
				result := request(ctx, d, v.GroupVersion)
				mu.Lock()
				defer mu.Unlock()
				s.versions[v.GroupVersion] = result
			})
		}
	}
	requests.Wait()
}

// request requests the resources of a group version.
func request(ctx context.Context, d discovery.DiscoveryInterfaceWithContext, groupVersion string) outcome {
	list, err := d.ServerResourcesForGroupVersionWithContext(ctx, groupVersion)
	if err == nil && (list == nil || len(list.APIResources) == 0) {
		err = fmt.Errorf("received empty response for: %s", groupVersion)
	}
	return outcome{list, err}
}

// mayPass reports whether a request that failed may succeed if it is sent again.
func mayPass(err error) bool {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) ||
		errors.Is(err, syscall.ECONNREFUSED) || errors.Is(err, syscall.ECONNRESET) {
		return true
	}
	var status apierrors.APIStatus
	if errors.As(err, &status) && status.Status().Code >= http.StatusInternalServerError {
		return true
	}
	return apierrors.IsTooManyRequests(err)
}
