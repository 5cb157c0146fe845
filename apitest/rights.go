package apitest

import (
	"context"
	"slices"

	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizer"

	"github.com/listwatch/listwatch/apitest/internal/builtin"
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
	return decide(rbac.Public, a)
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
	resources *builtin.Resources
}

// Authorize implements authorizer.UnconditionalAuthorizer.
func (r *roles) Authorize(ctx context.Context, a authorizer.Attributes) (authorizer.Decision, string, error) {
	policy, err := r.resources.Policy(ctx)
	if err != nil {
		return authorizer.DecisionNoOpinion, "", err
	}
	return decide(policy, a)
}
