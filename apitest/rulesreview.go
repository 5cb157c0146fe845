package apitest

import (
	"context"

	authorizationv1 "k8s.io/api/authorization/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apiserver/pkg/authentication/user"
)

// ruleLister lists what a user may do.
type ruleLister interface {
	// Rules returns the rules of a user in a namespace. With an error, they are not all.
	Rules(ctx context.Context, who user.Info, namespace string) ([]rbacv1.PolicyRule, error)
}

// Rules implements ruleLister.
func (r *roles) Rules(ctx context.Context, who user.Info, namespace string) ([]rbacv1.PolicyRule, error) {
	policy, err := r.resources.Policy(ctx)
	if err != nil {
		return nil, err
	}
	return policy.RulesFor(who, namespace)
}

// list sets the status of a review to what its user may do. The permissions of the privileged group are not rules.
func (r *reviews) list(ctx context.Context, who user.Info, review *authorizationv1.SelfSubjectRulesReview) error {
	namespace := review.Spec.Namespace
	if namespace == "" {
		return apierrors.NewBadRequest("no namespace on request")
	}
	*review = authorizationv1.SelfSubjectRulesReview{TypeMeta: review.TypeMeta, Status: authorizationv1.SubjectRulesReviewStatus{
		ResourceRules: []authorizationv1.ResourceRule{}, NonResourceRules: []authorizationv1.NonResourceRule{},
	}}
	status := &review.Status
	lister, ok := r.rights.rules.(ruleLister)
	if !ok {
		status.Incomplete = true
		status.EvaluationError = "the authorizer does not support user rule resolution"
		return nil
	}
	rules, err := lister.Rules(ctx, who, namespace)
	if err != nil {
		status.EvaluationError = err.Error()
	}
	for _, rule := range rules {
		if len(rule.Resources) > 0 {
			status.ResourceRules = append(status.ResourceRules, authorizationv1.ResourceRule{
				Verbs: rule.Verbs, APIGroups: rule.APIGroups, Resources: rule.Resources, ResourceNames: rule.ResourceNames,
			})
		}
		if len(rule.NonResourceURLs) > 0 {
			status.NonResourceRules = append(status.NonResourceRules, authorizationv1.NonResourceRule{
				Verbs: rule.Verbs, NonResourceURLs: rule.NonResourceURLs,
			})
		}
	}
	return nil
}
