package main

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	"github.com/listwatch/listwatch/apitest"
	"github.com/listwatch/listwatch/examples/shop/pkg/generated/clientset/versioned"
)

var errForbidden = errors.New("a request was forbidden")

// TestRights removes one permission after the other: without it, a request of the program is forbidden. TestReady
// shows that all of them suffice.
func TestRights(t *testing.T) {
	text, err := os.ReadFile("config/rbac/role.yaml")
	if err != nil {
		t.Fatal(err)
	}
	all := 0
	for right := 0; ; right++ {
		roles, removed := without(t, string(text), right)
		if removed == "" {
			break
		}
		all++
		t.Run(removed, func(t *testing.T) {
			server := apitest.Start(t, apitest.WithCRDs("config/crd/bases"),
				apitest.WithManifests("config/manager/manager.yaml", "config/rbac/service_account.yaml"), apitest.WithManifestText(roles))
			databases := versioned.NewForConfigOrDie(server.Config()).StorageV1().Databases("default")
			if _, err := databases.Create(t.Context(), newDatabase(2), metav1.CreateOptions{}); err != nil {
				t.Fatal(err)
			}
			listener, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancelCause(t.Context())
			defer cancel(nil)
			stop := time.AfterFunc(time.Minute, func() { cancel(nil) })
			defer stop.Stop()
			config := server.ConfigFor("system:serviceaccount:shop-system:controller")
			config.Wrap(func(next http.RoundTripper) http.RoundTripper {
				return roundTripper(func(r *http.Request) (*http.Response, error) {
					if r.URL.Query().Get("sendInitialEvents") == "true" && strings.Contains(removed, " list ") {
						return withoutWatchList(r), nil
					}
					response, err := next.RoundTrip(r)
					if err == nil && response.StatusCode == http.StatusForbidden {
						cancel(errForbidden)
					}
					return response, err
				})
			})
			_ = operator{config: config, workers: 1, listener: listener, namespace: "shop-system", identity: "alone"}.run(ctx)
			if !errors.Is(context.Cause(ctx), errForbidden) {
				t.Error("it is not needed: no request was forbidden")
			}
		})
	}
	if all != 6 {
		t.Errorf("got %d permissions", all)
	}
}

// without returns the roles without the permission of a number, and that permission; "" if there is none.
func without(t *testing.T, roles string, number int) (left, removed string) {
	t.Helper()
	documents := strings.Split(strings.TrimPrefix(roles, "---\n"), "---\n")
	for i, document := range documents {
		var role rbacv1.ClusterRole // a Role has the same fields
		if err := yaml.Unmarshal([]byte(document), &role); err != nil {
			t.Fatal(err)
		}
		for j, rule := range role.Rules {
			if number >= len(rule.Verbs) {
				number -= len(rule.Verbs)
				continue
			}
			removed = role.Kind + " " + rule.Verbs[number] + " " + rule.Resources[0]
			role.Rules[j].Verbs = slices.Delete(slices.Clone(rule.Verbs), number, number+1)
			if len(role.Rules[j].Verbs) == 0 {
				role.Rules = slices.Delete(role.Rules, j, j+1)
			}
			text, err := yaml.Marshal(role)
			if err != nil {
				t.Fatal(err)
			}
			documents[i] = string(text)
			return strings.Join(documents, "---\n"), removed
		}
	}
	return roles, ""
}

// withoutWatchList returns the response of a server without WatchList, where the informer lists.
func withoutWatchList(r *http.Request) *http.Response {
	const body = `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Invalid","code":422,"message":"sendInitialEvents is forbidden"}`
	return &http.Response{
		StatusCode: http.StatusUnprocessableEntity, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(strings.NewReader(body)), Request: r,
	}
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }
