package embedded_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/apitest/embedded"
	"github.com/listwatch/listwatch/runtime/rest"
)

var rounds = flag.Int("rounds", 4, "how often TestDisturbed disturbs the server")

// crowd is a set of clients that use a server until its context is done.
type crowd struct {
	t      *testing.T
	server *embedded.Server
	ctx    context.Context
	all    sync.WaitGroup

	mu       sync.Mutex
	answered *sync.Cond // on mu; signalled when answers grows
	answers  int
}

// await returns after n more responses.
func (c *crowd) await(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for goal := c.answers + n; c.answers < goal; {
		c.answered.Wait()
	}
}

func (c *crowd) count() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.answers++
	c.answered.Broadcast()
}

// do sends a request. A response must be the API's; network errors are ignored, because the
// disturbance causes them. It returns the status code of the response, or 0.
func (c *crowd) do(client *http.Client, method, path, body string) int {
	req, err := http.NewRequestWithContext(c.ctx, method, c.server.URL()+path, strings.NewReader(body))
	if err != nil {
		c.t.Error(err)
		return 0
	}
	req.Header.Set("Content-Type", "application/json")
	if method == http.MethodPatch {
		req.Header.Set("Content-Type", "application/merge-patch+json")
	}
	resp, err := client.Do(req)
	if err != nil {
		return 0
	}
	defer resp.Body.Close() //nolint:errcheck // nothing is lost
	answer, err := io.ReadAll(resp.Body)
	if err != nil {
		return 0
	}
	// A request that is interrupted by a restart has timed out.
	if resp.StatusCode >= 500 && resp.StatusCode != http.StatusGatewayTimeout && !strings.Contains(string(answer), "on purpose") {
		c.t.Errorf("%s %s: %d %s", method, path, resp.StatusCode, answer)
	}
	c.count()
	return resp.StatusCode
}

// run makes a client repeat an operation.
func (c *crowd) run(config *rest.Config, do func(client *http.Client, n int)) {
	client := clientFor(c.t, config)
	c.all.Go(func() {
		for n := 0; c.ctx.Err() == nil; n++ {
			do(client, n)
		}
	})
}

// A server keeps responding while it is disturbed in every way at once, and stops cleanly.
func TestDisturbed(t *testing.T) {
	role := &rbacv1.ClusterRole{ObjectMeta: metav1.ObjectMeta{Name: "all"}, Rules: []rbacv1.PolicyRule{{APIGroups: []string{"*"}, Resources: []string{"*"}, Verbs: []string{"*"}}}}
	binding := &rbacv1.ClusterRoleBinding{ObjectMeta: metav1.ObjectMeta{Name: "all"}, Subjects: []rbacv1.Subject{{Kind: "User", Name: "mate"}}, RoleRef: rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: "all"}}
	server := embedded.Start(t, embedded.WithObjects(role, binding), embedded.WithHistory(50))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	c := &crowd{t: t, server: server, ctx: ctx}
	c.answered = sync.NewCond(&c.mu)
	crds := "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
	for i := range 2 {
		plural := fmt.Sprintf("things%d", i)
		things := "/apis/example.com/v1/namespaces/default/" + plural
		c.run(server.Config(), func(client *http.Client, n int) {
			c.do(client, http.MethodPost, crds, jsonManifest(plural, fmt.Sprintf("Thing%d", i)))
			for k := range 5 {
				c.do(client, http.MethodPatch, crds+"/"+plural+".example.com", fmt.Sprintf(`{"spec":{"names":{"categories":["c%d-%d"]}}}`, n, k))
			}
			c.do(client, http.MethodDelete, crds+"/"+plural+".example.com", "")
		})
		for writer := range 2 {
			c.run(server.ConfigFor("mate"), func(client *http.Client, n int) {
				name := fmt.Sprintf("t%d-%d", writer, n%10)
				c.do(client, http.MethodPost, things, fmt.Sprintf(`{"apiVersion":"example.com/v1","kind":"Thing%d","metadata":{"name":%q}}`, i, name))
				c.do(client, http.MethodPatch, things+"/"+name, fmt.Sprintf(`{"metadata":{"labels":{"n":"%d"}}}`, n))
				c.do(client, http.MethodGet, things+"?limit=3", "")
				if n%3 == 0 {
					c.do(client, http.MethodDelete, things+"/"+name, "")
				}
			})
		}
		c.run(server.Config(), func(client *http.Client, _ int) {
			c.do(client, http.MethodGet, things+"?watch=true&timeoutSeconds=1&allowWatchBookmarks=true", "")
		})
	}
	for writer := range 2 {
		maps := "/api/v1/namespaces/default/configmaps"
		c.run(server.ConfigFor("mate"), func(client *http.Client, n int) {
			name := fmt.Sprintf("m%d-%d", writer, n%10)
			c.do(client, http.MethodPost, maps, fmt.Sprintf(`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":%q}}`, name))
			c.do(client, http.MethodPatch, maps+"/"+name, fmt.Sprintf(`{"data":{"n":"%d"}}`, n))
			c.do(client, http.MethodGet, maps, "")
			c.do(client, http.MethodDelete, maps+"/"+name, "")
		})
		c.run(server.Config(), func(client *http.Client, _ int) {
			c.do(client, http.MethodGet, maps+"?watch=true&labelSelector=n", "")
		})
	}
	c.run(server.Config(), func(client *http.Client, _ int) {
		for _, path := range []string{"/apis", "/openapi/v3", "/apis/example.com/v1", "/readyz"} {
			c.do(client, http.MethodGet, path, "")
		}
	})

	faults := server.Faults()
	for n := range *rounds {
		rule := faults.Inject(embedded.Rule{Match: embedded.Match{Verb: "patch"}, Error: apierrors.NewInternalError(errors.New("on purpose"))})
		few := faults.Inject(embedded.Rule{Match: embedded.Match{Resource: "configmaps"}, Error: apierrors.NewTooManyRequests("on purpose", 0), Times: 3})
		faults.DropWatches()
		faults.ExpireHistory()
		c.await(20)
		<-few.Done()
		faults.Freeze()
		if n%2 == 0 {
			faults.Thaw()
		}
		faults.CutConnections()
		rule.Remove()
		if n%3 > 0 {
			if err := server.Restart(); err != nil {
				t.Error(err)
			}
		}
		faults.Thaw()
		c.await(20)
	}
	client := clientFor(t, server.Config())
	limit, code := time.Now().Add(time.Minute), 0
	for code != http.StatusOK && !t.Failed() { // its connection may have been cut
		if time.Now().After(limit) {
			t.Fatalf("GET /readyz of a server that is no longer disturbed: %d after a minute, want 200", code)
		}
		code = c.do(client, http.MethodGet, "/readyz", "")
	}
	if err := server.Stop(); err != nil {
		t.Error(err)
	}
	cancel()
	c.all.Wait()
}
