package sites_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/listwatch/listwatch/apitest/embedded"
	"github.com/listwatch/listwatch/examples/internal/idle"
	"github.com/listwatch/listwatch/examples/sites"
	"github.com/listwatch/listwatch/examples/sites/config"
	"github.com/listwatch/listwatch/examples/sites/generated/clientset/versioned"
	"github.com/listwatch/listwatch/kubernetes"
)

// TestShare runs three replicas that share the sites of 40 namespaces, and cuts one off while it works: its requests wait.
// The others take over its sites, and nobody else's sites change hands. When it is connected again, it does not send what
// it was about to write.
func TestShare(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		objects, err := config.SharedObjects()
		check(t, err)
		server := embedded.Start(t, embedded.WithoutNetwork(), embedded.WithCRDs("config/crd"), embedded.WithObjects(objects...))
		client, cluster := versioned.NewForConfigOrDie(server.Config()), kubernetes.NewForConfigOrDie(server.Config())
		var namespaces []string
		for i := range 40 {
			namespaces = append(namespaces, fmt.Sprint(i, "-tenant"))
			_, err = cluster.CoreV1().Namespaces().Create(t.Context(), &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespaces[i]}}, metav1.CreateOptions{})
			check(t, err)
			_, err = client.WebV1().Sites(namespaces[i]).Create(t.Context(), newSite("hello"), metav1.CreateOptions{})
			check(t, err)
		}
		s := &shared{writers: map[string][]string{}, healed: make(chan struct{})}
		ctx, stop := context.WithCancel(context.Background())
		var replicas sync.WaitGroup
		for _, name := range []string{"first", "second", "third"} {
			user := server.ConfigFor(config.User)
			user.Wrap(s.watch(name))
			replicas.Go(func() {
				err := sites.Run(ctx, user, sites.Options{
					Namespace: "sites", Identity: name, Workers: 2, Share: true, Lease: sites.ShareLease,
					StopTimeout: 10 * time.Second, Listener: idle.NewListener(), Log: slog.New(slog.DiscardHandler),
				})
				if err != nil {
					t.Error(err)
				}
			})
		}
		pages := func(want string) {
			t.Helper()
			for _, n := range namespaces {
				page, err := cluster.CoreV1().ConfigMaps(n).Get(t.Context(), "hello", metav1.GetOptions{})
				check(t, err)
				if page.Data["index.html"] != want {
					t.Errorf("the page of %s is %q, want %q; replicas that wrote: %v", n, page.Data["index.html"], want, s.of(n))
				}
			}
		}
		time.Sleep(2 * time.Minute)
		pages("<h1>Hello</h1>")
		owners := map[string]string{}
		for _, n := range namespaces {
			writers := s.of(n)
			owners[n] = writers[len(writers)-1]
			if len(writers) != 1 {
				t.Errorf("the site of %s is written by %v", n, writers)
			}
		}
		if got := slices.Sorted(func(yield func(string) bool) {
			for _, owner := range owners {
				_ = yield(owner)
			}
		}); len(slices.Compact(got)) != 3 {
			t.Fatalf("sites are written by %v", slices.Compact(got))
		}

		s.lose("first")
		for _, n := range namespaces {
			_, err := client.WebV1().Sites(n).Patch(t.Context(), "hello", types.MergePatchType, []byte(`{"spec":{"html":"<h1>Bye</h1>"}}`), metav1.PatchOptions{})
			check(t, err)
		}
		time.Sleep(50 * time.Second) // the others have its sites, and what it does for one has a minute
		close(s.healed)
		time.Sleep(time.Second)
		pages("<h1>Bye</h1>")
		for _, n := range namespaces {
			writers := s.of(n)
			if owner := owners[n]; writers[len(writers)-1] == "first" || owner != "first" && len(writers) != 1 {
				t.Errorf("the site of %s, which is one of the %s replica, is written by %v", n, owner, writers)
			}
		}
		if s.held == 0 {
			t.Error("the replica that was cut off wrote nothing meanwhile")
		}
		stop()
		replicas.Wait()
	})
}

// shared watches the writes of replicas that share sites.
type shared struct {
	mu      sync.Mutex          // guards the fields below
	writers map[string][]string // of objects in each namespace, without repetitions
	cut     string              // a replica whose requests wait
	held    int                 // its writes

	healed chan struct{} // closed when they are sent
}

func (s *shared) watch(replica string) func(next http.RoundTripper) http.RoundTripper {
	return func(next http.RoundTripper) http.RoundTripper {
		return roundTripper(func(r *http.Request) (*http.Response, error) {
			if s.isCut(replica, r) {
				select {
				case <-s.healed:
				case <-r.Context().Done():
					return nil, context.Cause(r.Context())
				}
			}
			s.record(replica, r)
			return next.RoundTrip(r)
		})
	}
}

// isCut reports whether a request waits.
func (s *shared) isCut(replica string, r *http.Request) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if replica == s.cut && namespaceOf(r) != "" {
		s.held++
	}
	return replica == s.cut
}

func (s *shared) record(replica string, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := namespaceOf(r)
	if writers := s.writers[n]; n != "" && (len(writers) == 0 || writers[len(writers)-1] != replica) {
		s.writers[n] = append(writers, replica)
	}
}

// namespaceOf returns the namespace in which a request writes for a site, empty for other requests.
func namespaceOf(r *http.Request) string {
	_, path, _ := strings.Cut(r.URL.Path, "/namespaces/")
	parts := strings.Split(path, "/")
	if r.Method == http.MethodGet || len(parts) < 2 || parts[1] == "leases" || parts[1] == "events" {
		return ""
	}
	return parts[0]
}

func (s *shared) of(namespace string) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.writers[namespace])
}

func (s *shared) lose(replica string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cut = replica
}
