package apitest

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"sync"

	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizer"

	"github.com/listwatch/listwatch/apitest/internal/rbac"
)

// rights authorizes requests: the privileged group may do everything, and rules decide about
// others.
type rights struct {
	rules authorizer.UnconditionalAuthorizer
}

func (r *rights) authorize(ctx context.Context, a authorizer.Attributes) (authorizer.Decision, string, error) {
	if inGroup(a.GetUser(), user.SystemPrivilegedGroup) {
		return authorizer.DecisionAllow, "", nil
	}
	return r.rules.Authorize(ctx, a)
}

func inGroup(who user.Info, group string) bool {
	return who != nil && slices.Contains(who.GetGroups(), group)
}

// anybody authorizes if there are no roles: authenticated users may do everything, others only what every
// server allows.
func anybody(_ context.Context, a authorizer.Attributes) (authorizer.Decision, string, error) {
	if inGroup(a.GetUser(), user.AllAuthenticated) {
		return authorizer.DecisionAllow, "", nil
	}
	return decide(&rbac.Policy{}, a)
}

func decide(policy *rbac.Policy, a authorizer.Attributes) (authorizer.Decision, string, error) {
	allowed, reason := policy.Allows(a)
	switch {
	case allowed:
		return authorizer.DecisionAllow, reason, nil
	case reason != "":
		reason = "rbac: " + reason // the real server names the authorizer
	}
	return authorizer.DecisionNoOpinion, reason, nil
}

// roles authorizes with the roles and bindings of the server.
type roles struct {
	inside  *inside
	version func() uint64 // resource version of the last change of any object

	mu     sync.Mutex // guards the fields below, also while the policy is read
	policy *rbac.Policy
	as     uint64 // the version at which the policy was read, or an older one
}

// Authorize implements authorizer.UnconditionalAuthorizer.
func (r *roles) Authorize(ctx context.Context, a authorizer.Attributes) (authorizer.Decision, string, error) {
	policy, err := r.current(ctx)
	if err != nil {
		return authorizer.DecisionNoOpinion, "", err
	}
	return decide(policy, a)
}

// current returns the current policy.
func (r *roles) current(ctx context.Context) (*rbac.Policy, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	version := r.version()
	if r.policy != nil && r.as == version {
		return r.policy, nil
	}
	policy := &rbac.Policy{}
	for resource, items := range map[string]any{
		"clusterroles":        &policy.ClusterRoles,
		"clusterrolebindings": &policy.ClusterRoleBindings,
		"roles":               &policy.Roles,
		"rolebindings":        &policy.RoleBindings,
	} {
		body, err := r.inside.do(ctx, http.MethodGet, "/apis/"+rbacv1.SchemeGroupVersion.String()+"/"+resource, nil)
		if err != nil {
			return nil, err
		}
		list := struct{ Items any }{items}
		if err := json.Unmarshal(body, &list); err != nil {
			return nil, err
		}
	}
	r.policy, r.as = policy, version
	return policy, nil
}
