package sites_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"sync/atomic"
	"testing"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/listwatch/listwatch/apitest/embedded"
	"github.com/listwatch/listwatch/examples/sites"
	webv1 "github.com/listwatch/listwatch/examples/sites/apis/web/v1"
	"github.com/listwatch/listwatch/examples/sites/config"
	"github.com/listwatch/listwatch/examples/sites/generated/clientset/versioned"
	"github.com/listwatch/listwatch/kubernetes"
	"github.com/listwatch/listwatch/kubernetes/record"
	"github.com/listwatch/listwatch/runtime/cache"
)

// TestServerFails rejects requests of the controller during the life of a site.
func TestServerFails(t *testing.T) {
	sitesResource := schema.GroupResource{Group: "web.example.com", Resource: "sites"}
	for name, rules := range map[string][]embedded.Rule{
		"conflicts": {
			{Match: embedded.Match{Verb: "patch", Resource: "sites"}, Error: apierrors.NewConflict(sitesResource, "hello", errors.New("changed")), Times: 2},
			{Match: embedded.Match{Verb: "update", Resource: "sites/status"}, Error: apierrors.NewConflict(sitesResource, "hello", errors.New("changed")), Times: 3},
		},
		"errors": {
			{Match: embedded.Match{Verb: "patch", Resource: "configmaps"}, Error: errors.New("broken"), Times: 3},
			{Match: embedded.Match{Verb: "patch", Resource: "deployments"}, Error: apierrors.NewServiceUnavailable("away"), Times: 3},
		},
		"too many requests": {
			{Match: embedded.Match{Verb: "patch"}, Error: apierrors.NewTooManyRequestsError("wait"), Times: 3},
		},
	} {
		t.Run(name, func(t *testing.T) {
			bothWays(t, func(t *testing.T, c cluster) {
				for _, rule := range rules {
					rule.Match.User = config.User
					c.Faults().Inject(rule)
				}
				run(t, c, "first")
				check(t, c.live(t.Context()))
			})
		})
	}
}

// TestMissedDeletion deletes the page of a site while the controller does not watch, and expires the history: it learns of
// the deletion from a list, by a tombstone.
func TestMissedDeletion(t *testing.T) {
	bothWays(t, func(t *testing.T, c cluster) {
		run(t, c, "first")
		ctx := t.Context()
		check(t, create(ctx, c), c.ready(ctx, "hello", webv1.ReasonProgressing))

		watches := embedded.Match{User: config.User, Verb: "watch", Resource: "configmaps"}
		away := c.Faults().Inject(embedded.Rule{Match: watches, Error: apierrors.NewServiceUnavailable("away")})
		c.Faults().DropWatches(watches)
		configMaps := c.kube.CoreV1().ConfigMaps("default")
		check(t, configMaps.Delete(ctx, "hello", metav1.DeleteOptions{}))
		c.Faults().ExpireHistory()
		away.Remove()
		check(t, await(ctx, configMaps.Watch, "hello", func(*corev1.ConfigMap) bool { return true }))
	})
}

// TestCrash ends a controller after each of its writes. The next one completes what it has begun.
func TestCrash(t *testing.T) {
	const writes = 5 // finalizer, directory, config map, deployment, status
	for n := 1; n <= writes; n++ {
		t.Run(fmt.Sprintf("creation after write %d", n), func(t *testing.T) {
			t.Parallel()
			c := newCluster(t, leading)
			check(t, create(t.Context(), c))
			<-work(t, c, n)
			work(t, c, 0)
			check(t, c.ready(t.Context(), "hello", webv1.ReasonProgressing), c.play(t.Context()), c.ready(t.Context(), "hello", webv1.ReasonAvailable))
		})
	}
	for n := 1; n <= 2; n++ { // directory, finalizer
		t.Run(fmt.Sprintf("deletion after write %d", n), func(t *testing.T) {
			t.Parallel()
			c := newCluster(t, leading)
			check(t, create(t.Context(), c))
			<-work(t, c, writes)
			check(t, c.sites.Delete(t.Context(), "hello", metav1.DeleteOptions{}))
			<-work(t, c, n)
			work(t, c, 0)
			check(t, c.gone(t.Context(), "hello"))
		})
	}
}

var errCrashed = errors.New("crashed")

// work runs a controller without an election. It crashes after a number of writes, if that is not 0: the last write
// succeeds, but the controller does not learn of it. The channel is closed when it has ended.
func work(t *testing.T, c cluster, writes int) <-chan struct{} {
	t.Helper()
	ctx, crash := context.WithCancel(context.Background())
	user := c.ConfigFor(config.User)
	var written atomic.Int32
	user.Wrap(func(next http.RoundTripper) http.RoundTripper {
		return roundTripper(func(r *http.Request) (*http.Response, error) {
			response, err := next.RoundTrip(r)
			if err == nil && r.Method != http.MethodGet && int(written.Add(1)) == writes {
				_ = response.Body.Close()
				crash()
				return nil, errCrashed
			}
			return response, err
		})
	})
	controller, err := sites.New(versioned.NewForConfigOrDie(user), kubernetes.NewForConfigOrDie(user),
		record.NewFakeRecorder(100), cache.NewObjectName("sites", "directory"), nil, slog.New(slog.NewTextHandler(t.Output(), nil)))
	check(t, err)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		defer controller.Close()
		if controller.Watch(ctx) == nil {
			controller.Work(ctx, 1, nil)
		}
	}()
	t.Cleanup(func() { crash(); <-ended })
	return ended
}
