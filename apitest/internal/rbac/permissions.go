package rbac

import (
	"context"
	"slices"

	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizer"
)

// Permissions authorizes the requests of all users: the privileged group may do everything, and rules decide about
// others.
type Permissions struct {
	rules authorizer.UnconditionalAuthorizer
}

// NewPermissions returns permissions with rules for users outside of the privileged group.
func NewPermissions(rules authorizer.UnconditionalAuthorizer) Permissions { return Permissions{rules} }

// Authorize implements authorizer.UnconditionalAuthorizer.
func (p Permissions) Authorize(ctx context.Context, a authorizer.Attributes) (authorizer.Decision, string, error) {
	if inGroup(a.GetUser(), user.SystemPrivilegedGroup) {
		return authorizer.DecisionAllow, "", nil
	}
	return p.rules.Authorize(ctx, a)
}

// List returns the rules of a user in a namespace. With an error, they are not all. It returns false if the rules cannot
// be listed. The permissions of the privileged group are not rules.
func (p Permissions) List(ctx context.Context, who user.Info, namespace string) ([]rbacv1.PolicyRule, bool, error) {
	roles, ok := p.rules.(Roles)
	if !ok {
		return nil, false, nil
	}
	policy, err := roles(ctx)
	if err != nil {
		return nil, true, err
	}
	rules, err := policy.RulesFor(who, namespace)
	return rules, true, err
}

// Roles authorizes by the policy that it returns, for each request anew.
type Roles func(context.Context) (*Policy, error)

// Authorize implements authorizer.UnconditionalAuthorizer.
func (r Roles) Authorize(ctx context.Context, a authorizer.Attributes) (authorizer.Decision, string, error) {
	policy, err := r(ctx)
	if err != nil {
		return authorizer.DecisionNoOpinion, "", err
	}
	return decide(policy, a)
}

// WithoutRoles authorizes if there are no roles: authenticated users may do everything, others only what every
// server allows.
func WithoutRoles(_ context.Context, a authorizer.Attributes) (authorizer.Decision, string, error) {
	if inGroup(a.GetUser(), user.AllAuthenticated) {
		return authorizer.DecisionAllow, "", nil
	}
	return decide(public, a)
}

func inGroup(who user.Info, group string) bool {
	return who != nil && slices.Contains(who.GetGroups(), group)
}

func decide(policy *Policy, a authorizer.Attributes) (authorizer.Decision, string, error) {
	allowed, reason := policy.Allows(a)
	switch {
	case allowed:
		return authorizer.DecisionAllow, reason, nil
	case reason != "":
		reason = "rbac: " + reason // the real server names the authorizer
	}
	return authorizer.DecisionNoOpinion, reason, nil
}
