package memory_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/listwatch/listwatch/runtime/discovery"
	"github.com/listwatch/listwatch/runtime/discovery/cached/memory"
	"github.com/listwatch/listwatch/runtime/discovery/fake"
	clienttesting "github.com/listwatch/listwatch/runtime/testing"
)

// delegate is a fake whose answers can be errors, and take time.
type delegate struct {
	*fake.FakeDiscovery
	delay time.Duration

	mu       sync.Mutex // guards what follows
	errs     map[string]error
	requests []string
}

func newDelegate() *delegate {
	d := &delegate{
		FakeDiscovery: &fake.FakeDiscovery{Fake: &clienttesting.Fake{}},
		errs:          map[string]error{},
	}
	d.Resources = []*metav1.APIResourceList{
		{GroupVersion: "v1", APIResources: []metav1.APIResource{{Name: "pods", Kind: "Pod", Namespaced: true}}},
		{GroupVersion: "shop.dev/v1", APIResources: []metav1.APIResource{{Name: "books", Kind: "Book"}}},
	}
	return d
}

func (d *delegate) note(ctx context.Context, what string) error {
	d.mu.Lock()
	d.requests = append(d.requests, what)
	err := d.errs[what]
	d.mu.Unlock()
	select {
	case <-time.After(d.delay):
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (d *delegate) fail(what string, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.errs[what] = err
}

func (d *delegate) seen() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	requests := d.requests
	d.requests = nil
	slices.Sort(requests)
	return requests
}

func (d *delegate) ServerGroupsWithContext(ctx context.Context) (*metav1.APIGroupList, error) {
	if err := d.note(ctx, "groups"); err != nil {
		return nil, err
	}
	return d.FakeDiscovery.ServerGroupsWithContext(ctx)
}

func (d *delegate) ServerResourcesForGroupVersionWithContext(ctx context.Context, gv string) (*metav1.APIResourceList, error) {
	if err := d.note(ctx, gv); err != nil {
		return nil, err
	}
	return d.FakeDiscovery.ServerResourcesForGroupVersionWithContext(ctx, gv)
}

// aggregatedDelegate returns resources together with groups.
type aggregatedDelegate struct{ *delegate }

var stale = schema.GroupVersion{Group: "stale.dev", Version: "v1"}

func (d aggregatedDelegate) GroupsAndMaybeResourcesWithContext(ctx context.Context) (*metav1.APIGroupList, map[schema.GroupVersion]*metav1.APIResourceList, map[schema.GroupVersion]error, error) {
	if err := d.note(ctx, "all"); err != nil {
		return nil, nil, nil, err
	}
	groups, err := d.FakeDiscovery.ServerGroupsWithContext(ctx)
	resources := map[schema.GroupVersion]*metav1.APIResourceList{
		{Version: "v1"}: d.Resources[0], {Group: "shop.dev", Version: "v1"}: d.Resources[1],
	}
	return groups, resources, map[schema.GroupVersion]error{stale: errors.New("stale")}, err
}

func wantRequests(t *testing.T, d *delegate, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, d.seen()); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
}

func TestClient(t *testing.T) {
	d := newDelegate()
	c := memory.NewMemCacheClient(d)
	if c.Fresh() {
		t.Error("fresh before anything was requested")
	}
	for range 3 {
		groups, lists, err := c.ServerGroupsAndResources()
		if err != nil || len(groups) != 2 || len(lists) != 2 {
			t.Fatalf("got %v, %v, %v", groups, lists, err)
		}
		if list, err := c.ServerResourcesForGroupVersion("shop.dev/v1"); err != nil || list.APIResources[0].Name != "books" {
			t.Errorf("got %v, %v", list, err)
		}
		if _, err := c.ServerResourcesForGroupVersion("other.dev/v1"); !errors.Is(err, memory.ErrCacheNotFound) {
			t.Errorf("got %v", err)
		}
		if preferred, err := c.ServerPreferredNamespacedResources(); err != nil || len(preferred) != 1 {
			t.Errorf("preferred: got %v, %v", preferred, err)
		}
	}
	wantRequests(t, d, "groups", "shop.dev/v1", "v1")
	if !c.Fresh() {
		t.Error("not fresh")
	}
	c.Invalidate()
	if c.Fresh() {
		t.Error("fresh after it was invalidated")
	}
	if preferred, err := c.ServerPreferredResources(); err != nil || len(preferred) != 2 {
		t.Errorf("preferred: got %v, %v", preferred, err)
	}
	wantRequests(t, d, "groups", "shop.dev/v1", "v1")
	if info, err := c.ServerVersion(); err != nil || info.GitVersion == "" {
		t.Errorf("version: got %v, %v", info, err)
	}
	if c.RESTClient() != nil || c.WithLegacy() != c {
		t.Error("REST client or legacy form differs")
	}
}

func TestAggregated(t *testing.T) {
	d := aggregatedDelegate{newDelegate()}
	c := memory.NewMemCacheClientWithContext(d)
	ctx := t.Context()
	_, lists, err := discovery.ServerGroupsAndResourcesWithContext(ctx, c)
	if failed, _ := discovery.GroupDiscoveryFailedErrorGroups(err); len(lists) != 2 || failed[stale] == nil {
		t.Errorf("got %v, %v", lists, err)
	}
	if list, err := c.ServerResourcesForGroupVersionWithContext(ctx, "shop.dev/v1"); err != nil || len(list.APIResources) != 1 {
		t.Errorf("got %v, %v", list, err)
	}
	if _, err := c.ServerResourcesForGroupVersionWithContext(ctx, stale.String()); err == nil || err.Error() != "stale" {
		t.Errorf("got %v", err)
	}
	if !c.FreshWithContext(ctx) {
		t.Error("not fresh")
	}
	wantRequests(t, d.delegate, "all")
}

// What may pass is requested again, and what does not is cached.
func TestFailedVersion(t *testing.T) {
	for name, tt := range map[string]struct {
		err    error
		passes bool
	}{
		"refused":             {&net.OpError{Err: syscall.ECONNREFUSED}, true},
		"reset":               {fmt.Errorf("read: %w", syscall.ECONNRESET), true},
		"unavailable":         {apierrors.NewServiceUnavailable("later"), true},
		"wrapped unavailable": {fmt.Errorf("discovery at /apis: %w", apierrors.NewServiceUnavailable("later")), true},
		"too many requests":   {apierrors.NewTooManyRequests("later", 1), true},
		"timeout":             {context.DeadlineExceeded, true},
		"not found":           {apierrors.NewNotFound(schema.GroupResource{}, "x"), false},
		"forbidden":           {apierrors.NewForbidden(schema.GroupResource{}, "x", nil), false},
		"unknown":             {io.ErrUnexpectedEOF, false},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDelegate()
			d.fail("shop.dev/v1", tt.err)
			c := memory.NewMemCacheClient(d)
			if _, lists, err := c.ServerGroupsAndResources(); len(lists) != 1 || !discovery.IsGroupDiscoveryFailedError(err) {
				t.Errorf("got %v, %v", lists, err)
			}
			if _, err := c.ServerResourcesForGroupVersion("shop.dev/v1"); !errors.Is(err, tt.err) {
				t.Errorf("got %v", err)
			}
			d.seen()
			d.fail("shop.dev/v1", nil)
			_, err := c.ServerResourcesForGroupVersion("shop.dev/v1")
			requests := d.seen()
			if tt.passes != (err == nil) || tt.passes != (len(requests) > 0) {
				t.Errorf("after it passed: got %v, after requests %q", err, requests)
			}
		})
	}
}

func TestFailedGroups(t *testing.T) {
	d := newDelegate()
	broken := errors.New("broken")
	d.fail("groups", broken)
	c := memory.NewMemCacheClient(d)
	if groups, err := c.ServerGroups(); !errors.Is(err, broken) || groups != nil {
		t.Errorf("got %v, %v", groups, err)
	}
	if _, err := c.ServerResourcesForGroupVersion("v1"); !errors.Is(err, broken) || c.Fresh() {
		t.Errorf("got %v", err)
	}
	d.fail("groups", nil)
	if groups, err := c.ServerGroups(); err != nil || len(groups.Groups) != 2 {
		t.Errorf("got %v, %v", groups, err)
	}
	// A server without groups is asked again each time: it may not be ready.
	d.Resources = nil
	c.Invalidate()
	d.seen()
	for range 2 {
		if groups, err := c.ServerGroups(); err != nil || groups == nil || len(groups.Groups) != 0 || c.Fresh() {
			t.Errorf("got %v, %v", groups, err)
		}
	}
	wantRequests(t, d, "groups", "groups")
}

func TestEmptyVersion(t *testing.T) {
	d := newDelegate()
	d.Resources[1].APIResources = nil
	if _, err := memory.NewMemCacheClient(d).ServerResourcesForGroupVersion("shop.dev/v1"); err == nil || !strings.Contains(err.Error(), "received empty response for: shop.dev/v1") {
		t.Errorf("got %v", err)
	}
}

// Concurrent calls send one set of requests; one that gives up does not take the others along.
func TestConcurrently(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDelegate()
		d.delay = time.Minute
		c := memory.NewMemCacheClientWithContext(d)
		var calls sync.WaitGroup
		for range 8 {
			calls.Go(func() {
				if groups, err := c.ServerGroupsWithContext(t.Context()); err != nil || len(groups.Groups) != 2 {
					t.Errorf("got %v, %v", groups, err)
				}
			})
		}
		synctest.Wait()
		impatient, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		start := time.Now()
		if _, err := c.ServerGroupsWithContext(impatient); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
		if waited := time.Since(start); waited != time.Second {
			t.Errorf("waited for %v", waited)
		}
		calls.Wait()
		wantRequests(t, d, "groups", "shop.dev/v1", "v1")
	})
}

// A call whose context ends while it requests leaves nothing behind.
func TestCanceled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDelegate()
		d.delay = time.Minute
		c := memory.NewMemCacheClientWithContext(d)
		ctx, cancel := context.WithTimeout(t.Context(), 90*time.Second) // the resources are being requested
		defer cancel()
		if _, err := c.ServerResourcesForGroupVersionWithContext(ctx, "v1"); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
		if c.FreshWithContext(t.Context()) {
			t.Error("fresh")
		}
		if list, err := c.ServerResourcesForGroupVersionWithContext(t.Context(), "v1"); err != nil || len(list.APIResources) != 1 {
			t.Errorf("got %v, %v", list, err)
		}
	})
}

// While requests are waiting, a client is invalidated without waiting for them, and what they bring is not cached.
func TestInvalidateMeanwhile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDelegate()
		d.delay = time.Minute
		c := memory.NewMemCacheClientWithContext(d)
		var calls sync.WaitGroup
		calls.Go(func() {
			if groups, err := c.ServerGroupsWithContext(t.Context()); err != nil || len(groups.Groups) != 2 {
				t.Errorf("got %v, %v", groups, err)
			}
		})
		synctest.Wait()
		start := time.Now()
		documents := c.OpenAPIV3WithContext(t.Context())
		if c.FreshWithContext(t.Context()) {
			t.Error("fresh before the response")
		}
		c.InvalidateWithContext(t.Context())
		if documents == c.OpenAPIV3WithContext(t.Context()) {
			t.Error("documents were not invalidated")
		}
		if waited := time.Since(start); waited > 0 {
			t.Errorf("waited for %v", waited)
		}
		calls.Wait()
		if c.FreshWithContext(t.Context()) {
			t.Error("what was requested before is fresh")
		}
	})
}

// Invalidate reaches a delegate that caches, and OpenAPI documents.
func TestInvalidateDelegate(t *testing.T) {
	d := newDelegate()
	inner := memory.NewMemCacheClient(d)
	outer := memory.NewMemCacheClient(inner)
	if _, err := outer.ServerGroups(); err != nil {
		t.Fatal(err)
	}
	documents := outer.OpenAPIV3()
	if documents != outer.OpenAPIV3() {
		t.Error("documents are not cached")
	}
	outer.Invalidate()
	if inner.Fresh() {
		t.Error("the delegate was not invalidated")
	}
	if documents == outer.OpenAPIV3() {
		t.Error("documents were not invalidated")
	}
}
