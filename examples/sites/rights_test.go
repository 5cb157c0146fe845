package sites_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	coordinationv1 "k8s.io/api/coordination/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/listwatch/listwatch/runtime/rest"
)

// TestRights removes one right after the other: without it, a request of the controller is forbidden. TestLife has
// shown that all together suffice.
func TestRights(t *testing.T) {
	for name, mode := range map[string]mode{"leading": leading, "sharing": sharing} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			testRights(t, mode)
		})
	}
}

func testRights(t *testing.T, mode mode) {
	n := 0
	for right := 0; ; right++ {
		objects, removed := without(t, mode, right)
		if removed == "" {
			break
		}
		n++
		t.Run(strings.ReplaceAll(removed, "/", "."), func(t *testing.T) {
			t.Parallel()
			c := newCluster(t, mode, append(objects, left())...)
			ctx, cancel := context.WithCancelCause(t.Context())
			defer cancel(nil)
			r := run(t, c, "first", listing, reporting(func() { cancel(errForbidden) }))
			err := c.live(ctx)
			r.stop()
			if err = errors.Join(err, <-r.ended); !errors.Is(context.Cause(ctx), errForbidden) {
				t.Errorf("not needed: the controller did all without it, with error %v", err)
			}
		})
	}
	if n < 10 {
		t.Errorf("got only %d rights", n)
	}
}

// left returns the lease of a replica that has left the ring. The others delete it.
func left() *coordinationv1.Lease {
	return &coordinationv1.Lease{ObjectMeta: metav1.ObjectMeta{
		Namespace: "sites", Name: "sites-controller.left", Labels: map[string]string{"listwatch.github.io/ring": "sites-controller"},
	}}
}

var errForbidden = errors.New("a request was forbidden")

// without returns the objects of the manifests without the right of a number, and that right; "" if there is none.
func without(t *testing.T, mode mode, number int) (objects []runtime.Object, right string) {
	t.Helper()
	objects, err := mode.objects()
	check(t, err)
	for _, object := range objects {
		role := object.(*unstructured.Unstructured)
		var rules rbacv1.ClusterRole // a Role has the same field
		check(t, runtime.DefaultUnstructuredConverter.FromUnstructured(role.Object, &rules))
		for i, rule := range rules.Rules {
			if number >= len(rule.Verbs) {
				number -= len(rule.Verbs)
				continue
			}
			right = role.GetKind() + " " + rule.Verbs[number] + " " + rule.Resources[0]
			rules.Rules[i].Verbs = slices.Delete(slices.Clone(rule.Verbs), number, number+1)
			if len(rules.Rules[i].Verbs) == 0 {
				rules.Rules = slices.Delete(rules.Rules, i, i+1)
			}
			changed, err := runtime.DefaultUnstructuredConverter.ToUnstructured(&rules)
			check(t, err)
			role.Object["rules"] = changed["rules"]
			return objects, right
		}
	}
	return objects, ""
}

// listing makes a server seem to have no WatchList: the controller then lists, which takes the right to list.
func listing(config *rest.Config) {
	const body = `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Invalid","code":422,"message":"sendInitialEvents is forbidden"}`
	config.Wrap(func(next http.RoundTripper) http.RoundTripper {
		return roundTripper(func(r *http.Request) (*http.Response, error) {
			if r.URL.Query().Get("sendInitialEvents") != "true" {
				return next.RoundTrip(r)
			}
			return &http.Response{
				StatusCode: http.StatusUnprocessableEntity, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
				Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(strings.NewReader(body)), Request: r,
			}, nil
		})
	})
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// reporting calls a function when a request is forbidden.
func reporting(forbidden func()) func(*rest.Config) {
	return func(config *rest.Config) {
		config.Wrap(func(next http.RoundTripper) http.RoundTripper {
			return roundTripper(func(r *http.Request) (*http.Response, error) {
				response, err := next.RoundTrip(r)
				if err == nil && response.StatusCode == http.StatusForbidden {
					forbidden()
				}
				return response, err
			})
		})
	}
}
