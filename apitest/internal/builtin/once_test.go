package builtin_test

import (
	"net/http"
	"testing"

	"github.com/listwatch/listwatch/apitest/internal/builtin"
	"github.com/listwatch/listwatch/apitest/internal/rbac"
	"github.com/listwatch/listwatch/apitest/internal/store"
	"k8s.io/apiserver/pkg/authorization/authorizerfactory"
	"k8s.io/client-go/kubernetes/scheme"
)

// Autoscalers of v1 and v2 are the same objects.
func TestAutoscalersHaveOneStore(t *testing.T) {
	s := serve(t, builtin.Options{})
	const rest = "/namespaces/default/horizontalpodautoscalers"
	s.must(http.MethodPost, "/apis/autoscaling/v1"+rest, `{metadata: {name: one}, spec: {maxReplicas: 3, targetCPUUtilizationPercentage: 70,
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: a}}}`)
	now := s.must(http.MethodGet, "/apis/autoscaling/v2"+rest+"/one", "")
	if got := now.at("apiVersion"); got != "autoscaling/v2" {
		t.Errorf("an autoscaler that was created in v1 and is read in v2 has apiVersion %v", got)
	}
	s.must(http.MethodDelete, "/apis/autoscaling/v2"+rest+"/one", "")
	if got := s.do(http.MethodGet, "/apis/autoscaling/v1"+rest+"/one", ""); got.code != http.StatusNotFound {
		t.Errorf("deleted in v2, but in v1: %+v", got)
	}
}

// The policy is read once until roles or bindings change, whatever else is written.
func TestPolicyIsReadOnce(t *testing.T) {
	backend := store.NewBackend(store.Options{})
	s := serve(t, builtin.Options{Backend: backend})
	resources, err := builtin.New(builtin.Options{
		Backend: backend, Scheme: scheme.Scheme, Authorizer: authorizerfactory.NewAlwaysAllowAuthorizer(),
	})
	if err != nil {
		t.Fatal(err)
	}
	defer resources.Close()
	read := func() *rbac.Policy {
		policy, err := resources.Policy(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return policy
	}
	read() // builds what it reads
	first := read()
	s.must(http.MethodPost, "/api/v1/namespaces/default/configmaps", `{metadata: {name: one}}`)
	if read() != first {
		t.Error("read again after another write")
	}
	s.must(http.MethodPost, "/apis/rbac.authorization.k8s.io/v1/clusterroles", `{metadata: {name: one}}`)
	if now := read(); now == first || len(now.ClusterRoles) != len(first.ClusterRoles)+1 {
		t.Error("not read again after a role was written")
	}
}
